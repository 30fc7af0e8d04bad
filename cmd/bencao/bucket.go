package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"bencao/internal/contents"
	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
)

// bucket opens the bucket of an address. Where the store is and who asks is
// told by the settings and, as every program for S3 has it, by AWS_ variables.
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

// publisher is where a mirror copies from.
type publisher struct {
	url  string
	sign func(http.RoundTripper) http.RoundTripper // nil for what everybody may read
}

// bucketOrURL is the publisher that an address names.
func (s *settings) bucketOrURL(address string, stall time.Duration, retries int) (publisher, error) {
	if !strings.HasPrefix(address, bucket.Scheme) {
		if err := mirror.CheckURL(address); err != nil {
			return publisher{}, &usageError{err}
		}
		return publisher{url: address}, nil
	}
	b, err := s.bucket(address, stall, retries)
	if err != nil {
		return publisher{}, err
	}
	if err := b.KnowsWho(); err != nil {
		return publisher{}, err
	}
	return publisher{b.URL(), b.Sign}, nil
}

// errWhole is why a snapshot with all of the data does not take the place of a
// public one: whoever may read there would have what keys need scopes for.
var errWhole = errors.New("it shows a public snapshot, and this one is not public; push or pull the folder of the public ones, or use another place for this")

// notWholeOverPublic refuses to put what is not public where a public snapshot is.
func notWholeOverPublic(shown, own snapshot.Manifest) error {
	if contents.Public(shown) && !contents.Public(own) {
		return fmt.Errorf("snapshot %s: %w", own.ID, errWhole)
	}
	return nil
}
