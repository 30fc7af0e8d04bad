package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bencao/names"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot returns the program with all its commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "bencao",
		Short: "Plants, historical formulas, papers and scientific names: an index, a server and tools",
		Long: `bencao (本草) turns tables and checklists into a snapshot at night ("bencao index")
and answers from it by day ("bencao serve"). "bencao demo" shows it on data of its own.`,
		Example:       "  bencao demo",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run it:"},
		&cobra.Group{ID: "ask", Title: "Ask it:"},
		&cobra.Group{ID: "care", Title: "Take care of it:"},
	)
	root.AddCommand(newDemo(), newIndex(), newServe(), newPull(), newSearch(), newMatch(), newKeysCmd(), newSnapshots(), newVerify(), newRollback(), newPrune(), newDoctor(), newReady(), newSignKey(), newExport(), newConfig(), newVersion())
	root.SetHelpCommand(newHelp(root))
	root.SetCompletionCommandGroupID("care")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %q", flagError(cmd, err), cmd.CommandPath()+" --help")
	})
	return root
}

// newHelp is cobra's own command, but for what it does about a command that
// there is not.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		GroupID: "care",
		Short:   "Say what a command does",
		Example: "  bencao help keys create",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			above, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandsOf(above), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			switch {
			case about == nil:
				return &usageError{err}
			case len(rest) > 0 && about.HasSubCommands():
				return noArgs(about, rest)
			case len(rest) > 0:
				return usagef("%s has no command %q", about.CommandPath(), rest[0])
			}
			return about.Help()
		},
	}
}

// commandsOf are the commands below cmd.
func commandsOf(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// noArgs refuses arguments. On a command that has others below it, an argument
// is a misspelt command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return usagef("%s takes no argument, but got %q", cmd.CommandPath(), args[0])
	}
	names := commandsOf(cmd)
	return usagef("%s has no command %q; %sit has %s", cmd.CommandPath(), args[0], didYouMean(args[0], names), strings.Join(names, ", "))
}

// oneArg asks for exactly one argument, which what names.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s takes one argument, %s, but got %d; see %q", cmd.CommandPath(), what, len(args), cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// atMostOneArg allows one argument, which what names.
func atMostOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%s takes at most one argument, %s, but got %d; see %q", cmd.CommandPath(), what, len(args), cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// valueOf says in words what a flag's type takes.
var valueOf = map[string]string{
	"int": "a whole number", "float64": "a number such as 0.05", "bool": "true or false", "duration": "a time such as 26h",
}

// flagError says which flag may have been meant, when one is unknown, and
// what a flag takes whose value is wrong.
func flagError(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		f := wrong.GetFlag()
		if want, known := valueOf[f.Value.Type()]; known {
			return fmt.Errorf("--%s is %q; use %s", f.Name, wrong.GetValue(), want)
		}
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	slices.Sort(names)
	return fmt.Errorf("%s has no flag --%s; %sit has --%s", cmd.CommandPath(), name, didYouMean(name, names), strings.Join(names, ", --"))
}

// didYouMean returns "did you mean x? " if one of the names is near.
func didYouMean(given string, valid []string) string {
	best, distance := "", 3
	for _, n := range valid {
		if d := names.Distance(given, n, 2); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q? ", best)
}
