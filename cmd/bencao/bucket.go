package main

import (
	"cmp"
	"net/http"
	"os"
	"strings"
	"time"

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
