package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// What is being published is on its way, at every step; what the publisher has
// gone back from is not, until it is current again.
func TestWithdrawn(t *testing.T) {
	d, key := dataDir(t), newKey(t)
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
	expect("one of whom nobody has heard", "20261121T021500Z-000001", false)

	now = now.Add(24 * time.Hour)
	steps, named := 0, 0
	tuesday, err := build(d, "tuesday", snapshot.WriterOptions{Now: clock, Step: func(step string) {
		current, err := d.Current()
		must(t, err)
		list, err := d.List()
		must(t, err)
		steps++
		for _, s := range list {
			if s.ID != monday.ID && s.ID != current.ID {
				named++
			}
			expect("before "+step, s.ID, s.ID < current.ID)
		}
	}})
	must(t, err)
	if steps == 0 || named == 0 {
		t.Fatalf("%d steps, at %d of which the snapshot has its name and is not current", steps, named)
	}
	expect("the current one", tuesday.ID, false)

	// A rollback, of which mirrors are told at the same second as of the night.
	back := func(to string, opt snapshot.WriterOptions) error {
		opt.Now = clock
		w, err := d.Lock(opt)
		must(t, err)
		_, err = w.Rollback(t.Context(), to)
		must(t, err)
		return errors.Join(w.Announce(), w.Close())
	}
	must(t, back(monday.ID, snapshot.WriterOptions{}))
	expect("after a rollback", tuesday.ID, true)
	expect("the night to come", "20261122T021500Z-000001", false)
	current, err := os.ReadFile(filepath.Join(d.Path(), "CURRENT"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), nil, 0o644))
	expect("while CURRENT is damaged", tuesday.ID, false)
	must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), current, 0o644))
	must(t, back(tuesday.ID, snapshot.WriterOptions{Key: &key}))
	expect("forward again", tuesday.ID, false)

	// Mirrors are not told without the key; who serves from here must know.
	if err := back(monday.ID, snapshot.WriterOptions{}); !errors.Is(err, snapshot.ErrNoKey) {
		t.Errorf("a rollback without the key: %v, want ErrNoKey", err)
	}
	expect("after a rollback without the key", tuesday.ID, true)

	// A clock that was a year ahead leaves versions that are no times.
	now = now.Add(365 * 24 * time.Hour)
	must(t, back(monday.ID, snapshot.WriterOptions{Key: &key}))
	now = now.Add(-364 * 24 * time.Hour)
	expect("after a clock was ahead", "20261122T021500Z-000001", false)

	must(t, os.Remove(filepath.Join(d.Path(), "timestamp.json")))
	expect("where nobody is told anything", tuesday.ID, false)
}
