package powercut

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
)

// Cut is a simulated power cut after a system call.
type Cut struct {
	disk   *Disk
	blocks []block // blocks changed since the previous cut
	// After is the system call before the cut, in the notation of strace.
	After string
	// Same means that the disk has the same content as at the previous cut, so everything written
	// between the two cuts is lost.
	Same bool
}

// Each mounts the disk in its state after each of the cuts, in order. It calls the function look
// with the number of the cut, the cut, and the folder at which the disk is mounted. It skips a cut
// if the state is the same as after the cut before.
func (d *Disk) Each(cuts []Cut, look func(n int, c Cut, dir string)) {
	d.tb.Helper()
	state := bytes.Clone(d.base)
	for n, c := range cuts {
		for _, b := range c.blocks {
			copy(state[b.at:], b.data)
		}
		if n == 0 || !c.Same {
			d.mounted(state, func(dir string) { look(n, c, dir) })
		}
	}
}

// mounted writes a state of the disk into a file, mounts the file, and calls look. Afterwards it
// checks that the file system is consistent.
func (d *Disk) mounted(state []byte, look func(dir string)) {
	d.tb.Helper()
	place, err := os.MkdirTemp(filepath.Dir(d.image), "cut")
	d.must(err)
	defer func() { d.must(os.RemoveAll(place)) }()
	image, dir := filepath.Join(place, "disk"), filepath.Join(place, "mounted")
	d.must(os.Mkdir(dir, 0o700))
	d.must(writeSparse(image, state))
	d.must(run("mount", "-o", options, image, dir)) // replays the journal
	func() {
		defer func() { d.must(unmount(dir)) }()
		look(dir)
	}()
	d.must(run("fsck.ext4", "-f", "-n", image))
}

// writeSparse writes a file. Blocks of zeros take no space on the disk.
func writeSparse(name string, b []byte) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var zeros [blockSize]byte
	for at := 0; at < len(b); at += blockSize {
		piece := b[at : at+blockSize]
		if [blockSize]byte(piece) == zeros {
			continue
		}
		if _, err := f.WriteAt(piece, int64(at)); err != nil {
			return err
		}
	}
	return f.Truncate(int64(len(b)))
}
