package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bencao/internal/system"
	"bencao/store/snapshot/delta"
)

// scratchName is the folder in a copy for what is no part of it.
const scratchName = ".deltas"

// Old is a file of a snapshot that is here, in the place of one that is missing. If
// the snapshot has none there, it is an empty one.
type Old struct {
	// Snapshot is the id of the snapshot.
	Snapshot string
	File     File
	name     string
}

// oldFiles are those of a snapshot, by their paths.
type oldFiles struct {
	id string
	at map[string]Old
}

// Olds are the files of which a delta may make one that is missing: those of the
// newest snapshots that are here, so many at most.
func (c *Copy) Olds(f File, most int) (olds []Old) {
	if f.Bytes < smallestDelta {
		return nil
	}
	for _, s := range c.olds[:min(most, len(c.olds))] {
		old, there := s.at[f.Path]
		if !there {
			old = Old{Snapshot: s.id, File: noFile(f.Path)}
		}
		olds = append(olds, old)
	}
	return olds
}

// open opens the file.
func (o Old) open() (io.ReaderAt, io.Closer, int64, error) {
	if o.name == "" {
		return bytes.NewReader(nil), io.NopCloser(nil), 0, nil
	}
	f, size, err := openSized(o.name)
	return f, f, size, err
}

// DeltaPart opens a new file to which the delta of a file is to be written.
func (c *Copy) DeltaPart(f File) (*os.File, error) {
	dir := filepath.Join(c.draft.path, scratchName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return c.newScratch(c.scratch(f))
}

// newScratch makes an empty file.
func (c *Copy) newScratch(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC|openFlags, 0o644)
}

func (c *Copy) scratch(f File) string {
	return filepath.Join(c.draft.path, scratchName, f.SHA256)
}

// Make makes a file by the delta that [Copy.DeltaPart] has taken, of one that is
// here, and removes the delta. On error the file is as it was.
func (c *Copy) Make(f File, old Old) (err error) {
	defer func() { err = errors.Join(err, removeIfThere(c.scratch(f))) }()
	from, closer, fromSize, err := old.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closer.Close()) }()
	by, bySize, err := openSized(c.scratch(f))
	if err != nil {
		return err
	}
	defer closing(by, &err)
	made := c.scratch(f) + ".made"
	defer func() { err = errors.Join(err, removeIfThere(made)) }()
	if err := c.apply(made, f, io.NewSectionReader(from, 0, fromSize), io.NewSectionReader(by, 0, bySize)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.file(f)), 0o755); err != nil {
		return err
	}
	return system.Rename(made, c.file(f))
}

// apply writes what a delta makes, and checks it.
func (c *Copy) apply(made string, f File, from, by *io.SectionReader) (err error) {
	room, err := c.newScratch(c.scratch(f) + ".old")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, room.Close(), removeIfThere(room.Name())) }()
	to, err := c.newScratch(made)
	if err != nil {
		return err
	}
	sum := sha256.New()
	err = delta.Apply(io.MultiWriter(to, sum), from, by, f.Bytes, room)
	if got := hex.EncodeToString(sum.Sum(nil)); err == nil && got != f.SHA256 {
		err = fmt.Errorf("makes other bytes: SHA-256 %s, the manifest says %s", got, f.SHA256)
	}
	return errors.Join(err, to.Close())
}

// openSized opens a file and tells how long it is.
func openSized(name string) (*os.File, int64, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// clearScratch removes what is no part of the copy.
func (c *Copy) clearScratch() error { return os.RemoveAll(filepath.Join(c.draft.path, scratchName)) }
