//go:build !minimal

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"bencao/store/snapshot/bucket"

	"github.com/spf13/cobra"
)

func newPush() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "push s3://BUCKET/FOLDER",
		GroupID: "run",
		Short:   "Put the current snapshot into a bucket, for mirrors to copy",
		Long: `Put the current snapshot of a data folder into a bucket of an S3 store, with all files that "bencao pull" needs. Files that
the bucket or its previous snapshot has are not sent again. The files that name the current snapshot are written last, so
mirrors find the old state or the new one, complete. With --prune, old snapshots are removed from the bucket, except the
newest --keep snapshots.

The credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in a profile, or come from the role of the machine. They
need the right to list the bucket and to read, write and remove objects in the folder. AWS_ENDPOINT_URL names a store other
than Amazon's, AWS_REGION the region.

Exit codes: 0 the bucket shows the current snapshot, 1 failed, 2 wrong usage, 3 the bucket has a later state than this
folder, or it has public snapshots and this one is not public.`,
		Example: "  bencao push s3://plants/bencao --data /var/lib/bencao --prune",
		Args:    oneArg("the address of a place in a bucket"),
	}
	s := use(cmd, "data", "path-style", "keep", "log")
	retries := cmd.Flags().Int("retries", 5, "attempts after one that failed")
	prune := cmd.Flags().Bool("prune", false, "remove old snapshots from the bucket, but for --keep")
	again := cmd.Flags().Bool("again", false, "send files also that the bucket says it has")
	allowRollback := cmd.Flags().Bool("allow-rollback", false, "push, this time, although the bucket has a later state")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	group(cmd, "This run:", "prune", "again", "retries", "allow-rollback")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		if *retries < 1 {
			return usagef("retries is %d; use 1 or more", *retries)
		}
		if s.keep < 1 {
			return usagef("keep is %d; keep at least 1", s.keep)
		}
		to, err := s.bucket(args[0], *retries)
		if err != nil {
			return err
		}
		opt := bucket.PushOptions{AllowRollback: *allowRollback, Again: *again, Over: notWholeOverPublic, Log: s.logger(cmd.ErrOrStderr())}
		if *prune {
			opt.Keep = s.keep
		}
		if w := cmd.ErrOrStderr(); onTerminal(w) {
			bars := &bars{w: w}
			defer bars.end()
			opt.Progress = func(done, total int64) { bars.show("sending", asBytes, done, total) }
			opt.Log = slog.New(s.forPeople(bars, slog.LevelWarn))
		}
		report, err := bucket.Push(cmd.Context(), dir, to, opt)
		if err != nil && cmd.Context().Err() != nil {
			err = fmt.Errorf("interrupted; the next run goes on from here: %w", err)
		}
		if errors.Is(err, bucket.ErrBehind) || errors.Is(err, errWhole) {
			err = &exitError{exitRefused, err}
		}
		if *asJSON {
			return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(report))
		}
		if err != nil {
			return err
		}
		return printPush(cmd.OutOrStdout(), report)
	}
	return cmd
}

// bucket opens the bucket at an address. The variables AWS_… name the store and the credentials, as
// in other programs for S3.
func (s *settings) bucket(address string, retries int) (*bucket.Bucket, error) {
	b, err := bucket.Open(address, bucket.Options{
		Endpoint:  cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")),
		Region:    cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		PathStyle: s.pathStyle, Retries: retries,
	})
	if err != nil {
		return nil, &usageError{err}
	}
	return b, nil
}

// bucketPublisher returns the bucket at an address as a [publisher].
func (s *settings) bucketPublisher(address string, retries int) (publisher, error) {
	b, err := s.bucket(address, retries)
	if err != nil {
		return publisher{}, err
	}
	if err := b.CheckCredentials(); err != nil {
		return publisher{}, err
	}
	return publisher{b.URL(), b.Sign}, nil
}

func printPush(w io.Writer, r bucket.Report) error {
	_, err := fmt.Fprintf(w, "%s, %s shows snapshot %s\n  %s: %s sent, %s copied there, %s there before; removed %d\n",
		r.Outcome, r.To, r.Snapshot, size(r.Bytes), size(r.Sent), size(r.Copied), size(r.There), len(r.Removed))
	return err
}
