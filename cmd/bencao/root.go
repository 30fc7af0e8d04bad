package main

import "github.com/spf13/cobra"

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
	}
	version := root.Flags().Bool("version", false, "say which program this is")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return thisBuild().print(cmd.OutOrStdout())
		}
		return cmd.Help()
	}
	addColour(root)
	addHelp(root)
	root.AddGroup(
		&cobra.Group{ID: "run", Title: phrase("Run it:")},
		&cobra.Group{ID: "ask", Title: phrase("Ask it:")},
		&cobra.Group{ID: "care", Title: phrase("Take care of it:")},
	)
	root.AddCommand(
		newDemo(), newInit(), newIndex(), newServe(), newPull(), newDelta(), newPush(),
		newSearch(), newMatch(), newReconcile(),
		newKeysCmd(), newSnapshots(), newReport(), newVerify(), newRollback(), newPrune(), newDoctor(), newReady(), newUsage(), newSignKey(), newTrust(), newExport(), newConfig(), newVersion(),
	)
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
