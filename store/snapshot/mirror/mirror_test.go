package mirror_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

func TestPull(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	monday := p.nightly(t, "monday")
	r := pull(t, p, to, quick())
	same(t, p, to)
	if r.Snapshot != monday.ID || r.Outcome == mirror.Unchanged || r.Fetched != monday.Bytes() || r.Linked != 0 {
		t.Errorf("the first copy: %+v, want all %d bytes of %s fetched", r, monday.Bytes(), monday.ID)
	}
	if r := pull(t, p, to, quick()); r.Outcome != mirror.Unchanged || r.Fetched != 0 {
		t.Errorf("a second pull of the same snapshot: %+v, want unchanged", r)
	}

	tuesday := p.nightly(t, "tuesday")
	r = pull(t, p, to, quick())
	same(t, p, to)
	if r.Fetched != 204_096 || r.Linked != 900_000 {
		t.Errorf("the next build: %+v, want the unchanged file linked and the two others fetched", r)
	}
	a, err := os.Stat(filepath.Join(to.Path(), snapshot.FilePath(monday.ID, "species.bleve/store/1 %41.zap")))
	must(t, err)
	b, err := os.Stat(filepath.Join(to.Path(), snapshot.FilePath(tuesday.ID, "species.bleve/store/1 %41.zap")))
	must(t, err)
	if !os.SameFile(a, b) {
		t.Error("the unchanged file is stored twice")
	}

	// After a rollback of the publisher the mirror rolls back too, without fetching a file.
	w := p.lock(t, snapshot.WriterOptions{})
	_, err = w.Rollback(t.Context(), monday.ID)
	must(t, errors.Join(err, w.Announce(), w.Close()))
	if r = pull(t, p, to, quick()); r.Fetched != 0 || r.Snapshot != monday.ID {
		t.Errorf("after the publisher's rollback: %+v, want monday's snapshot and nothing fetched", r)
	}
	same(t, p, to)
}

// TestPullWithdrawn checks which snapshots a mirror reports as withdrawn, with and without a root
// of trust. The mirror must not report the snapshot that it is copying. It must report a snapshot
// from which the publisher has rolled back, even if the mirror never had that snapshot.
func TestPullWithdrawn(t *testing.T) {
	for _, signed := range []bool{false, true} {
		p, opt := newPublisher(t), quick()
		if signed {
			p, opt.RootFile = trusted(t, newKeyring(t))
		}
		// Two nightly builds and a rollback happen, an hour apart.
		now := time.Now().Add(-10 * time.Hour)
		p.now = func() time.Time { return now }
		had, late := dataDir(t), dataDir(t)
		monday := p.nightly(t, "monday")
		pull(t, p, had, opt)
		pull(t, p, late, opt)
		now = now.Add(time.Hour)
		tuesday := p.nightly(t, "tuesday")
		steps, watched := 0, opt
		watched.Step = func(step string) {
			steps++
			if snapshot.Withdrawn(had, tuesday.ID, time.Now()) {
				t.Errorf("before %q the mirror reports tuesday as withdrawn", step)
			}
		}
		pull(t, p, had, watched)
		if steps == 0 || snapshot.Withdrawn(had, tuesday.ID, time.Now()) || snapshot.Withdrawn(late, tuesday.ID, time.Now()) {
			t.Errorf("after %d steps: tuesday is withdrawn on a mirror that has it or is late", steps)
		}
		now = now.Add(time.Hour)
		w := p.lock(t, snapshot.WriterOptions{})
		_, err := w.Rollback(t.Context(), monday.ID)
		must(t, errors.Join(err, w.Announce(), w.Close()))
		for name, to := range map[string]snapshot.Dir{"the mirror that had it": had, "the late one": late} {
			if snapshot.Withdrawn(to, tuesday.ID, time.Now()) {
				t.Errorf("%s reports tuesday as withdrawn before it pulls", name)
			}
			pull(t, p, to, opt)
			if !snapshot.Withdrawn(to, tuesday.ID, time.Now()) {
				t.Errorf("%s does not report tuesday as withdrawn after it has pulled (root of trust: %v)", name, signed)
			}
			if next := "20991231T000000Z-000000"; snapshot.Withdrawn(to, next, time.Now()) {
				t.Errorf("%s reports the next nightly build as withdrawn", name)
			}
		}
	}
}

func TestPullKeeps(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	first := p.nightly(t, "a")
	pull(t, p, to, quick())
	opt := quick()
	opt.Keep = 1
	p.nightly(t, "b")
	if r := pull(t, p, to, opt); !slices.Equal(r.Removed, []string{first.ID}) {
		t.Errorf("removed %q, want %s", r.Removed, first.ID)
	}
	same(t, p, to) // the linked file still exists
}

// TestPullRepairs damages a mirror. The next pull must repair it.
func TestPullRepairs(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, d snapshot.Dir, m snapshot.Manifest){
		"CURRENT": func(t *testing.T, d snapshot.Dir, _ snapshot.Manifest) {
			must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), []byte("nonsense"), 0o644))
		},
		"a flipped byte": func(t *testing.T, d snapshot.Dir, m snapshot.Manifest) {
			file := filepath.Join(d.Path(), snapshot.FilePath(m.ID, "store.bolt"))
			b, err := os.ReadFile(file)
			must(t, err)
			b[77]++
			must(t, os.Chmod(file, 0o644))
			must(t, os.WriteFile(file, b, 0o644))
		},
		"no manifest": func(t *testing.T, d snapshot.Dir, m snapshot.Manifest) {
			dir := filepath.Join(d.Path(), "snapshots", m.ID)
			must(t, os.Chmod(dir, 0o755))
			must(t, os.Remove(filepath.Join(dir, "manifest.json")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, to := newPublisher(t), dataDir(t)
			m := p.nightly(t, "monday")
			pull(t, p, to, quick())
			harm(t, to, m)
			pull(t, p, to, quick())
			same(t, p, to)
		})
	}
}

func TestPullGoesOn(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.nightly(t, "monday")
	p.put(cut(150_000))
	r := pull(t, p, to, quick())
	same(t, p, to)
	if r.Fetched != m.Bytes() {
		t.Errorf("%+v, want all of %d bytes", r, m.Bytes())
	}
	ranges := 0
	for _, path := range p.requests() {
		if strings.Contains(path, "bytes=") {
			ranges++
		}
	}
	if ranges < 6 {
		t.Errorf("with connections that end after 150,000 bytes, %d ranges are requested, want at least 6:\n%s", ranges, strings.Join(p.requests(), "\n"))
	}
}

// TestPullGoesOnLater interrupts a pull. The next pull must not fetch again the bytes that the
// first one has fetched.
func TestPullGoesOnLater(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.nightly(t, "monday")
	ctx, stop := context.WithCancel(t.Context())
	opt := quick()
	opt.Progress = func(done, _ int64) {
		if done > 500_000 {
			stop()
		}
	}
	if _, err := mirror.Pull(ctx, p.url, to, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted pull: %v, want context.Canceled", err)
	}
	if len(hidden(t, to)) != 1 {
		t.Fatalf("the hidden entries are %q, want the incomplete copy", hidden(t, to))
	}
	r := pull(t, p, to, quick())
	same(t, p, to)
	if r.Resumed < 500_000 || r.Resumed+r.Fetched != m.Bytes() {
		t.Errorf("%+v, want at least 500,000 bytes of the first pull, and the rest of %d bytes fetched", r, m.Bytes())
	}
}

// TestPullBadBeginning starts with an incomplete copy whose files have wrong content. The pull must
// fetch these files again and remove unexpected ones.
func TestPullBadBeginning(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.nightly(t, "monday")
	part := filepath.Join(to.Path(), "snapshots", ".pull-"+m.ID)
	must(t, os.MkdirAll(filepath.Join(part, "stranger", "deep"), 0o755))
	for name, b := range map[string][]byte{
		"store.bolt":      make([]byte, 1000),     // other bytes
		"names.idx":       make([]byte, 5000),     // too long
		"manifest.json":   []byte("{}"),           // not downloaded by the mirror, so not trusted
		"stranger/deep/x": []byte("not expected"), // not in the manifest
	} {
		must(t, os.WriteFile(filepath.Join(part, name), b, 0o644))
	}
	must(t, os.Symlink("/etc/passwd", filepath.Join(part, "empty")))
	must(t, os.Mkdir(filepath.Join(to.Path(), "snapshots", ".pull-20200101T000000Z-abcdef"), 0o755))
	pull(t, p, to, quick())
	same(t, p, to)
}

// TestPullMovingPublisher lets the publisher switch to another snapshot and remove the snapshot
// that the mirror is copying.
func TestPullMovingPublisher(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.nightly(t, "monday")
	opt := quick()
	moved := false
	opt.Accept = func(snapshot.Manifest) error {
		if !moved {
			moved = true
			p.nightly(t, "tuesday")
			w, err := p.dir.Lock(snapshot.WriterOptions{})
			must(t, err)
			_, err = w.Prune(1)
			must(t, errors.Join(err, w.Close()))
		}
		return nil
	}
	pull(t, p, to, opt)
	same(t, p, to)
}

func TestPullCheck(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.nightly(t, "monday")
	pull(t, p, to, quick())
	before := state(t, to)
	p.nightly(t, "tuesday")
	opt, refusal := quick(), errors.New("can't be opened")
	opt.Check = func(dir string) error {
		if b, err := os.ReadFile(filepath.Join(dir, "store.bolt")); err != nil || !strings.HasPrefix(string(b), "tuesday") {
			t.Errorf("the check sees %.10q, %v", b, err)
		}
		return refusal
	}
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, refusal) {
		t.Errorf("pull: %v, want the check's own error", err)
	}
	if now := state(t, to); now != before {
		t.Errorf("a refused copy changed %s to %s", before, now)
	}
	pull(t, p, to, quick())
	same(t, p, to)
}

func TestPullAge(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	m := p.nightly(t, "monday")
	at := func(after time.Duration) mirror.Options {
		opt := quick()
		opt.MaxAge = 26 * time.Hour
		opt.Now = func() time.Time { return m.Created.Add(after) }
		return opt
	}
	for after, stale := range map[time.Duration]bool{27 * time.Hour: true, -time.Hour: true, 25 * time.Hour: false} {
		_, err := mirror.Pull(t.Context(), p.url, to, at(after))
		if errors.Is(err, mirror.ErrStale) != stale || !stale && err != nil {
			t.Errorf("%v after the build: %v, want ErrStale %v", after, err, stale)
		}
	}
	// A nightly build confirms that the publisher's sources have not changed.
	w, err := p.dir.Lock(snapshot.WriterOptions{Now: func() time.Time { return m.Created.Add(48 * time.Hour) }})
	must(t, err)
	must(t, errors.Join(w.Confirm(), w.Close()))
	r := pull(t, p, to, at(50*time.Hour))
	if want := m.Created.Add(48 * time.Hour); r.Outcome != mirror.Unchanged || !r.Fresh.Equal(want) {
		t.Errorf("%+v, want unchanged, and Fresh %s", r, want)
	}
	if got := to.Fresh(m); !got.Equal(*r.Fresh) {
		t.Errorf("Fresh of the mirror is %s, want %s", got, r.Fresh)
	}
}
