package main

import (
	"fmt"

	"bencao/internal/messages"

	"github.com/spf13/cobra"
)

func newReady() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "ready",
		GroupID: "care",
		Short:   "Ask a running server whether it is ready",
		Long: `Ask a running server, at the address of --admin, whether it is ready, and say which snapshot answers: for the health
check of a container, where there is nothing else that could ask.

Exit codes: 0 ready, 1 not ready, or nobody answers; with --fresh also when the snapshot is stale. 2 wrong usage.`,
		Example: "  bencao ready --admin 127.0.0.1:9090",
		Args:    noArgs,
	}
	s := use(cmd, "admin")
	fresh := cmd.Flags().Bool("fresh", false, "a stale snapshot or access file is not good enough")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if s.admin == "" || s.admin == off {
			return usagef("admin is off, so nobody can be asked; give the server's --admin")
		}
		r, err := askReady(cmd.Context(), s.admin)
		switch {
		case err != nil:
			return messages.Errorf("no server answers at %s: %w", s.admin, err)
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
