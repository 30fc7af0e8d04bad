package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/internal/test/leak"
	"bencao/store/snapshot"
)

// TestMain lets the test binary run as a child process, see child.
func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		os.Exit(runChild(job, os.Getenv(childDir)))
	}
	leak.Main(m)
}

// dataDir returns a data directory that does not exist yet.
func dataDir(t testing.TB) snapshot.Dir {
	t.Helper()
	root := t.TempDir()
	t.Cleanup(func() { must(t, removable(root)) })
	return snapshot.At(filepath.Join(root, "var", "data"))
}

// removable makes the directories under root writable, so that the test can remove them. Published
// directories are read-only, and only root could remove their files.
func removable(root string) error {
	return filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return os.Chmod(name, 0o755)
	})
}

// content returns the description of a test snapshot.
func content(buildName string) snapshot.Content {
	return snapshot.Content{
		Program:  "bencao test",
		Schema:   "9f3c",
		Settings: map[string]string{"site_url": "https://example.org/?a=1&b=<2>"},
		Tables:   map[string]int{"species": 3, "formulas": 2},
		Sources: []snapshot.Source{{
			Kind: "datapackage", Name: "china-plants", Version: buildName, File: "中国植物.zip",
			SHA256: strings.Repeat("ab", 32), Bytes: 12345,
		}},
	}
}

// files returns the content of a test snapshot. Every file starts with the name of its build; the
// rest is always the same.
func files(buildName string) map[string][]byte {
	set := map[string][]byte{}
	for name, size := range map[string]int{
		"store.bolt":                    70_001,
		"names.idx":                     4096,
		"species.bleve/index_meta.json": 60,
		"species.bleve/store/root.bolt": 5000,
		"species.bleve/store/1.zap":     300_000,
		"report.json":                   0, // empty files must be copied too
	} {
		rnd := rand.New(rand.NewPCG(1, uint64(size)))
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		copy(b, buildName)
		set[name] = b
	}
	return set
}

// fill writes the files of a build to dir.
func fill(dir, buildName string) error {
	for name, b := range files(buildName) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build publishes a snapshot as the nightly build does.
func build(d snapshot.Dir, buildName string, opt snapshot.WriterOptions) (m snapshot.Manifest, err error) {
	w, err := d.Lock(opt)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	draft, err := w.Draft()
	if err != nil {
		return m, err
	}
	if err := fill(draft.Path(), buildName); err != nil {
		return m, err
	}
	return draft.Publish(context.Background(), content(buildName), func(string) error { return nil })
}

// mustBuild is like build, but fails the test on an error.
func mustBuild(t testing.TB, d snapshot.Dir, buildName string) snapshot.Manifest {
	t.Helper()
	m, err := build(d, buildName, snapshot.WriterOptions{})
	if err != nil {
		t.Fatalf("publish %s: %v", buildName, err)
	}
	return m
}

// lock takes the lock of the data directory until the test ends.
func lock(t testing.TB, d snapshot.Dir) *snapshot.Writer {
	t.Helper()
	w, err := d.Lock(snapshot.WriterOptions{Purpose: t.Name()})
	if err != nil {
		t.Fatalf("lock: %v", err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("release the lock: %v", err)
		}
	})
	return w
}

// open opens a snapshot until the test ends.
func open(t testing.TB, d snapshot.Dir, id string) *snapshot.Snapshot {
	t.Helper()
	s, err := d.Open(t.Context(), id)
	if err != nil {
		t.Fatalf("open %s: %v", id, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %s: %v", id, err)
		}
	})
	return s
}

// nameOfBuild returns the name of the build of an open snapshot. It checks that all files belong to
// that build.
func nameOfBuild(t testing.TB, s *snapshot.Snapshot) string {
	t.Helper()
	got := s.Manifest.Sources[0].Version
	for name, want := range files(got) {
		b, err := os.ReadFile(s.Path(name))
		if err != nil || !bytes.Equal(b, want) {
			t.Errorf("snapshot %s opened, but %s differs from the file of the build %q (%v)", s.ID, name, got, err)
		}
	}
	return got
}

// currentName opens the current snapshot and returns the name of its build.
func currentName(t testing.TB, d snapshot.Dir) string {
	t.Helper()
	s, err := d.OpenCurrent(t.Context())
	if err != nil {
		t.Fatalf("open current: %v", err)
	}
	got := nameOfBuild(t, s)
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	return got
}

// ids returns the ids of all snapshots, newest first.
func ids(t testing.TB, d snapshot.Dir) []string {
	t.Helper()
	list, err := d.List()
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	var names []string
	for _, info := range list {
		names = append(names, info.ID)
	}
	return names
}

// litter lists everything in the data directory except valid snapshots, CURRENT and LOCK.
func litter(t testing.TB, d snapshot.Dir) []string {
	t.Helper()
	var left []string
	for _, dir := range []string{d.Path(), filepath.Join(d.Path(), "snapshots")} {
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			if name := e.Name(); name != "LOCK" && name != "CURRENT" && name != "snapshots" && !snapshot.ValidID(name) {
				left = append(left, name)
			}
		}
	}
	return left
}

// oneLine fails the test unless err is one line that contains all of want.
func oneLine(t testing.TB, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want an error that contains %q", want)
		return
	}
	msg := err.Error()
	if strings.ContainsAny(msg, "\n\r") {
		t.Errorf("error is more than one line: %q", msg)
	}
	for _, w := range want {
		if !strings.Contains(msg, w) {
			t.Errorf("error %q does not contain %q", msg, w)
		}
	}
}

func TestPublish(t *testing.T) {
	d := dataDir(t) // neither the directory nor its parent exists
	if _, err := d.Current(); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("Current before the first build: %v, want ErrNone", err)
	}
	if _, err := d.Published(); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("Published before the first build: %v, want ErrNone", err)
	}
	if list, err := d.List(); err != nil || len(list) != 0 {
		t.Errorf("List before the first build: %v, %v, want nothing", list, err)
	}

	now := time.Date(2026, 11, 20, 2, 15, 0, 999, time.FixedZone("", 3600))
	var steps []string
	m, err := build(d, "monday", snapshot.WriterOptions{
		Now:  func() time.Time { return now },
		Step: func(s string) { steps = append(steps, s) },
	})
	must(t, err)
	if !strings.HasPrefix(m.ID, "20261120T011500Z-") || !m.Created.Equal(now.Truncate(time.Second)) {
		t.Errorf("id %s and time %s, want 20261120T011500Z-… and the builder's clock", m.ID, m.Created)
	}
	want := []string{"sync files", "check", "write manifest", "sync directories", "read back", "rename draft", "sync snapshots", "write CURRENT", "done"}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	if got := currentName(t, d); got != "monday" {
		t.Errorf("current is %q, want monday", got)
	}
	if got, err := d.Published(); err != nil || got.ID != m.ID || !got.BuiltFrom(content("monday")) {
		t.Errorf("Published = %s, %v, want %s built from monday's sources", got.ID, err, m.ID)
	}
	if left := litter(t, d); left != nil {
		t.Errorf("left behind: %q", left)
	}
	for name, mode := range map[string]fs.FileMode{".": 0o555, "species.bleve/store": 0o555, "manifest.json": 0o444, "store.bolt": 0o444} {
		info, err := os.Stat(filepath.Join(d.Path(), "snapshots", m.ID, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v (%v), want %v", name, info.Mode(), err, mode)
		}
	}
}

// TestOrderSurvivesTheClock runs builds within one second and with a clock that was set back. The
// order of the ids must still be the order of the builds.
func TestOrderSurvivesTheClock(t *testing.T) {
	d := dataDir(t)
	at := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
	var want []string
	for i, now := range []time.Time{at, at, at.AddDate(-1, 0, 0), at.Add(time.Hour)} {
		m, err := build(d, fmt.Sprint("build ", i), snapshot.WriterOptions{Now: func() time.Time { return now }})
		must(t, err)
		want = append([]string{m.ID}, want...)
	}
	if got := ids(t, d); !slices.Equal(got, want) {
		t.Errorf("newest first: %q, want the order of building %q", got, want)
	}
}

func TestList(t *testing.T) {
	d := dataDir(t)
	monday := mustBuild(t, d, "monday")
	tuesday := mustBuild(t, d, "tuesday")
	open(t, d, monday.ID)
	damage(t, d, tuesday.ID, "manifest.json", func(b []byte) []byte { return b[:len(b)-1] })
	list, err := d.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("List = %v, %v, want two snapshots", list, err)
	}
	if got := list[0]; got.ID != tuesday.ID || !got.Current || got.InUse || got.Err == nil {
		t.Errorf("tuesday: %+v, want current, not in use, with an error", got)
	}
	if got := list[1]; got.ID != monday.ID || got.Current || !got.InUse || got.Err != nil || got.Manifest.Bytes() != monday.Bytes() {
		t.Errorf("monday: %+v, want not current, in use, no error, %d bytes", got, monday.Bytes())
	}
}

func TestBuiltFrom(t *testing.T) {
	m := snapshot.Manifest{Content: content("monday")}
	same := content("monday")
	same.Tables = nil
	if !m.BuiltFrom(same) {
		t.Error("the same sources need a new build, want none although the tables differ")
	}
	for name, change := range map[string]func(c *snapshot.Content){
		"program":      func(c *snapshot.Content) { c.Program += "x" },
		"schema":       func(c *snapshot.Content) { c.Schema += "x" },
		"settings":     func(c *snapshot.Content) { c.Settings = nil },
		"source bytes": func(c *snapshot.Content) { c.Sources[0].SHA256 = strings.Repeat("0", 64) },
		"sources":      func(c *snapshot.Content) { c.Sources = append(c.Sources, snapshot.Source{}) },
	} {
		c := content("monday")
		change(&c)
		if m.BuiltFrom(c) {
			t.Errorf("another value of %s needs no new build, want one", name)
		}
	}
}
