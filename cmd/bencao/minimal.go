//go:build minimal

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// parts is empty, because this program was built without the optional parts.
var parts optionalParts

var errNoS3 = errors.New("this program was built without S3; install the standard program")

// newPush returns a command "push" that prints that this program lacks S3. The full command is in
// push.go.
func newPush() *cobra.Command {
	return &cobra.Command{
		Use:                "push s3://BUCKET/FOLDER",
		GroupID:            "run",
		Short:              "Put the current snapshot into a bucket, for mirrors to copy",
		DisableFlagParsing: true,
		RunE:               func(*cobra.Command, []string) error { return errNoS3 },
	}
}

// bucketPublisher returns [errNoS3]. The function for programs with S3 is in push.go.
func (s *settings) bucketPublisher(string, int) (publisher, error) {
	return publisher{}, errNoS3
}
