package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bencao/indexer"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// withCommand adds to a gate's refusal the command that allows all of it: the
// operator's own with the flags that are missing.
func withCommand(cmd *cobra.Command, typed []string, err error) error {
	var gate *indexer.RefusedError
	if !errors.As(err, &gate) || len(gate.Flags) == 0 {
		return err
	}
	words := slices.Concat([]string{cmd.CommandPath()}, typed, gate.Flags)
	return &exitError{exitRefused, fmt.Errorf("%w\n%s\n%s", err, languageOf(cmd).word("if all of this is meant, allow it with:"), strings.Join(words, " "))}
}

// typed returns the flags that the operator gave cmd, quoted for a shell. Gates
// that the environment or the configuration lifts are among them, since flags
// replace those.
func typed(cmd *cobra.Command, s *settings) []string {
	var words []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		lifts := strings.HasPrefix(f.Name, "allow-") && s.origin[f.Name] != "default"
		if !f.Changed && !lifts {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				words = append(words, "--"+f.Name, quoted(v))
			}
			return
		}
		if f.Value.Type() == "bool" {
			words = append(words, strings.TrimSuffix("--"+f.Name+"="+f.Value.String(), "=true"))
			return
		}
		words = append(words, "--"+f.Name, quoted(f.Value.String()))
	})
	return words
}

// shellSafe are words that mean themselves to a shell.
var shellSafe = regexp.MustCompile(`^[\pL\pN_./:=@%+,-]+$`)

// quoted quotes a word for a shell.
func quoted(word string) string {
	if shellSafe.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
