package mirror_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// TestRootChanges changes the nightly key twice while a mirror is offline. The mirror must then follow without new settings. A mirror of that mirror, which starts with the first root, must
// follow too.
func TestRootChanges(t *testing.T) {
	keys := newKeyring(t)
	p, root := trusted(t, keys)
	p.nightly(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	change(t, p, change(t, p, keys))
	p.nightly(t, "third")
	pull(t, p, to, opt)
	same(t, p, to)
	old := keys.publisher(nil)
	if err := old.Announce(p.dir, pointer(t, p.dir)); err == nil || !strings.Contains(err.Error(), "root 3 does not let key") {
		t.Errorf("Announce with a key of the first root: %v, want an error that root 3 does not allow it", err)
	}

	middle := newPublisher(t)
	middle.dir = to
	middle.url = serve(t, to)
	further := dataDir(t)
	pull(t, middle, further, opt)
	same(t, p, further)

	// A pull that finds nothing new must change nothing.
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

// TestTrustIsKept damages the metadata that a mirror stores. The next pull must repair the
// metadata, or name the damaged file and succeed with AllowRollback. With a root of trust, the
// mirror must also refuse a publisher without a root.
func TestTrustIsKept(t *testing.T) {
	p, root := trusted(t, newKeyring(t))
	p.nightly(t, "first")
	to, opt := dataDir(t), quick()
	opt.RootFile = root
	pull(t, p, to, opt)
	for _, name := range []string{"root.json", "timestamp.json", "snapshot.json", "targets.json"} {
		must(t, os.WriteFile(filepath.Join(to.Path(), "trusted", name), []byte("{"), 0o644))
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("trusted/%s damaged: %v; want no error or an error that names the file", name, err)
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
	plain.nightly(t, "plain")
	if _, err := mirror.Pull(t.Context(), plain.url, dataDir(t), opt); err == nil || !strings.Contains(err.Error(), "tuf/timestamp.json") {
		t.Errorf("a publisher without a root is followed: %v", err)
	}
	opt.RootFile = filepath.Join(t.TempDir(), "none.json")
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || !strings.Contains(err.Error(), "trust-root: ") {
		t.Errorf("a missing file of the root: %v", err)
	}
}
