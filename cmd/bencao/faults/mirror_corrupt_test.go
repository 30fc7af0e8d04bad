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
	"time"

	"bencao/store/snapshot"
)

// harmed changes a file of the publisher's, which may be read-only, and
// returns how to undo it. Nil bytes remove it.
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

// TestMirrorOfCorruptPublisher damages the publisher's disk, each file in each
// way. The mirror takes nothing of it, says in one line which file it is, and
// comes to the publisher's snapshot as soon as that is whole again.
func TestMirrorOfCorruptPublisher(t *testing.T) {
	p := twoNights(t)
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
			linked++ // it is on the mirror already, and not fetched
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
			// What an earlier run has fetched whole would not be fetched again.
			must(t, os.RemoveAll(filepath.Join(m.data, "snapshots", ".pull-"+p.newer)))
			m.refused(t, filepath.Base(file), p.older)
			undo()
			if t.Failed() {
				t.Fatalf("%s: %s", file, way)
			}
		}
	}
	if m.pulled(t).Snapshot != p.newer {
		t.Errorf("the mirror did not come to %s when the publisher was whole again", p.newer)
	}
	t.Logf("%d files, each with a flipped bit, truncated, missing; %d are linked", len(files), linked)
}

// TestMirrorOfBrokenTimestamp damages what says which snapshot is the
// publisher's current one, and shows it as it was before.
func TestMirrorOfBrokenTimestamp(t *testing.T) {
	p := twoNights(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	timestamp := filepath.Join(p.data, "timestamp.json")
	before, err := os.ReadFile(timestamp)
	must(t, err)
	p.rollback(t, p.newer)
	swap := func(from, to string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.Replace(string(b), from, to, 1)) }
	}
	for _, tt := range []struct {
		name, want string
		change     func([]byte) []byte
	}{
		{"half", "timestamp.json is no timestamp", func(b []byte) []byte { return b[:len(b)/2] }},
		{"empty", "timestamp.json is no timestamp", func([]byte) []byte { return []byte{} }},
		{"missing", "has no timestamp.json any more", func([]byte) []byte { return nil }},
		{"zeros, as after a power cut", "timestamp.json is no timestamp", func(b []byte) []byte { return make([]byte, len(b)) }},
		{"a web page", "timestamp.json is no timestamp", func([]byte) []byte { return []byte("<html>please log in</html>\n") }},
		{"a huge file", "timestamp.json", func([]byte) []byte { return make([]byte, 1<<20) }},
		{"another snapshot's id", "is altered", swap(p.newer, p.older)},
		{"a path out of the folder", "is altered", swap(p.newer, "../../../../etc/passwd")},
		{"a higher version", "is altered", swap(`"version":`, `"version":1`)},
	} {
		undo := harmed(t, timestamp, tt.change)
		m.refused(t, tt.want, p.older)
		undo()
		if t.Failed() {
			t.Fatalf("timestamp.json %s", tt.name)
		}
	}
	// CURRENT is the publisher's own affair. What has been seen is not gone back
	// to.
	undo := harmed(t, filepath.Join(p.data, "CURRENT"), func([]byte) []byte { return nil })
	m.pulled(t)
	m.has(t, p.newer)
	undo()
	undo = harmed(t, timestamp, func([]byte) []byte { return before })
	m.refused(t, "the publisher has gone back", p.newer)
	undo()
	p.rollback(t, p.older)
	m.pulled(t)
	m.has(t, p.older)
}

// TestMirrorOfBrokenCurrent does so to a publisher whose program is older than
// timestamps.
func TestMirrorOfBrokenCurrent(t *testing.T) {
	p := twoNights(t)
	timestamp := filepath.Join(p.data, "timestamp.json")
	must(t, os.Remove(timestamp))
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	p.rollback(t, p.newer)
	must(t, os.Remove(timestamp))
	current := filepath.Join(p.data, "CURRENT")
	id := func(id string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.Replace(string(b), p.newer, id, 1)) }
	}
	for _, tt := range []struct {
		name, want string
		change     func([]byte) []byte
	}{
		{"half", "does not end with a line feed", func(b []byte) []byte { return b[:len(b)/2] }},
		{"but for its end", "does not end with a line feed", func(b []byte) []byte { return b[:len(b)-1] }},
		{"empty", "CURRENT: ", func([]byte) []byte { return []byte{} }},
		{"missing", "404", func([]byte) []byte { return nil }},
		{"zeros, as after a power cut", "CURRENT: ", func(b []byte) []byte { return make([]byte, len(b)) }},
		{"a web page", "CURRENT: ", func([]byte) []byte { return []byte("<html>please log in</html>\n") }},
		{"a huge file", "CURRENT", func([]byte) []byte { return make([]byte, 1<<20) }},
		{"another snapshot's id", "manifest.json has SHA-256", id(p.older)},
		{"a snapshot that is gone", "404", id("20200101T000000Z-abcdef")},
		{"a path out of the folder", "CURRENT: ", id("../../../../etc/passwd")},
		{"another digest", "manifest.json has SHA-256", func(b []byte) []byte {
			last := len(b) - 2
			if b[last] == '0' {
				b[last] = '1'
			} else {
				b[last] = '0'
			}
			return b
		}},
	} {
		undo := harmed(t, current, tt.change)
		m.refused(t, tt.want, p.older)
		undo()
		if t.Failed() {
			t.Fatalf("CURRENT %s", tt.name)
		}
	}
	m.pulled(t)
	m.has(t, p.newer)

	// An old CURRENT is a rollback, which a mirror follows: it can't tell it
	// from a cache that shows the day before yesterday. With --max-age it can.
	between := time.Since(created(t, p.site, p.older).Add(created(t, p.site, p.newer).Sub(created(t, p.site, p.older)) / 2))
	p.rollback(t, p.older)
	must(t, os.Remove(timestamp))
	m.refused(t, "the publisher is stale", p.newer, "--max-age", between.String())
	m.pulled(t)
	m.has(t, p.older)
}

func created(t *testing.T, s *site, id string) time.Time {
	t.Helper()
	m, err := snapshot.At(s.data).Verify(t.Context(), id, snapshot.Quick)
	must(t, err)
	return m.Created
}

// TestMirrorOfForgedPublisher puts another's work in the place of what the
// publisher has signed.
func TestMirrorOfForgedPublisher(t *testing.T) {
	p := newPublisher(t)
	key := func(name string) (secret, public string) {
		secret, public = filepath.Join(p.nginx.dir, name), filepath.Join(p.nginx.dir, name+".pub")
		must(t, os.WriteFile(public, []byte(bencao(t, "sign-key", "create", secret)), 0o644))
		return secret, public
	}
	own, trusted := key("own")
	others, _ := key("others")
	p.signKey = own
	older := p.night(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t, "--public-key", trusted)
	newer := p.night(t)
	signature := filepath.Join(p.data, "snapshots", newer+".sig")
	olders, err := os.ReadFile(filepath.Join(p.data, "snapshots", older+".sig"))
	must(t, err)
	for _, tt := range []struct {
		name, want string
		change     func([]byte) []byte
	}{
		{"stripped", "404", func([]byte) []byte { return nil }},
		{"of another night", "signed by an expected key", func([]byte) []byte { return olders }},
		{"a flipped bit", "signed by an expected key", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		{"half", "signed by an expected key", func(b []byte) []byte { return b[:len(b)/2] }},
		{"empty", "signed by an expected key", func([]byte) []byte { return []byte{} }},
	} {
		undo := harmed(t, signature, tt.change)
		m.refused(t, tt.want, older, "--public-key", trusted)
		undo()
		if t.Failed() {
			t.Fatalf("signature %s", tt.name)
		}
	}

	// Somebody who may write into the publisher's folder, but has not the key.
	p.signKey = others
	forged := p.night(t)
	m.refused(t, "signed by an expected key", older, "--public-key", trusted)
	p.signKey = ""
	unsigned := p.night(t)
	m.refused(t, "it has no signature", older, "--public-key", trusted)
	must(t, os.WriteFile(filepath.Join(p.data, "snapshots", unsigned+".sig"), olders, 0o644))
	m.refused(t, "signed by an expected key", older, "--public-key", trusted)
	t.Logf("refused %s and %s", forged, unsigned)

	// The publisher signs what is there, and a mirror's mirror can check that.
	p.signKey = own
	if id := p.index(t); id != unsigned {
		t.Fatalf("a night with the same sources published %s, want that %s stays", id, unsigned)
	}
	m.pulled(t, "--public-key", trusted)
	m.has(t, unsigned)
	p.nginx.kill(t)
	p.nginx.data = m.data
	p.nginx.start(t, 0)
	second := p.mirror(t)
	second.pulled(t, "--public-key", trusted)
	second.has(t, unsigned)
	for _, flags := range [][]string{{"--deep"}, {"--deep", unsigned}} {
		if out := bencao(t, append([]string{"verify", "--data", second.data}, flags...)...); !strings.Contains(out, fmt.Sprintf("%s is intact", unsigned)) {
			t.Errorf("verify says %s", out)
		}
	}
}
