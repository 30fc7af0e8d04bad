package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"

	"github.com/spf13/cobra"
)

func newPull() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pull URL",
		GroupID: "run",
		Short:   "Copy the current snapshot of a publisher, as its mirror",
		Long: `Copy the current snapshot of a publisher, check it, and make it current here. URL is the address of a data folder on any
web server or public bucket, that is of the folder with CURRENT and snapshots. Files that are already here are linked, and
the others are fetched whole. What an interrupted run has fetched is not fetched again. A server that runs here switches to
the new snapshot within a second.

Nothing changes until all files are here and complete. With --trust-root the mirror accepts only snapshots that the
publisher has signed, and refuses a state that is older than one seen before or that has expired. A data folder that has
seen a root of trust goes on with it, unless --no-trust is given. A folder that has seen none trusts whatever the web
server sends. With --max-age the publisher's last nightly build must not be older than that. The
report of the run is in last-pull.json in the data folder, and in the metrics file.

Exit codes: 0 the publisher's snapshot is current here, 1 failed, 2 wrong usage, 3 the publisher went back to an older
state, or its metadata have expired.`,
		Example: "  bencao pull https://plants.example/bencao --data /var/lib/bencao --max-age 26h --trust-root 1.root.json",
		Args:    oneArg("the publisher's address"),
	}
	s := use(cmd, "data", "max-age", "trust-root", "metrics-file", "keep", "log")
	retries := cmd.Flags().Int("retries", 5, "attempts after one that failed")
	every := cmd.Flags().Duration("every", 0, "pull again after this `time`, such as 5m, until told to end; 0 pulls once")
	allowRollback := cmd.Flags().String("allow-rollback", "", "with --trust-root, take the publisher's snapshot this time although it is older than one seen before; with =`id` only that one")
	cmd.Flags().Lookup("allow-rollback").NoOptDefVal = mirror.AnyRollback
	noTrust := cmd.Flags().Bool("no-trust", false, "trust the web server this time, although the data folder has a root of trust; doctor and /readyz say so until a pull with it")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	group(cmd, "This run:", "every", "retries", "allow-rollback", "no-trust")
	once := func(cmd *cobra.Command, args []string) error {
		if *retries < 1 {
			return usagef("retries is %d; use 1 or more", *retries)
		}
		if err := mirror.CheckURL(args[0]); err != nil {
			return &usageError{err}
		}
		if r := *allowRollback; r != "" && r != mirror.AnyRollback && !snapshot.ValidID(r) {
			return usagef("allow-rollback is %q; write --allow-rollback, or --allow-rollback=ID with a snapshot's id", r)
		}
		accept := func(m snapshot.Manifest) error {
			if here, err := snapshot.At(s.data).Published(); err == nil {
				if snapshotfiles.Public(here) && !snapshotfiles.Public(m) {
					return fmt.Errorf("%s: snapshot %s: %w", s.data, m.ID, errWhole)
				}
			}
			return knownSchema(m)
		}
		opt := mirror.Options{
			AllowRollback: *allowRollback,
			MaxAge:        s.maxAge, Retries: *retries, Keep: s.keep,
			RootFile: s.trustRoot, NoTrust: *noTrust, Program: thisBuild().program(), MetricsFile: s.metricsFile,
			Accept: accept, Check: opens, Log: s.logger(cmd.ErrOrStderr()),
		}
		if w := cmd.ErrOrStderr(); onTerminal(w) {
			bars := &bars{w: w}
			defer bars.end()
			opt.Progress = func(done, total int64) { bars.show("fetching", asBytes, done, total) }
			opt.Log = slog.New(forPeople(bars, slog.LevelWarn))
		}
		report, err := mirror.Pull(cmd.Context(), args[0], snapshot.At(s.data), opt)
		if err != nil && cmd.Context().Err() != nil {
			err = fmt.Errorf("interrupted; the next run goes on from here: %w", err)
		}
		if errors.Is(err, mirror.ErrRollback) || errors.Is(err, mirror.ErrExpired) || errors.Is(err, errWhole) {
			err = &exitError{exitRefused, err}
		}
		if *asJSON {
			return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(report))
		}
		if err != nil {
			return err
		}
		return printPull(cmd.OutOrStdout(), report)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *noTrust && (cmd.Flags().Changed("trust-root") || *allowRollback != "") {
			return usagef("no-trust is given with trust-root or allow-rollback, which need trust; leave one out")
		}
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		if *every < 0 {
			return usagef("every is %s; use a time such as 5m", *every)
		}
		if *every == 0 {
			return once(cmd, args)
		}
		return again(cmd.Context(), *every, s.logger(cmd.ErrOrStderr()), func() error { return once(cmd, args) })
	}
	return cmd
}

// again calls pull at intervals of every until ctx ends. If a pull fails, it logs the error and
// continues. But it returns a [usageError], because the command itself is wrong.
func again(ctx context.Context, every time.Duration, log *slog.Logger, pull func() error) error {
	for {
		err := pull()
		if wrong := (*usageError)(nil); errors.As(err, &wrong) {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			log.Error("pull failed; it is repeated at the next interval", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// errWhole is the error that a snapshot with all data would replace a public snapshot. The clients of
// this machine's server would then get data that needs a scope.
var errWhole = errors.New("the data folder has public snapshots, and this one is not public; pull the publisher's public snapshots, or choose another folder")

// knownSchema returns an error if this program cannot search a snapshot with the manifest m. A pull
// calls it before it fetches the snapshot.
func knownSchema(m snapshot.Manifest) error {
	if err := snapshotfiles.SameSchema(m); err != nil {
		return fmt.Errorf("snapshot %s: %w; use the publisher's version of bencao here", m.ID, err)
	}
	return nil
}

// opens returns an error if a server could not open the snapshot in the folder dir.
func opens(dir string) error {
	files, err := snapshotfiles.Open(dir, snapshotfiles.All)
	if err != nil {
		return err
	}
	return errors.Join(files.Warm(context.Background()), files.Close())
}

func printPull(w io.Writer, r mirror.Report) error {
	_, err := fmt.Fprintf(w, "%s, current snapshot %s\n  up to date at %s; %s: %s fetched, %s linked, %s of an earlier run\n",
		r.Outcome, r.Snapshot, r.Fresh.Format(time.RFC3339), size(r.Bytes), size(r.Fetched), size(r.Linked), size(r.Resumed))
	if err == nil && r.NoTrust {
		_, err = fmt.Fprintf(w, "  %s\n", unsigned)
	}
	return err
}
