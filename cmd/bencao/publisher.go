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

// publisher is a server or bucket that a mirror copies from.
type publisher struct {
	url  string
	sign func(http.RoundTripper) http.RoundTripper // signs requests; nil if requests need no signature
}

// bucketScheme is the beginning of the address of a bucket.
const bucketScheme = "s3://"

// bucketOrURL returns the publisher at an address, which is the URL of a web server or that of a
// bucket.
func (s *settings) bucketOrURL(address string, retries int) (publisher, error) {
	if !strings.HasPrefix(address, bucketScheme) {
		if err := mirror.CheckURL(address); err != nil {
			return publisher{}, &usageError{err}
		}
		return publisher{url: address}, nil
	}
	return s.bucketPublisher(address, retries)
}

// errWhole is returned instead of replacing a public snapshot with one that has all data. Anyone
// who can read the target would then get data that needs a scope.
var errWhole = errors.New("the target has public snapshots, and this one is not public; push or pull the folder of public snapshots, or choose another target")

// notWholeOverPublic returns [errWhole] if own is not public and would replace shown, which is
// public.
func notWholeOverPublic(shown, own snapshot.Manifest) error {
	if contents.Public(shown) && !contents.Public(own) {
		return fmt.Errorf("snapshot %s: %w", own.ID, errWhole)
	}
	return nil
}
