package bucket_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"bencao/store/snapshot/bucket"

	"github.com/minio/minio-go/v7/pkg/signer"
)

// TestStoreLies uses a store that confirms writes although it drops, truncates or changes the
// content. The push must name the object, and no pointer file may name the snapshot. A later push
// to a correct store must succeed.
func TestStoreLies(t *testing.T) {
	s := newStore(t)
	publisher := dataDir(t)
	old := nightly(t, publisher, "build 1")
	s.push(t, publisher, bucket.PushOptions{})
	next := nightly(t, publisher, "build 2")
	for _, tt := range []struct {
		name, object, said string
		lie                func(w http.ResponseWriter, r *http.Request, body []byte) []byte // returns the content to store, or nil after answering the request itself
	}{
		{"a file dropped", "/store.bolt", "is missing", dropped},
		{"a small file cut off", "/store.bolt", "has 100000 bytes instead of 200000", func(_ http.ResponseWriter, _ *http.Request, b []byte) []byte { return b[:len(b)/2] }},
		{"the end of a small file lost", "/store.bolt", "differ", func(_ http.ResponseWriter, _ *http.Request, b []byte) []byte {
			clear(b[len(b)-10:])
			return b
		}},
		{"the manifest dropped", next.ID + "/manifest.json", "is missing", dropped},
		{"the manifest cut off", next.ID + "/manifest.json", "content differs", func(_ http.ResponseWriter, _ *http.Request, b []byte) []byte { return b[:10] }},
		{"CURRENT not replaced", "/CURRENT", "content differs", dropped},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.put(lying(t, tt.object, tt.lie))
			report, err := bucket.Push(t.Context(), publisher, s.open(t), bucket.PushOptions{})
			s.put(nil)
			if err == nil || !strings.Contains(err.Error(), tt.said) || !strings.Contains(err.Error(), strings.TrimPrefix(tt.object, "/")) || !strings.Contains(err.Error(), "run push again") {
				t.Errorf("the push returns %v, want an error for %s that contains %q", err, tt.object, tt.said)
			}
			if report.Outcome != "failed" {
				t.Errorf("the outcome is %q, want failed", report.Outcome)
			}
			s.shows(t, old.ID)
		})
	}
	s.push(t, publisher, bucket.PushOptions{})
	s.shows(t, next.ID)
}

// TestStoreLosesTail uses a store that replaces the end of a large file with zeros, so that the
// size stays right. A push must notice this both for a file that it sends in parts and for a file
// that the store copies from another snapshot.
func TestStoreLosesTail(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	nightly(t, d, "old")
	s.put(lying(t, "/1 ", func(_ http.ResponseWriter, r *http.Request, b []byte) []byte {
		if r.URL.Query().Get("partNumber") == "2" {
			clear(b)
		}
		return b
	}))
	_, err := bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{})
	s.put(nil)
	if err == nil || !strings.Contains(err.Error(), "differ") {
		t.Errorf("the push returns %v, want an error that the last bytes differ", err)
	}
	if _, err := os.Stat(s.folder + "/data/CURRENT"); !os.IsNotExist(err) {
		t.Errorf("CURRENT: %v, want none", err)
	}
	first := s.push(t, d, bucket.PushOptions{})
	if first.Sent < large {
		t.Errorf("the damaged file is not sent again: %+v", first)
	}
	// The store copies a file whose end is damaged. The push must send the file instead.
	m := pointer(t, d)
	must(t, altered(s.folder+"/data/snapshots/"+m.ID+"/species.bleve/store/1 %41+b.zap", large-1))
	second := nightly(t, d, "new")
	if r := s.push(t, d, bucket.PushOptions{}); r.Copied != 0 || r.Sent < large {
		t.Errorf("a damaged file was copied: %+v", r)
	}
	s.shows(t, second.ID)
}

// dropped confirms a write without storing the object.
func dropped(w http.ResponseWriter, _ *http.Request, b []byte) []byte {
	w.Header().Set("ETag", `"`+strings.Repeat("0", 32)+`"`)
	w.WriteHeader(http.StatusOK)
	return nil
}

// lying returns a handler for a store that changes the content of an object before it stores it. It
// changes only writes to objects whose path contains the text object.
func lying(t *testing.T, object string, lie func(http.ResponseWriter, *http.Request, []byte) []byte) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, object) || r.Header.Get("X-Amz-Copy-Source") != "" {
			return false
		}
		b, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the client has closed the connection
		}
		if b = lie(w, r, b); b == nil {
			return true
		}
		return forge(t, r, b)
	}
}

// forge replaces the body of a request and signs the request again.
func forge(t *testing.T, r *http.Request, b []byte) bool {
	t.Helper()
	if r.Header.Get("Content-Md5") == "" {
		t.Error("the body is sent without its MD5")
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	r.Header.Del("Content-Md5")
	r.Header.Del("Authorization")
	r.Header.Set("Content-Length", strconv.Itoa(len(b)))
	r.URL.Host = r.Host
	r.Header = signer.SignV4(*r, access, secret, "", "us-east-1").Header
	return false
}
