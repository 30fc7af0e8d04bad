package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
)

// problemJSON is the content type of errors of Bencao's API.
const problemJSON = "application/problem+json"

// statusError is the error for an HTTP response with another status than 200 and 206.
type statusError struct {
	url    string
	code   int
	status string
	api    bool // the response is an error of Bencao's API
}

func (e *statusError) Error() string {
	if e.api {
		return fmt.Sprintf("%s: the server answers %s. This is the address of an API; give the address of the publisher's snapshots, such as https://plants.example/bencao", e.url, e.status)
	}
	return fmt.Sprintf("%s: the server answers %s", e.url, e.status)
}

// Is reports whether target is [fs.ErrNotExist] and the response means that the file is missing.
func (e *statusError) Is(target error) bool { return target == fs.ErrNotExist && e.gone() }

func (e *statusError) gone() bool {
	return e.code == http.StatusNotFound || e.code == http.StatusGone
}

// retryable reports whether another attempt may succeed.
func (e *statusError) retryable() bool {
	switch e.code {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusRequestedRangeNotSatisfiable:
		return true
	}
	return e.code >= 500
}

// netError is the error for a request or response that failed on the network.
type netError struct {
	url string
	err error
}

func (e *netError) Error() string { return e.url + ": " + e.err.Error() }
func (e *netError) Unwrap() error { return e.err }

// sizeError is the error for a file whose size differs from the manifest.
type sizeError struct {
	url       string
	got, want int64
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("%s has %d bytes, the manifest says %d: the publisher's copy is damaged or not finished", e.url, e.got, e.want)
}

// retryable reports whether another attempt may succeed after err.
func retryable(ctx context.Context, err error) bool {
	var status *statusError
	var net *netError
	return ctx.Err() == nil && (errors.As(err, &net) || errors.As(err, &status) && status.retryable())
}
