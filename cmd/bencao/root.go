package main

import "github.com/spf13/cobra"

// newRoot returns the root command with all commands of the program.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "bencao",
		Short: "Plants, historical formulas, papers and scientific names: an index, a server and tools",
		Long: `bencao (本草) builds a snapshot from tables and checklists ("bencao index") and answers requests from it
("bencao serve"). "bencao demo" shows it with sample data.`,
		Example:       "  bencao demo",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
	}
	version := root.Flags().Bool("version", false, "print the version of the program")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return thisBuild().print(cmd.OutOrStdout())
		}
		return cmd.Help()
	}
	addHelp(root)
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run it:"},
		&cobra.Group{ID: "ask", Title: "Ask it:"},
		&cobra.Group{ID: "care", Title: "Take care of it:"},
	)
	root.AddCommand(commands()...)
	root.SetHelpCommand(newHelp(root))
	root.SetCompletionCommandGroupID("care")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %q", flagError(cmd, err), cmd.CommandPath()+" --help")
	})
	return root
}

// notOnWindows lists the commands that need Linux or macOS. On Windows the program has only the
// commands that ask a server.
var notOnWindows = []string{
	"config", "demo", "doctor", "export", "index", "init", "keys", "pin", "prescriptions", "prune", "pull", "ready", "report",
	"rollback", "serve", "snapshots", "trust", "unpin", "verify",
}

// newUnavailable returns a hidden command that prints which systems it needs.
func newUnavailable(name string) *cobra.Command {
	return &cobra.Command{
		Use: name, Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return usagef("bencao %s needs Linux or macOS; on Windows there are search, match, patterns, reconcile and mcp, which ask a server", name)
		},
	}
}

// newHelp returns a help command like that of cobra. Unlike cobra's, it returns a usage error if
// the command to explain does not exist.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		GroupID: "care",
		Short:   "Explain a command",
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
