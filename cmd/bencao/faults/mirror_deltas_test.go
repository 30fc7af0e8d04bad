//go:build linux

package faults_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bencao/store/snapshot"
)

// withDeltas returns a publisher that has deltas to its current snapshot, and a mirror that has the
// previous snapshot.
func withDeltas(t *testing.T) (*publisher, *copyOf) {
	t.Helper()
	p := twoBuilds(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	p.rollback(t, p.newer)
	bencao(t, "delta", "--data", p.data)
	return p, m
}

// another returns a new mirror of the same publisher with a copy of m's data folder.
func (m *copyOf) another(t *testing.T) *copyOf {
	t.Helper()
	other := m.publisher.mirror(t)
	must(t, os.RemoveAll(other.data))
	must(t, os.CopyFS(other.data, os.DirFS(m.data)))
	return other
}

// follows pulls, and checks that the mirror then has the publisher's snapshot and no temporary
// files. made says whether the pull must have made files from deltas.
func (m *copyOf) follows(t *testing.T, made bool) {
	t.Helper()
	r := m.pulled(t)
	if r.Snapshot != m.publisher.newer || (r.Made > 0) != made {
		t.Errorf("the pull published %s, want %s; want deltas: %v; got %+v", r.Snapshot, m.publisher.newer, made, r.Transfer)
	}
	if left, err := filepath.Glob(filepath.Join(m.data, "snapshots", ".*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %q, %v", left, err)
	}
}

// TestMirrorDeltasKilled kills a pull while it fetches a delta. The next pull must succeed.
func TestMirrorDeltasKilled(t *testing.T) {
	p, m := withDeltas(t)
	p.nginx.restart(t, 4<<10)
	cmd := m.command()
	must(t, cmd.Start())
	until(t, "the pull has fetched a part of a delta", func() bool {
		parts, err := filepath.Glob(filepath.Join(m.data, "snapshots", ".pull-"+p.newer, ".deltas", "*"))
		must(t, err)
		for _, part := range parts {
			if info, err := os.Stat(part); err == nil && info.Size() > 0 {
				return true
			}
		}
		return false
	})
	must(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Error("the pull ended before it was killed")
	}
	m.has(t, p.older)
	p.nginx.restart(t, 0)
	m.follows(t, true)
}

// TestMirrorOfCorruptDeltas damages the publisher's deltas. The mirror must get the publisher's
// snapshot anyway.
func TestMirrorOfCorruptDeltas(t *testing.T) {
	p, first := withDeltas(t)
	all, err := snapshot.Deltas(snapshot.At(p.data))
	must(t, err)
	r := rand.New(rand.NewPCG(5, 6))
	for way, change := range map[string]func([]byte) []byte{
		"bit flip":  func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b },
		"truncated": func(b []byte) []byte { return b[:1+r.IntN(len(b)-1)] },
		"missing":   func([]byte) []byte { return nil },
	} {
		t.Run(way, func(t *testing.T) {
			for _, d := range all {
				if d.Bytes > 1 {
					defer harmed(t, filepath.Join(p.data, d.Path()), change)()
				}
			}
			mirror := first.another(t)
			if way != "bit flip" {
				mirror.follows(t, false)
				return
			}
			// A flipped bit in a copy instruction of a delta may copy equal bytes from another
			// place, so not every damaged delta fails. The mirror checks the result against the
			// manifest anyway.
			if r := mirror.pulled(t); r.Snapshot != p.newer || len(r.FailedDeltas) == 0 {
				t.Errorf("the pull published %s, want %s, with failed deltas: %+v", r.Snapshot, p.newer, r.Transfer)
			}
		})
	}
	// Now each delta is a folder.
	for _, d := range all {
		name := filepath.Join(p.data, d.Path())
		must(t, os.Remove(name))
		must(t, os.Mkdir(name, 0o755))
	}
	first.another(t).follows(t, false)
	if err := os.RemoveAll(filepath.Join(p.data, "deltas")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	first.another(t).follows(t, false)
}
