//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bencao/store/snapshot"
)

// disk is a small file system in memory.
type disk string

// newDisk mounts a file system of size bytes. It is unmounted when the test ends.
func newDisk(t *testing.T, size int64) disk {
	t.Helper()
	faultsOnly(t)
	if os.Getuid() != 0 {
		lacking(t, "root, to mount a small disk,")
	}
	dir := t.TempDir()
	if err := syscall.Mount("bencao", dir, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
		lacking(t, "the right to mount ("+err.Error()+")")
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return disk(dir)
}

// remount changes the size of the disk or makes it read-only. A disk cannot become read-only while
// one of its files is open for writing. A process that another test starts inherits such an open
// file and closes it only when it executes its program. So remount repeats the attempt.
func (d disk) remount(t *testing.T, flags uintptr, options string) {
	t.Helper()
	until(t, "the disk can be mounted again", func() bool {
		err := syscall.Mount("bencao", string(d), "tmpfs", syscall.MS_REMOUNT|flags, options)
		if !errors.Is(err, syscall.EBUSY) {
			must(t, err)
		}
		return err == nil
	})
}

// space returns the numbers of used and free bytes.
func (d disk) space(t *testing.T) (used, free int64) {
	t.Helper()
	var s syscall.Statfs_t
	must(t, syscall.Statfs(string(d), &s))
	return int64(s.Blocks-s.Bfree) * s.Bsize, int64(s.Bavail) * s.Bsize
}

const (
	largeDisk = 64 << 20
	page      = 4 << 10
)

// TestNightDiskFull runs the nightly build on a disk that becomes full. It tries several amounts of
// free space, from one page to almost enough. Pruning must work without any.
func TestNightDiskFull(t *testing.T) {
	t.Parallel()
	d := newDisk(t, largeDisk)
	var n *build
	// run runs the nightly build on a disk with room free bytes.
	run := func(room int64) (code int, said string) {
		d.remount(t, 0, fmt.Sprint("size=", largeDisk))
		must(t, clear(filepath.Join(string(d), "data")))
		n = buildIn(t, filepath.Join(string(d), "data"), filepath.Join(t.TempDir(), "metrics"))
		used, _ := d.space(t)
		d.remount(t, 0, fmt.Sprint("size=", used+room))
		return n.run(t)
	}
	must(t, os.Mkdir(filepath.Join(string(d), "data"), 0o755))
	low, enough := int64(page), int64(16<<20)
	for enough-low > 128<<10 {
		middle := (low + enough) / 2 / page * page
		if code, _ := run(middle); code == 0 {
			enough = middle
		} else {
			low = middle
		}
	}
	if enough == 16<<20 {
		t.Fatal("the build does not even succeed with 16 MiB")
	}
	// The steps of a build run concurrently, so the space that it needs varies a little.
	almost := low * 9 / 10
	rooms := int64(several(10, 4))
	m, err := snapshot.At(n.data).Published()
	must(t, err)
	before := m.Bytes()
	for i := range rooms {
		room := (page + (almost-page)*i/(rooms-1)) / page * page
		code, said := run(room)
		if code != 1 || !strings.Contains(said, "no space left on device") || !strings.Contains(said, "make room") || !strings.Contains(said, "a snapshot like") {
			t.Errorf("with %d bytes free: exit code %d, want 1 and a message with the reason, the space that is needed, and advice:\n%s", room, code, said)
		}
		if early := room < before; early != strings.Contains(said, "the build does not begin") {
			t.Errorf("with %d bytes free, and a snapshot of %d before, the build ended at the beginning: %t\n%s", room, before, !early, said)
		}
		if got := n.serves(t); got != plantsTuesday {
			t.Errorf("with %d bytes free, the current snapshot has %d plants, want %d", room, got, plantsTuesday)
		}
		n.tidy(t)
		n.wholeFiles(t)
		if _, free := d.space(t); free < room-16*page {
			t.Errorf("%d bytes were free before the build and %d after it; it must free the space that it used", room, free)
		}
		if b, err := os.ReadFile(filepath.Join(n.data, "last-report.json")); room > 16*page && (err != nil || !strings.Contains(string(b), `"outcome": "failed"`)) {
			t.Errorf("with %d bytes free, last-report.json does not say that the build failed: %v", room, err)
		}
		d.remount(t, 0, fmt.Sprint("size=", largeDisk))
		n.recovers(t)
	}
	// A nightly build with unchanged sources writes only CHECKED.
	used, _ := d.space(t)
	d.remount(t, 0, fmt.Sprint("size=", used))
	if code, said := n.run(t); code != 1 || !strings.Contains(said, "CHECKED") || !strings.Contains(said, "no space left on device") || !strings.Contains(said, "make room") {
		t.Errorf("with no space for CHECKED: exit code %d, want 1 and a message with the reason and advice:\n%s", code, said)
	}
	used, _ = d.space(t)
	d.remount(t, 0, fmt.Sprint("size=", used))
	if _, free := d.space(t); free != 0 {
		t.Errorf("%d bytes are free on the full disk", free)
	}
	bencao(t, "prune", "--data", n.data, "--keep", "1")
	if list, err := snapshot.At(n.data).List(); err != nil || len(list) != 1 {
		t.Errorf("pruning on a full disk: %v, and %d snapshots are left", err, len(list))
	}
	t.Logf("a build needs between %d and %d KiB", low>>10, enough>>10)
}

// TestNightTemporaryFolder runs the nightly build with TMPDIR set to unusable folders. The build
// must succeed: it does not use TMPDIR, because it writes temporary files to the disk of the data
// folder, where it can rename them.
func TestNightTemporaryFolder(t *testing.T) {
	t.Parallel()
	other := newDisk(t, page)
	full := newDisk(t, page)
	must(t, os.WriteFile(filepath.Join(string(full), "full"), make([]byte, page), 0o644))
	readOnly := newDisk(t, page)
	readOnly.remount(t, syscall.MS_RDONLY, "")
	for name, dir := range map[string]string{
		"another file system":   string(other), // a disk with almost no space
		"full":                  string(full),
		"read-only":             string(readOnly),
		"not there":             filepath.Join(t.TempDir(), "nowhere"),
		"relative and nonsense": "\n",
	} {
		n := newBuild(t)
		code, said := n.runBy(t, func(c *exec.Cmd) { c.Env = append(os.Environ(), "TMPDIR="+dir) })
		if code != 0 {
			t.Errorf("TMPDIR is %s: exit code %d, want 0:\n%s", name, code, said)
		}
		if got := n.serves(t); got != plantsWednesday {
			t.Errorf("TMPDIR is %s: %d plants, want %d", name, got, plantsWednesday)
		}
	}
	if entries, err := os.ReadDir(string(other)); err != nil || len(entries) > 0 {
		t.Errorf("TMPDIR has the files %v, %v; want none", entries, err)
	}
}

// TestNightOutOfMemory runs the nightly build with more and more memory until it succeeds. When the
// system refuses memory, the Go runtime ends the program with its own exit code, and no report is
// written. The old snapshot must then still be current, and the next build must succeed.
func TestNightOutOfMemory(t *testing.T) {
	t.Parallel()
	faultsOnly(t)
	prlimit := tool(t, "prlimit")
	began := 0
	for mib := 72; ; mib += several(6, 15) {
		n := newBuild(t)
		out, err := exec.Command(prlimit, append([]string{fmt.Sprintf("--data=%d", mib<<20), program()}, n.flags...)...).CombinedOutput()
		if err == nil {
			break
		}
		if mib > 1024 {
			t.Fatalf("not even %d MiB are enough:\n%s", mib, out)
		}
		if strings.Contains(string(out), `"phase":"read package"`) {
			began++
		}
		if got := n.serves(t); got != plantsTuesday {
			t.Errorf("out of memory with %d MiB, the current snapshot has %d plants, want %d:\n%s", mib, got, plantsTuesday, out)
		}
		n.wholeFiles(t)
		n.recovers(t)
	}
	if began < 2 {
		t.Errorf("only %d builds ran out of memory after their start, so the test covers too little", began)
	}
}
