package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		GroupID: "care",
		Short:   "Say which program this is",
		Example: "  bencao version --json",
		Args:    noArgs,
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		b := thisBuild()
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(b)
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "bencao %s, %s, snapshot format %d, schema %s\n", b.Version, b.Go, b.Format, b.Schema)
		return err
	}
	return cmd
}
