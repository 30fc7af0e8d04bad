package bucket_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
)

// TestPushStopped stops a push before each of its requests. Afterwards the bucket must serve the
// complete old or the complete new state. The next push must make it serve the new state.
func TestPushStopped(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	old := nightly(t, d, "old")
	s.push(t, d, bucket.PushOptions{})
	before := t.TempDir()
	must(t, os.CopyFS(filepath.Join(before, "data"), os.DirFS(filepath.Join(s.folder, "data"))))
	next := nightly(t, d, "new")
	s.put(nil)
	s.push(t, d, bucket.PushOptions{Keep: 1})
	calls := s.requests()
	if len(calls) < 20 {
		t.Fatalf("a push sends %d requests, want at least 20 for a useful test: %q", len(calls), calls)
	}
	seen := map[string]int{}
	step := 1
	if testing.Short() {
		step = 3
	}
	for at := 0; at < len(calls); at += step {
		// The copied folder lacks the metadata of the objects, so the next push sends all files
		// again.
		must(t, os.RemoveAll(filepath.Join(s.folder, "data")))
		must(t, os.CopyFS(filepath.Join(s.folder, "data"), os.DirFS(filepath.Join(before, "data"))))
		ctx, stop := context.WithCancel(t.Context())
		s.stopAt(at, stop)
		_, err := bucket.Push(ctx, d, s.open(t), bucket.PushOptions{Keep: 1})
		stop()
		s.put(nil)
		if err == nil {
			t.Errorf("request %d: the push did not notice that it was stopped", at)
		}
		seen[s.shows(t, old.ID, next.ID)]++
		if at%9 == 0 {
			s.push(t, d, bucket.PushOptions{})
			s.shows(t, next.ID)
		}
	}
	if seen[old.ID] == 0 || seen[next.ID] == 0 {
		t.Errorf("after stops at %d requests the bucket served %v; want the old state after some and the new state after others", len(calls), seen)
	}
}

// TestStoreStopped stops the store during a push. The push must return an error, and the next push
// must reuse the files that are already there.
func TestStoreStopped(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := nightly(t, d, "only")
	end := s.end // stops the present store, so that a late request does not stop its successor
	s.put(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, snapshot.ManifestName) && r.Method == http.MethodPut {
			end()
		}
		return false
	})
	r, err := bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{})
	if err == nil || r.Outcome != "failed" || !strings.Contains(err.Error(), snapshot.ManifestName) {
		t.Errorf("a push whose store was stopped: %+v, %v", r, err)
	}
	s.put(nil)
	s.start(t)
	if r := s.push(t, d, bucket.PushOptions{}); r.There != m.Bytes() || r.Sent != 0 {
		t.Errorf("the next push: %+v, want that the bucket has all files already", r)
	}
	s.shows(t, m.ID)
}

// TestStoreHangs pushes to a store that sends only the headers of a response. The push must stop
// with an error.
func TestStoreHangs(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	nightly(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	release := make(chan struct{})
	defer close(release)
	s.put(func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", "100")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-release
		return true
	})
	b, err := bucket.Open("s3://plants/data", bucket.Options{Endpoint: s.url, Retries: 1, Stall: 50 * time.Millisecond})
	must(t, err)
	if _, err := bucket.Push(t.Context(), d, b, bucket.PushOptions{}); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a store that hangs: %v", err)
	}
}
