package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

func newSnapshots() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "snapshots",
		GroupID: "care",
		Short:   "List the snapshots of a data folder, newest first",
		Long: `List the snapshots of a data folder, newest first, with what their manifests say, and whether the current one is
signed, if the data folder has seen a root of trust. "bencao verify ID" checks the files of one.`,
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
		if _, err := dir.Pins(); err != nil {
			return err
		}
		lines := make([]snapshotLine, 0, len(all))
		for _, i := range all {
			l := describe(i)
			if i.Current {
				if err := l.sign(dir); err != nil {
					return err
				}
			}
			lines = append(lines, l)
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
	// Pinned is true if the snapshot is pinned, and Label is its label then, or "".
	Pinned bool   `json:"pinned"`
	Label  string `json:"label"`
	// Error is the reason why the manifest cannot be trusted; nil if it can.
	Error *string `json:"error"`
	// Signed is nil if the folder has no root of trust, and for snapshots that are not current.
	Signed *bool `json:"signed"`
	// Root is the version of the root under which the snapshot is signed, and Seen the time when the
	// folder got the signature. They are nil if it is not signed.
	Root *int64     `json:"root"`
	Seen *time.Time `json:"seen"`
}

// sign adds the signature of the current snapshot to its line.
func (l *snapshotLine) sign(dir snapshot.Dir) error {
	at, err := dir.Current()
	if err != nil {
		return err
	}
	sig, err := trust.Signed(dir, at)
	if errors.Is(err, trust.ErrNoRoot) {
		return nil
	}
	ok := err == nil
	l.Signed = &ok
	if ok {
		l.Root, l.Seen = &sig.Root, &sig.Seen
	}
	return nil // without a readable signature, the snapshot is not signed
}

// signature describes the signature of the current snapshot, or returns "" if nothing is known.
func (l snapshotLine) signature() string {
	switch {
	case l.Signed == nil:
		return ""
	case *l.Signed:
		return fmt.Sprintf("signed under root %d, seen at %s", *l.Root, l.Seen.Format(time.RFC3339))
	}
	return "not signed"
}

// describe returns the line of a snapshot.
func describe(i snapshot.Info) snapshotLine {
	l := snapshotLine{ID: i.ID, Current: i.Current, InUse: i.InUse, Bytes: i.Manifest.Bytes(), Tables: i.Manifest.Tables}
	if i.Pin != nil {
		l.Pinned, l.Label = true, i.Pin.Label
	}
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
		}{
			{l.Current, "current"}, {l.InUse, "in use"}, {l.Pinned, strings.TrimSuffix("pinned as "+l.Label, " as ")},
			{l.Error != nil, "damaged"}, {l.Signed != nil, l.signature()},
		} {
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
