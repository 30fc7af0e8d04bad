package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bencao/api"
	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newPin() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pin VERSION",
		GroupID: "care",
		Short:   "Keep a snapshot that is cited, so that servers answer from it again",
		Long: `Keep a snapshot that is cited, after checking it to the last byte. "bencao index", "bencao pull" and "bencao prune" never
remove it. Servers of the data folder answer requests that name it in X-Data-Version, and show it on pages with
?version=VERSION. --keep-open of "bencao serve" says how many earlier snapshots are open at once.

The list of pins is the file PINNED in the data folder. A mirror has its own. A snapshot that was built with another schema
stays on the disk, but only the program that built it can answer from it.`,
		Example: `  bencao pin --data /var/lib/bencao 20261120T021500Z-3f9a1c --as paper-2026`,
		Args:    oneArg("a snapshot's id"),
	}
	s := use(cmd, "data")
	label := cmd.Flags().String("as", "", "a `label` of your own, such as paper-2026, shown by \"bencao snapshots\"")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		if *label != "" || cmd.Flags().Changed("as") {
			if err := snapshot.CheckLabel(*label); err != nil {
				return usagef("--as: %w", err)
			}
		}
		return s.write(cmd, dir, func(w *snapshot.Writer) error {
			if err := w.Pin(cmd.Context(), id, *label); err != nil {
				return err
			}
			m, err := dir.Verify(cmd.Context(), id, snapshot.Quick)
			if err != nil {
				return err
			}
			line := fmt.Sprintf("pinned %s, %s", id, size(m.Bytes()))
			if err := snapshotfiles.SameSchema(m); err != nil {
				line += fmt.Sprintf("; this program cannot answer from it: %v", err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
			return err
		})
	}
	return cmd
}

func newUnpin() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "unpin VERSION|LABEL",
		GroupID: "care",
		Short:   "Let a pinned snapshot be removed like any other",
		Long: `Let a pinned snapshot be removed like any other: the next "bencao index", "bencao pull" or "bencao prune" removes it if
it is older than the snapshots to keep. Servers answer requests for it while it is open.`,
		Example: "  bencao unpin --data /var/lib/bencao paper-2026",
		Args:    oneArg("a snapshot's id or label"),
	}
	s := use(cmd, "data")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		return s.write(cmd, dir, func(w *snapshot.Writer) error {
			p, err := w.Unpin(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "unpinned %s\n", p.ID)
			return err
		})
	}
	return cmd
}

// write calls change with the write lock of the data folder.
func (s *settings) write(cmd *cobra.Command, dir snapshot.Dir, change func(*snapshot.Writer) error) (err error) {
	w, err := dir.Lock(snapshot.WriterOptions{Purpose: cmd.CommandPath(), Existing: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return change(w)
}

// pinnedLine describes the pinned snapshots among all and what they take, or is "" if there is none.
func pinnedLine(all []snapshot.Info) string {
	var names []string
	var bytes int64
	for _, i := range all {
		if i.Pin != nil {
			names = append(names, strings.TrimSpace(i.ID+" "+i.Pin.Label))
			bytes += i.Manifest.Bytes()
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("pinned snapshots take %s: %s", size(bytes), strings.Join(names, ", "))
}

// pinnedVersions gives a server the pinned snapshots of its data folder. It implements
// [api.Earlier].
type pinnedVersions struct {
	*service

	mu   sync.Mutex // guards the fields below
	pins []snapshot.Pin
	ids  []string // those of pins that this program can open
}

// IDs returns the pinned snapshots that this program can open, newest first. It reads their
// manifests only when the pins have changed.
func (p *pinnedVersions) IDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	pins, err := snapshot.At(p.data).Pins()
	if err == nil && slices.Equal(pins, p.pins) {
		return p.ids
	}
	all, listErr := snapshot.At(p.data).List()
	if err := errors.Join(err, listErr); err != nil {
		p.log.Error("pinned snapshots not read, the earlier list stays in force", "error", err)
		return p.ids
	}
	p.pins, p.ids = pins, nil
	for _, i := range all {
		if i.Pin != nil && i.Err == nil && snapshotfiles.SameSchema(i.Manifest) == nil {
			p.ids = append(p.ids, i.ID)
		}
	}
	return p.ids
}

// Open verifies and opens a pinned snapshot.
func (p *pinnedVersions) Open(ctx context.Context, id string) (*api.Backend, error) {
	snap, err := snapshot.At(p.data).Open(ctx, id)
	if err != nil {
		return nil, err
	}
	b, err := openBackend(p.settings, snap, snapshotfiles.All, snap)
	if err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return b, nil
}
