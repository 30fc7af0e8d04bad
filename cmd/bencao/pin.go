package main

import (
	"fmt"

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
