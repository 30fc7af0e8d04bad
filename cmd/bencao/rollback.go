package main

import (
	"errors"
	"fmt"

	"bencao/internal/contents"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newRollback() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rollback ID",
		GroupID: "care",
		Short:   "Make an older snapshot current again",
		Long: `Make an older snapshot current again, after checking it to the last byte. Servers change over within a second, without
losing a request. A snapshot that another version built for itself is refused. The next "bencao index" goes on from there.`,
		Example: "  bencao rollback --data /var/lib/bencao 20261120T021500Z-3f9a1c",
		Args:    oneArg("a snapshot's id"),
	}
	s := use(cmd, "data")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		w, err := dir.Lock(snapshot.WriterOptions{Purpose: "bencao rollback", Existing: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		m, err := dir.Verify(cmd.Context(), id, snapshot.Quick)
		if err != nil {
			return err
		}
		if err := contents.SameSchema(m); err != nil {
			return fmt.Errorf("snapshot %s: %w, so no server of this version would answer from it; roll back with the program that built it", id, err)
		}
		if _, err := w.Rollback(cmd.Context(), id); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is current\n", m.ID)
		return err
	}
	return cmd
}
