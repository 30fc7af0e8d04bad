//go:build minimal

package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
)

// parts are none: each optional part reports that this program was built without it.
var parts optionalParts

var errNoS3 = errors.New("this program was built without S3; install the standard program")

// newPush returns the command "push" without S3, which only says so. The other one is in push.go.
func newPush() *cobra.Command {
	return &cobra.Command{
		Use:                "push s3://BUCKET/FOLDER",
		GroupID:            "run",
		Short:              "Put the current snapshot into a bucket, for mirrors to copy",
		DisableFlagParsing: true,
		RunE:               func(*cobra.Command, []string) error { return errNoS3 },
	}
}

// bucketPublisher returns an error: a mirror cannot copy from a bucket.
func (s *settings) bucketPublisher(string, time.Duration, int) (publisher, error) {
	return publisher{}, errNoS3
}
