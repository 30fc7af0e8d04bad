//go:build unix

package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bencao/store/snapshot"
)

// strangers are unexpected kinds of files. make creates a stranger at the path at: in the place of
// the snapshot's part, or beside it.
var strangers = []struct {
	name string
	make func(s *scene, at, part string) error
}{
	{"file", func(_ *scene, at, _ string) error { return os.WriteFile(at, []byte("x"), 0o444) }},
	{"empty file", func(_ *scene, at, _ string) error { return os.WriteFile(at, nil, 0o444) }},
	{"directory", func(_ *scene, at, _ string) error { return os.Mkdir(at, 0o755) }},
	{"directory with a file", func(_ *scene, at, _ string) error {
		return errors.Join(os.Mkdir(at, 0o755), os.WriteFile(filepath.Join(at, "x"), nil, 0o444))
	}},
	{"link to the part", func(s *scene, at, part string) error { return os.Symlink(s.path(part), at) }},
	{"link to nothing", func(_ *scene, at, _ string) error { return os.Symlink("nothing", at) }},
	{"link to itself", func(_ *scene, at, _ string) error { return os.Symlink(filepath.Base(at), at) }},
	{"hard link of a part", func(s *scene, at, _ string) error { return os.Link(s.path("package.zip"), at) }},
	{"pipe", func(_ *scene, at, _ string) error { return unix.Mkfifo(at, 0o644) }},
	{"socket", func(_ *scene, at, _ string) error {
		// The path of a socket must be short, so create the socket elsewhere and move it.
		dir, err := os.MkdirTemp("", "s")
		if err != nil {
			return err
		}
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
		if err != nil {
			return err
		}
		l.SetUnlinkOnClose(false)
		return errors.Join(os.Rename(filepath.Join(dir, "s"), at), l.Close(), os.Remove(dir))
	}},
}

// TestEveryPartExtra puts strangers beside each part, with names that other programs give to their
// files. The snapshot must be refused.
func TestEveryPartExtra(t *testing.T) {
	s := newScene(t)
	forms := []string{"._%s", ".%s.Xy12Zq", "%s~", "%s.bak", ".DS_Store%.0s", ".nfs%.0s0001", "%s.sig", "Copy of %s", "%s\u200b", "-%s", "%s.tmp-1", "\xff%s", "%s\n"}
	for _, part := range allParts() {
		for seed := range seeds() {
			rnd := rand.New(rand.NewPCG(uint64(seed), 9))
			stranger := strangers[seed%len(strangers)]
			base := fmt.Sprintf(forms[rnd.IntN(len(forms))], filepath.Base(part))
			at := filepath.Join(filepath.Dir(s.path(part)), base)
			must(t, stranger.make(s, at, part))
			found := filepath.ToSlash(filepath.Join(filepath.Dir(part), base))
			s.refused(t, fmt.Sprintf("%s as %q beside %s", stranger.name, base, part), found, found+"/x")
			must(t, os.RemoveAll(at))
		}
	}
	s.whole(t)
}

// TestEveryPartReplaced replaces each part by strangers. The snapshot must be refused.
func TestEveryPartReplaced(t *testing.T) {
	s := newScene(t)
	for _, part := range allParts() {
		must(t, os.Rename(s.path(part), s.aside(part)))
		for _, stranger := range strangers {
			if strings.HasPrefix(stranger.name, "hard link") && part == "package.zip" {
				continue // this stranger links to package.zip, which is moved away here
			}
			if stranger.name == "link to the part" {
				must(t, os.Symlink(s.aside(part), s.path(part)))
			} else {
				must(t, stranger.make(s, s.path(part), part))
			}
			s.refused(t, fmt.Sprintf("%s in place of %s", stranger.name, part), part, part+"/x")
			must(t, os.RemoveAll(s.path(part)))
		}
		must(t, os.Rename(s.aside(part), s.path(part)))
	}
	s.whole(t)
}

// TestPointersDamaged damages CURRENT and CHECKED. A damaged CURRENT must be refused. A damaged
// CHECKED must confirm nothing, but the snapshot must still open.
func TestPointersDamaged(t *testing.T) {
	s := newScene(t)
	for _, p := range []struct {
		file string
		look func(t *testing.T, what string)
	}{
		{"CURRENT", func(t *testing.T, what string) { s.refusedAs(t, what, "CURRENT") }},
		{"CHECKED", func(t *testing.T, what string) {
			if c, err := s.dir.Checked(); err == nil {
				t.Errorf("%s: read as snapshot %s, checked at %s", what, c.ID, c.At)
			} else {
				oneLine(t, err, "CHECKED")
			}
			if got := s.dir.Fresh(s.newer); !got.Equal(s.newer.Created) {
				t.Errorf("%s: Fresh is %s, want the time when it was built", what, got)
			}
			s.whole(t)
		}},
	} {
		name := filepath.Join(s.dir.Path(), filepath.FromSlash(p.file))
		good, err := os.ReadFile(name)
		must(t, err)
		for _, damage := range damages {
			for seed := range seeds() {
				bad := damage.do(rand.New(rand.NewPCG(uint64(seed), 10)), bytes.Clone(good))
				if bytes.Equal(bad, good) {
					continue
				}
				must(t, overwrite(name, bad))
				p.look(t, fmt.Sprintf("%s: %s, seed %d", p.file, damage.name, seed))
			}
		}
		for _, stranger := range strangers {
			must(t, os.Remove(name))
			must(t, stranger.make(s, name, "package.zip"))
			p.look(t, fmt.Sprintf("%s in place of %s", stranger.name, p.file))
			must(t, os.RemoveAll(name))
			must(t, os.WriteFile(name, good, 0o444))
		}
	}
	s.whole(t)
}

// TestStrangerBearsAnID creates a stranger whose name is the id of a snapshot. Listing, serving,
// pruning and building must still work.
func TestStrangerBearsAnID(t *testing.T) {
	for _, stranger := range strangers {
		t.Run(stranger.name, func(t *testing.T) {
			s := newScene(t)
			const id = "20991231T235959Z-abcdef"
			at := filepath.Join(s.dir.Path(), "snapshots", id)
			must(t, stranger.make(s, at, "package.zip"))
			list, err := s.dir.List()
			if err != nil || len(list) != 3 || list[0].ID != id || list[0].Err == nil || list[0].InUse {
				t.Errorf("List = %+v, %v, want two snapshots and the stranger with an error", list, err)
			}
			if _, err := s.dir.Verify(t.Context(), id, snapshot.Deep); err == nil {
				t.Error("the stranger is accepted as a snapshot")
			}
			s.refusedWithout(t)
			m, err := build(s.dir, "next", snapshot.WriterOptions{})
			if err != nil || m.ID <= id {
				t.Errorf("the next build publishes %s, %v; want a later id than the stranger's", m.ID, err)
			}
			// The program creates only directories in this folder. So Prune removes a stranger that
			// is a directory, and reports any other stranger and leaves it in place.
			info, err := os.Lstat(at)
			must(t, err)
			w := lock(t, s.dir)
			_, err = w.Prune(1)
			if !info.IsDir() {
				oneLine(t, err, id, "is not a directory")
			} else if err != nil {
				t.Errorf("prune: %v", err)
			}
			if got := currentName(t, s.dir); got != "next" {
				t.Errorf("current is %q, want next", got)
			}
			list, err = s.dir.List()
			if err != nil || list[0].ID != m.ID || len(list) > 2 {
				t.Errorf("after the prune List = %+v, %v, want the new snapshot and at most the stranger", list, err)
			}
		})
	}
}

// refusedWithout removes CURRENT and checks that a server starts on the newest complete snapshot.
// It then restores CURRENT.
func (s *scene) refusedWithout(t *testing.T) {
	t.Helper()
	name := filepath.Join(s.dir.Path(), "CURRENT")
	must(t, os.Rename(name, s.aside("CURRENT")))
	s.starts = 0
	s.refusedAs(t, "CURRENT is lost", "CURRENT")
	must(t, os.Rename(s.aside("CURRENT"), name))
}

// TestGigabyte enlarges to a GiB each file that the program reads into memory as a whole. The
// program must refuse the file without using much memory.
func TestGigabyte(t *testing.T) {
	s := newScene(t)
	for name, look := range map[string]func() error{
		s.path("manifest.json"):                func() error { _, err := s.dir.Open(t.Context(), s.newer.ID); return err },
		filepath.Join(s.dir.Path(), "CURRENT"): func() error { _, err := s.dir.OpenCurrent(t.Context()); return err },
		filepath.Join(s.dir.Path(), "CHECKED"): func() error { _, err := s.dir.Checked(); return err },
	} {
		good, err := os.ReadFile(name)
		must(t, err)
		must(t, errors.Join(os.Chmod(name, 0o644), os.Truncate(name, 1<<30)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		oneLine(t, look(), filepath.Base(name))
		runtime.ReadMemStats(&after)
		const enough = 128 << 20
		if took := after.TotalAlloc - before.TotalAlloc; took > enough {
			t.Errorf("%s: took %d MiB of memory, want less than %d", filepath.Base(name), took>>20, enough>>20)
		}
		must(t, overwrite(name, good))
	}
	s.whole(t)
}
