package main

import (
	"errors"
	"fmt"

	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

func newRollback() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rollback [ID]",
		GroupID: "care",
		Short:   "Make an older snapshot current again",
		Long: `Make an older snapshot current again, after checking it to the last byte. Servers switch to it within a second, without
losing a request. Without an id it is the one before the current snapshot. A snapshot with the schema of another version is refused. The next "bencao index" continues from it.

With --hold, "bencao index" does not publish the same sources again: it ends with exit code 5 until a source changes, or
until "bencao rollback --release". Without it, the next night publishes them again.

Mirrors follow with their next "bencao pull". If the data folder has a root of trust, the nightly key must be in
--trust-keys: without it mirrors keep their snapshot until the next nightly build. A rollback on a mirror holds until its
next pull, and its own mirrors that have a root of trust stay with the publisher.`,
		Example: `  bencao rollback --data /var/lib/bencao
  bencao rollback --data /var/lib/bencao 20261120T021500Z-3f9a1c
  bencao rollback --data /var/lib/bencao --hold`,
		Args: atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data", "trust-keys", "trust-expires")
	hold := cmd.Flags().Bool("hold", false, "keep \"bencao index\" from publishing the sources of the withdrawn snapshot again, until one of them changes")
	release := cmd.Flags().Bool("release", false, "end such a hold; the current snapshot stays")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		if *release {
			if len(args) > 0 || *hold {
				return usagef("--release stands alone: it does not change the current snapshot")
			}
			return s.endHold(cmd, dir)
		}
		if last, err := readLastRun(s.data); *hold && err == nil && last.Command == "bencao pull" {
			return usagef("--hold: %s is a mirror, which follows its publisher; roll back there", s.data)
		}
		if len(args) == 0 {
			if id, err = before(dir, id); err != nil {
				return err
			}
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
		if err := snapshotfiles.SameSchema(m); err != nil {
			return fmt.Errorf("snapshot %s: %w, so no server of this version would answer from it; roll back with the program that built it", id, err)
		}
		if *hold {
			if err := holdCurrent(w, id); err != nil {
				return err
			}
		}
		if _, err := w.Rollback(cmd.Context(), id); err != nil {
			return err
		}
		suffix, err := announceRollback(w, s.data)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is current%s\n", m.ID, suffix)
		return err
	}
	return cmd
}

// holdCurrent holds the sources of the current snapshot, from which the data folder is rolled back
// to another one.
func holdCurrent(w *snapshot.Writer, to string) error {
	m, err := w.Dir().Published()
	if err != nil {
		return fmt.Errorf("--hold: the snapshot to withdraw is not known: %w", err)
	}
	if m.ID == to {
		return usagef("--hold: %s is current already, so no snapshot is withdrawn", to)
	}
	return w.Hold(m)
}

// endHold ends a hold.
func (s *settings) endHold(cmd *cobra.Command, dir snapshot.Dir) error {
	return s.write(cmd, dir, func(w *snapshot.Writer) error {
		hold, err := dir.Held()
		text := "no snapshot was held"
		if hold != nil || err != nil { // a damaged hold is ended too
			text = "released; the next \"bencao index\" publishes the sources as they are"
		}
		if err := w.Release(); err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
}

// before returns the id of the newest snapshot that is older than the one with the given id.
func before(dir snapshot.Dir, id string) (older string, err error) {
	all, err := dir.List()
	for _, s := range all {
		if s.ID < id {
			older = max(older, s.ID)
		}
	}
	if err == nil && older == "" {
		err = fmt.Errorf("%s has no snapshot before %s", dir.Path(), id)
	}
	return older, err
}

// announceRollback publishes a rollback to mirrors. If mirrors will not follow, it returns the
// reason, which the command prints after the line that the snapshot is current.
func announceRollback(w *snapshot.Writer, data string) (reason string, err error) {
	err = w.Announce()
	last, lastErr := readLastRun(data)
	switch {
	case errors.Is(err, trust.ErrOfPublisher), err == nil && lastErr == nil && last.Command == "bencao pull":
		return " until the next \"bencao pull\"; mirrors of this mirror that have a root of trust stay with its publisher", nil
	case errors.Is(err, trust.ErrNoKey):
		return "; mirrors stay where they are until the next nightly build, since the nightly key is not here: give --trust-keys to have them follow", nil
	case err != nil:
		return "", fmt.Errorf("servers follow, mirrors do not: %w", err)
	}
	return "", nil
}
