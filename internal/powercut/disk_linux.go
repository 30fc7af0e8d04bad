// Package powercut takes the power from a disk under a running process, for
// tests of what is left then. A kill loses nothing that was written; a power
// cut loses whatever was not made durable.
//
// The disk is a file that is mounted as an ext4 file system with the fewest
// promises that it can make: no order between data and names, no flush at a
// rename, no timed flush. What the file system has not written into the file
// at the moment of the cut is not in the copy that is made then and mounted
// afterwards.
package powercut

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// options are those of every mount. A disk that is mounted so, and written to
// without fsync, is as it was for minutes.
const options = "loop,data=writeback,noauto_da_alloc,commit=600"

// blockSize is in what pieces two states of a disk are compared, in bytes.
const blockSize = 4096

// Lacking says what is missing here for cutting the power; nil is nothing.
func Lacking() error {
	if os.Getuid() != 0 {
		return errors.New("root, for mounting disk images; run this test as root, such as in a container")
	}
	for _, name := range []string{"strace", "mkfs.ext4", "fsck.ext4", "mount"} {
		if _, err := find(name); err != nil {
			return fmt.Errorf("%s; install it, such as with apt-get install strace e2fsprogs mount", name)
		}
	}
	strace, err := find("strace")
	if err != nil {
		return err
	}
	if out, err := exec.Command(strace, "-qq", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		return fmt.Errorf("the right to trace (in a container, the capability SYS_PTRACE): %v: %s", err, out)
	}
	if err := tryMount(); err != nil {
		return fmt.Errorf("the right to mount disk images (in a container, the capability SYS_ADMIN, and /dev/loop*): %w", err)
	}
	return nil
}

// tryMount mounts an image of a MiB for a moment.
func tryMount() (err error) {
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	image, at := filepath.Join(dir, "disk"), filepath.Join(dir, "mounted")
	if err := errors.Join(os.Mkdir(at, 0o700), os.WriteFile(image, make([]byte, 1<<20), 0o600)); err != nil {
		return err
	}
	if err := run("mkfs.ext4", "-q", "-F", "-O", "^has_journal", image); err != nil {
		return err
	}
	if err := run("mount", "-o", "loop", image, at); err != nil {
		return err
	}
	return unmount(at)
}

// find looks for a tool, also where only root's PATH leads.
func find(name string) (string, error) {
	for _, p := range []string{name, "/usr/sbin/" + name, "/sbin/" + name} {
		if path, err := exec.LookPath(p); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

// run runs a tool.
func run(name string, args ...string) error {
	path, err := find(name)
	if err != nil {
		return err
	}
	if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, bytes.TrimSpace(out))
	}
	return nil
}

// Disk is a file system in a file, mounted until the test ends.
type Disk struct {
	tb    testing.TB
	image string
	// Path is where it is mounted.
	Path string

	base []byte // the image when During began
	last []byte // and as it was seen last
}

// NewDisk makes a disk of so many MiB. [Lacking] must have found nothing.
func NewDisk(tb testing.TB, size int) *Disk {
	tb.Helper()
	place := tb.TempDir()
	d := &Disk{tb: tb, image: filepath.Join(place, "disk"), Path: tb.TempDir()}
	// In memory, since images are written by the dozen.
	d.must(unix.Mount("tmpfs", place, "tmpfs", 0, fmt.Sprintf("size=%dm", 4*size)))
	d.unmountAtEnd(place)
	d.must(os.WriteFile(d.image, nil, 0o600))
	d.must(os.Truncate(d.image, int64(size)<<20))
	d.must(run("mkfs.ext4", "-q", "-F", "-J", "size=4", "-E", "lazy_itable_init=0,lazy_journal_init=0", d.image))
	d.must(run("mount", "-o", options, d.image, d.Path))
	d.unmountAtEnd(d.Path)
	return d
}

func (d *Disk) unmountAtEnd(dir string) {
	d.tb.Cleanup(func() {
		if err := unmount(dir); err != nil {
			d.tb.Error(err)
		}
	})
}

// unmount takes a file system away. Where something in it is still open, that
// is an error, but it is gone from sight and ends, with its loop device, as
// soon as that is closed: else a test that fails would leave it behind.
func unmount(dir string) error {
	err := unix.Unmount(dir, 0)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("unmount %s: %w; close what was opened there", dir, err)
	return errors.Join(err, unix.Unmount(dir, unix.MNT_DETACH))
}

// Sync makes all durable that was written so far.
func (d *Disk) Sync() {
	d.tb.Helper()
	f, err := os.Open(d.Path)
	d.must(err)
	d.must(errors.Join(unix.Syncfs(int(f.Fd())), f.Close()))
}

// bystander makes a file of its own durable, as some other program does now
// and then. The file system writes down all names that have changed so far,
// but not the content of the files.
func (d *Disk) bystander() {
	d.tb.Helper()
	f, err := os.OpenFile(filepath.Join(d.Path, ".bystander"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	d.must(err)
	_, err = f.WriteString("x")
	d.must(err)
	d.must(errors.Join(f.Sync(), f.Close()))
}

// block is a piece of a disk that has changed.
type block struct {
	at   int
	data []byte
}

// changed returns what has changed on the disk since it was seen last.
func (d *Disk) changed() []block {
	d.tb.Helper()
	now, err := os.ReadFile(d.image)
	d.must(err)
	var blocks []block
	for at := 0; at < len(now); at += blockSize {
		if b := now[at : at+blockSize]; !bytes.Equal(b, d.last[at:at+blockSize]) {
			blocks = append(blocks, block{at, bytes.Clone(b)})
		}
	}
	d.last = now
	return blocks
}

func (d *Disk) must(err error) {
	d.tb.Helper()
	if err != nil {
		d.tb.Fatalf("disk image: %v", err)
	}
}
