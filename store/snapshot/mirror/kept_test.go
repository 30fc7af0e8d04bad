package mirror_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// TestTrustIsNotForgotten pulls without a root of trust into a folder that has one. The mirror must
// go on with that root, and must follow the web server only with NoTrust. The report says so until
// a signed pull succeeds.
func TestTrustIsNotForgotten(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	p.now = func() time.Time { return time.Now().Add(-time.Hour) }
	p.nightly(t, "first")
	before := copied(t, p)
	p.now = nil
	second := p.nightly(t, "second")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)

	opt.RootFile = ""
	forger, _ := trusted(t, newKeyring(t))
	forger.now = func() time.Time { return time.Now().Add(5 * time.Minute) }
	forged := forger.nightly(t, "forged")
	if _, err := mirror.Pull(t.Context(), forger.url, to, opt); !errors.Is(err, trust.ErrUnsigned) {
		t.Errorf("a forged snapshot, and no root given: %v, want ErrUnsigned", err)
	}
	older := newPublisher(t)
	older.dir, older.url = before, serve(t, before)
	if _, err := mirror.Pull(t.Context(), older.url, to, opt); !errors.Is(err, mirror.ErrRollback) {
		t.Errorf("an older state, and no root given: %v, want ErrRollback", err)
	}
	if now := pointer(t, to); now.ID != second.ID {
		t.Errorf("%s is current after refused pulls, want %s", now.ID, second.ID)
	}

	// The folder has lost what it trusted, but the report says that there was something.
	kept := filepath.Join(t.TempDir(), "tuf")
	must(t, os.RemoveAll(filepath.Join(to.Path(), "trusted")))
	must(t, os.Rename(filepath.Join(to.Path(), "tuf"), kept))
	if _, err := mirror.Pull(t.Context(), forger.url, to, opt); err == nil || !strings.Contains(err.Error(), "was pulled with a root of trust, and has lost it") {
		t.Errorf("a forged snapshot, and the root is lost: %v", err)
	}
	must(t, os.Rename(kept, filepath.Join(to.Path(), "tuf")))
	if _, err := mirror.Pull(t.Context(), forger.url, to, opt); !errors.Is(err, trust.ErrUnsigned) {
		t.Errorf("a forged snapshot, and the root is in tuf alone: %v, want ErrUnsigned", err)
	}
	pull(t, p, to, opt)

	opt.NoTrust = true
	if r := pull(t, forger, to, opt); r.Outcome != mirror.Published || !r.NoTrust || r.Snapshot != forged.ID {
		t.Errorf("with NoTrust: %s, snapshot %s, no trust %v; want the forged snapshot, and a report that says so", r.Outcome, r.Snapshot, r.NoTrust)
	}
	opt.NoTrust = false
	if _, err := mirror.Pull(t.Context(), forger.url, to, opt); err == nil || !lastReport(t, to).NoTrust {
		t.Errorf("a signed pull that failed (%v) hides that the current snapshot is not signed", err)
	}
	if _, err := trust.Signed(to, pointer(t, to)); !errors.Is(err, trust.ErrUnsigned) {
		t.Errorf("the signature of the forged snapshot: %v, want ErrUnsigned", err)
	}
	if r := pull(t, p, to, opt); r.NoTrust || r.Snapshot != second.ID {
		t.Errorf("after a signed pull: snapshot %s, no trust %v", r.Snapshot, r.NoTrust)
	}
	sig, err := trust.Signed(to, pointer(t, to))
	if err != nil || sig.Root != 1 || sig.Seen.IsZero() || sig.Latest.ID != second.ID {
		t.Errorf("the signature after a signed pull: %+v, %v", sig, err)
	}
}

// copied returns a copy of a publisher's data directory.
func copied(t *testing.T, p *publisher) snapshot.Dir {
	t.Helper()
	to := dataDir(t)
	must(t, testkit.CopyFolder(p.dir.Path(), to.Path()))
	return to
}

// TestOlderThanCurrent restores a mirror without the metadata that it followed. An older state must
// be refused because of the current snapshot, or because of the report of the last pull, unless it
// is allowed. A rollback of the publisher is followed.
func TestOlderThanCurrent(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	p.now = func() time.Time { at = at.Add(time.Minute); return at }
	first := p.nightly(t, "first")
	one := copied(t, p)
	p.nightly(t, "second")
	two := copied(t, p)
	rollback := func(id string) {
		w := p.lock(t, snapshot.WriterOptions{})
		_, err := w.Rollback(t.Context(), id)
		must(t, err)
		must(t, w.Announce())
		must(t, w.Close())
	}
	for _, tt := range []struct {
		name    string
		lost    []string
		publish func()       // what the publisher does before the mirror's first pull
		shown   snapshot.Dir // the older state
	}{
		{"current is later", []string{"trusted", mirror.LastReport}, func() {}, one},
		{"the report is later", []string{"trusted"}, func() { rollback(first.ID) }, two},
	} {
		tt.publish()
		to, opt := dataDir(t), quick()
		opt.RootFile = root
		pull(t, p, to, opt)
		before := pointer(t, to)
		for _, name := range tt.lost {
			must(t, os.RemoveAll(filepath.Join(to.Path(), name)))
		}
		shown := newPublisher(t)
		shown.dir, shown.url = tt.shown, serve(t, tt.shown)
		for range 2 { // the first refusal must not make the second pull forget
			_, err := mirror.Pull(t.Context(), shown.url, to, opt)
			if !errors.Is(err, mirror.ErrRollback) {
				t.Errorf("%s: %v, want ErrRollback", tt.name, err)
			}
		}
		if now := pointer(t, to); now != before {
			t.Errorf("%s: %s is current, want %s", tt.name, now.ID, before.ID)
		}
		opt.AllowRollback = pointer(t, tt.shown).ID
		pull(t, shown, to, opt)
		same(t, shown, to)
		opt.AllowRollback = ""
		pull(t, p, to, opt)
		same(t, p, to)
	}

	// The publisher itself goes back.
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	rollback(pointer(t, two).ID)
	pull(t, p, to, opt)
	must(t, os.RemoveAll(filepath.Join(to.Path(), "trusted")))
	rollback(first.ID)
	pull(t, p, to, opt)
	same(t, p, to)
}

// TestOlderRoot restores a mirror without the metadata that it followed. A thief of the publisher's
// first nightly key hides the root that has replaced the key. The mirror must know that there was
// one. If the operator gives another root, because the publisher has lost its keys, it must follow.
func TestOlderRoot(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.nightly(t, "first")
	thief := newPublisher(t)
	thief.dir, thief.trust = copied(t, p), keys.publisher(nil)
	thief.url = serve(t, thief.dir)
	change(t, p, keys)
	p.nightly(t, "second")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	must(t, os.RemoveAll(filepath.Join(to.Path(), "trusted")))
	thief.nightly(t, "forged")
	if _, err := mirror.Pull(t.Context(), thief.url, to, opt); !errors.Is(err, mirror.ErrRollback) {
		t.Errorf("a state under an older root: %v, want ErrRollback", err)
	}
	pull(t, p, to, opt)

	again, other := trusted(t, newKeyring(t))
	again.now = func() time.Time { return time.Now().Add(time.Minute) } // a second build in a second gets the id of the next one
	again.nightly(t, "third")
	opt.RootFile = other
	pull(t, again, to, opt)
	same(t, again, to)

	// A mirror of this mirror must follow too, although the lost root had a successor.
	second, further := newPublisher(t), dataDir(t)
	second.dir, second.url = to, serve(t, to)
	pull(t, second, further, opt)
	same(t, again, further)
}

// TestForbiddenRoot pulls from a bucket that clients may not list: its answer for a missing object
// is 403. For the next root that means that there is none, for other files it is an error.
func TestForbiddenRoot(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.nightly(t, "first")
	forbidden := func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if _, err := os.Stat(filepath.Join(p.dir.Path(), strings.TrimPrefix(r.URL.Path, "/data"))); err != nil {
				http.Error(w, "<Code>AccessDenied</Code>", http.StatusForbidden)
				return
			}
			files.ServeHTTP(w, r)
		}
	}
	p.put(forbidden)
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	same(t, p, to)
	change(t, p, keys)
	p.nightly(t, "second")
	pull(t, p, to, opt)
	same(t, p, to)
	must(t, os.Remove(filepath.Join(p.dir.Path(), "tuf", "timestamp.json")))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "tuf/timestamp.json: the server answers 403") {
		t.Errorf("403 for the timestamp: %v, want an error that names the file and the status", err)
	}
}

// TestSlowPublisher pulls from a publisher that sends a part of a file and then too little, although
// no connection stalls. The pull must end, and the next one must go on with that part.
func TestSlowPublisher(t *testing.T) {
	p := newPublisher(t)
	p.nightly(t, "first")
	const part = 100_000
	p.put(altered("/store.bolt", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "200000")
		w.Write(files("first")["store.bolt"][:part]) // the client may have closed the connection
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	to, opt := dataDir(t), quick()
	opt.Slow = 50 * time.Millisecond
	_, err := mirror.Pull(t.Context(), p.url, to, opt)
	if !errors.Is(err, mirror.ErrSlow) || !strings.Contains(err.Error(), "the next pull goes on with what has arrived") {
		t.Fatalf("pull: %v, want ErrSlow", err)
	}
	p.put(nil)
	opt.Slow = 0
	if r := pull(t, p, to, opt); r.Resumed < part {
		t.Errorf("the next pull uses %d bytes of the slow one, want %d or more", r.Resumed, part)
	}
	same(t, p, to)
}
