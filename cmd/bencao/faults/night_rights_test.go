//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bencao/store/snapshot"
)

// nobody is the id of a user who owns no files.
const nobody = 65534

// asNobody makes a command run as the user nobody.
func asNobody(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// own makes the user nobody the owner of a file, or of a folder and its content.
func own(t *testing.T, path string) {
	t.Helper()
	must(t, filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, nobody, nobody)
	}))
}

// foreignBuild returns a nightly build whose folders and files belong to the user nobody, as if an
// ordinary user had always run it.
func foreignBuild(t *testing.T) *build {
	t.Helper()
	faultsOnly(t)
	if os.Getuid() != 0 {
		lacking(t, "root, to change owners,")
	}
	n := newBuild(t)
	dir := filepath.Dir(n.data)
	// The files must not be hard links, because a change of owner would change the files of other
	// tests.
	must(t, clear(n.data))
	root, err := buildSources()
	must(t, err)
	must(t, os.CopyFS(n.data, os.DirFS(filepath.Join(root, "data"))))
	for _, open := range []string{place, filepath.Dir(dir), dir} {
		must(t, os.Chmod(open, 0o755))
	}
	key, err := os.ReadFile(filepath.Join(root, "data.keys", "nightly.key"))
	must(t, err)
	keys := filepath.Join(dir, "keys")
	must(t, errors.Join(os.Mkdir(keys, 0o700), os.WriteFile(filepath.Join(keys, "nightly.key"), key, 0o600)))
	n.flags = append(n.flags, "--trust-keys", keys)
	own(t, dir)
	return n
}

// state describes the files that must not change, with sizes, modes and times: all files in the
// data folder except the lock and the reports.
func (n *build) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(n.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "LOCK" || strings.HasPrefix(d.Name(), "last-") || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Size(), info.Mode(), info.ModTime().UnixNano())
		return nil
	}))
	return b.String()
}

// TestNightWithoutRights removes, one at a time, the permissions that a nightly build needs, and
// runs the build. A build that cannot work must name the missing permission and change nothing.
func TestNightWithoutRights(t *testing.T) {
	t.Parallel()
	root := func(t *testing.T, path string) { t.Helper(); must(t, os.Lchown(path, 0, 0)) }
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, n *build)
		says string // text in the message, with exit code 1; "" if the build must succeed
	}{
		{"all files are its own", func(*testing.T, *build) {}, ""},
		{"CURRENT belongs to another user", func(t *testing.T, n *build) { root(t, filepath.Join(n.data, "CURRENT")) }, ""},
		{"CURRENT belongs to another user and can't be read", func(t *testing.T, n *build) {
			root(t, filepath.Join(n.data, "CURRENT"))
			must(t, os.Chmod(filepath.Join(n.data, "CURRENT"), 0o600))
		}, ""},
		{"an old snapshot belongs to another user", func(t *testing.T, n *build) {
			list, err := os.ReadDir(filepath.Join(n.data, "snapshots"))
			must(t, err)
			root(t, filepath.Join(n.data, "snapshots", list[0].Name()))
		}, ""},
		{"files that a killed build left belong to another user", func(t *testing.T, n *build) {
			draft := filepath.Join(n.data, "snapshots", ".tmp-1", "species.bleve")
			must(t, os.MkdirAll(draft, 0o755))
			must(t, os.WriteFile(filepath.Join(draft, "index_meta.json"), nil, 0o644))
		}, ""},
		{"the data folder belongs to another user", func(t *testing.T, n *build) { root(t, n.data) }, "data/"},
		{"the folder of the snapshots belongs to another user", func(t *testing.T, n *build) { root(t, filepath.Join(n.data, "snapshots")) }, "data/snapshots/"},
		{"LOCK belongs to another user", func(t *testing.T, n *build) { root(t, filepath.Join(n.data, "LOCK")) }, "data/LOCK: permission denied"},
		{"the metrics' folder belongs to another user", func(t *testing.T, n *build) { root(t, filepath.Dir(n.metrics)) }, "bencao.prom"},
		{"the key belongs to another user", func(t *testing.T, n *build) { root(t, filepath.Join(filepath.Dir(n.data), "keys", "nightly.key")) }, "nightly.key: permission denied"},
		{"a source can't be read", func(t *testing.T, n *build) {
			pkg := filepath.Join(filepath.Dir(n.data), "package")
			root, err := buildSources()
			must(t, err)
			must(t, os.CopyFS(pkg, os.DirFS(filepath.Join(root, "wednesday"))))
			must(t, os.Chmod(filepath.Join(pkg, "synonyms.csv"), 0))
			n.flags = append(n.flags, "--source", pkg)
		}, "synonyms.csv"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := foreignBuild(t)
			tt.do(t, n)
			before := n.state(t)
			code, said := n.runBy(t, asNobody)
			message := said[strings.LastIndex(said, "bencao: ")+1:]
			if tt.says == "" {
				if got := n.serves(t); code != 0 || got != plantsWednesday {
					t.Errorf("exit code %d and %d plants, want 0 and %d:\n%s", code, got, plantsWednesday, said)
				}
				// The next build must succeed too, even if this build could not remove some files.
				if code, said := n.runBy(t, asNobody, "--rebuild"); code != 0 {
					t.Errorf("the next build ended with %d, want 0:\n%s", code, said)
				}
				n.serves(t)
				return
			}
			if code != 1 || !strings.Contains(message, tt.says) || !strings.Contains(message, "permission denied") {
				t.Errorf("exit code %d, want 1 and a message with %q:\n%s", code, tt.says, said)
			}
			if strings.HasPrefix(tt.name, "LOCK") && strings.Contains(strings.TrimSpace(message), "\n") {
				t.Errorf("one line would do:\n%s", message)
			}
			if after := n.state(t); after != before {
				t.Errorf("the data folder was\n%s\nand now is\n%s", before, after)
			}
			n.serves(t)
		})
	}
}

// TestNightReadOnlyDisk runs the build while the disk of the data folder is read-only. The kernel
// remounts a disk read-only after an I/O error.
func TestNightReadOnlyDisk(t *testing.T) {
	t.Parallel()
	d := newDisk(t, largeDisk)
	n := buildIn(t, filepath.Join(string(d), "data"), filepath.Join(t.TempDir(), "metrics"))
	before := n.state(t)
	d.remount(t, syscall.MS_RDONLY, "")
	code, said := n.run(t)
	if code != 1 || !strings.Contains(said, "read-only file system") || !strings.Contains(said, n.data) {
		t.Errorf("exit code %d, want 1 and a message with the reason:\n%s", code, said)
	}
	if got := n.serves(t); got != plantsTuesday || n.state(t) != before {
		t.Errorf("%d plants, want %d, and no changed file", got, plantsTuesday)
	}
	if b, err := os.ReadFile(n.metrics); err != nil || !strings.Contains(string(b), `bencao_index_outcome{outcome="failed"} 1`) {
		t.Errorf("the metrics do not say that the build failed: %v\n%s", err, b)
	}
	d.remount(t, 0, "")
	n.recovers(t)
}

// TestNightMetricsFile runs the build with a metrics file that cannot be written. The build must
// fail at its start, before it does any work.
func TestNightMetricsFile(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"the folder is not there": filepath.Join(t.TempDir(), "nowhere", "bencao.prom"),
		"it is a folder":          t.TempDir(),
		"the folder is a file":    "/proc/self/status/bencao.prom",
		"the system refuses":      "/proc/self/bencao.prom",
	} {
		n := newBuild(t)
		before := n.state(t)
		code, said := n.run(t, "--metrics-file", path)
		if code != 1 || !strings.Contains(said, "metrics file "+path+": ") {
			t.Errorf("%s: exit code %d, want 1 and a message that names %s:\n%s", name, code, path, said)
		}
		if got := n.serves(t); got != plantsTuesday || n.state(t) != before {
			t.Errorf("%s: %d plants, want %d, and nothing changed", name, got, plantsTuesday)
		}
		n.recovers(t)
	}
}

// TestTrustInitDuringNight runs "bencao trust init" as root while a nightly build holds the lock.
// The command fails, and the owner of the data folder can run it again.
func TestTrustInitDuringNight(t *testing.T) {
	t.Parallel()
	n := foreignBuild(t)
	keys := filepath.Join(filepath.Dir(n.data), "new-keys")
	initialise := func(as func(*exec.Cmd)) (string, error) {
		c := exec.Command(program(), "trust", "init", "--data", n.data, "--trust-keys", keys)
		as(c)
		b, err := c.CombinedOutput()
		return string(b), err
	}
	must(t, os.RemoveAll(filepath.Join(n.data, "tuf")))
	night, err := snapshot.At(n.data).Lock(snapshot.WriterOptions{Purpose: "a nightly build"})
	must(t, err)
	if said, err := initialise(func(*exec.Cmd) {}); err == nil || !strings.Contains(said, "is locked") {
		t.Errorf("during a nightly build: %v, want a failure because of the lock:\n%s", err, said)
	}
	must(t, night.Close())
	if said, err := initialise(asNobody); err != nil {
		t.Errorf("after the build, as the owner of the data folder: %v\n%s", err, said)
	}
}
