package snapshot_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/store/snapshot"
)

// TestPins pins the two oldest of four snapshots. Prune must keep them until they are unpinned.
func TestPins(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b", "c", "d")
	w := lock(t, d)
	must(t, w.Pin(t.Context(), n[1], "论文-2026"))
	must(t, w.Pin(t.Context(), n[0], ""))
	pins, err := d.Pins()
	must(t, err)
	if want := []snapshot.Pin{{ID: n[0]}, {ID: n[1], Label: "论文-2026"}}; !slices.Equal(pins, want) {
		t.Errorf("pins %v, want %v", pins, want)
	}
	for _, wrong := range []struct{ id, label, want string }{
		{n[0], "论文-2026", "belongs to snapshot " + n[1]},
		{n[0], "two words", "is no label"},
		{n[0], n[1], "is no label"},
		{"20200101T000000Z-abcdef", "", "is not there"},
		{"../../etc", "", "is not a snapshot id"},
	} {
		if err := w.Pin(t.Context(), wrong.id, wrong.label); err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("pin %q as %q: %v, want an error with %q", wrong.id, wrong.label, err, wrong.want)
		}
	}
	if removed, err := w.Prune(1); err != nil || !slices.Equal(removed, n[2:3]) {
		t.Errorf("Prune(1) removed %q, %v, want only the snapshot without a pin, %q", removed, err, n[2:3])
	}
	list, err := d.List()
	must(t, err)
	for _, i := range list {
		if pinned := i.ID != n[3]; pinned != (i.Pin != nil) {
			t.Errorf("%s: pin %v, want one: %v", i.ID, i.Pin, pinned)
		}
	}

	must(t, w.Pin(t.Context(), n[0], "first")) // a new label for the same snapshot
	if p, err := w.Unpin("论文-2026"); err != nil || p.ID != n[1] {
		t.Errorf("unpinned %v, %v, want %s", p, err, n[1])
	}
	if _, err := w.Unpin("论文-2026"); err == nil || !strings.Contains(err.Error(), "no snapshot is pinned as") {
		t.Errorf("unpinned twice: %v", err)
	}
	if removed, err := w.Prune(1); err != nil || !slices.Equal(removed, n[1:2]) {
		t.Errorf("Prune(1) removed %q, %v, want %q", removed, err, n[1:2])
	}

	// While the list is damaged, any snapshot may be pinned.
	must(t, os.WriteFile(filepath.Join(d.Path(), snapshot.PinnedName), []byte(n[0][:20]), 0o644))
	if removed, err := w.Prune(1); err == nil || len(removed) != 0 || !strings.Contains(err.Error(), snapshot.PinnedName) {
		t.Errorf("Prune with a damaged list removed %q, %v, want an error that names the file", removed, err)
	}
}

// TestDamagedIsNotPinned damages a snapshot. It must not be pinned, since nobody could read it later.
func TestDamagedIsNotPinned(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b")
	dir := filepath.Join(d.Path(), "snapshots", n[0])
	m, err := d.Verify(t.Context(), n[0], snapshot.Quick)
	must(t, err)
	file := filepath.Join(dir, m.Files[0].Path)
	must(t, os.Chmod(file, 0o644))
	content, err := os.ReadFile(file)
	must(t, err)
	content[0] ^= 1
	must(t, os.WriteFile(file, content, 0o644))
	if err := lock(t, d).Pin(t.Context(), n[0], ""); err == nil || !strings.Contains(err.Error(), "is altered") {
		t.Errorf("pinned a damaged snapshot: %v", err)
	}
	if pins, err := d.Pins(); err != nil || pins != nil {
		t.Errorf("pins %v, %v, want none", pins, err)
	}
}

func TestHold(t *testing.T) {
	d := dataDir(t)
	buildAll(t, d, "a")
	w := lock(t, d)
	if h, err := d.Held(); h != nil || err != nil {
		t.Errorf("held %v, %v, want nothing", h, err)
	}
	sources := []snapshot.Source{{Name: "package", SHA256: "aa"}, {Name: "wcvp", SHA256: "bb"}}
	must(t, w.Hold(snapshot.Manifest{ID: "20261120T021500Z-3f9a1c", Content: snapshot.Content{Sources: sources}}))
	h, err := d.Held()
	must(t, err)
	if !h.Holds(sources) || h.Snapshot != "20261120T021500Z-3f9a1c" {
		t.Errorf("hold %+v, want that of the sources %v", h, sources)
	}
	for _, other := range [][]snapshot.Source{nil, sources[:1], {sources[0], {Name: "wcvp", SHA256: "cc"}}} {
		if h.Holds(other) {
			t.Errorf("the hold is about %v too", other)
		}
	}
	must(t, os.WriteFile(filepath.Join(d.Path(), snapshot.HeldName), []byte("{"), 0o644))
	if _, err := d.Held(); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("a damaged hold: %v", err)
	}
	must(t, w.Release())
	must(t, w.Release()) // a second call is harmless
	if h, err := d.Held(); h != nil || err != nil {
		t.Errorf("held %v, %v after Release, want nothing", h, err)
	}
}

// FuzzPins checks that what is read is written back as it was.
func FuzzPins(f *testing.F) {
	f.Add("20261120T021500Z-3f9a1c paper-2026\n20261121T021500Z-77b0e2\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		d := snapshot.At(t.TempDir())
		must(t, os.WriteFile(filepath.Join(d.Path(), snapshot.PinnedName), []byte(text), 0o644))
		pins, err := d.Pins()
		if err != nil {
			return
		}
		var b strings.Builder
		for _, p := range pins {
			b.WriteString(strings.TrimSuffix(p.ID+" "+p.Label, " ") + "\n")
		}
		if b.String() != text {
			t.Errorf("read %q as %v", text, pins)
		}
	})
}
