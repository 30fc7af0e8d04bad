package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"

	"github.com/spf13/cobra"
)

func newPush() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "push s3://BUCKET/FOLDER",
		GroupID: "run",
		Short:   "Publish the current snapshot in a bucket, for mirrors to pull",
		Long: `Write the current snapshot of a data folder into a bucket of Amazon S3 or of a server that speaks as it does, from where
"bencao pull" takes it, by s3:// or over HTTPS. What names the snapshot is written last, so nobody ever finds half of
one; what is there already is not sent again. A bucket that has a newer state is left as it is.

Where the bucket is and who asks say AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the
file ~/.aws/credentials with AWS_PROFILE. The bucket stands in the path of the address.

Exit codes: 0 the snapshot is the bucket's, 1 failed, 2 wrong usage, 3 the bucket has a newer state.`,
		Example: "  AWS_ENDPOINT_URL_S3=https://s3.example bencao push s3://plants/bencao --data /var/lib/bencao",
		Args:    oneArg("the bucket's address"),
	}
	s := use(cmd, "data", "keep")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		if err := mirror.CheckBucket(args[0]); err != nil {
			return &usageError{err}
		}
		done, err := mirror.Push(cmd.Context(), snapshot.At(s.data), args[0], mirror.PushOptions{Keep: s.keep})
		if errors.Is(err, mirror.ErrRollback) {
			err = &exitError{exitRefused, err}
		}
		if *asJSON {
			return errors.Join(err, json.NewEncoder(cmd.OutOrStdout()).Encode(done))
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "snapshot %s is in %s: %s, %s of it sent; old snapshots removed: %d\n",
			done.Snapshot, args[0], size(done.Bytes), size(done.Sent), len(done.Removed))
		return err
	}
	return cmd
}
