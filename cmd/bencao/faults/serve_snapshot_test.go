//go:build linux

package faults_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fault is a kind of damage to a snapshot.
type fault struct {
	name string
	do   func(t *testing.T, s *site, id string)
	// says is a text that the reason in /readyz must contain.
	says string
}

// change returns a function that replaces the content of a file of a snapshot by the result of
// alter.
func change(file string, alter func([]byte) []byte) func(*testing.T, *site, string) {
	return func(t *testing.T, s *site, id string) {
		path := s.path(id, file)
		b, err := os.ReadFile(path)
		must(t, err)
		must(t, os.Chmod(path, 0o644))
		must(t, os.WriteFile(path, alter(b), 0o644))
	}
}

// flip changes one bit in the middle of b.
func flip(b []byte) []byte {
	b[len(b)/2] ^= 1
	return b
}

func half(b []byte) []byte { return b[:len(b)/2] }

// within returns a function that calls do with the path of a file of a snapshot, after it has made
// the file's folder writable.
func within(file string, do func(path string) error) func(*testing.T, *site, string) {
	return func(t *testing.T, s *site, id string) {
		path := s.path(id, file)
		must(t, os.Chmod(filepath.Dir(path), 0o755))
		must(t, do(path))
	}
}

var snapshotFaults = []fault{
	{"a bit of the store flips", change("store.bolt", flip), "store.bolt"},
	{"a bit of the names flips", change("names.idx", flip), "names.idx"},
	{"a bit of the manifest flips", change("manifest.json", flip), "manifest"},
	{"the store is cut off", change("store.bolt", half), "store.bolt"},
	{"the names are emptied", change("names.idx", func([]byte) []byte { return nil }), "names.idx"},
	{"the names are gone", within("names.idx", os.Remove), "names.idx"},
	{"the manifest is gone", within("manifest.json", os.Remove), "manifest.json"},
	{"a file too many", within("extra", func(p string) error { return os.WriteFile(p, []byte("x"), 0o444) }), "extra"},
	{"an index is gone", within("species.bleve", func(p string) error { return clear(p) }), "species.bleve"},
	{"the store is a link", within("store.bolt", func(p string) error {
		if err := os.Rename(p, p+"-"); err != nil {
			return err
		}
		return os.Symlink(p+"-", p)
	}), "store.bolt"},
	{"CURRENT is noise", func(t *testing.T, s *site, _ string) {
		must(t, os.WriteFile(filepath.Join(s.data, "CURRENT"), []byte("noise\x00\n"), 0o644))
	}, "CURRENT"},
}

// TestDamagedSnapshotIsPublished publishes snapshots with every kind of damage under a running
// server. The server must continue with the old snapshot, and /readyz must give the reason.
func TestDamagedSnapshotIsPublished(t *testing.T) {
	for _, f := range snapshotFaults {
		t.Run(f.name, func(t *testing.T) {
			// The newer snapshot is damaged before CURRENT names it, so the server never sees it
			// undamaged.
			s := newSite(t)
			s.rollback(t, s.newer)
			current, err := os.ReadFile(filepath.Join(s.data, "CURRENT"))
			must(t, err)
			s.rollback(t, s.older)
			srv := s.serve(t)
			if got := srv.plants(t); got != plantsOlder {
				t.Fatalf("%d plants before, want %d", got, plantsOlder)
			}
			f.do(t, s, s.newer)
			if f.says != "CURRENT" {
				must(t, os.WriteFile(filepath.Join(s.data, "CURRENT"), current, 0o644))
			}
			srv.hangup(t)
			var is readiness
			until(t, "/readyz says stale", func() bool { is = srv.ready(t); return is.Stale })
			if !is.Ready || is.Snapshot != s.older || is.Reason == nil || !strings.Contains(*is.Reason, f.says) {
				t.Errorf("/readyz says %+v, want ready, on %s, for a reason that names %s", is, s.older, f.says)
			}
			if got := srv.plants(t); got != plantsOlder {
				t.Errorf("%d plants after, want the older snapshot's %d", got, plantsOlder)
			}
			srv.get(t, "/species?q=%E4%BA%BA%E5%8F%82").want(t, http.StatusOK)
			if got := srv.metric(t, "bencao_snapshot_stale"); got != 1 {
				t.Errorf("bencao_snapshot_stale is %v, want 1", got)
			}
			if bencao(t, "snapshots", "--data", s.data) == "" {
				t.Error("bencao snapshots lists nothing")
			}

			// The operator can roll back.
			s.rollback(t, s.older)
			srv.hangup(t)
			until(t, "/readyz is not stale after a rollback", func() bool { return !srv.ready(t).Stale })
		})
	}
}

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
