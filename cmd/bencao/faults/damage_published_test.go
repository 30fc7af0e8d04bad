//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// blow is a kind of damage to a file of a snapshot. The test can undo it.
type blow struct {
	name  string
	seeds int
	// do damages the file dir/file. dir is the folder of a snapshot, and all lists its files. do
	// returns names of files relative to dir; the error message of the server must name one of
	// them.
	do func(rnd *rand.Rand, dir, file string, all []string) ([]string, error)
}

var blows = []blow{
	{"bits flip", 3, func(rnd *rand.Rand, dir, file string, _ []string) ([]string, error) {
		return rewrite(dir, file, func(b []byte) []byte {
			for range 1 + rnd.IntN(64) {
				b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(8)
			}
			return b
		})
	}},
	{"it is cut off", 3, func(rnd *rand.Rand, dir, file string, _ []string) ([]string, error) {
		return rewrite(dir, file, func(b []byte) []byte { return b[:rnd.IntN(len(b))] })
	}},
	{"it is gone", 1, func(_ *rand.Rand, dir, file string, _ []string) ([]string, error) {
		return []string{file, filepath.Dir(file)}, os.Remove(filepath.Join(dir, file))
	}},
	{"it has another's place", 3, func(rnd *rand.Rand, dir, file string, all []string) ([]string, error) {
		other := all[rnd.IntN(len(all))]
		if other == file {
			other = all[(slices.Index(all, file)+1)%len(all)]
		}
		x, err := os.ReadFile(filepath.Join(dir, other))
		if err != nil {
			return nil, err
		}
		return rewrite(dir, file, func([]byte) []byte { return x })
	}},
	{"something lies beside it", 3, func(rnd *rand.Rand, dir, file string, _ []string) ([]string, error) {
		forms := []string{"._%s", "%s~", ".%s.swp", "%s.rsync-tmp"}
		extra := filepath.Join(filepath.Dir(file), fmt.Sprintf(forms[rnd.IntN(len(forms))], filepath.Base(file)))
		return []string{extra}, os.WriteFile(filepath.Join(dir, extra), []byte("x"), 0o444)
	}},
	{"a link is in its place", 1, func(_ *rand.Rand, dir, file string, all []string) ([]string, error) {
		path := filepath.Join(dir, file)
		return []string{file}, errors.Join(os.Remove(path), os.Symlink(filepath.Join(dir, all[0]), path))
	}},
	{"a pipe is in its place", 1, func(_ *rand.Rand, dir, file string, _ []string) ([]string, error) {
		path := filepath.Join(dir, file)
		return []string{file}, errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o444))
	}},
}

// rewrite replaces the content of dir/file by the result of alter. It returns the name file.
func rewrite(dir, file string, alter func([]byte) []byte) ([]string, error) {
	path := filepath.Join(dir, file)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return []string{file}, os.WriteFile(path, alter(b), 0o644)
}

// TestEveryFileDamaged damages each file of a snapshot in each way and publishes the result under a
// running server. The server must keep the older snapshot and name the file. "bencao verify" must
// find the damage too. A server that starts after the damage must use the older snapshot.
func TestEveryFileDamaged(t *testing.T) {
	s := newSite(t)
	dir := s.path(s.newer, "")
	named, err := os.ReadFile(filepath.Join(s.data, "CURRENT"))
	must(t, err)
	s.rollback(t, s.older)
	older, err := os.ReadFile(filepath.Join(s.data, "CURRENT"))
	must(t, err)
	var files []string
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o755)
		}
		file, err := filepath.Rel(dir, path)
		files = append(files, file)
		return errors.Join(err, os.Chmod(path, 0o644))
	}))
	srv := s.serve(t)
	point := func(to []byte) {
		must(t, os.WriteFile(filepath.Join(s.data, "CURRENT.new"), to, 0o644))
		must(t, os.Rename(filepath.Join(s.data, "CURRENT.new"), filepath.Join(s.data, "CURRENT")))
	}
	published := 0
	for _, file := range files {
		good, err := os.ReadFile(filepath.Join(dir, file))
		must(t, err)
		repair := func() {
			must(t, os.RemoveAll(filepath.Join(dir, file)))
			must(t, os.WriteFile(filepath.Join(dir, file), good, 0o644))
		}
		for _, h := range blows {
			for seed := range h.seeds {
				what := fmt.Sprintf("%s: %s, seed %d", file, h.name, seed)
				blamed, err := h.do(rand.New(rand.NewPCG(uint64(seed), 12)), dir, file, files)
				must(t, err)
				if h.name == "bits flip" || h.name == "it has another's place" {
					b, err := os.ReadFile(filepath.Join(dir, file))
					must(t, err)
					if bytes.Equal(b, good) {
						continue // the damage changed nothing: a bit flipped twice, or two equal files
					}
				}
				point(named)
				srv.hangup(t)
				var is readiness
				until(t, what+": the server has refused the snapshot", func() bool {
					is = srv.ready(t)
					return is.Snapshot != s.older || is.Stale && is.Reason != nil && strings.Contains(*is.Reason, s.newer)
				})
				names := func(text string) bool {
					return slices.ContainsFunc(blamed, func(b string) bool { return strings.Contains(text, b) })
				}
				if is.Snapshot != s.older || !names(*is.Reason) {
					t.Fatalf("%s: /readyz says %+v, want %s, for a reason that names one of %q", what, is, s.older, blamed)
				}
				if got := srv.plants(t); got != plantsOlder {
					t.Errorf("%s: %d plants, want the older snapshot's %d", what, got, plantsOlder)
				}
				if out, err := exec.Command(program(), "verify", "--data", s.data, s.newer).CombinedOutput(); err == nil || !names(string(out)) {
					t.Errorf("%s: bencao verify ends with %v and says %q", what, err, out)
				}
				if seed == 0 && h.name == "bits flip" {
					starts := s.serve(t)
					if is := starts.ready(t); !is.Stale || is.Snapshot != s.older {
						t.Errorf("%s: a newly started server says %+v, want stale on %s", what, is, s.older)
					}
					starts.stop(t)
				}
				point(older)
				srv.hangup(t)
				until(t, what+": the server is not stale any more", func() bool { return !srv.ready(t).Stale })
				published++
				if blamed[0] != file {
					must(t, os.Remove(filepath.Join(dir, blamed[0])))
				}
				repair()
			}
		}
	}
	point([]byte("noise\x00\n"))
	srv.hangup(t)
	until(t, "the server is stale because of CURRENT", func() bool {
		is := srv.ready(t)
		return is.Ready && is.Snapshot == s.older && is.Reason != nil && strings.Contains(*is.Reason, "CURRENT")
	})
	if got := srv.metric(t, "bencao_snapshot_stale"); got != 1 {
		t.Errorf("bencao_snapshot_stale is %v, want 1", got)
	}
	point(named)
	srv.hangup(t)
	until(t, "the server answers from the repaired snapshot", func() bool { return srv.ready(t).Snapshot == s.newer })
	t.Logf("the test published %d damaged snapshots and damaged %d files", published, len(files))
}
