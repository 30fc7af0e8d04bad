package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

// deltaSnapshots is the largest number of older snapshots that get deltas. A mirror that has one of
// these snapshots can fetch deltas to the current snapshot.
const deltaSnapshots = 2

func newDelta() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "delta",
		GroupID: "run",
		Short:   "Make deltas, so that mirrors fetch only what changed",
		Long: `Make deltas, so that mirrors with an older snapshot fetch only what changed since then, and not whole files. Deltas are files
in deltas/ of the data folder, beside snapshots/, for the same web server; "bencao push" sends them too. Existing deltas are
kept. Deltas to snapshots that are no longer here are removed. Run it after each nightly build, before mirrors pull.

It needs about five times as much memory as the largest file has bytes, and time to read all files.`,
		Example: "  bencao delta --data /var/lib/bencao",
		Args:    noArgs,
	}
	s := use(cmd, "data", "log")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		w, err := dir.Lock(snapshot.WriterOptions{Purpose: "bencao delta", Existing: true, Log: s.logger(cmd.ErrOrStderr())})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		report, err := w.MakeDeltas(cmd.Context(), deltaSnapshots)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(report)
		}
		return printDeltas(cmd.OutOrStdout(), report)
	}
	return cmd
}

// printDeltas prints a line for each older snapshot that has deltas: how many bytes a mirror with
// that snapshot fetches to get the current one, and how many without deltas.
func printDeltas(w io.Writer, r snapshot.DeltaReport) error {
	for _, from := range r.From {
		made, there := 0, 0
		var deltas, files int64
		for _, d := range r.Deltas {
			if d.From != from {
				continue
			}
			if made++; d.There {
				there++
			}
			deltas, files = deltas+d.Delta, files+d.Bytes
			if d.Delta == 0 {
				deltas += d.Bytes // no delta is smaller, so the mirror fetches the whole file
			}
		}
		if _, err := fmt.Fprintf(w, "from %s: %d files change, %s to fetch of %s; %d deltas were there\n", from, made, size(deltas), size(files), there); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "deltas to %s from %d snapshots; removed %d\n", r.Snapshot, len(r.From), r.Removed)
	return err
}
