package mirror_test

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// pointers returns the files of a publisher that name its current snapshot, by path.
func pointers(t *testing.T, d snapshot.Dir) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, pattern := range []string{"CURRENT", "CHECKED", "tuf/*.json"} {
		names, err := filepath.Glob(filepath.Join(d.Path(), pattern))
		must(t, err)
		for _, name := range names {
			rel, err := filepath.Rel(d.Path(), name)
			must(t, err)
			all["/"+filepath.ToSlash(rel)] = readFile(t, name)
		}
	}
	return all
}

// replayed serves the pointer files in old instead of the present ones. For a pointer file that old
// lacks, it sends 404.
func replayed(old map[string][]byte) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			b, known := old[strings.TrimPrefix(r.URL.Path, "/data")]
			switch {
			case known:
				_, _ = w.Write(b) // the client may have closed the connection
			case strings.Contains(r.URL.Path, "/snapshots/"):
				files.ServeHTTP(w, r)
			default:
				http.NotFound(w, r)
			}
		}
	}
}

// TestReplay serves an old state of the publisher, whose signatures are valid. A mirror that has
// followed a newer state must refuse it, even after the mirror has lost its newer snapshot. The
// operator can accept the old state by the id of its snapshot.
func TestReplay(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	monday := p.nightly(t, "monday")
	old := pointers(t, p.dir)
	pull(t, p, to, opt)
	tuesday := p.nightly(t, "tuesday")
	now := pointers(t, p.dir)
	pull(t, p, to, opt)

	mixed := maps.Clone(now)
	mixed["/CURRENT"] = old["/CURRENT"]
	p.put(replayed(mixed))
	if r := pull(t, p, to, opt); r.Snapshot != tuesday.ID {
		t.Errorf("an old CURRENT beside today's metadata made %s current", r.Snapshot)
	}
	refused := func(why string, opt mirror.Options) {
		t.Helper()
		p.put(replayed(old))
		before := state(t, to)
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if !errors.Is(err, mirror.ErrRollback) || r.Outcome != mirror.Refused || !strings.Contains(err.Error(), "--allow-rollback") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %s, %v; want refused, and one line with the reason and advice", why, r.Outcome, err)
		}
		if now := state(t, to); now != before {
			t.Errorf("%s changed %s to %s", why, before, now)
		}
	}
	refused("monday's state", opt)
	w, err := to.Lock(snapshot.WriterOptions{})
	must(t, err)
	_, err = w.Rollback(t.Context(), monday.ID)
	must(t, err)
	_, err = w.Prune(1)
	must(t, errors.Join(err, w.Close()))
	refused("monday's state after the mirror has lost tuesday", opt)

	named := opt
	named.AllowRollback = tuesday.ID
	refused("a rollback to monday where tuesday is allowed", named)
	named.AllowRollback = monday.ID
	p.put(replayed(old))
	if r := pull(t, p, to, named); r.Snapshot != monday.ID {
		t.Errorf("the rollback that was allowed made %s current", r.Snapshot)
	}
	pull(t, p, to, opt) // monday is still accepted
	p.put(nil)
	pull(t, p, to, opt)
	same(t, p, to)
}

// TestPublisherGoesBack checks that mirrors follow a rollback of the publisher, with and without a
// root of trust.
func TestPublisherGoesBack(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	monday := p.nightly(t, "monday")
	p.nightly(t, "tuesday")
	with := quick()
	with.RootFile = root
	plain, signed := dataDir(t), dataDir(t)
	pull(t, p, plain, quick())
	pull(t, p, signed, with)
	w := p.lock(t, snapshot.WriterOptions{})
	_, err := w.Rollback(t.Context(), monday.ID)
	must(t, errors.Join(err, w.Announce(), w.Close()))
	for to, opt := range map[snapshot.Dir]mirror.Options{plain: quick(), signed: with} {
		if r := pull(t, p, to, opt); r.Snapshot != monday.ID {
			t.Errorf("the mirror is on %s, want monday's %s", r.Snapshot, monday.ID)
		}
		same(t, p, to)
	}
}

// TestOneVersionTwice serves a second state that has the same version as the state of the mirror.
// The mirror must keep its state, since the other is not newer.
func TestOneVersionTwice(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	other, _ := trusted(t, keys)
	at := time.Now().Add(time.Hour)
	for _, one := range []*publisher{p, other} {
		one.trust.Now = func() time.Time { return at }
	}
	monday := p.nightly(t, "monday")
	other.nightly(t, "tuesday")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	_, err := mirror.Pull(t.Context(), other.url, to, opt)
	if now := pointer(t, to); now.ID != monday.ID {
		t.Errorf("another snapshot under the same version: %s is current (%v), want %s", now.ID, err, monday.ID)
	}
}

// TestExpires checks that a mirror refuses expired metadata. A nightly build that finds unchanged
// sources must extend the expiry.
func TestExpires(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	m := p.nightly(t, "monday")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	now := m.Created
	opt.Now = func() time.Time { return now }
	pull(t, p, to, opt)
	now = m.Created.Add(15 * 24 * time.Hour)
	before := state(t, to)
	for _, allow := range []string{"", mirror.AnyRollback} {
		opt := opt
		opt.AllowRollback = allow
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if !errors.Is(err, mirror.ErrExpired) || r.Outcome != mirror.Stale || strings.Contains(err.Error(), "\n") || state(t, to) != before {
			t.Errorf("after two weeks: %+v, %v; want stale and ErrExpired", r, err)
		}
	}
	p.trust.Expires = time.Hour
	w := p.lock(t, snapshot.WriterOptions{Now: func() time.Time { return now }})
	must(t, errors.Join(w.Confirm(), w.Close()))
	if r := pull(t, p, to, opt); r.Outcome != mirror.Unchanged || !r.Expires.Equal(now.Add(time.Hour).Truncate(time.Second)) {
		t.Errorf("after a confirmation for an hour: %+v, want unchanged and an expiry in an hour", r)
	}
	now = now.Add(61 * time.Minute)
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, mirror.ErrExpired) {
		t.Errorf("after that hour: %v, want ErrExpired", err)
	}
}

// TestSignedFreshness checks that a mirror with a root of trust ignores CHECKED, which can be
// forged. Only a signed confirmation makes the snapshot fresher.
func TestSignedFreshness(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	m := p.nightly(t, "monday")
	late := m.Created.Add(50 * time.Hour)
	to, opt := dataDir(t), quick()
	opt.RootFile, opt.MaxAge, opt.Now = root, 26*time.Hour, func() time.Time { return late }
	forger, err := p.dir.Lock(snapshot.WriterOptions{Now: opt.Now})
	must(t, err)
	must(t, errors.Join(forger.Confirm(), forger.Close()))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, mirror.ErrStale) {
		t.Errorf("an unsigned CHECKED was believed: %v", err)
	}
	w := p.lock(t, snapshot.WriterOptions{Now: opt.Now})
	must(t, errors.Join(w.Confirm(), w.Close()))
	if r := pull(t, p, to, opt); !r.Fresh.Equal(late.Truncate(time.Second)) {
		t.Errorf("Fresh is %v, want %s", r.Fresh, late)
	}
	same(t, p, to)
	if c, err := to.Checked(); err != nil || !c.At.Equal(late.Truncate(time.Second)) {
		t.Errorf("the mirror's CHECKED is %+v, %v", c, err)
	}
}

// TestWithoutRoot checks that a mirror without a root of trust follows CURRENT although the
// publisher has a root. It must store no metadata.
func TestWithoutRoot(t *testing.T) {
	p, _ := trusted(t, newKeyring(t))
	p.nightly(t, "monday")
	to := dataDir(t)
	pull(t, p, to, quick())
	same(t, p, to)
	for _, name := range []string{"tuf", "trusted"} {
		if _, err := os.Lstat(filepath.Join(to.Path(), name)); err == nil {
			t.Errorf("the mirror has %s", name)
		}
	}
	if _, err := trust.Current(to); !errors.Is(err, trust.ErrNoRoot) {
		t.Errorf("the mirror has a root of trust: %v", err)
	}
}
