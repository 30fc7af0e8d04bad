//go:build !manual

// Command bencao indexes plants, formulas, papers and checklists at night and
// answers questions about them by day.
//
// This folder holds a file for each command (match.go, match_server.go), and
// what they share: settings, output, exit codes, the log, the data folder.
// Commands never use each other; [newRoot] lists them. This folder alone reads
// flags and the environment, prints, or exits; all work is done further down.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program: it obeys args and returns the exit code. The first
// SIGINT or SIGTERM asks for an orderly end, the second ends at once.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot()
	language, err := userLanguage()
	if err != nil {
		complain(stderr, message(err))
		return exitCode(err)
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(onScreen(stdout))
	root.SetErr(stderr)
	err = root.ExecuteContext(withLanguage(ctx, language))
	if text := language.message(err); text != "" {
		complain(stderr, text)
	}
	return exitCode(err)
}
