//go:build linux

package faults_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunningSnapshotIsDamaged deletes the folder of the snapshot that a server uses. The server
// must still answer from the open files, and /readyz must say that the folder is missing.
func TestRunningSnapshotIsDamaged(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t)
	must(t, clear(filepath.Join(s.data, "snapshots", s.newer)))
	srv.hangup(t)
	for _, path := range []string{"/stats", "/species?q=renshen", "/formulas?q=%E6%A1%82%E6%9E%9D%E6%B1%A4", "/names/match?name=Panax+ginseng", "/species/" + manyUses} {
		if r := srv.get(t, path).want(t, http.StatusOK); r.version() != s.newer {
			t.Errorf("%s comes from %s, want %s", path, r.version(), s.newer)
		}
	}
	var is readiness
	until(t, "/readyz says stale", func() bool { is = srv.ready(t); return is.Stale })
	if !is.Ready || is.Snapshot != s.newer || is.Reason == nil || !strings.Contains(*is.Reason, "its directory is gone") {
		t.Errorf("/readyz says %+v, want ready, on %s, and that its directory is gone", is, s.newer)
	}
	if got := srv.metric(t, "bencao_snapshot_stale"); got != 1 {
		t.Errorf("bencao_snapshot_stale is %v, want 1", got)
	}
	until(t, "the log, which is written behind, says that the snapshot is gone", func() bool {
		return strings.Contains(fmt.Sprint(srv.diary), "was removed from the disk")
	})
	s.rollback(t, s.older)
	until(t, "the server is on the older snapshot, which is whole", func() bool { is = srv.ready(t); return is.Snapshot == s.older && !is.Stale })
}

// TestRollback changes between two snapshots by "bencao rollback", without a signal. The server
// looks at CURRENT every second, so it must follow.
func TestRollback(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t)
	for range 2 {
		s.rollback(t, s.older)
		until(t, "the older snapshot answers", func() bool { return srv.plants(t) == plantsOlder })
		s.rollback(t, s.newer)
		until(t, "the newer snapshot answers", func() bool { return srv.plants(t) == plantsNewer })
	}
	if is := srv.ready(t); is.Stale {
		t.Errorf("/readyz says %+v, want not stale", is)
	}
}
