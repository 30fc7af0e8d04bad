package main

import (
	"errors"
	"fmt"
)

// The exit codes. Scripts and timers rely on them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2 // wrong flag, argument or configuration; the command did nothing
	exitRefused = 3 // a check refused the new snapshot
	exitRejects = 4 // a dry run found rows that a build would reject
	exitHeld    = 5 // the sources are those of a snapshot that was rolled back and is held
)

// usageError is an error in the command line or in a setting.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef returns an error that ends the program with [exitUsage].
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// exitError ends the program with an exit code. If err is nil, the program prints nothing more,
// because the command has printed everything.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitCode returns the exit code for err.
func exitCode(err error) int {
	var own *exitError
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &own):
		return own.code
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitFailed
}

// message returns the text that the program prints about err, or "" if the command has printed
// everything.
func message(err error) string {
	var own *exitError
	if err == nil || errors.As(err, &own) && own.err == nil {
		return ""
	}
	return err.Error()
}

// errUnwell ends the program with exit code 1. The command has printed everything.
var errUnwell = &exitError{code: exitFailed}
