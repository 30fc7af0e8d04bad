package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// TestWithdrawn checks that a snapshot is not withdrawn at any step of its publication. After a
// rollback from it, it is withdrawn until it becomes current again.
func TestWithdrawn(t *testing.T) {
	d := dataDir(t)
	now := time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	expect := func(when, id string, want bool) {
		t.Helper()
		if snapshot.Withdrawn(d, id, now) != want {
			t.Errorf("%s: withdrawn is %v, want %v", when, !want, want)
		}
	}
	monday, err := build(d, "monday", snapshot.WriterOptions{Now: clock})
	must(t, err)
	expect("an unknown snapshot", "20261121T021500Z-000001", false)

	now = now.Add(24 * time.Hour)
	steps, named := 0, 0
	tuesday, err := build(d, "tuesday", snapshot.WriterOptions{Now: clock, Step: func(step string) {
		current, err := d.Current()
		must(t, err)
		list, err := d.List()
		must(t, err)
		steps++
		for _, s := range list {
			if s.ID == monday.ID {
				continue
			}
			if s.ID != current.ID {
				named++
			}
			expect("before "+step, s.ID, false)
		}
	}})
	must(t, err)
	if steps == 0 || named == 0 {
		t.Fatalf("%d steps, at %d of which the snapshot has its name and is not current", steps, named)
	}
	expect("the current snapshot", tuesday.ID, false)

	// The rollback happens in the same second as the nightly build.
	back := func(to string) {
		t.Helper()
		w, err := d.Lock(snapshot.WriterOptions{Now: clock})
		must(t, err)
		_, err = w.Rollback(t.Context(), to)
		must(t, errors.Join(err, w.Announce(), w.Close()))
	}
	back(monday.ID)
	expect("after a rollback", tuesday.ID, true)
	expect("the next nightly build", "20261122T021500Z-000001", false)
	file := filepath.Join(d.Path(), "CURRENT")
	current, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, nil, 0o644))
	expect("while CURRENT is damaged", tuesday.ID, false)
	must(t, os.WriteFile(file, current, 0o644))
	back(tuesday.ID)
	expect("forward again", tuesday.ID, false)

	// The rollback happens while the clock is a year ahead, so the time of CURRENT proves nothing.
	now = now.Add(365 * 24 * time.Hour)
	back(monday.ID)
	now = now.Add(-364 * 24 * time.Hour)
	expect("after a clock was ahead", "20261122T021500Z-000001", false)
}

// TestSetChosen checks that CURRENT has the publisher's time on a mirror, not the time of the copy.
func TestSetChosen(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	defer func() { must(t, w.Close()) }()
	for _, tt := range []struct{ at, want time.Time }{
		{m.Created.Add(time.Hour), m.Created.Add(time.Hour)},
		{time.Time{}, m.Created},
	} {
		must(t, w.SetChosen(tt.at))
		info, err := os.Stat(filepath.Join(d.Path(), "CURRENT"))
		must(t, err)
		if got := info.ModTime(); !got.Equal(tt.want) {
			t.Errorf("the time of CURRENT is %s, want %s", got, tt.want)
		}
	}
}
