package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newReady() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "ready",
		GroupID: "care",
		Short:   "Ask a running server whether it is ready",
		Long: `Ask a running server at its --admin address whether it is ready, and print its current snapshot. This is a health
check for containers without other tools.

Exit codes: 0 ready, 1 not ready or no answer, or, with --fresh, a stale snapshot or access file, 2 wrong usage.`,
		Example: "  bencao ready --admin 127.0.0.1:9090",
		Args:    noArgs,
	}
	s := use(cmd, "admin")
	fresh := cmd.Flags().Bool("fresh", false, "fail also if the snapshot or the access file is stale")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if s.admin == "" || s.admin == off {
			return usagef("admin is off; give the --admin address of the server")
		}
		r, err := askReady(cmd.Context(), s.admin)
		switch {
		case err != nil:
			return fmt.Errorf("no server answers at %s: %w", s.admin, err)
		case !r.Ready:
			return fmt.Errorf("the server at %s is shutting down", s.admin)
		case *fresh && r.Stale:
			return fmt.Errorf("snapshot %s is stale: %s", r.Snapshot, *r.Reason)
		case *fresh && r.AccessStale:
			return fmt.Errorf("the access file is stale: %s", *r.AccessReason)
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "ready, snapshot %s\n", r.Snapshot)
		return err
	}
	return cmd
}
