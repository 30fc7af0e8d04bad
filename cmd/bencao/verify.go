package main

import (
	"encoding/json"
	"fmt"

	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newVerify() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "verify [ID]",
		GroupID: "care",
		Short:   "Check the files of a snapshot against its manifest",
		Long: `Check the files of a snapshot, the current one if no ID is given, against its manifest: that none is missing, extra
or altered. Sizes and CRC-32C are compared; with --deep SHA-256 as well. Exit code 1 means that it must not be served.`,
		Example: "  bencao verify --data /var/lib/bencao --deep",
		Args:    atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data")
	deep := cmd.Flags().Bool("deep", false, "compare SHA-256 as well")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		depth, how := snapshot.Quick, "sizes and CRC-32C"
		if *deep {
			depth, how = snapshot.Deep, "sizes, CRC-32C and SHA-256"
		}
		m, err := dir.Verify(cmd.Context(), id, depth)
		if err != nil {
			return err
		}
		if err := snapshotfiles.Readable(m); err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{
				"id": m.ID, "intact": true, "deep": *deep, "files": len(m.Files), "bytes": m.Bytes()})
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is intact: %d files, %s, compared by %s\n", m.ID, len(m.Files), size(m.Bytes()), how)
		return err
	}
	return cmd
}
