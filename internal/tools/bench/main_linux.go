// Command bench measures a program with data as large as a whole country's flora. It measures the
// cost of a nightly build and the cost of an answer. The cost of an answer is compared with a baseline
// server that only writes the same bytes.
//
//	bin/bench data -scale 0.01 -out FOLDER
//	bin/bench build -sources FOLDER -data DATA -out RESULT
//	bin/bench http -data DATA -out RESULT
//
// Each command except data writes RESULT.md, a table, and RESULT.json. The main figure is the
// processor time of the measured process, which other work on the machine hardly changes. The table
// also has wall times. docs/performance.md gives results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"bencao/internal/tools/bench/made"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// commands lists the commands. floor is not for users: http starts it.
var commands = map[string]func(ctx context.Context, f *flag.FlagSet, args []string, in io.Reader, out io.Writer) error{
	"data":  dataCommand,
	"build": buildCommand,
	"http":  httpCommand,
	"floor": floorCommand,
}

// run runs the command. It returns 0 on success and 2 on an error.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprintln(errs, "usage: bench data|build|http FLAGS; \"bench build -h\" lists those of build")
		return 2
	}
	f := flag.NewFlagSet("bench "+args[0], flag.ContinueOnError)
	f.SetOutput(errs)
	switch err := commands[args[0]](ctx, f, args[1:], in, out); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "bench:", err)
		return 2
	}
	return 0
}

// parse reads the flags of a command, which takes no arguments. It returns an error if one of the
// needed flags is missing.
func parse(f *flag.FlagSet, args []string, needed ...string) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%q is no flag; %s -h lists them", f.Arg(0), f.Name())
	}
	for _, name := range needed {
		if f.Lookup(name).Value.String() == "" {
			return fmt.Errorf("%s needs -%s: %s", f.Name(), name, f.Lookup(name).Usage)
		}
	}
	return nil
}

func dataCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, _ io.Writer) error {
	scale := f.Float64("scale", 0.01, "share of the full size")
	dir := f.String("out", "", "folder for the sources, empty or not there")
	if err := parse(f, args, "out"); err != nil {
		return err
	}
	return made.Write(ctx, *dir, *scale)
}
