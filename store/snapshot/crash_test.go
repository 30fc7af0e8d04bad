package snapshot_test

import (
	"errors"
	"slices"
	"testing"

	"bencao/store/snapshot"
)

// afterCrash checks that the data directory has the old or the new state after a crash during a
// nightly build, and that the next build repairs everything. It returns the name of the current
// build.
func afterCrash(t *testing.T, d snapshot.Dir, before string) string {
	t.Helper()
	now := ""
	switch _, err := d.Current(); {
	case err == nil:
		now = currentName(t, d) // fails the test unless the snapshot is complete
	case !errors.Is(err, snapshot.ErrNone):
		t.Fatalf("CURRENT after a crash: %v", err)
	}
	if now != before && now != "new" {
		t.Errorf("current is %q, want %q or new", now, before)
	}
	// Every snapshot with a valid name must be complete, even if it is not current.
	for _, id := range ids(t, d) {
		if _, err := d.Verify(t.Context(), id, snapshot.Deep); err != nil {
			t.Errorf("a crash left a broken snapshot: %v", err)
		}
	}
	mustBuild(t, d, "next")
	if got := currentName(t, d); got != "next" {
		t.Errorf("after the next build, current is %q", got)
	}
	if left := litter(t, d); left != nil {
		t.Errorf("the next build left behind %q", left)
	}
	return now
}

func TestKilledAtEachStep(t *testing.T) {
	for _, before := range []string{"", "old"} {
		var outcomes []string
		for n := 1; ; n++ {
			d := dataDir(t)
			if before != "" {
				mustBuild(t, d, before)
			}
			killed := wasKilled(t, child(t, d, "build", "new", n).Run())
			outcomes = append(outcomes, afterCrash(t, d, before))
			if !killed {
				break
			}
		}
		// A build has eight steps before CURRENT changes and one after. The last run is not killed.
		want := append(slices.Repeat([]string{before}, 8), "new", "new")
		if !slices.Equal(outcomes, want) {
			t.Errorf("current after a kill at each step: %q, want %q", outcomes, want)
		}
	}
}

func TestPruneKilledAtEachStep(t *testing.T) {
	for n := 1; ; n++ {
		d := dataDir(t)
		for _, name := range []string{"a", "b", "c"} {
			mustBuild(t, d, name)
		}
		killed := wasKilled(t, child(t, d, "prune", 1, n).Run())
		for _, id := range ids(t, d) {
			if _, err := d.Verify(t.Context(), id, snapshot.Deep); err != nil {
				t.Errorf("killed at step %d of a prune: %v", n, err)
			}
		}
		if got := currentName(t, d); got != "c" {
			t.Errorf("killed at step %d of a prune: current is %q, want c", n, got)
		}
		w := lock(t, d)
		if _, err := w.Prune(1); err != nil {
			t.Errorf("prune after a prune that was killed: %v", err)
		}
		if left, all := litter(t, d), ids(t, d); left != nil || len(all) != 1 {
			t.Errorf("a second prune left %q and the snapshots %q, want only the current one", left, all)
		}
		if !killed {
			if n < 5 {
				t.Errorf("only %d kills were tried, want a kill at each rename and removal of two snapshots", n-1)
			}
			return
		}
	}
}
