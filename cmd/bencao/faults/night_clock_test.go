//go:build linux

package faults_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/indexer"
	"bencao/store/snapshot"
)

// TestNightClockJumps runs a build whose clock is 300 days ahead, and then builds with the right
// clock. While the first snapshot is dated in the future, servers and mirrors must report it as
// stale. The test uses 300 days because after a year the root of trust would have expired.
func TestNightClockJumps(t *testing.T) {
	t.Parallel()
	s, n := newSite(t), newBuild(t)
	root, err := buildSources()
	must(t, err)
	future := time.Now().AddDate(0, 0, 300)
	_, err = indexer.Run(t.Context(), indexer.Config{
		Data: n.data, Keep: 2, TrustKeys: filepath.Join(root, "data.keys"), Rebuild: true, Program: "bencao, in 300 days",
		Package:    indexer.Input{Path: filepath.Join(root, "tuesday")},
		Checklists: []indexer.Input{{Key: "wcvp", Path: filepath.Join(root, "wcvp")}},
	}, indexer.Options{Now: func() time.Time { return future }})
	must(t, err)
	ahead, err := snapshot.At(n.data).Published()
	must(t, err)
	if !ahead.Created.After(time.Now().AddDate(0, 9, 0)) {
		t.Fatalf("the snapshot is of %s, want one from the future", ahead.Created)
	}

	s.data = n.data
	srv := s.serve(t, "--max-age", "26h", "--keep-open", "0")
	if is := srv.ready(t); !is.Stale || is.Reason == nil || !strings.Contains(*is.Reason, "set the clock") {
		t.Errorf("/readyz says %+v of a snapshot from the future, want stale, and that a clock is wrong", is)
	}
	if got := srv.metric(t, "bencao_snapshot_late"); got != 1 {
		t.Errorf("bencao_snapshot_late is %v, want 1", got)
	}
	if got := n.examined(t, "clock"); got != "fail" {
		t.Errorf("doctor says %s of the clock, want fail", got)
	}

	// Now the clock is right. The server must serve the new snapshot with its true age, and must
	// not return to the snapshot from the future.
	for _, flag := range []string{"--log=json", "--rebuild", "--log=json"} {
		if code, said := n.run(t, flag); code != 0 {
			t.Fatalf("a build after the clock was set right: exit code %d, want 0:\n%s", code, said)
		}
		if got := n.serves(t); got != plantsWednesday {
			t.Errorf("%d plants, want the new snapshot's %d", got, plantsWednesday)
		}
		m, err := snapshot.At(n.data).Published()
		must(t, err)
		if m.ID <= ahead.ID {
			t.Errorf("the new id is %s, want one after %s", m.ID, ahead.ID)
		}
		srv.hangup(t)
		until(t, "the server answers from the new snapshot", func() bool { return srv.ready(t).Snapshot == m.ID })
		until(t, "/readyz says fresh", func() bool { return !srv.ready(t).Stale })
		if got := n.examined(t, "clock"); got != "ok" {
			t.Errorf("doctor says %s of the clock, want ok", got)
		}
		n.tidy(t)
	}

	// A mirror pulls the new snapshot and reports it as stale when it was last confirmed 27 hours
	// ago.
	files := s.web(t)
	mirror := s.newMirror(t)
	mirror.pulled(t, files.url, "--max-age", "26h")
	srv.get(t, "/stats").want(t, http.StatusOK)
	checked, err := snapshot.At(n.data).Checked()
	must(t, err)
	checked.At = checked.At.Add(-27 * time.Hour)
	must(t, os.WriteFile(filepath.Join(n.data, "CHECKED"), checked.Encode(), 0o644))
	if is := srv.ready(t); !is.Stale {
		t.Errorf("/readyz says %+v of a snapshot that was last confirmed 27 hours ago, want stale", is)
	}
	if code, said := mirror.pull(t, files.url, "--max-age", "26h"); code != 1 || !strings.Contains(said, "stale") {
		t.Errorf("pull of it ended with %d, want 1 and that the publisher is stale:\n%s", code, said)
	}
}

// examined returns the result of the given check of "bencao doctor".
func (n *build) examined(t *testing.T, check string) (state string) {
	t.Helper()
	_, said := try(t, "doctor", "--data", n.data, "--json")
	var found []struct{ Check, State string }
	must(t, json.NewDecoder(strings.NewReader(said)).Decode(&found)) // the output may have text after the JSON
	for _, f := range found {
		if f.Check == check {
			return f.State
		}
	}
	t.Fatalf("doctor says nothing of %s:\n%s", check, said)
	return ""
}
