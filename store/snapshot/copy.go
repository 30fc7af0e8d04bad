package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bencao/internal/system"
)

// Copy is a snapshot that is being copied from a publisher. Its manifest is known, and its files
// arrive one by one. Unlike a [Draft], a Copy stays on the disk when its Writer is closed. The next
// run keeps the files that have arrived and fetches the rest.
type Copy struct {
	// Manifest lists the files of the finished copy.
	Manifest Manifest

	draft *Draft
	raw   []byte            // the bytes of the manifest
	local map[File][]string // paths of files in local snapshots, by size and sums
}

// Copy returns a copy of the snapshot that p names, with the files that an earlier run has fetched.
// The manifest must match p and is stored byte for byte. Copy removes leftovers of other runs.
func (w *Writer) Copy(p Pointer, manifest []byte) (*Copy, error) {
	m, err := checkManifest(manifest, p)
	if err != nil {
		return nil, err
	}
	name := copyPrefix + p.ID
	if err := w.cleanOwn(name); err != nil {
		return nil, err
	}
	c := &Copy{
		Manifest: m,
		draft:    &Draft{w: w, path: w.dir.snapshot(name)},
		raw:      slices.Clone(manifest),
		local:    map[File][]string{},
	}
	if err := os.Mkdir(c.draft.path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return c, errors.Join(c.tidy(), c.findLocal())
}

// Path returns the directory of the copy.
func (c *Copy) Path() string { return c.draft.path }

// tidy makes the directories writable again and removes files that the manifest does not list.
func (c *Copy) tidy() error {
	wanted := map[string]bool{".": true}
	for _, f := range c.Manifest.Files {
		wanted[f.Path] = true
		for dir := filepath.Dir(f.Path); dir != "."; dir = filepath.Dir(dir) {
			wanted[dir] = true
		}
	}
	return filepath.WalkDir(c.draft.path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(c.draft.path, name)
		if err != nil {
			return err
		}
		switch known := wanted[filepath.ToSlash(rel)]; {
		case known && e.IsDir():
			return os.Chmod(name, 0o755)
		case known && e.Type().IsRegular():
			return nil
		case e.IsDir():
			if err := removeTree(name); err != nil {
				return err
			}
			return fs.SkipDir
		default:
			return os.Remove(name)
		}
	})
}

// findLocal records the files of the local snapshots, the newest snapshot first.
func (c *Copy) findLocal() error {
	dir := c.draft.w.dir
	ids, err := dir.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		m, err := readManifest(dir.snapshot(id), Pointer{ID: id})
		if err != nil {
			continue // a broken snapshot has no usable files
		}
		for _, f := range m.Files {
			key, name := f, filepath.Join(dir.snapshot(id), filepath.FromSlash(f.Path))
			key.Path = ""
			c.local[key] = append(c.local[key], name)
		}
	}
	return nil
}

// Link adds f to the copy as a hard link to a file of a local snapshot, and reports whether it
// succeeded. It reads the linked file in full, since the disk may have damaged it.
func (c *Copy) Link(ctx context.Context, f File) (bool, error) {
	key := f
	key.Path = ""
	to := c.file(f)
	for _, from := range c.local[key] {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return false, err
		}
		if err := removeIfThere(to); err != nil {
			return false, err
		}
		if os.Link(from, to) != nil {
			continue // the owner or file system differs, or the file has too many links: it is downloaded instead
		}
		if whole, err := c.Whole(ctx, f); whole || err != nil {
			return whole, err
		}
	}
	return false, nil
}

// Whole reports whether the copy has the complete file f with the content in the manifest. It
// removes a file that is long enough but has other content.
func (c *Copy) Whole(ctx context.Context, f File) (bool, error) {
	got, err := sum(ctx, c.draft.path, f.Path, f.Bytes, Deep)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || got == f {
		return err == nil, err
	}
	if got.Bytes < f.Bytes {
		return false, nil
	}
	return false, os.Remove(c.file(f))
}

// Part opens the file f of the copy for appending and returns its present size in bytes. It first
// removes an existing file that cannot be the start of f.
func (c *Copy) Part(f File) (*os.File, int64, error) {
	name := c.file(f)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, 0, err
	}
	if info, err := os.Lstat(name); err == nil {
		// Writing into a hard link would change a published snapshot.
		if !info.Mode().IsRegular() || system.Links(name) != 1 || info.Size() >= f.Bytes {
			if err := os.Remove(name); err != nil {
				return nil, 0, err
			}
		}
	}
	part, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|openFlags, 0o644)
	if err != nil {
		return nil, 0, err
	}
	info, err := part.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, part.Close())
	}
	return part, info.Size(), nil
}

// file returns the path of f in the copy.
func (c *Copy) file(f File) string {
	return filepath.Join(c.draft.path, filepath.FromSlash(f.Path))
}

// Publish makes the copy the current snapshot, with the same steps and guarantees as
// [Draft.Publish]. It replaces a local snapshot with the same id.
func (c *Copy) Publish(ctx context.Context, check func(dir string) error) error {
	m, w := c.Manifest, c.draft.w
	got, err := c.draft.settle(ctx, m.Content)
	if err != nil {
		return err
	}
	if !slices.Equal(got.Files, m.Files) {
		return fmt.Errorf("the copy is incomplete: %w", verify(ctx, c.draft.path, m, Deep))
	}
	w.opt.Step("check")
	if err := check(c.draft.path); err != nil {
		return err
	}
	if err := c.draft.seal(ctx, m, c.raw); err != nil {
		return err
	}
	if _, err := os.Lstat(w.dir.snapshot(m.ID)); err == nil {
		if err := w.remove(m.ID); err != nil {
			return fmt.Errorf("replace snapshot %s, which is damaged: %w", m.ID, err)
		}
	}
	return c.draft.switchTo(Pointer{ID: m.ID, Digest: digestOf(c.raw)})
}
