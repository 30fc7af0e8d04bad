package indexer_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/indexer"
	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// rooted is a publisher whose mirrors follow a root of trust.
type rooted struct {
	cfg  indexer.Config
	key  trust.SigningKey
	root *trust.Root
	now  time.Time
}

// newRooted creates a root that is valid for thirty days, signed by the publisher's key.
func newRooted(t *testing.T) *rooted {
	t.Helper()
	r := &rooted{cfg: config(t, tiny()), now: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC)}
	var err error
	r.key, err = trust.NewSigningKey()
	must(t, err)
	r.cfg.MetricsFile = filepath.Join(t.TempDir(), "bencao.prom")
	must(t, errors.Join(os.Mkdir(trust.KeyFolder(r.cfg.Data), 0o700), r.key.WriteFile(filepath.Join(trust.KeyFolder(r.cfg.Data), "nightly.key"))))
	r.root, err = trust.NewRoot(r.key, r.key.Public(), r.now.Add(30*24*time.Hour))
	must(t, err)
	r.install(t)
	return r
}

// install writes the root to the data folder.
func (r *rooted) install(t *testing.T) {
	t.Helper()
	must(t, trust.Install(snapshot.At(r.cfg.Data), r.root))
}

func (r *rooted) build() (*indexer.Report, error) {
	return indexer.Run(context.Background(), r.cfg, indexer.Options{Now: func() time.Time { return r.now }})
}

// pointers returns the contents of all files that tell servers and mirrors which snapshot is
// current.
func (r *rooted) pointers(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	must(t, filepath.WalkDir(r.cfg.Data, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "last-") {
			return err
		}
		b, err := os.ReadFile(name)
		if len(b) > 1<<10 {
			b = nil // the file belongs to a snapshot, and snapshots never change
		}
		all.WriteString(name + "\n" + string(b) + "\n")
		return err
	}))
	return all.String()
}

// must ends the test if there is an error.
var must = testkit.Must

// mirrored is a mirror that has a publisher's first root.
type mirrored struct {
	dir snapshot.Dir
	url string
	opt mirror.Options
}

func (r *rooted) mirror(t *testing.T) *mirrored {
	t.Helper()
	web := httptest.NewServer(http.FileServer(http.Dir(r.cfg.Data)))
	t.Cleanup(web.Close)
	m := &mirrored{dir: snapshot.At(filepath.Join(t.TempDir(), "mirror")), url: web.URL}
	m.opt = mirror.Options{RootFile: filepath.Join(t.TempDir(), "root.json"), Pause: time.Millisecond, Retries: 1, Now: func() time.Time { return r.now }}
	first, err := os.ReadFile(filepath.Join(r.cfg.Data, "tuf", "1.root.json"))
	must(t, err)
	must(t, os.WriteFile(m.opt.RootFile, first, 0o644))
	return m
}

func (m *mirrored) pull(t *testing.T) (mirror.Report, error) {
	t.Helper()
	return mirror.Pull(t.Context(), m.url, m.dir, m.opt)
}

// has returns the current snapshot of a data folder.
func has(t *testing.T, d snapshot.Dir) string {
	t.Helper()
	at, err := d.Current()
	must(t, err)
	return at.ID
}

// says checks that an error contains all the words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want one line that says %q", err, w)
		}
	}
}

// followed returns a publisher and a mirror that has the publisher's first snapshot.
func followed(t *testing.T) (p *rooted, m *mirrored, first string) {
	t.Helper()
	p = newRooted(t)
	_, err := p.build()
	must(t, err)
	m = p.mirror(t)
	_, err = m.pull(t)
	must(t, err)
	return p, m, has(t, m.dir)
}

// TestRootExpires checks an expired root of trust. A build must fail with the reason, the date and
// the remedy, and change nothing. Mirrors keep their snapshot and report it as stale. After the
// next root is published, builds and mirrors work again without any action at the mirrors.
func TestRootExpires(t *testing.T) {
	p, m, first := followed(t)

	p.now = p.now.Add(31 * 24 * time.Hour)
	before := p.pointers(t)
	for _, sources := range []string{"unchanged", "changed"} {
		if sources == "changed" {
			pkg := tiny()
			replace(pkg, "species.csv", "人参", "人蔘")
			p.cfg.Package.FS = pkg
		}
		report, err := p.build()
		says(t, err, "root 1 expired at 2026-12-20T02:15:00Z", `"bencao trust renew"`)
		if report.Outcome != indexer.Failed || report.Snapshot != first && report.Snapshot != "" {
			t.Errorf("%s sources: outcome %s, snapshot %q; want that the build failed", sources, report.Outcome, report.Snapshot)
		}
		if now := p.pointers(t); now != before {
			t.Errorf("%s sources: the build has changed files that servers or mirrors read:\n%s\nbefore:\n%s", sources, now, before)
		}
		prom, err := os.ReadFile(p.cfg.MetricsFile)
		must(t, err)
		for _, want := range []string{"bencao_index_outcome{outcome=\"failed\"} 1\n", "bencao_index_root_expires_timestamp_seconds 1797732900\n"} {
			if !strings.Contains(string(prom), want) {
				t.Errorf("%s sources: the metrics lack %q:\n%s", sources, want, prom)
			}
		}
	}
	report, err := m.pull(t)
	says(t, err, "tuf/1.root.json has expired at 2026-12-20T02:15:00Z", "the current snapshot stays", `"bencao trust renew"`)
	if !errors.Is(err, mirror.ErrExpired) || report.Outcome != mirror.Stale || has(t, m.dir) != first {
		t.Errorf("the mirror has %s, %s: %v; want that it keeps %s and is stale", has(t, m.dir), report.Outcome, err, first)
	}
	if _, err := m.dir.Verify(t.Context(), first, snapshot.Deep); err != nil {
		t.Errorf("the snapshot of the mirror: %v", err)
	}

	// The next root is signed by the keys of the expired root.
	p.root, err = p.root.Next(p.key, p.key.Public(), p.now.Add(365*24*time.Hour))
	must(t, err)
	p.install(t)
	_, err = p.build()
	must(t, err)
	late := p.mirror(t) // starts from the first root
	for _, m := range []*mirrored{m, late} {
		if _, err := m.pull(t); err != nil || has(t, m.dir) != has(t, snapshot.At(p.cfg.Data)) || has(t, m.dir) == first {
			t.Errorf("after the next root a mirror has %s: %v; want the new snapshot", has(t, m.dir), err)
		}
	}
}

// TestRootExpiresMeanwhile lets a root expire during a build. The publisher serves the new
// snapshot, and the error says that mirrors cannot fetch it. After the next root is published,
// mirrors fetch it.
func TestRootExpiresMeanwhile(t *testing.T) {
	p, m, first := followed(t)

	pkg := tiny()
	replace(pkg, "species.csv", "人参", "人蔘")
	p.cfg.Package.FS = pkg
	p.now = p.now.Add(30*24*time.Hour - time.Minute)
	log := &lines{onPhase: func(phase string) {
		if phase == "self-check" {
			p.now = p.now.Add(time.Hour)
		}
	}}
	report, err := indexer.Run(t.Context(), p.cfg, indexer.Options{Now: func() time.Time { return p.now }, Log: slog.New(log)})
	second := has(t, snapshot.At(p.cfg.Data))
	says(t, err, "snapshot "+second+" is current, but mirrors can't follow it yet", "root 1 expired", `"bencao trust renew"`)
	if second == first || report.Snapshot != second || report.Outcome != indexer.Failed {
		t.Errorf("current is %s, the report says %s, %s; want the new one, and failed", second, report.Snapshot, report.Outcome)
	}
	if !slices.Contains(log.warned, "the root of trust expires soon; after that no nightly build starts and no mirror updates") {
		t.Errorf("the build warns of %q, want that the root expires soon", log.warned)
	}
	if _, err := m.pull(t); !errors.Is(err, mirror.ErrExpired) || has(t, m.dir) != first {
		t.Errorf("the mirror has %s: %v; want that it keeps %s", has(t, m.dir), err, first)
	}
	p.root, err = p.root.Next(p.key, p.key.Public(), p.now.Add(365*24*time.Hour))
	must(t, err)
	p.install(t)
	if report, err = p.build(); err != nil || report.Outcome != indexer.Unchanged {
		t.Errorf("the next build: %s, %v; want unchanged", report.Outcome, err)
	}
	if _, err := m.pull(t); err != nil || has(t, m.dir) != second {
		t.Errorf("the mirror has %s: %v; want %s", has(t, m.dir), err, second)
	}
}

// TestPublicRootExpires checks an expired root of the public folder. A build must fail before it
// starts. If the sources have not changed and nothing is to be built, the full snapshot must still
// be confirmed.
func TestPublicRootExpires(t *testing.T) {
	p := newRooted(t)
	p.cfg.Public = filepath.Join(t.TempDir(), "public")
	must(t, trust.Install(snapshot.At(p.cfg.Public), p.root))
	_, err := p.build()
	must(t, err)
	p.now = p.now.Add(31 * 24 * time.Hour)
	p.root, err = p.root.Next(p.key, p.key.Public(), p.now.Add(365*24*time.Hour))
	must(t, err)
	p.install(t)

	_, err = p.build()
	says(t, err, "public snapshot: root 1 expired")
	if c, err := snapshot.At(p.cfg.Data).Checked(); err != nil || !c.At.Equal(p.now) {
		t.Errorf("the full snapshot was confirmed at %s (%v), want %s", c.At, err, p.now)
	}
	pkg := tiny()
	replace(pkg, "species.csv", "人参", "人蔘")
	p.cfg.Package.FS = pkg
	report, err := p.build()
	says(t, err, "public snapshot: root 1 expired")
	for _, phase := range report.Phases {
		if phase.Name == "write" {
			t.Error("the full snapshot was built before the error about the public snapshot")
		}
	}
}

// lines is a log handler that records phases and warnings.
type lines struct {
	slog.Handler
	onPhase func(phase string)
	warned  []string
}

func (l *lines) Enabled(context.Context, slog.Level) bool { return true }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	if r.Level == slog.LevelWarn {
		l.warned = append(l.warned, r.Message)
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "phase" {
			l.onPhase(a.Value.String())
		}
		return true
	})
	return nil
}
