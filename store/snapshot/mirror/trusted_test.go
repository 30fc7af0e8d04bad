package mirror_test

import (
	"errors"
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

// TestRootChanges changes the keys of every role twice. A mirror that was offline meanwhile must
// follow without new settings. So must a mirror of that mirror that starts from the first root.
func TestRootChanges(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.night(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	second := newKeyring(t)
	change(t, p, second, keys.root[0], keys.root[2], second.root[0], second.root[1])
	third := newKeyring(t)
	change(t, p, third, second.root[1], second.root[2], third.root[0], third.root[1])
	p.night(t, "third")
	pull(t, p, to, opt)
	same(t, p, to)
	old := keys.publisher(nil)
	if err := old.Announce(p.dir, pointer(t, p.dir)); err == nil || !strings.Contains(err.Error(), "root 3 does not let key") {
		t.Errorf("a key of the first root announces: %v", err)
	}

	middle := newPublisher(t)
	middle.dir = to
	middle.url = serve(t, to)
	further := dataDir(t)
	pull(t, middle, further, opt)
	same(t, p, further)

	// A pull that finds nothing new requests five small files.
	if r := pull(t, p, to, opt); r.Outcome != mirror.Unchanged {
		t.Errorf("a second copy: %s, want unchanged", r.Outcome)
	}
}

// serve runs a web server for a data directory and returns the address.
func serve(t *testing.T, d snapshot.Dir) string {
	t.Helper()
	p := newPublisher(t)
	p.put(func(http.Handler) http.HandlerFunc {
		return http.StripPrefix("/data", http.FileServer(http.Dir(d.Path()))).ServeHTTP
	})
	return p.url
}

// TestTimestampIsRenewed checks that the timestamp key alone can renew the timestamp, without a
// nightly build.
func TestTimestampIsRenewed(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.trust = keys.publisher(func() time.Time { return time.Now().Add(-13 * 24 * time.Hour) })
	p.night(t, "first")
	opt := quick()
	opt.RootFile = root
	opt.Now = func() time.Time { return time.Now().Add(2 * 24 * time.Hour) }
	if _, err := mirror.Pull(t.Context(), p.url, dataDir(t), opt); !errors.Is(err, mirror.ErrExpired) {
		t.Fatalf("an expired timestamp: %v", err)
	}
	must(t, trust.Publisher{Timestamp: &keys.timestamp}.Renew(p.dir))
	to := dataDir(t)
	pull(t, p, to, opt)
	same(t, p, to)
}

// TestTrustIsKept checks that a mirror recovers from damage of its stored metadata, and does not
// accept a publisher without a root in place of one with a root.
func TestTrustIsKept(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	p.night(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	for _, name := range []string{"root.json", "timestamp.json", "snapshot.json", "targets.json"} {
		must(t, os.WriteFile(filepath.Join(to.Path(), "trusted", name), []byte("{"), 0o644))
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("trusted/%s damaged: %v; want it mended or named", name, err)
		}
		if err != nil {
			opt := opt
			opt.AllowRollback = mirror.AnyRollback
			pull(t, p, to, opt)
		} else if r.Outcome != mirror.Unchanged {
			t.Errorf("trusted/%s damaged: %s, want unchanged", name, r.Outcome)
		}
	}
	plain := newPublisher(t)
	plain.night(t, "plain")
	if _, err := mirror.Pull(t.Context(), plain.url, dataDir(t), opt); err == nil || !strings.Contains(err.Error(), "tuf/timestamp.json") {
		t.Errorf("a publisher without a root is followed: %v", err)
	}
	opt.RootFile = filepath.Join(t.TempDir(), "none.json")
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || !strings.Contains(err.Error(), "trust-root: ") {
		t.Errorf("a root that is not there: %v", err)
	}
}
