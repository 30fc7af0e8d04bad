package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"bencao/internal/contents"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// publisher is the web server or bucket that a mirror copies from.
type publisher struct {
	url  string
	sign func(http.RoundTripper) http.RoundTripper // signs requests; nil if requests need no signature
}

// bucketScheme is the beginning of a bucket's address.
const bucketScheme = "s3://"

// bucketOrURL returns the publisher at an address: a bucket, or a web server.
func (s *settings) bucketOrURL(address string, retries int) (publisher, error) {
	if !strings.HasPrefix(address, bucketScheme) {
		if err := mirror.CheckURL(address); err != nil {
			return publisher{}, &usageError{err}
		}
		return publisher{url: address}, nil
	}
	return s.bucketPublisher(address, retries)
}

// errWhole is the error that a snapshot with all data would replace a public snapshot. Anyone who
// can read the target would then get data that needs a scope.
var errWhole = errors.New("the target has public snapshots, and this one is not public; push or pull the folder of public snapshots, or choose another target")

// notWholeOverPublic returns [errWhole] if the snapshot own has all data and would replace the
// public snapshot shown.
func notWholeOverPublic(shown, own snapshot.Manifest) error {
	if contents.Public(shown) && !contents.Public(own) {
		return fmt.Errorf("snapshot %s: %w", own.ID, errWhole)
	}
	return nil
}
