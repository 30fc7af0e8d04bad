package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"bencao/mappings"
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
			err = printSnapshots(cmd.OutOrStdout(), lines)
		}
		if err == nil && *check && damaged {
			return errUnwell
		}
		return err
	}
	return cmd
}

// snapshotLine is a snapshot as a machine reads it.
type snapshotLine struct {
	ID      string         `json:"id"`
	Current bool           `json:"current"`
	InUse   bool           `json:"inUse"`
	Created *time.Time     `json:"created"`
	Bytes   int64          `json:"bytes"`
	Tables  map[string]int `json:"tables"`
	// Intact tells that the files are those of the manifest; nil if they were
	// not compared.
	Intact *bool   `json:"intact"`
	Error  *string `json:"error"`
}

// describe makes a snapshot's line, after comparing its files if check says
// so. Its error is that the comparing was interrupted.
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

func printSnapshots(w io.Writer, lines []snapshotLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SNAPSHOT\tSTATE\tSIZE\tSPECIES\tFORMULAS\tPAPERS")
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
		fmt.Fprintf(t, "%s\t%s\t", l.ID, strings.Join(states, ", "))
		if l.Error != nil {
			fmt.Fprintf(t, "%s\n", *l.Error)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", size(l.Bytes), l.Tables["species"], l.Tables["formulas"], l.Tables["papers"])
	}
	return t.Flush()
}

// size writes a number of bytes for people.
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	v, units := float64(n)/unit, "KMGT"
	for v >= unit && len(units) > 1 {
		v, units = v/unit, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", v, units[0])
}

func newVerify() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "verify [ID]",
		GroupID: "care",
		Short:   "Check the files of a snapshot against its manifest",
		Long: `Check the files of a snapshot, the current one if no ID is given, against its manifest: that none is missing, extra
or altered. Sizes and CRC-32C are compared; with --deep SHA-256 as well. Exit code 1 means that it must not be served.`,
		Example: "  bencao verify --data /var/lib/bencao --deep",
		Args:    atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data")
	deep := cmd.Flags().Bool("deep", false, "compare SHA-256 as well")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		depth, how := snapshot.Quick, "sizes and CRC-32C"
		if *deep {
			depth, how = snapshot.Deep, "sizes, CRC-32C and SHA-256"
		}
		m, err := dir.Verify(cmd.Context(), id, depth)
		if err != nil {
			return err
		}
		if err := readable(m); err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{
				"id": m.ID, "intact": true, "deep": *deep, "files": len(m.Files), "bytes": m.Bytes()})
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is intact: %d files, %s, compared by %s\n", m.ID, len(m.Files), size(m.Bytes()), how)
		return err
	}
	return cmd
}

// folder completes the settings and returns the data folder, which must be
// there.
func (s *settings) folder(cmd *cobra.Command) (snapshot.Dir, error) {
	if err := s.load(cmd, "data"); err != nil {
		return snapshot.Dir{}, err
	}
	return s.dataFolder()
}

// snapshot does so for a command about the snapshot that args names, or about
// the current one.
func (s *settings) snapshot(cmd *cobra.Command, args []string) (dir snapshot.Dir, id string, err error) {
	if dir, err = s.folder(cmd); err != nil {
		return dir, "", err
	}
	if len(args) == 1 {
		if !snapshot.ValidID(args[0]) {
			return dir, "", usagef("%q is no snapshot id; \"bencao snapshots\" lists them", args[0])
		}
		return dir, args[0], nil
	}
	p, err := dir.Current()
	return dir, p.ID, err
}

// readable refuses a snapshot whose indexes this program can't read.
func readable(m snapshot.Manifest) error {
	if err := sameSchema(m); err != nil {
		return fmt.Errorf("snapshot %s: %w; run \"bencao index\"", m.ID, err)
	}
	return nil
}

// sameSchema says that a snapshot was built for another program than this.
func sameSchema(m snapshot.Manifest) error {
	if have := mappings.Schema(); m.Schema != have {
		return fmt.Errorf("built with schema %s by %s, this program has %s", m.Schema, m.Program, have)
	}
	return nil
}

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
		if err := sameSchema(m); err != nil {
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

func newPrune() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "prune",
		GroupID: "care",
		Short:   "Remove old snapshots and what crashed runs left behind",
		Long:    "Remove old snapshots and what crashed runs left behind. The current snapshot and those that a process has open stay.",
		Example: "  bencao prune --data /var/lib/bencao --keep 3",
		Args:    noArgs,
	}
	s := use(cmd, "data", "keep")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		w, err := dir.Lock(snapshot.WriterOptions{Purpose: "bencao prune", Existing: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		removed, err := w.Prune(s.keep)
		for _, id := range removed {
			if _, printErr := fmt.Fprintf(cmd.OutOrStdout(), "removed %s\n", id); printErr != nil {
				return errors.Join(err, printErr)
			}
		}
		return err
	}
	return cmd
}
