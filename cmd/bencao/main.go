//go:build !manual

// Command bencao builds snapshots from tables of plants, formulas and papers and from checklists of
// names, and answers requests from them.
//
// Each command has one file: its flags, its help and its run function. Shared files hold the
// settings, the output, the help, the exit codes, the log and the data folder. Commands do not use
// each other. Only this package reads flags and the environment, prints, or exits. The other
// packages do the work and know nothing about these. Begin with [newRoot], which lists the
// commands, and [settings.table], which lists the settings.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs the program with args and returns the exit code. The first SIGINT or SIGTERM cancels the
// context, so that the command can finish in order. A second signal ends the program at once.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(onScreen(stdout))
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = unknownCommand(cmd)
	}
	if text := message(err); text != "" {
		complain(stderr, text)
	}
	return exitCode(err)
}
