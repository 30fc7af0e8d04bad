// Package powercut simulates power cuts while a process writes to a disk. A test can check the disk
// as it would be after the cut. A killed process loses nothing that it has written. A power cut
// loses everything that was not synced to the disk.
//
// The disk is a file that is mounted as an ext4 file system. The mount options choose the weakest
// guarantees of ext4: no order between data and names, no flush at a rename, no timed flush. A cut
// copies the file. The copy lacks the data that the file system has not written into the file by
// then. The copy is mounted later.
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

// options are the options of every mount. Data without fsync then reach the disk only after
// minutes.
const options = "loop,data=writeback,noauto_da_alloc,commit=600"

// blockSize is the size in bytes of the blocks in which two states of a disk are compared.
const blockSize = 4096

// Lacking returns an error that says why this machine cannot simulate power cuts, or nil.
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

// tryMount mounts a file system of one MiB and unmounts it.
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

// find returns the path of a tool. It also looks in the folders of root's PATH.
func find(name string) (string, error) {
	for _, p := range []string{name, "/usr/sbin/" + name, "/sbin/" + name} {
		if path, err := exec.LookPath(p); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

// run runs a tool. If the tool fails, the returned error contains the tool's output.
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
	// Path is the folder at which the disk is mounted.
	Path string

	base []byte // the image at the start of During
	last []byte // the image when it was last compared
}

// NewDisk makes a disk. size is in MiB. [Lacking] must have returned nil.
func NewDisk(tb testing.TB, size int) *Disk {
	tb.Helper()
	place := tb.TempDir()
	d := &Disk{tb: tb, image: filepath.Join(place, "disk"), Path: tb.TempDir()}
	// The images are in memory, since a test writes dozens of them.
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

// unmount unmounts a file system. If a file on it is still open, unmount returns an error, but also
// detaches the file system. The file system and its loop device then disappear when the file is
// closed. Without the detaching, a failed test would leave the disk mounted.
func unmount(dir string) error {
	err := unix.Unmount(dir, 0)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("unmount %s: %w; close what was opened there", dir, err)
	return errors.Join(err, unix.Unmount(dir, unix.MNT_DETACH))
}

// Sync syncs the disk. All data written before the call are then durable.
func (d *Disk) Sync() {
	d.tb.Helper()
	f, err := os.Open(d.Path)
	d.must(err)
	d.must(errors.Join(unix.Syncfs(int(f.Fd())), f.Close()))
}

// bystander writes and syncs a file of its own, as another program may do at any time. The file
// system then writes all changed names to the disk, but not the content of the other files.
func (d *Disk) bystander() {
	d.tb.Helper()
	f, err := os.OpenFile(filepath.Join(d.Path, ".bystander"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	d.must(err)
	_, err = f.WriteString("x")
	d.must(err)
	d.must(errors.Join(f.Sync(), f.Close()))
}

// block is a changed block of a disk.
type block struct {
	at   int
	data []byte
}

// changed returns the blocks that have changed since the last call.
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
