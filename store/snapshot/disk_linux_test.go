package snapshot_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"bencao/store/snapshot"
)

// needRoot skips the test unless it runs as root.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: mounting file systems and changing users needs root; run this test as root, such as in a container")
	}
}

// mount mounts a file system on a new directory until the test ends, and returns the directory.
func mount(t *testing.T, source, kind string, flags uintptr, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount(source, dir, kind, flags, options); err != nil {
		t.Skipf("SKIPPED: can't mount %s here: %v", kind, err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, 0)) })
	return dir
}

// TestReadOnlyDisk checks that a mirror can serve from a read-only disk.
func TestReadOnlyDisk(t *testing.T) {
	needRoot(t)
	disk := mount(t, "tmpfs", "tmpfs", 0, "size=8m")
	d := snapshot.At(disk)
	n := buildAll(t, d, "monday", "tuesday")
	must(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	s := &service{t: t}
	f := s.follow(d, snapshot.FollowOptions{})
	must(t, f.Start(t.Context()))
	if got := s.answers(); got != "tuesday" || f.Status().Err != nil {
		t.Errorf("the server answers from %q with the status %v, want tuesday and no error", got, f.Status().Err)
	}
	list, err := d.List()
	if err != nil || len(list) != 2 || !list[0].InUse || list[1].InUse {
		t.Errorf("List: %+v, %v, want two snapshots, and only the first in use", list, err)
	}
	if _, err := d.Verify(t.Context(), n[0], snapshot.Deep); err != nil {
		t.Errorf("verify: %v", err)
	}
	_, err = d.Lock(snapshot.WriterOptions{})
	if !errors.Is(err, unix.EROFS) {
		t.Errorf("Lock: %v, want that the file system is read-only", err)
	}
	must(t, s.live.Close(t.Context()))
}

// TestOtherUser runs the service and the nightly build as different users. The service can read
// snapshots and protect them from removal, but change nothing. A nightly build that does not run as
// root can still remove its own directories, although they are read-only.
func TestOtherUser(t *testing.T) {
	needRoot(t)
	nobody := func(d snapshot.Dir, job ...any) (output string, err error) {
		cmd := asNobody(child(t, d, job...))
		cmd.Stderr = nil
		b, err := cmd.CombinedOutput()
		return string(b), err
	}
	d := dataDir(t)
	n := buildAll(t, d, "monday", "tuesday")
	// By default other users cannot enter the test's folder.
	must(t, os.Chmod(filepath.Join(d.Path(), "..", "..", ".."), 0o755))

	kill := hold(t, asNobody(child(t, d, "open", n[0])))
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	if removed, err := w.Prune(1); err != nil || removed != nil {
		t.Errorf("pruned %q, %v while the server of another user has the snapshot open; want nothing", removed, err)
	}
	must(t, w.Close())
	kill()
	if out, err := nobody(d, "build", "wednesday", 0); err == nil || !strings.Contains(out, "permission denied") {
		t.Errorf("a build in a foreign directory: %v, %q, want permission denied", err, out)
	}
	if got := currentName(t, d); got != "tuesday" {
		t.Errorf("current is %q, want tuesday", got)
	}

	own := snapshot.At(filepath.Join(d.Path(), "..", "own"))
	must(t, os.Mkdir(own.Path(), 0o755))
	must(t, os.Chown(own.Path(), 65534, 65534))
	for _, job := range [][]any{{"build", "a", 0}, {"build", "b", 0}, {"build", "c", 3}, {"build", "d", 0}, {"prune", 1, 0}} {
		if out, err := nobody(own, job...); err != nil && job[2] == 0 {
			t.Errorf("%v by an ordinary user: %v: %s", job, err, out)
		}
	}
	if got, all := currentName(t, own), ids(t, own); got != "d" || len(all) != 1 {
		t.Errorf("current is %q of %q, want only d", got, all)
	}
	if left := litter(t, own); left != nil {
		t.Errorf("an ordinary user left behind %q", left)
	}

	// Leftovers of another user's killed build must not stop a build or the removal of other
	// leftovers.
	foreign := filepath.Join(own.Path(), "snapshots", ".tmp-1")
	must(t, os.MkdirAll(filepath.Join(foreign, "species.bleve"), 0o755))
	if out, err := nobody(own, "build", "e", 0); err != nil {
		t.Errorf("a build beside another user's leftovers: %v: %s", err, out)
	}
	out, err := nobody(own, "prune", 1, 0)
	if err == nil || !strings.Contains(out, "remove the leftovers of an earlier run") || !strings.Contains(out, "permission denied") {
		t.Errorf("prune beside another user's leftovers: %v, %q, want an error that they could not be removed", err, out)
	}
	if got, all := currentName(t, own), ids(t, own); got != "e" || len(all) != 1 {
		t.Errorf("current is %q of %q, want only e", got, all)
	}
}

// TestStrangersLocks lets a user who may only read the data directory lock everything that this
// user can open. The locks keep old snapshots, but must not stop a nightly build or other readers.
func TestStrangersLocks(t *testing.T) {
	needRoot(t)
	d := dataDir(t)
	n := buildAll(t, d, "monday", "tuesday", "wednesday")
	must(t, os.Chmod(filepath.Join(d.Path(), "..", "..", ".."), 0o755))
	if info, err := os.Stat(filepath.Join(d.Path(), "LOCK")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("LOCK has mode %v (%v), want that only its owner may open it", info.Mode(), err)
	}
	if out, err := asNobody(child(t, d, "flock", "LOCK")).CombinedOutput(); err == nil {
		t.Errorf("a stranger locked LOCK: %s", out)
	}
	for _, id := range n {
		hold(t, asNobody(child(t, d, "flock", "snapshots/"+id)))
	}
	hold(t, asNobody(child(t, d, "flock", "snapshots")))
	hold(t, asNobody(child(t, d, "flock", ".")))
	s, err := d.OpenCurrent(t.Context())
	must(t, err)
	mustBuild(t, d, "thursday")
	if removed, err := lock(t, d).Prune(1); err != nil || len(removed) != 0 {
		t.Errorf("pruned %q, %v, want nothing, since strangers hold all", removed, err)
	}
	must(t, s.Close())
	if got := currentName(t, d); got != "thursday" {
		t.Errorf("current is %q, want thursday", got)
	}
}

// asNobody makes a command run as an ordinary user, even if this user may not read the folder of
// the test binary.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	cmd.Path = "/proc/self/exe"
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return cmd
}
