package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"

	"bencao/internal/durable"
	"bencao/store/snapshot/delta"
)

const (
	// DeltasDir is the folder of the deltas in the data directory.
	DeltasDir = "deltas"
	// smallestDelta is the minimum size in bytes of a file that gets a delta. Fetching a smaller
	// file takes no longer than fetching its delta.
	smallestDelta = 64 << 10
)

// DeltaPath returns the path of the delta that turns the old file into the new file, relative to
// the data directory, with slashes. A delta never changes.
func DeltaPath(newSHA256, oldSHA256 string) string { return path.Join(DeltasDir, newSHA256, oldSHA256) }

// LargestDelta returns the size above which a delta of f is not worth fetching.
func LargestDelta(f File) int64 { return f.Bytes / 4 * 3 }

// Delta is a delta in the data directory.
type Delta struct {
	// New and Old are the SHA-256 of the resulting file and of the file it is based on.
	New, Old string
	// Bytes is the size of the delta. 0 means that the delta is not worth fetching.
	Bytes int64
}

// Path returns the path relative to the data directory, with slashes.
func (d Delta) Path() string { return DeltaPath(d.New, d.Old) }

// Deltas lists the deltas in a data directory.
func Deltas(d Dir) ([]Delta, error) {
	news, err := deltaNames(d, "")
	if err != nil {
		return nil, err
	}
	var all []Delta
	for _, n := range news {
		olds, err := deltaNames(d, n.Name())
		if err != nil {
			return nil, err
		}
		for _, o := range olds {
			info, err := o.Info()
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, Delta{New: n.Name(), Old: o.Name(), Bytes: info.Size()})
		}
	}
	return all, nil
}

// deltaNames lists the entries of a folder of deltas whose names are hashes.
func deltaNames(d Dir, folder string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(filepath.Join(d.path, DeltasDir, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !isDigest(e.Name()) }), err
}

// DeltaReport describes the work of [Writer.MakeDeltas].
type DeltaReport struct {
	// Snapshot is the current snapshot. From are the older snapshots whose files the deltas turn
	// into files of the current snapshot.
	Snapshot string   `json:"snapshot"`
	From     []string `json:"from"`
	// Deltas has a row for each file and each snapshot in From.
	Deltas []MadeDelta `json:"deltas"`
	// Removed is the number of deltas that were removed because no snapshot has their new file.
	Removed int `json:"removed"`
}

// MadeDelta is a row of a [DeltaReport].
type MadeDelta struct {
	From string `json:"from"` // the snapshot with the old file
	File string `json:"file"`
	// Bytes is the size of the file. Delta is the size of its delta, or 0 if the delta is not worth
	// fetching.
	Bytes int64 `json:"bytes"`
	Delta int64 `json:"delta"`
	// There reports whether the delta existed before the run.
	There bool `json:"there"`
}

// MakeDeltas makes deltas to each large file of the current snapshot. The old files come from the
// newest other snapshots with the same settings. from is the maximum number of these snapshots.
// MakeDeltas keeps existing deltas and removes deltas to files that no snapshot has any more. It
// applies each new delta once before publishing it.
func (w *Writer) MakeDeltas(ctx context.Context, from int) (DeltaReport, error) {
	r := DeltaReport{From: []string{}, Deltas: []MadeDelta{}}
	current, err := w.dir.OpenCurrent(ctx)
	if err != nil {
		return r, err
	}
	r.Snapshot = current.ID
	err = w.deltasFrom(ctx, current, from, &r)
	if err == nil {
		r.Removed, err = w.pruneDeltas()
	}
	return r, errors.Join(err, current.Close())
}

// deltasFrom makes the deltas to the files of the current snapshot and adds them to r.
func (w *Writer) deltasFrom(ctx context.Context, current *Snapshot, from int, r *DeltaReport) error {
	list, err := w.dir.List()
	if err != nil {
		return err
	}
	for _, info := range list {
		if len(r.From) == from {
			break
		}
		if info.Current || info.Manifest.ID == "" {
			continue
		}
		if !maps.Equal(info.Manifest.Settings, current.Manifest.Settings) {
			// A delta contains parts of both files. A client of a public snapshot must not get
			// parts of a snapshot with restricted data.
			continue
		}
		old, err := w.dir.Open(ctx, info.ID)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.opt.Log.Warn("no deltas are made from an incomplete snapshot", "snapshot", info.ID, "error", err)
			continue
		}
		r.From = append(r.From, old.ID)
		if err := errors.Join(w.deltas(ctx, current, old, r), old.Close()); err != nil {
			return err
		}
	}
	return nil
}

// deltas makes the deltas from the files of the snapshot old and adds them to r.
func (w *Writer) deltas(ctx context.Context, current, old *Snapshot, r *DeltaReport) error {
	for _, both := range deltaPairs(current.Manifest, old.Manifest) {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := MadeDelta{From: old.ID, File: both.New.Path, Bytes: both.New.Bytes}
		name := filepath.Join(w.dir.path, filepath.FromSlash(DeltaPath(both.New.SHA256, both.Old.SHA256)))
		info, err := os.Lstat(name)
		switch {
		case err == nil:
			row.Delta, row.There = info.Size(), true
		case errors.Is(err, fs.ErrNotExist):
			row.Delta, err = w.makeDelta(name, current.Path(both.New.Path), old.Path(both.Old.Path), both)
			if err != nil {
				return fmt.Errorf("delta of %s from %s: %w", both.New.Path, old.ID, err)
			}
			debug.FreeOSMemory() // frees the memory of two files of hundreds of megabytes
		default:
			return err
		}
		r.Deltas = append(r.Deltas, row)
	}
	return nil
}

// pair is a file and the file at the same path in an older snapshot. Old is empty if the older
// snapshot has no file at that path.
type pair struct{ New, Old File }

// deltaPairs returns the files of a snapshot that get a delta from another snapshot.
func deltaPairs(new, old Manifest) []pair {
	var pairs []pair
	olds := newOldFiles(old)
	for _, f := range new.Files {
		if o, _, worth := olds.of(f); worth {
			pairs = append(pairs, pair{f, o})
		}
	}
	return pairs
}

// oldFiles are the files of an older snapshot. Publisher and mirror both use this type, so the
// mirror asks for exactly the deltas that the publisher makes.
type oldFiles struct {
	snapshot string // its id
	byPath   map[string]File
	sums     map[string]bool // the SHA-256 of every file
}

func newOldFiles(m Manifest) oldFiles {
	s := oldFiles{m.ID, make(map[string]File, len(m.Files)), make(map[string]bool, len(m.Files))}
	for _, f := range m.Files {
		s.byPath[f.Path], s.sums[f.SHA256] = f, true
	}
	return s
}

// of returns the file that a delta turns into f: the file at the same path, or an empty file if
// there is none. worth is false if f needs no delta because it is small, too large, or unchanged.
func (s oldFiles) of(f File) (old File, there, worth bool) {
	if old, there = s.byPath[f.Path]; !there {
		old = noFile(f.Path)
	}
	return old, there, f.Bytes >= smallestDelta && !s.sums[f.SHA256] && max(f.Bytes, old.Bytes) <= delta.MaxFile
}

// noFile returns an empty file. A delta from an empty file is the compressed new file.
func noFile(path string) File { return File{Path: path, SHA256: digestOf(nil)} }

// makeDelta makes a delta, applies it as a test, and writes it to the file name. It returns the
// size of the delta. If the delta is too large to be worth fetching, it writes an empty file
// instead and returns 0.
func (w *Writer) makeDelta(name, newName, oldName string, both pair) (int64, error) {
	new, err := readWhole(newName, both.New)
	if err != nil {
		return 0, err
	}
	var old []byte
	if both.Old.Bytes > 0 {
		if old, err = readWhole(oldName, both.Old); err != nil {
			return 0, err
		}
	}
	var b bytes.Buffer
	if err := delta.Make(&b, old, new); err != nil {
		return 0, err
	}
	if err := applyDelta(io.Discard, both.New, memory(old), memory(b.Bytes()), &scratchBuffer{}); err != nil {
		return 0, fmt.Errorf("can't be applied: %w", err)
	}
	content := b.Bytes()
	if int64(len(content)) > LargestDelta(both.New) {
		content = nil
	}
	if err := durable.MkdirAll(filepath.Dir(name)); err != nil {
		return 0, err
	}
	w.opt.Step("write delta")
	return int64(len(content)), durable.WriteFile(name, content, durable.Options{Mode: 0o444})
}

// scratchBuffer is a [delta.Scratch] in memory.
type scratchBuffer struct{ bytes.Buffer }

// ReadAt implements [io.ReaderAt].
func (r *scratchBuffer) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(r.Bytes()).ReadAt(b, at)
}

func memory(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

// readWhole reads a file of a snapshot into memory, and checks it.
func readWhole(name string, f File) ([]byte, error) {
	b, err := readSmall(name, f.Bytes)
	if err != nil {
		return nil, err
	}
	if digestOf(b) != f.SHA256 {
		return nil, fmt.Errorf("%s is altered: SHA-256 %s, the manifest says %s", name, digestOf(b), f.SHA256)
	}
	return b, nil
}

// pruneDeltas removes leftovers of killed runs and deltas to files that no local snapshot has. It
// returns the number of deltas removed.
func (w *Writer) pruneDeltas() (removed int, err error) {
	root := filepath.Join(w.dir.path, DeltasDir)
	news, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	list, err := w.dir.List()
	if err != nil {
		return 0, err
	}
	kept := map[string]bool{}
	for _, info := range list {
		for _, f := range info.Manifest.Files {
			kept[f.SHA256] = true
		}
	}
	var errs []error
	for _, e := range news {
		folder := filepath.Join(root, e.Name())
		switch {
		case !isDigest(e.Name()) || !e.IsDir():
			// This program does not create such an entry, so keep it.
		case kept[e.Name()]:
			errs = append(errs, durable.ClearDir(folder))
		default:
			olds, err := deltaNames(w.dir, e.Name())
			removed += len(olds)
			w.opt.Step("remove deltas")
			errs = append(errs, err, os.RemoveAll(folder))
		}
	}
	return removed, errors.Join(errs...)
}
