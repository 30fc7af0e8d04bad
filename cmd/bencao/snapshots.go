package main

import (
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
		Long: `List the snapshots of a data folder, newest first, with what their manifests say. "bencao verify ID" checks the files
of one.`,
		Example: "  bencao snapshots --data /var/lib/bencao",
		Args:    noArgs,
	}
	s := use(cmd, "data")
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
		for _, i := range all {
			lines = append(lines, describe(i))
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(lines)
		}
		return printSnapshots(cmd, lines)
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
	// Error is the reason why the manifest cannot be trusted; nil if it can.
	Error *string `json:"error"`
}

// describe returns the line of a snapshot.
func describe(i snapshot.Info) snapshotLine {
	l := snapshotLine{ID: i.ID, Current: i.Current, InUse: i.InUse, Bytes: i.Manifest.Bytes(), Tables: i.Manifest.Tables}
	if i.Err != nil {
		text := i.Err.Error()
		l.Error = &text
		return l
	}
	l.Created = &i.Manifest.Created
	return l
}

func printSnapshots(cmd *cobra.Command, lines []snapshotLine) error {
	t := newTable("SNAPSHOT", "STATE", "SIZE", "SPECIES", "FORMULAS", "PAPERS")
	for _, l := range lines {
		var states []string
		for _, s := range []struct {
			is   bool
			name string
		}{{l.Current, "current"}, {l.InUse, "in use"}, {l.Error != nil, "damaged"}} {
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
