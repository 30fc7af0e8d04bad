package snapshot

import (
	"bufio"
	"bytes"
	"context"
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

// Old is a file of a local snapshot. A delta may turn it into the file of the copy at the same
// path. Old is an empty file if the local snapshot has no file at that path.
type Old struct {
	// Snapshot is the id of the local snapshot.
	Snapshot string
	File     File
	name     string // the path of the file on the disk, or "" for an empty file
}

// Olds returns the local files that a delta may turn into f. It looks for them in the newest local
// snapshots. most is the maximum number of these snapshots.
func (c *Copy) Olds(f File, most int) (olds []Old) {
	for _, s := range c.olds[:min(most, len(c.olds))] {
		file, there, worth := s.of(f)
		if !worth {
			continue
		}
		old := Old{Snapshot: s.snapshot, File: file}
		if there {
			old.name = filepath.Join(c.draft.w.dir.snapshot(s.snapshot), filepath.FromSlash(f.Path))
		}
		olds = append(olds, old)
	}
	return olds
}

// open opens the file and returns its size.
func (o Old) open() (io.ReaderAt, io.Closer, int64, error) {
	if o.name == "" {
		return bytes.NewReader(nil), io.NopCloser(nil), 0, nil
	}
	f, size, err := openSized(o.name)
	return f, f, size, err
}

// DeltaPart creates the file into which the delta of f is downloaded.
func (c *Copy) DeltaPart(f File) (*os.File, error) {
	dir := filepath.Join(c.draft.path, scratchName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return c.newScratch(c.scratch(f))
}

// newScratch creates an empty file. It replaces an existing file or link of that name.
func (c *Copy) newScratch(name string) (*os.File, error) {
	if err := removeIfThere(name); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|openFlags, 0o644)
}

// scratch returns the path of the file that holds the delta of f. It depends on f.Path and not on
// the content of f, since two files may have the same content.
func (c *Copy) scratch(f File) string {
	return filepath.Join(c.draft.path, scratchName, digestOf([]byte(f.Path)))
}

// Make produces f from a local file and the delta that was written to [Copy.DeltaPart], and removes
// the delta. If it returns an error, f is unchanged.
func (c *Copy) Make(ctx context.Context, f File, old Old) (err error) {
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
	if err := c.apply(ctx, made, f, io.NewSectionReader(from, 0, fromSize), io.NewSectionReader(by, 0, bySize)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.file(f)), 0o755); err != nil {
		return err
	}
	return system.Rename(made, c.file(f))
}

// apply applies a delta to an old file. The parameter by is the delta, and from is the old file.
// apply writes the result to the file made, and checks that the result is f.
func (c *Copy) apply(ctx context.Context, made string, f File, from, by *io.SectionReader) (err error) {
	scratch, err := c.newScratch(c.scratch(f) + ".old")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Close(), removeIfThere(scratch.Name())) }()
	to, err := c.newScratch(made)
	if err != nil {
		return err
	}
	return errors.Join(applyDelta(untilDone{ctx, to}, f, from, by, scratch), to.Close())
}

// applyDelta applies a delta to an old file and writes the result. The parameter by is the delta,
// from is the old file, and to receives the result. applyDelta returns an error if the result is
// not f.
func applyDelta(to io.Writer, f File, from, by *io.SectionReader, scratch delta.Scratch) error {
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	if err := delta.Apply(out, from, by, f.Bytes, scratch); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("gives the wrong file: SHA-256 %s, the manifest says %s", got, f.SHA256)
	}
	return nil
}

// untilDone is a writer that returns an error once its context has ended.
type untilDone struct {
	ctx context.Context
	to  io.Writer
}

// Write implements [io.Writer].
func (w untilDone) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(b)
}

// openSized opens a file and returns its size.
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

// clearScratch removes the deltas and temporary files, which are not part of the snapshot.
func (c *Copy) clearScratch() error { return os.RemoveAll(filepath.Join(c.draft.path, scratchName)) }
