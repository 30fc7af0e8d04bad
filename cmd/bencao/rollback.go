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
losing a request. A snapshot that another version built for itself is refused. The next "bencao index" goes on from there.

Mirrors follow, since timestamp.json gets a new version. If the publisher signs, that takes the key: without --sign-key
they stay where they are until the next night. After a rollback on a mirror, the mirrors of that mirror stay with its publisher.`,
		Example: "  bencao rollback --data /var/lib/bencao 20261120T021500Z-3f9a1c",
		Args:    oneArg("a snapshot's id"),
	}
	s := use(cmd, "data", "sign-key", "timestamp-key", "sign-expires")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		opt, err := s.writerOptions(dir, "bencao rollback")
		if err != nil {
			return err
		}
		w, err := dir.Lock(opt)
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
		told, err := tellMirrors(w)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is current%s\n", m.ID, told)
		return err
	}
	return cmd
}

// tellMirrors has mirrors follow a rollback, and says why they don't if they
// don't.
func tellMirrors(w *snapshot.Writer) (why string, err error) {
	err = w.Announce()
	switch {
	case errors.Is(err, snapshot.ErrOfPublisher):
		return " until the next \"bencao pull\"; mirrors of this mirror stay with its publisher", nil
	case errors.Is(err, snapshot.ErrNoKey):
		return "; mirrors stay where they are until the next night, since the publisher signs: give --sign-key to have them follow", nil
	case err != nil:
		return "", fmt.Errorf("servers follow, mirrors are not told: %w", err)
	}
	return "", nil
}
