package mirror_test

import (
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// pointers are the files by which a publisher says which snapshot is current.
func pointers(t *testing.T, d snapshot.Dir) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"CURRENT", "CHECKED", "timestamp.json"} {
		b, err := os.ReadFile(filepath.Join(d.Path(), name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err == nil {
			all[name] = b
		}
	}
	return all
}

// replayed shows a publisher's pointers of another day; what is not among them
// is missing.
func replayed(old map[string][]byte) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			name := filepath.Base(r.URL.Path)
			b, known := old[name]
			switch {
			case known:
				_, _ = w.Write(b) // the client may have gone
			case strings.Contains(r.URL.Path, "/snapshots/"):
				files.ServeHTTP(w, r)
			default:
				http.NotFound(w, r)
			}
		}
	}
}

// TestReplay shows a mirror an old state of its publisher, well signed as it
// was: the whole of it, parts of it, without the timestamp, and after the
// mirror has lost what it had. It is refused, until the operator names it.
func TestReplay(t *testing.T) {
	for _, signed := range []bool{true, false} {
		p, to := newPublisher(t), dataDir(t)
		opt := quick()
		if signed {
			key, err := snapshot.NewSigningKey()
			must(t, err)
			p.key = &key
			opt.KeyFile = filepath.Join(t.TempDir(), "publisher.pub")
			must(t, os.WriteFile(opt.KeyFile, []byte(key.Public().String()+"\n"), 0o644))
		}
		monday := p.night(t, "monday")
		old := pointers(t, p.dir)
		pull(t, p, to, opt)
		tuesday := p.night(t, "tuesday")
		now := pointers(t, p.dir)
		pull(t, p, to, opt)

		mixed := maps.Clone(now)
		mixed["CURRENT"] = old["CURRENT"]
		p.put(replayed(mixed))
		if r := pull(t, p, to, opt); r.Snapshot != tuesday.ID {
			t.Errorf("an old CURRENT beside today's timestamp made %s current", r.Snapshot)
		}
		refused := func(why string, show map[string][]byte, opt mirror.Options) {
			t.Helper()
			p.put(replayed(show))
			before := state(t, to)
			r, err := mirror.Pull(t.Context(), p.url, to, opt)
			if !errors.Is(err, mirror.ErrRollback) || r.Outcome != mirror.Refused || !strings.Contains(err.Error(), "--allow-rollback") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %s, %v; want refused with one line that says why and what to do", why, r.Outcome, err)
			}
			if now := state(t, to); now != before {
				t.Errorf("%s changed %s to %s", why, before, now)
			}
		}
		without := maps.Clone(old)
		delete(without, "timestamp.json")
		attacks := func() {
			t.Helper()
			refused("monday's state", old, opt)
			refused("monday's without its timestamp", without, opt)
			stripped := maps.Clone(now)
			delete(stripped, "timestamp.json")
			refused("today's without its timestamp", stripped, opt)
		}
		attacks()
		// What was seen outlives the snapshots that were seen.
		w, err := to.Lock(snapshot.WriterOptions{})
		must(t, err)
		_, err = w.Rollback(t.Context(), monday.ID)
		must(t, err)
		_, err = w.Prune(1)
		must(t, errors.Join(err, w.Close()))
		attacks()

		// By name, and by another's name not.
		named := opt
		named.AllowRollback = tuesday.ID
		refused("a rollback to monday where tuesday is allowed", old, named)
		named.AllowRollback = monday.ID
		p.put(replayed(old))
		if r := pull(t, p, to, named); r.Snapshot != monday.ID {
			t.Errorf("the rollback that was allowed made %s current", r.Snapshot)
		}
		pull(t, p, to, opt) // and stays
		p.put(nil)
		pull(t, p, to, opt)
		same(t, p, to)

		named.AllowRollback = mirror.AnyRollback
		p.put(replayed(without))
		if r := pull(t, p, to, named); r.Snapshot != monday.ID {
			t.Errorf("a publisher without a timestamp, allowed, made %s current", r.Snapshot)
		}
		pull(t, p, to, opt) // an older program's, from now on
		if _, err := os.Stat(filepath.Join(to.Path(), "timestamp.json")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the mirror hands on a timestamp that its publisher has not: %v", err)
		}
		p.put(nil)
		pull(t, p, to, opt)
		same(t, p, to)
	}
}

// A publisher that goes back by itself is followed: it says so under a new
// version.
func TestPublisherGoesBack(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	monday := p.night(t, "monday")
	p.night(t, "tuesday")
	pull(t, p, to, quick())
	w, err := p.dir.Lock(snapshot.WriterOptions{})
	must(t, err)
	_, err = w.Rollback(t.Context(), monday.ID)
	must(t, errors.Join(err, w.Announce(), w.Close()))
	if r := pull(t, p, to, quick()); r.Snapshot != monday.ID {
		t.Errorf("the mirror is on %s, want monday's %s", r.Snapshot, monday.ID)
	}
	same(t, p, to)
}

// Two snapshots under one version are no order.
func TestOneVersionTwice(t *testing.T) {
	p, other, to := newPublisher(t), newPublisher(t), dataDir(t)
	at := time.Now()
	for _, one := range []*publisher{p, other} {
		one.night(t, "monday")
		w, err := one.dir.Lock(snapshot.WriterOptions{Now: func() time.Time { return at.Add(time.Hour) }})
		must(t, err)
		must(t, errors.Join(w.Confirm(), w.Close()))
	}
	pull(t, p, to, quick())
	other.night(t, "tuesday")
	w, err := other.dir.Lock(snapshot.WriterOptions{})
	must(t, err)
	must(t, w.PutTimestamp(nil))
	must(t, w.Close())
	w, err = other.dir.Lock(snapshot.WriterOptions{Now: func() time.Time { return at.Add(time.Hour) }})
	must(t, err)
	must(t, errors.Join(w.Confirm(), w.Close()))
	if _, err := mirror.Pull(t.Context(), other.url, to, quick()); !errors.Is(err, mirror.ErrRollback) || !strings.Contains(err.Error(), "under the same") {
		t.Errorf("another snapshot under the same version: %v, want ErrRollback", err)
	}
}

// What a publisher shows holds until its expiry. A night that finds nothing to
// do puts it off.
func TestExpires(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.night(t, "monday")
	opt := quick()
	now := m.Created
	opt.Now = func() time.Time { return now }
	pull(t, p, to, opt)
	now = m.Created.Add(15 * 24 * time.Hour)
	before := state(t, to)
	r, err := mirror.Pull(t.Context(), p.url, to, opt)
	if !errors.Is(err, mirror.ErrExpired) || r.Outcome != mirror.Stale || r.Expires == nil || strings.Contains(err.Error(), "\n") || state(t, to) != before {
		t.Errorf("after two weeks: %+v, %v; want stale and that it has expired", r, err)
	}
	allowed := opt
	allowed.AllowRollback = mirror.AnyRollback
	pull(t, p, to, allowed)
	w, err := p.dir.Lock(snapshot.WriterOptions{Expires: time.Hour, Now: func() time.Time { return now }})
	must(t, err)
	must(t, errors.Join(w.Confirm(), w.Close()))
	if r := pull(t, p, to, opt); r.Outcome != mirror.Unchanged || !r.Expires.Equal(now.Add(time.Hour).Truncate(time.Second)) {
		t.Errorf("confirmed for an hour: %+v, want unchanged and so long", r)
	}
	now = now.Add(61 * time.Minute)
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, mirror.ErrExpired) {
		t.Errorf("after that hour: %v, want ErrExpired", err)
	}
}

// What was seen last is damaged: then nobody can tell what is older.
func TestSeenDamaged(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.night(t, "monday")
	pull(t, p, to, quick())
	seen := filepath.Join(to.Path(), "SEEN")
	whole, err := os.ReadFile(seen)
	must(t, err)
	allowed := quick()
	allowed.AllowRollback = mirror.AnyRollback
	for n := range whole {
		for _, bad := range [][]byte{whole[:n], append(append([]byte{}, whole[:n]...), append([]byte{whole[n] ^ 1}, whole[n+1:]...)...)} {
			if n%9 != 0 {
				continue
			}
			must(t, os.WriteFile(seen, bad, 0o644))
			if _, err := mirror.Pull(t.Context(), p.url, to, quick()); err == nil || !strings.Contains(err.Error(), "SEEN is damaged") {
				t.Errorf("SEEN is %q: %v, want that it is damaged", bad, err)
			}
		}
	}
	pull(t, p, to, allowed)
	if got, err := os.ReadFile(seen); err != nil || string(got) != string(whole) {
		t.Errorf("SEEN is %q (%v), want %q again", got, err, whole)
	}
}
