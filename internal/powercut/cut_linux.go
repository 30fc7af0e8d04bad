package powercut

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
)

// Cut is a moment at which the power went, after some system call.
type Cut struct {
	disk   *Disk
	blocks []block // what has changed since the cut before
	// After is the call, as strace shows it.
	After string
	// Same tells that the disk was as at the cut before: whatever was done
	// in between is lost.
	Same bool
}

// Each mounts the disk as each of the cuts left it, the first one first, and
// calls look with the cut's number and where the disk is. Cuts that lost all
// that came after the one before are passed over: they look the same.
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

// mounted writes a state of the disk into a file and mounts that. The file
// system must find its own things in order.
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

// writeSparse writes a file whose zeros take no room.
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
