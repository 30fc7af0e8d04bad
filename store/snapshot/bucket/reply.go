package bucket

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

const (
	// maxReply is the maximum size in bytes of a response that minio-go parses. A store lists a
	// folder in pages, usually of a thousand objects. Such a page has half a MiB.
	maxReply = 2 << 20
	// maxPages is the maximum number of pages of a list. Together they have 200,000 objects.
	maxPages = 200
)

// errLong is the error for a response of more than maxReply bytes.
var errLong = fmt.Errorf("the store's reply has more than %d bytes", maxReply)

// errEndless is the error for a list of objects that has more than maxPages pages.
var errEndless = fmt.Errorf("the list of objects has more than %d pages; check that the address is that of a folder which bencao filled", maxPages)

// pages is the key of a context value that counts the requests of a list.
type pages struct{}

// listing returns a context for listing a folder, which allows at most maxPages requests.
func listing(ctx context.Context) context.Context {
	return context.WithValue(ctx, pages{}, new(atomic.Int64))
}

// bounded limits the size of the responses that minio-go parses. It does not limit the content of
// objects: the code that reads an object limits the number of bytes.
type bounded struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if n, counted := r.Context().Value(pages{}).(*atomic.Int64); counted && n.Add(1) > maxPages {
		return nil, errEndless
	}
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

// short is a body that returns errLong if it has more than a number of bytes.
type short struct {
	io.ReadCloser
	left int64 // the number of bytes that may still be read; negative after errLong
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
