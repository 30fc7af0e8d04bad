package bucket_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
)

// TestPush pushes three snapshots. A mirror with credentials copies them from the store. At the
// end, a mirror without credentials copies the last one from the store's folder, as from a public
// bucket.
func TestPush(t *testing.T) {
	s := newStore(t)
	d, to := dataDir(t), dataDir(t)
	first := nightly(t, d, "first")
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "published" || r.Sent != first.Bytes() || r.Snapshot != first.ID {
		t.Errorf("the first push: %+v", r)
	}
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "unchanged" || r.Sent != 0 || r.There != first.Bytes() {
		t.Errorf("a second push of the same snapshot: %+v", r)
	}
	r, err := s.pull(t, to)
	if err != nil || r.Snapshot != first.ID {
		t.Fatalf("pull: %+v, %v", r, err)
	}
	second := nightly(t, d, "second")
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "published" || r.Copied != large || r.Sent != 200_000 {
		t.Errorf("a push of a second snapshot with the same large file: %+v", r)
	}
	if r, err := s.pull(t, to); err != nil || r.Snapshot != second.ID || r.Fetched != 200_000 {
		t.Errorf("pull: %+v, %v", r, err)
	}
	third := nightly(t, d, "third")
	if r := s.push(t, d, bucket.PushOptions{Keep: 2}); !slices.Equal(r.Removed, []string{first.ID}) {
		t.Errorf("a push that keeps two snapshots: %+v", r)
	}
	s.shows(t, third.ID)
	left, err := filepath.Glob(filepath.Join(s.folder, "data", "snapshots", "*", snapshot.ManifestName))
	if err != nil || len(left) != 2 {
		t.Errorf("the bucket has the manifests %q, %v; want two", left, err)
	}
	public := httptest.NewServer(http.FileServer(http.Dir(s.folder)))
	defer public.Close()
	if r, err := mirror.Pull(t.Context(), public.URL+"/data", to, mirror.Options{}); err != nil || r.Snapshot != third.ID {
		t.Errorf("pull without credentials: %+v, %v", r, err)
	}
}

// TestPushesAtOnce runs several pushes at the same time. Pushes of the same state must do no harm,
// and a push of an older state must never replace a newer state.
func TestPushesAtOnce(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	nightly(t, d, "old")
	older := dataDir(t)
	must(t, os.CopyFS(older.Path(), os.DirFS(d.Path())))
	next := nightly(t, d, "next")
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		all.Go(func() { _, errs[i] = bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{Keep: 1}) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil && !strings.Contains(err.Error(), "another push") {
			t.Errorf("a push at the same time as others of the same state: %v", err)
		}
	}
	s.shows(t, next.ID)
	if r, err := bucket.Push(t.Context(), older, s.open(t), bucket.PushOptions{}); !errors.Is(err, bucket.ErrBehind) || r.Outcome != "refused" {
		t.Errorf("a push of the older state: %+v, %v", r, err)
	}
	s.shows(t, next.ID)

	// A push of the older state reads the bucket. Another push then changes the bucket before the
	// first push writes CURRENT.
	must(t, os.RemoveAll(filepath.Join(s.folder, "data")))
	s.push(t, older, bucket.PushOptions{})
	newest := nightly(t, d, "newest")
	other := nightly(t, older, "other")
	var once sync.Once
	s.put(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/CURRENT") {
			once.Do(func() {
				s.put(nil)
				s.push(t, d, bucket.PushOptions{})
			})
		}
		return false
	})
	if _, err := bucket.Push(t.Context(), older, s.open(t), bucket.PushOptions{}); err == nil || !strings.Contains(err.Error(), "another push") {
		t.Errorf("a push of %s during which another push changed the bucket: %v", other.ID, err)
	}
	s.shows(t, newest.ID)
}

// TestOver checks that the option Over can refuse to replace the snapshot that the bucket serves.
// The push of an older state gets this reason too, because allowing a rollback would not help.
func TestOver(t *testing.T) {
	s := newStore(t)
	d, older := dataDir(t), dataDir(t)
	nightly(t, d, "second")
	must(t, os.CopyFS(older.Path(), os.DirFS(d.Path())))
	first := nightly(t, d, "first")
	s.push(t, d, bucket.PushOptions{})
	nightly(t, d, "second")
	refusal := errors.New("may not")
	over := func(shown, own snapshot.Manifest) error {
		if shown.Schema == "first" && own.Schema == "second" {
			return refusal
		}
		return nil
	}
	for _, from := range []snapshot.Dir{d, older} {
		if _, err := bucket.Push(t.Context(), from, s.open(t), bucket.PushOptions{Over: over}); !errors.Is(err, refusal) {
			t.Errorf("push: %v, want the error of Over", err)
		}
	}
	s.shows(t, first.ID)
}
