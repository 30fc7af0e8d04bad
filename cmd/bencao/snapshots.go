package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newSnapshots() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "snapshots",
		GroupID: "care",
		Short:   "List the snapshots of a data folder, newest first",
		Long: `List the snapshots of a data folder, newest first, with what their manifests say. With --check the files of each are
compared with its manifest, by sizes and CRC-32C, and the exit code is 1 if one is damaged.`,
		Example: "  bencao snapshots --data /var/lib/bencao --check",
		Args:    noArgs,
	}
	s := use(cmd, "data")
	check := cmd.Flags().Bool("check", false, "say of each whether its files are whole")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		all, err := dir.List()
		if err != nil {
			return err
		}
		lines := make([]snapshotLine, 0, len(all))
		damaged := false
		for _, i := range all {
			l, err := describe(cmd.Context(), dir, i, *check)
			if err != nil {
				return err
			}
			lines = append(lines, l)
			damaged = damaged || l.Error != nil
		}
		if *asJSON {
			err = json.NewEncoder(cmd.OutOrStdout()).Encode(lines)
		} else {
			err = printSnapshots(cmd, lines)
		}
		if err == nil && *check && damaged {
			return errUnwell
		}
		return err
	}
	return cmd
}

// snapshotLine describes a snapshot in the list. With --json the command prints it as JSON.
type snapshotLine struct {
	ID      string         `json:"id"`
	Current bool           `json:"current"`
	InUse   bool           `json:"inUse"`
	Created *time.Time     `json:"created"`
	Bytes   int64          `json:"bytes"`
	Tables  map[string]int `json:"tables"`
	// Intact reports whether the files match the manifest. It is nil if the files were not
	// compared.
	Intact *bool   `json:"intact"`
	Error  *string `json:"error"`
}

// describe returns the line of a snapshot. If check is set, describe also compares the files with
// the manifest. It returns an error only if ctx ends.
func describe(ctx context.Context, dir snapshot.Dir, i snapshot.Info, check bool) (snapshotLine, error) {
	l := snapshotLine{ID: i.ID, Current: i.Current, InUse: i.InUse, Bytes: i.Manifest.Bytes(), Tables: i.Manifest.Tables}
	err := i.Err
	if err == nil {
		l.Created = &i.Manifest.Created
		if check {
			_, err = dir.Verify(ctx, i.ID, snapshot.Quick)
		}
	}
	if check {
		intact := err == nil
		l.Intact = &intact
	}
	if err != nil {
		text := err.Error()
		l.Error = &text
	}
	return l, ctx.Err()
}

func printSnapshots(cmd *cobra.Command, lines []snapshotLine) error {
	t := newTable("SNAPSHOT", "STATE", "SIZE", "SPECIES", "FORMULAS", "PAPERS")
	for _, l := range lines {
		var states []string
		for _, s := range []struct {
			is   bool
			name string
		}{{l.Current, "current"}, {l.InUse, "in use"}, {l.Intact != nil && *l.Intact, "intact"}, {l.Error != nil, "damaged"}} {
			if s.is {
				states = append(states, s.name)
			}
		}
		state := strings.Join(states, ", ")
		if l.Error != nil {
			t.row(l.ID, state, *l.Error)
			continue
		}
		t.row(l.ID, state, size(l.Bytes), l.Tables["species"], l.Tables["formulas"], l.Tables["papers"])
	}
	return t.write(cmd.OutOrStdout())
}
