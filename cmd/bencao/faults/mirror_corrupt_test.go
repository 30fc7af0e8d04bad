//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/store/snapshot"
)

// harmed replaces the content of a file of the publisher by the result of change, even if the file
// is read-only. If the result is nil, it removes the file. undo restores the file.
func harmed(t *testing.T, path string, change func([]byte) []byte) (undo func()) {
	t.Helper()
	dir := filepath.Dir(path)
	folder, err := os.Stat(dir)
	must(t, err)
	must(t, os.Chmod(dir, 0o755))
	write := func(b []byte) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if b != nil {
			must(t, os.WriteFile(path, b, 0o644))
		}
	}
	before, err := os.ReadFile(path)
	must(t, err)
	write(change(append([]byte{}, before...)))
	return func() {
		t.Helper()
		write(before)
		must(t, os.Chmod(path, 0o444))
		must(t, os.Chmod(dir, folder.Mode().Perm()))
	}
}

// TestMirrorOfCorruptPublisher damages the publisher's files, each in each way. The mirror must not
// publish a damaged file, and must name the file in one line. After the publisher is repaired, the
// mirror must fetch the snapshot.
func TestMirrorOfCorruptPublisher(t *testing.T) {
	p := twoBuilds(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	before, err := snapshot.At(p.data).Published()
	must(t, err)
	p.rollback(t, p.newer)
	manifest, err := snapshot.At(p.data).Published()
	must(t, err)
	files, linked := []string{"manifest.json"}, 0
	for _, f := range manifest.Files {
		if slices.ContainsFunc(before.Files, func(old snapshot.File) bool { return old.SHA256 == f.SHA256 }) {
			linked++ // the mirror already has this file and does not fetch it
			continue
		}
		files = append(files, f.Path)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, file := range files {
		info, err := os.Stat(p.path(p.newer, file))
		must(t, err)
		for way, change := range map[string]func([]byte) []byte{
			"bit flip":  func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b },
			"truncated": func(b []byte) []byte { return b[:r.IntN(len(b))] },
			"missing":   func([]byte) []byte { return nil },
		} {
			if info.Size() == 0 && way != "missing" {
				continue
			}
			undo := harmed(t, p.path(p.newer, file), change)
			// The mirror would keep files that an earlier run fetched completely, so remove them.
			must(t, os.RemoveAll(filepath.Join(m.data, "snapshots", ".pull-"+p.newer)))
			m.refused(t, filepath.Base(file), p.older)
			undo()
			if t.Failed() {
				t.Fatalf("%s: %s", file, way)
			}
		}
	}
	if m.pulled(t).Snapshot != p.newer {
		t.Errorf("the mirror did not fetch %s after the publisher was repaired", p.newer)
	}
	t.Logf("%d files were damaged in three ways; the mirror already had %d files", len(files), linked)
}

// TestMirrorOfForgedPublisher replaces the publisher's signed files: first by damaged or old ones,
// then by those of an attacker.
func TestMirrorOfForgedPublisher(t *testing.T) {
	p := newPublisher(t)
	bencao(t, "trust", "init", "--data", p.data)
	older := p.build(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	root := filepath.Join(p.nginx.dir, "root.json")
	b, err := os.ReadFile(filepath.Join(p.data, "tuf", "1.root.json"))
	must(t, errors.Join(err, os.WriteFile(root, b, 0o644)))
	m.pulled(t, "--trust-root", root)
	olders, err := filepath.Glob(filepath.Join(p.data, "tuf", "*.targets.json"))
	must(t, err)
	newer := p.build(t)
	all, err := filepath.Glob(filepath.Join(p.data, "tuf", "*.targets.json"))
	must(t, err)
	targets := slices.Max(all)
	old, err := os.ReadFile(slices.Max(olders))
	must(t, err)
	for _, tt := range []struct {
		name, want string
		change     func([]byte) []byte
	}{
		{"missing", "404", func([]byte) []byte { return nil }},
		{"of another build", "does not match the other metadata", func([]byte) []byte { return old }},
		{"with a flipped bit", "does not match the other metadata", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		{"half", "does not match the other metadata", func(b []byte) []byte { return b[:len(b)/2] }},
		{"empty", "does not match the other metadata", func([]byte) []byte { return []byte{} }},
	} {
		undo := harmed(t, targets, tt.change)
		m.refused(t, tt.want, older, "--trust-root", root)
		undo()
		if t.Failed() {
			t.Fatalf("targets %s", tt.name)
		}
	}

	// The attacker can write to the publisher's folder, and has other keys and another root of
	// trust.
	must(t, os.Rename(filepath.Join(p.data, "tuf"), filepath.Join(p.nginx.dir, "own")))
	p.trustKeys = filepath.Join(p.nginx.dir, "others")
	bencao(t, "trust", "init", "--data", p.data, "--trust-keys", p.trustKeys)
	forged := p.build(t)
	m.refused(t, "is not signed as the root of trust requires", older, "--trust-root", root)
	must(t, errors.Join(os.RemoveAll(filepath.Join(p.data, "tuf")), os.Rename(filepath.Join(p.nginx.dir, "own"), filepath.Join(p.data, "tuf"))))
	p.trustKeys = ""
	t.Logf("%s is signed, and %s is refused", newer, forged)

	// With its own root again, the publisher signs the snapshot that it has. A mirror of this
	// mirror can check the signature.
	if id := p.index(t); id != forged {
		t.Fatalf("a build from the same sources published %s, want no new snapshot after %s", id, forged)
	}
	m.pulled(t, "--trust-root", root)
	m.has(t, forged)
	p.nginx.kill(t)
	p.nginx.data = m.data
	p.nginx.start(t, 0)
	second := p.mirror(t)
	second.pulled(t, "--trust-root", root)
	second.has(t, forged)
	for _, flags := range [][]string{{"--deep"}, {"--deep", forged}} {
		if out := bencao(t, append([]string{"verify", "--data", second.data}, flags...)...); !strings.Contains(out, fmt.Sprintf("%s is intact", forged)) {
			t.Errorf("verify says %s", out)
		}
	}
}
