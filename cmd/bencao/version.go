package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		GroupID: "care",
		Short:   "Say which program this is",
		Long: `version prints the version, the commit that the program was built from, the version of Go,
and the format and schema of the snapshots that it reads and writes. "bencao --version" prints the
same line.`,
		Example: "  bencao version --json",
		Args:    noArgs,
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		b := thisBuild()
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(b)
		}
		return b.print(cmd.OutOrStdout())
	}
	return cmd
}
