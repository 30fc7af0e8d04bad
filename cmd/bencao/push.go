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
	"time"

	"bencao/store/snapshot/bucket"

	"github.com/spf13/cobra"
)

func newPush() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "push s3://BUCKET/FOLDER",
		GroupID: "run",
		Short:   "Put the current snapshot into a bucket, for mirrors to copy",
		Long: `Put the current snapshot of a data folder into a bucket of an S3 store, with all that "bencao pull" asks for. Files that the
bucket has are not sent again, nor those that its snapshot before has. Deltas ("bencao delta") go along. What leads to the
snapshot is written last: readers find the old state or the new one, whole. With --prune old snapshots go from the bucket,
but for --keep, and the deltas that lead to them.

Who asks is told by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, by a profile, or by the role of the machine; it needs the
right to list the bucket and to read, write and remove objects in the folder.

Exit codes: 0 the bucket shows the current snapshot, 1 failed, 2 wrong usage, 3 the bucket has a later state than is here, or a
public one and this is none.`,
		Example: "  bencao push s3://plants/bencao --data /var/lib/bencao --endpoint https://s3.example.org --prune",
		Args:    oneArg("the address of a place in a bucket"),
	}
	s := use(cmd, "data", "endpoint", "region", "path-style", "keep", "log")
	stall := cmd.Flags().Duration("stall", 30*time.Second, "`time` in which the store must take something")
	retries := cmd.Flags().Int("retries", 5, "attempts after one that failed")
	prune := cmd.Flags().Bool("prune", false, "remove old snapshots from the bucket, but for --keep")
	again := cmd.Flags().Bool("again", false, "send files also that the bucket says it has")
	allowRollback := cmd.Flags().Bool("allow-rollback", false, "push, this time, although the bucket has a later state")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		if *stall <= 0 || *retries < 1 {
			return usagef("stall is %s and retries is %d; use a time such as 30s, and 1 or more", *stall, *retries)
		}
		if s.keep < 1 {
			return usagef("keep is %d; keep at least 1", s.keep)
		}
		to, err := s.bucket(args[0], *stall, *retries)
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

// bucket opens the bucket at an address. The settings or, as in other programs for S3, AWS_
// variables name the store. AWS_ variables have the credentials.
func (s *settings) bucket(address string, stall time.Duration, retries int) (*bucket.Bucket, error) {
	b, err := bucket.Open(address, bucket.Options{
		Endpoint:  cmp.Or(s.endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")),
		Region:    cmp.Or(s.region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		PathStyle: s.pathStyle, Stall: stall, Retries: retries,
	})
	if err != nil {
		return nil, &usageError{err}
	}
	return b, nil
}

// bucketPublisher returns the bucket at an address as a publisher that a mirror copies from.
func (s *settings) bucketPublisher(address string, stall time.Duration, retries int) (publisher, error) {
	b, err := s.bucket(address, stall, retries)
	if err != nil {
		return publisher{}, err
	}
	if err := b.KnowsWho(); err != nil {
		return publisher{}, err
	}
	return publisher{b.URL(), b.Sign}, nil
}

func printPush(w io.Writer, r bucket.Report) error {
	_, err := fmt.Fprintf(w, "%s, %s shows snapshot %s\n  %s: %s sent, %s copied there, %s there before; removed %d\n",
		r.Outcome, r.To, r.Snapshot, size(r.Bytes), size(r.Sent), size(r.Copied), size(r.There), len(r.Removed))
	return err
}
