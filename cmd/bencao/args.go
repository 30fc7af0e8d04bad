package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/names/editdistance"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noArgs refuses arguments. If cmd has subcommands, it treats an argument as a misspelt subcommand.
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

// unknownCommand returns an error if cmd, which has run, got a subcommand that it lacks. With --help,
// cobra does not check the arguments of a command.
func unknownCommand(cmd *cobra.Command) error {
	if !cmd.HasSubCommands() {
		return nil
	}
	return noArgs(cmd, cmd.Flags().Args())
}

// oneArg accepts exactly one argument. Errors contain its description.
func oneArg(description string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s takes one argument, %s, but got %d; see %q", cmd.CommandPath(), description, len(args), cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// atMostOneArg accepts no argument or one. Errors contain its description.
func atMostOneArg(description string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%s takes at most one argument, %s, but got %d; see %q", cmd.CommandPath(), description, len(args), cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// commandsOf returns the names of cmd's subcommands.
func commandsOf(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// valueOf maps the type of a flag to a description of its valid values.
var valueOf = map[string]string{
	"int": "a whole number", "float64": "a number such as 0.05", "bool": "true or false", "duration": "a time such as 26h",
}

// flagError rewrites an error of pflag in clearer words. For an unknown flag, the new error
// suggests a similar flag. For an invalid value, it describes the valid values.
func flagError(cmd *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		f := wrong.GetFlag()
		if want, known := valueOf[f.Value.Type()]; known {
			return fmt.Errorf("--%s is %q; use %s", f.Name, wrong.GetValue(), want)
		}
	}
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case wrong != nil:
		return fmt.Errorf("invalid argument %q for \"--%s\" flag: %w", wrong.GetValue(), wrong.GetFlag().Name, wrong.Unwrap())
	case errors.As(err, &missing):
		return fmt.Errorf("flag needs an argument: --%s", missing.GetSpecifiedName())
	case !errors.As(err, &unknown):
		return err
	case unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown shorthand flag: %q in -%s", unknown.GetSpecifiedName()[0], unknown.GetSpecifiedShortnames())
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	slices.Sort(names)
	return fmt.Errorf("%s has no flag --%s; %sit has --%s", cmd.CommandPath(), name, didYouMean(name, names), strings.Join(names, ", --"))
}

// didYouMean returns the question "did you mean x? ", where x is the valid name most similar to
// given. It returns "" if no valid name is similar.
func didYouMean(given string, valid []string) any {
	best, distance := "", 3
	for _, n := range valid {
		if d := editdistance.Distance([]rune(given), []rune(n), 2); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Errorf("did you mean %q? ", best)
}

// parseSize parses a number of bytes, such as 500M or 64GiB. Units are powers of 1024.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(strings.TrimSuffix(strings.ToUpper(text), "IB"), "KMGTB")
	unit := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(strings.ToUpper(text), "IB"), digits), "B")
	n, err := strconv.ParseInt(digits, 10, 64)
	factor := map[string]int64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}[unit]
	if err != nil || factor == 0 || n < 1 || n > (1<<62)/factor {
		return 0, fmt.Errorf("%q is no size; write one such as 500M or 64G", text)
	}
	return n * factor, nil
}

// groupAnnotation is the key of an annotation. The annotation of a flag holds the title of its
// group in the help. The annotation of a command holds the titles of all groups, one a line.
const groupAnnotation = "group"

// group puts flags of cmd under a title in the help. Titles appear in the order of these calls.
func group(cmd *cobra.Command, title string, flags ...string) {
	for _, name := range flags {
		if err := cmd.Flags().SetAnnotation(name, groupAnnotation, []string{title}); err != nil {
			panic(err) // cannot fail: the caller defined the flag
		}
	}
	if titles := groupsOf(cmd); !slices.Contains(titles, title) {
		cmd.Annotations = map[string]string{groupAnnotation: strings.Join(append(titles, title), "\n")}
	}
}

// groupsOf returns the titles of the groups of cmd's flags, in the order of the help.
func groupsOf(cmd *cobra.Command) []string {
	return strings.FieldsFunc(cmd.Annotations[groupAnnotation], func(r rune) bool { return r == '\n' })
}

func completeScopes(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(access.ScopeNames(), cobra.ShellCompDirectiveNoFileComp))
		if err != nil {
			panic(err) // cannot fail: the flag was defined a few lines above
		}
	}
}

func parseScopes(flag string, texts []string) (access.Scopes, error) {
	var all access.Scopes
	for _, text := range texts {
		s, err := access.ParseScope(text)
		if err != nil {
			return 0, usagef("--%s: %w", flag, err)
		}
		all |= s
	}
	return all, nil
}
