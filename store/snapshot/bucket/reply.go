package bucket

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

const (
	// maxReply bounds a reply that minio-go parses, in bytes. A list of a thousand
	// objects, which is what a store sends at once, has half a MiB.
	maxReply = 2 << 20
	// maxPages is how many such lists are asked for: of 200,000 objects.
	maxPages = 200
)

// errLong is returned for a reply that is longer than one has to be.
var errLong = fmt.Errorf("the store's reply has more than %d bytes", maxReply)

// errEndless is returned for a folder of the bucket whose list does not end.
var errEndless = fmt.Errorf("more than %d lists have no end; is it a folder of bencao's?", maxPages)

// pages is the key of a context that counts requests.
type pages struct{}

// listing is a context for a list, of at most maxPages requests.
func listing(ctx context.Context) context.Context {
	return context.WithValue(ctx, pages{}, new(atomic.Int64))
}

// bounded bounds the replies that minio-go parses. The content of an object goes
// through, of which its reader takes no more than it wants.
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
