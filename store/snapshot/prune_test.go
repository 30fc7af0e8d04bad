package snapshot_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/store/snapshot"
)

// buildAll publishes several snapshots and returns their ids, oldest first.
func buildAll(t *testing.T, d snapshot.Dir, names ...string) []string {
	t.Helper()
	var all []string
	for _, name := range names {
		all = append(all, mustBuild(t, d, name).ID)
	}
	return all
}

func TestPrune(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b", "c", "d", "e")
	w := lock(t, d)
	if removed, err := w.Prune(4); err != nil || !slices.Equal(removed, n[:1]) {
		t.Errorf("Prune(4) of five removed %q, %v, want %q", removed, err, n[:1])
	}
	// The current snapshot remains, even if it is the oldest.
	if _, err := w.Rollback(t.Context(), n[1]); err != nil {
		t.Fatal(err)
	}
	if got := currentName(t, d); got != "b" {
		t.Errorf("after rollback, current is %q, want b", got)
	}
	if removed, err := w.Prune(1); err != nil || !slices.Equal(removed, []string{n[3], n[2]}) {
		t.Errorf("Prune(1) removed %q, %v, want %q", removed, err, []string{n[3], n[2]})
	}
	if got, want := ids(t, d), []string{n[4], n[1]}; !slices.Equal(got, want) {
		t.Errorf("left %q, want the newest and the current one %q", got, want)
	}
	if left := litter(t, d); left != nil {
		t.Errorf("left behind %q", left)
	}
	if _, err := w.Prune(0); err == nil {
		t.Error("Prune(0) was accepted")
	}
	if _, err := w.Rollback(t.Context(), n[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rollback to a pruned snapshot: %v, want ErrNotExist", err)
	}
	if _, err := w.Rollback(t.Context(), "../../etc"); err == nil {
		t.Error("rollback to ../../etc was accepted")
	}
	if got := currentName(t, d); got != "b" {
		t.Errorf("after two refused rollbacks, current is %q, want b", got)
	}
}

func TestPruneKeepsOpenSnapshots(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b", "c", "d")
	here := open(t, d, n[0])
	kill := holding(t, d, "open", n[1]) // a server in another process
	w := lock(t, d)
	if removed, err := w.Prune(1); err != nil || !slices.Equal(removed, n[2:3]) {
		t.Errorf("Prune removed %q, %v, want only %q, which no process has open", removed, err, n[2:3])
	}
	nameOfBuild(t, here) // checks that all files still exist
	kill()
	if removed, err := w.Prune(1); err != nil || !slices.Equal(removed, n[1:2]) {
		t.Errorf("after the other process was killed, Prune removed %q, %v, want %q", removed, err, n[1:2])
	}
}

// TestPruneCountsWholeSnapshots checks that damaged snapshots do not count towards the number of
// kept snapshots. Otherwise Prune would remove complete snapshots and keep damaged ones.
func TestPruneCountsWholeSnapshots(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b", "c", "d")
	w := lock(t, d)
	if _, err := w.Rollback(t.Context(), n[0]); err != nil {
		t.Fatal(err)
	}
	for _, id := range n[2:] {
		damage(t, d, id, "manifest.json", func([]byte) []byte { return nil })
	}
	if removed, err := w.Prune(1); err != nil || removed != nil {
		t.Errorf("Prune(1) removed %q, %v, want nothing: %s is the newest complete snapshot, %s is current", removed, err, n[1], n[0])
	}
}

func TestPruneWithoutCurrent(t *testing.T) {
	d := dataDir(t)
	buildAll(t, d, "a", "b", "c")
	must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), []byte("?"), 0o644))
	w := lock(t, d)
	removed, err := w.Prune(1)
	oneLine(t, err, "prune", "CURRENT", "bencao rollback")
	if removed != nil || len(ids(t, d)) != 3 {
		t.Errorf("removed %q while CURRENT was damaged", removed)
	}
}

// TestOpenDuringPrune opens snapshots in some goroutines while the test prunes. A snapshot must
// open completely or give an error.
func TestOpenDuringPrune(t *testing.T) {
	d := dataDir(t)
	buildAll(t, d, "a", "b", "c", "d", "e", "f")
	all := ids(t, d)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for _, id := range all {
				s, err := d.Open(t.Context(), id)
				if err != nil {
					if !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "replaced") {
						t.Errorf("open during prune: %v", err)
					}
					continue
				}
				nameOfBuild(t, s)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	w := lock(t, d)
	for keep := 5; keep > 0; keep-- {
		if _, err := w.Prune(keep); err != nil {
			t.Errorf("prune during opens: %v", err)
		}
	}
	readers.Wait()
	if _, err := w.Prune(1); err != nil || len(ids(t, d)) != 1 {
		t.Errorf("after all readers, %v, left %q", err, ids(t, d))
	}
}
