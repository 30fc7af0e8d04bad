package bucket

import (
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/minio/minio-go/v7"
)

const (
	// maxReply bounds a reply that minio-go parses, in bytes. A list of a thousand
	// objects, which is what a store sends at once, has half a MiB.
	maxReply = 2 << 20
	// maxObjects is how many objects are listed below a folder.
	maxObjects = 200_000
)

// errLong is returned for a reply that is longer than one has to be.
var errLong = fmt.Errorf("the store's reply has more than %d bytes", maxReply)

// bounded bounds the replies that minio-go parses. The content of an object goes
// through, of which its reader takes no more than it wants.
type bounded struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	object := r.Method == http.MethodGet && len(r.URL.Query()) == 0 && resp.StatusCode < http.StatusMultipleChoices
	if !object {
		resp.Body = &short{resp.Body, maxReply}
	}
	return resp, nil
}

// short is a body that may have so many bytes.
type short struct {
	io.ReadCloser
	left int64
}

func (s *short) Read(p []byte) (int, error) {
	if s.left < 0 {
		return 0, errLong
	}
	n, err := s.ReadCloser.Read(p[:min(int64(len(p)), s.left+1)])
	if s.left -= int64(n); s.left < 0 {
		return 0, errLong
	}
	return n, err
}

// errMany is returned for a folder of the bucket that is listed without an end.
var errMany = fmt.Errorf("more than %d objects are listed; is it a folder of bencao's?", maxObjects)

// limited ends a list that has no end.
func limited[T any](list iter.Seq[T], failed func(error) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		n := 0
		for o := range list {
			if n++; n > maxObjects {
				yield(failed(errMany))
				return
			}
			if !yield(o) {
				return
			}
		}
	}
}

func failedObject(err error) minio.ObjectInfo { return minio.ObjectInfo{Err: err} }

