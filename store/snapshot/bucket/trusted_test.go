package bucket_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// trusted is a publisher that has a root of trust and pushes to a store.
type trusted struct {
	*store
	dir       snapshot.Dir
	root      *trust.Root
	rootKey   trust.SigningKey
	publisher trust.Publisher
	first     string // the file of the first root, with which mirrors start
}

func newTrusted(t *testing.T) *trusted {
	t.Helper()
	p := &trusted{store: newStore(t), dir: dataDir(t), rootKey: newKey(t), first: filepath.Join(t.TempDir(), "root.json")}
	roles := p.keys(t)
	root, err := trust.NewRoot(roles, time.Now().Add(time.Hour))
	must(t, err)
	p.install(t, root)
	b, err := root.Encode()
	must(t, err)
	must(t, os.WriteFile(p.first, b, 0o644))
	return p
}

func newKey(t *testing.T) trust.SigningKey {
	t.Helper()
	k, err := trust.NewSigningKey()
	must(t, err)
	return k
}

// keys gives the publisher new keys for nightly builds and for timestamps. It returns the roles for
// a root that names these keys.
func (p *trusted) keys(t *testing.T) trust.Roles {
	t.Helper()
	nightly, timestamp := newKey(t), newKey(t)
	p.publisher = trust.Publisher{Nightly: &nightly, Timestamp: &timestamp}
	return trust.Roles{
		Root: []trust.PublicKey{p.rootKey.Public()}, Threshold: 1,
		Nightly: []trust.PublicKey{nightly.Public()}, Timestamp: []trust.PublicKey{timestamp.Public()},
	}
}

// install signs a root and makes it the publisher's current root.
func (p *trusted) install(t *testing.T, root *trust.Root) {
	t.Helper()
	must(t, root.Sign(p.rootKey))
	must(t, trust.Install(p.dir, root))
	p.root = root
}

// nightly publishes a small snapshot and signs it, as a nightly build does. It returns the
// snapshot's id.
func (p *trusted) nightly(t *testing.T, what string) string {
	t.Helper()
	m := publish(t, p.dir, what, map[string][]byte{"store.bolt": noise(what, 200_000), "names.idx": noise("", 100_000)})
	must(t, p.publisher.Announce(p.dir, pointer(t, p.dir)))
	return m.ID
}

// follow copies from the bucket into the mirror to, which starts with the first root. It returns
// the error of the copy. Even after an error, the mirror's current snapshot must be one of the
// given snapshots and must be complete.
func (p *trusted) follow(t *testing.T, to snapshot.Dir, ids ...string) error {
	t.Helper()
	b := p.open(t)
	_, err := mirror.Pull(t.Context(), b.URL(), to, mirror.Options{RootFile: p.first, Sign: b.Sign, Pause: time.Millisecond, Retries: 1, Stall: 10 * time.Second})
	if has := pointer(t, to).ID; !slices.Contains(ids, has) {
		t.Errorf("the mirror has %s (%v), want one of %q", has, err, ids)
	} else if _, err := to.Verify(t.Context(), has, snapshot.Deep); err != nil {
		t.Errorf("the copy is incomplete: %v", err)
	}
	return err
}

// versions returns the version of the metadata that a mirror has stored for each role.
func versions(t *testing.T, d snapshot.Dir) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, role := range []string{"root", "targets", "snapshot", "timestamp"} {
		b, err := os.ReadFile(filepath.Join(d.Path(), "trusted", role+".json"))
		must(t, err)
		var file struct{ Signed struct{ Version int64 } }
		must(t, json.Unmarshal(b, &file))
		all[role] = file.Signed.Version
	}
	return all
}

// rise checks that no version is lower after than before, and that the versions of the given roles
// are higher.
func rise(t *testing.T, before, after map[string]int64, roles ...string) {
	t.Helper()
	for role, version := range before {
		if after[role] < version {
			t.Errorf("%s has version %d and had version %d before", role, after[role], version)
		}
	}
	for _, role := range roles {
		if after[role] <= before[role] {
			t.Errorf("%s has version %d and had version %d before; want a higher version", role, after[role], before[role])
		}
	}
}

// TestPushTrust pushes two snapshots, then a renewed timestamp, then a snapshot that is signed with
// new keys. After each push, two mirrors that started with the first root must get the new state:
// one with credentials, and one without credentials from the store's folder, as from a public
// bucket.
func TestPushTrust(t *testing.T) {
	p := newTrusted(t)
	public := httptest.NewServer(http.FileServer(http.Dir(p.folder)))
	defer public.Close()
	to, open := dataDir(t), dataDir(t)
	before := map[string]int64{}
	for _, step := range []struct {
		name  string
		do    func() string
		rises []string
	}{
		{"the first snapshot", func() string { return p.nightly(t, "first") }, []string{"root", "targets", "snapshot", "timestamp"}},
		{"the second snapshot", func() string { return p.nightly(t, "second") }, []string{"targets", "snapshot", "timestamp"}},
		{"a renewal", func() string {
			must(t, trust.Publisher{Timestamp: p.publisher.Timestamp}.Renew(p.dir))
			return pointer(t, p.dir).ID
		}, []string{"timestamp"}},
		{"other keys", func() string {
			next, err := p.root.Next(p.keys(t), time.Now().Add(time.Hour))
			must(t, err)
			p.install(t, next)
			return p.nightly(t, "third")
		}, []string{"root", "targets", "snapshot", "timestamp"}},
	} {
		id := step.do()
		if r := p.push(t, p.dir, bucket.PushOptions{}); r.Outcome != "published" {
			t.Errorf("%s: the push is %+v", step.name, r)
		}
		if err := p.follow(t, to, id); err != nil {
			t.Fatalf("%s: the mirror can't follow: %v", step.name, err)
		}
		after := versions(t, to)
		rise(t, before, after, step.rises...)
		if r, err := mirror.Pull(t.Context(), public.URL+"/data", open, mirror.Options{RootFile: p.first}); err != nil || r.Snapshot != id {
			t.Errorf("%s, without credentials: %+v, %v", step.name, r, err)
		}
		before = after
	}
}

// TestPushTrustStopped stops the second of two pushes before each of its requests. A mirror with
// the first root must then have the complete old or the complete new snapshot. After the push is
// repeated, the mirror must get the new snapshot with higher versions of the metadata. In the
// second case the second push has new keys. If it stops after the new root and before the new
// timestamp, the mirror must refuse the metadata and keep its snapshot.
func TestPushTrustStopped(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  bool
		refused int // maximum number of stops after which the bucket has a new root with an old timestamp
		rises   []string
	}{
		{"the same keys", false, 0, []string{"targets", "snapshot", "timestamp"}},
		{"other keys", true, 4, []string{"root", "targets", "snapshot", "timestamp"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newTrusted(t)
			old := p.nightly(t, "old")
			p.push(t, p.dir, bucket.PushOptions{})
			first := dataDir(t)
			must(t, p.follow(t, first, old))
			before, pushed := versions(t, first), t.TempDir()
			must(t, os.CopyFS(filepath.Join(pushed, "data"), os.DirFS(filepath.Join(p.folder, "data"))))
			if tt.change {
				next, err := p.root.Next(p.keys(t), time.Now().Add(time.Hour))
				must(t, err)
				p.install(t, next)
			}
			fresh := p.nightly(t, "new")
			// restore copies the folder as it was after the first push. The copy lacks the metadata
			// of the objects, so the next push sends all files again.
			restore := func() {
				must(t, os.RemoveAll(filepath.Join(p.folder, "data")))
				must(t, os.CopyFS(filepath.Join(p.folder, "data"), os.DirFS(filepath.Join(pushed, "data"))))
			}
			restore()
			p.put(nil)
			p.push(t, p.dir, bucket.PushOptions{Keep: 1})
			calls := p.requests()
			if len(calls) < 20 {
				t.Fatalf("a push sends %d requests, want at least 20 for a useful test: %q", len(calls), calls)
			}
			refused, had := 0, map[string]int{}
			for at := range calls {
				if testing.Short() && at%3 > 0 {
					continue
				}
				restore()
				to := dataDir(t)
				must(t, os.CopyFS(to.Path(), os.DirFS(first.Path())))
				p.stopped(t, at)
				switch err := p.follow(t, to, old, fresh); {
				case errors.Is(err, trust.ErrUnsigned):
					refused++
				case err != nil:
					t.Errorf("request %d: a mirror can't follow: %v", at, err)
				}
				has, halfway := pointer(t, to).ID, versions(t, to)
				had[has]++
				rise(t, before, halfway)
				if risen := halfway["timestamp"] > before["timestamp"]; risen != (has == fresh) {
					t.Errorf("request %d: the mirror has snapshot %s with the versions %v; it had the versions %v before", at, has, halfway, before)
				}
				p.shows(t, old, fresh) // a mirror without a root

				p.push(t, p.dir, bucket.PushOptions{Keep: 1})
				must(t, p.follow(t, to, fresh))
				rise(t, before, versions(t, to), tt.rises...)
				p.shows(t, fresh)
				if r := p.push(t, p.dir, bucket.PushOptions{}); r.Outcome != "unchanged" {
					t.Errorf("request %d: after the repeated push, another push gives %+v, want unchanged", at, r)
				}
			}
			if had[old] == 0 || had[fresh] == 0 || refused > tt.refused {
				t.Errorf("after stops before each of %d requests, mirrors had the snapshots %v, and %d refused; want the old snapshot after some and the new one after others, and at most %d refusals", len(calls), had, refused, tt.refused)
			}
			t.Logf("%d requests: afterwards %d mirrors had the old snapshot, %d the new one; %d refused", len(calls), had[old], had[fresh], refused)
		})
	}
}

// stopped runs a push that fails at the given request and sends no request after it.
func (p *trusted) stopped(t *testing.T, at int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	p.stopAt(at, stop)
	if _, err := bucket.Push(ctx, p.dir, p.open(t), bucket.PushOptions{Keep: 1}); err == nil {
		t.Errorf("request %d: the push did not notice that it was stopped", at)
	}
	p.put(nil)
}
