//go:build linux

package faults_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// errand is a command that writes files. It runs in a folder of its own.
type errand struct {
	name string
	// prepare makes the command's input in dir and returns the command's arguments.
	prepare func(t *testing.T, dir string) []string
	// whole checks the files after a run and reports whether the command has done its work. It
	// fails the test if the work is only half done.
	whole func(t *testing.T, dir string) (done bool)
	// code is the exit code of a run without a fault.
	code int
	// again reports that the command refuses to run when its work is already done.
	again bool
	// slow reports that the test tries at most two calls of the command.
	slow bool
}

// keysFile makes an access file with one key in dir/access. It returns the arguments of the keys
// command args[0] on that file.
func keysFile(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	path := filepath.Join(dir, "access", "access.toml")
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	bencao(t, "keys", "create", "--access", path, "--id", "lab", "--network", "127.0.0.0/8")
	return append([]string{"keys", args[0], "--access", path}, args[1:]...)
}

// keysWhole returns a function for the field whole of [errand]. The function checks that the access
// file is valid and reports whether the file contains text; if says is false, whether the file
// lacks text.
func keysWhole(text string, says bool) func(*testing.T, string) bool {
	return func(t *testing.T, dir string) bool {
		t.Helper()
		path := filepath.Join(dir, "access", "access.toml")
		bencao(t, "keys", "list", "--access", path)
		b, err := os.ReadFile(path)
		must(t, err)
		entries, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		for _, e := range entries {
			if !slices.Contains([]string{"access.toml", ".access.toml.lock"}, e.Name()) && !leftover(e.Name()) {
				t.Errorf("%s is left over beside the access file", e.Name())
			}
		}
		return strings.Contains(string(b), text) == says
	}
}

// leftover reports whether name is the name of a temporary file, which the next run removes.
func leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, ".tmp-")
}

// twoSnapshots makes dir/data with two snapshots and returns their ids.
func twoSnapshots(t *testing.T, dir string) (ids []string) {
	t.Helper()
	buildIn(t, filepath.Join(dir, "data"), filepath.Join(dir, "metrics"))
	list, err := snapshot.At(filepath.Join(dir, "data")).List()
	must(t, err)
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	return ids
}

// dataWhole checks every snapshot in dir/data. It returns the number of snapshots and the id of the
// current one.
func dataWhole(t *testing.T, dir string) (n int, current string) {
	t.Helper()
	d := snapshot.At(filepath.Join(dir, "data"))
	list, err := d.List()
	must(t, err)
	for _, i := range list {
		if _, err := d.Verify(t.Context(), i.ID, snapshot.Deep); err != nil {
			t.Errorf("a broken snapshot has an id: %v", err)
		}
	}
	p, err := d.Current()
	must(t, err)
	return len(list), p.ID
}

// exported returns an errand that exports to a folder or file named out in the given format.
func exported(out, format string) errand {
	return errand{
		name: "export " + format + " " + out,
		prepare: func(t *testing.T, dir string) []string {
			twoSnapshots(t, dir)
			must(t, os.MkdirAll(filepath.Join(dir, "out"), 0o755))
			return []string{"export", "--data", filepath.Join(dir, "data"), "--out", filepath.Join(dir, "out", out), "--format", format}
		},
		whole: func(t *testing.T, dir string) bool {
			t.Helper()
			if _, err := os.Lstat(filepath.Join(dir, "out", out)); err != nil {
				return false
			}
			// Two exports of one snapshot are equal to the byte.
			good := filepath.Join(t.TempDir(), out)
			bencao(t, "export", "--data", filepath.Join(dir, "data"), "--out", good, "--format", format)
			if got, want := contents(t, filepath.Join(dir, "out", out)), contents(t, good); got != want {
				t.Errorf("the export is incomplete: %.200s\nwant %.200s", got, want)
			}
			return true
		},
		again: true,
	}
}

// contents returns the names and contents of the files at a path.
func contents(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	must(t, filepath.Walk(path, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		fmt.Fprintf(&all, "%s: %s\n", strings.TrimPrefix(name, path), b)
		return err
	}))
	return all.String()
}

func errands(t *testing.T) []errand {
	all := []errand{
		{"keys create", func(t *testing.T, dir string) []string {
			return keysFile(t, dir, "create", "--id", "other", "--network", "127.0.0.0/8")
		}, keysWhole("id = 'other'", true), 0, true, false},
		{"keys edit", func(t *testing.T, dir string) []string { return keysFile(t, dir, "edit", "lab", "--name", "Herbarium") }, keysWhole("Herbarium", true), 0, false, false},
		{"keys disable", func(t *testing.T, dir string) []string { return keysFile(t, dir, "disable", "lab") }, keysWhole("disabled = true", true), 0, false, false},
		{"keys expire", func(t *testing.T, dir string) []string {
			return keysFile(t, dir, "expire", "lab", "--at", "2030-01-01")
		}, keysWhole("2030-01-01", true), 0, false, false},
		{"keys remove", func(t *testing.T, dir string) []string { return keysFile(t, dir, "remove", "lab") }, keysWhole("id = 'lab'", false), 0, true, false},
		{"rollback", func(t *testing.T, dir string) []string {
			root, err := buildSources()
			must(t, err)
			ids := twoSnapshots(t, dir)
			return []string{"rollback", "--data", filepath.Join(dir, "data"), "--trust-keys", filepath.Join(root, "data.keys"), ids[1]}
		}, func(t *testing.T, dir string) bool {
			_, current := dataWhole(t, dir)
			announced, err := trust.Announced(snapshot.At(filepath.Join(dir, "data")))
			must(t, err)
			list, err := snapshot.At(filepath.Join(dir, "data")).List()
			must(t, err)
			return current == list[1].ID && announced.ID == current
		}, 0, false, false},
		{"prune", func(t *testing.T, dir string) []string {
			twoSnapshots(t, dir)
			return []string{"prune", "--data", filepath.Join(dir, "data"), "--keep", "1"}
		}, func(t *testing.T, dir string) bool {
			n, _ := dataWhole(t, dir)
			return n == 1
		}, 0, false, false},
		{"pull", func(t *testing.T, dir string) []string {
			root, err := buildSources()
			must(t, err)
			web := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(root, "data"))))
			t.Cleanup(web.Close)
			must(t, os.MkdirAll(filepath.Join(dir, "metrics"), 0o755))
			return []string{"pull", web.URL, "--data", filepath.Join(dir, "data"), "--metrics-file", filepath.Join(dir, "metrics", "pull.prom")}
		}, func(t *testing.T, dir string) bool {
			if _, err := os.Lstat(filepath.Join(dir, "data", "CURRENT")); err != nil {
				return false
			}
			d := snapshot.At(filepath.Join(dir, "data"))
			p, err := d.Current()
			must(t, err)
			if _, err := d.Verify(t.Context(), p.ID, snapshot.Deep); err != nil {
				t.Errorf("the pulled snapshot is broken: %v", err)
			}
			report, reportErr := os.ReadFile(filepath.Join(dir, "data", "last-pull.json"))
			metrics, metricsErr := os.ReadFile(filepath.Join(dir, "metrics", "pull.prom"))
			return reportErr == nil && strings.Contains(string(report), `"outcome": "`) &&
				metricsErr == nil && strings.Contains(string(metrics), "bencao_pull_bytes")
		}, 0, false, false},
		// No server can listen on this address, so the demo ends after it has written the snapshot.
		// It must not make a key, because the key would replace the key of another demo.
		{"demo", func(t *testing.T, dir string) []string {
			return []string{"demo", "--data", filepath.Join(dir, "data"), "--listen", "unix:/nowhere/bencao.sock"}
		}, func(t *testing.T, dir string) bool {
			if _, err := os.Lstat(filepath.Join(dir, "data", "CURRENT")); err != nil {
				return false
			}
			dataWhole(t, dir)
			if _, err := os.Lstat(filepath.Join(dir, "data", "access.toml")); err == nil {
				t.Error("a demo made a key although it had no address")
			}
			return true
		}, 1, false, true},
	}
	for _, format := range []string{"datapackage", "dwca", "coldp"} {
		all = append(all, exported("folder", format), exported("package.zip", format))
	}
	return all
}

// TestCommandCallFails runs every command that writes, and lets one system call fail in each run.
// The call returns a disk error, finds a full disk, is interrupted by a signal, or writes only half
// of its bytes. A command must do its work in spite of a signal or a half write. After a disk error
// or a full disk, the old or the new state must be complete, and the message must name the file and
// the error. The next run must succeed and leave no temporary files. The test tries only some calls
// of a command.
func TestCommandCallFails(t *testing.T) {
	faultsOnly(t)
	changes := slices.Concat(syncs, renames, unlinks, truncates, links, mkdirs, chmods)
	var runs atomic.Int64
	t.Cleanup(func() { t.Logf("%d runs", runs.Load()) })
	for _, e := range errands(t) {
		for _, how := range []struct {
			name  string
			calls []uint64
			harm  harm
			most  int // largest number of calls that the test tries
		}{
			{"EIO", slices.Concat(changes, writes), harm{err: syscall.EIO}, 7},
			{"ENOSPC", slices.Concat(writes, mkdirs, renames, links), harm{err: syscall.ENOSPC}, 3},
			{"EINTR", slices.Concat(changes, writes, opens), harm{err: syscall.EINTR}, 4},
			{"short", writes, harm{short: true}, 2},
		} {
			t.Run(e.name+" "+how.name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				t.Cleanup(func() { must(t, clear(dir)) })
				how.harm.calls, how.harm.under = how.calls, dir
				args := e.prepare(t, dir)
				whole := afflict(t, how.harm, args...)
				if whole.code != e.code || !e.whole(t, dir) {
					t.Fatalf("without a failing call the exit code is %d, want %d and the work done:\n%s", whole.code, e.code, whole.said)
				}
				if len(whole.met) == 0 {
					t.Fatal("the command makes none of these calls, so the test covers too little")
				}
				// Try calls at equal distances, starting with the first.
				if e.slow {
					how.most = min(how.most, 2)
				}
				if !everyCall() {
					how.most = (how.most + 1) / 2
				}
				step := max(1, len(whole.met)/how.most)
				for at := 1; at <= len(whole.met); at += step {
					runs.Add(1)
					t.Run(fmt.Sprint(at), func(t *testing.T) { e.fails(t, how.harm, at) })
				}
			})
		}
	}
}

// fails runs the command with the fault h in its call number at, and then again without a fault.
func (e errand) fails(t *testing.T, h harm, at int) {
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	args := e.prepare(t, dir)
	h.under, h.at = dir, at
	end := afflict(t, h, args...)
	done := e.whole(t, dir)
	survives := h.short || h.err == syscall.EINTR
	// The libraries for the store and the index may not repeat a call that a signal interrupted.
	ownCalls := strings.Contains(end.hit, ".bolt") || strings.Contains(end.hit, ".bleve")
	switch {
	case survives && !ownCalls && (end.code != e.code || !done):
		t.Errorf("%s is interrupted: exit code %d, done %v, want %d and the work done:\n%s", end.hit, end.code, done, e.code, end.said)
	case end.hit != "" && end.code == 0 && !done:
		t.Errorf("%s fails: exit code 0, and the work is not done:\n%s", end.hit, end.said)
	case !survives && end.hit != "" && (end.code != e.code || e.code == 1 && !strings.Contains(end.said, "address already in use")):
		path := end.hit[strings.LastIndex(end.hit, " ")+1:]
		name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), "."), ".tmp-")
		if !strings.Contains(end.said, h.err.Error()) || !strings.Contains(end.said, name) && !strings.Contains(end.said, filepath.Dir(path)) {
			t.Errorf("%s fails, and the message lacks the file or %q:\n%s", end.hit, h.err, end.said)
		}
	}
	// If the work is already done, the next run may refuse to repeat it.
	next := afflict(t, harm{calls: syncs, under: dir}, args...)
	if next.code != e.code && !(e.again && done && next.code == 1) || !e.whole(t, dir) {
		t.Errorf("after %s: the next run ends with %d:\n%s", end.hit, next.code, next.said)
	}
	must(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && (leftover(d.Name()) || strings.HasPrefix(d.Name(), ".pull-") || strings.HasPrefix(d.Name(), ".old-")) && !(e.again && done) {
			t.Errorf("after %s, the next run leaves the temporary file %s", end.hit, name)
		}
		return err
	}))
}
