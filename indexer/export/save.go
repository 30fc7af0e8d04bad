package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bencao/indexer/archive"
	"bencao/internal/durable"
)

// errExists is returned if the output already exists.
var errExists = errors.New("exists already")

// Save writes files to out. The output is
//
//   - a zip file if the name ends in ".zip",
//   - only the first file if the name has one of the format's [Format.Extensions],
//   - otherwise a folder.
//
// The files are written under a temporary name, synced and then renamed. If an error occurs, out is
// unchanged.
//
// Save overwrites an empty folder. With force it also replaces a file, and a folder that contains
// only files of an earlier export.
func (f Formats) Save(ctx context.Context, out string, entries []archive.Entry, force bool) (err error) {
	target, err := resolve(out)
	if err != nil {
		return err
	}
	shape := f.shapeOf(out, entries)
	if err := f.checkTarget(out, target, shape, force); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".tmp-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(aside)) }()
	fresh := filepath.Join(aside, "new")
	switch shape {
	case zipped:
		err = writeFile(ctx, fresh, func(w io.Writer) error { return archive.Pack(w, entries) })
	case single:
		err = writeFile(ctx, fresh, entries[0].Write)
	case folder:
		err = writeFolder(ctx, fresh, entries)
	}
	if err != nil {
		return err
	}
	return replace(fresh, target, filepath.Join(aside, "old"))
}

// shape is the kind of output.
type shape string

const (
	folder shape = "folder"
	zipped shape = "zip"
	single shape = "database"
)

// Written returns the names of the files that [Formats.Save] writes to out.
func (f Formats) Written(out string, entries []archive.Entry) []string {
	if f.shapeOf(out, entries) == single {
		entries = entries[:1]
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// shapeOf returns the kind of output. out is the name of the output.
func (f Formats) shapeOf(out string, entries []archive.Entry) shape {
	switch extension := strings.ToLower(filepath.Ext(out)); {
	case extension == ".zip":
		return zipped
	case f.isSingle(extension, entries):
		return single
	}
	return folder
}

// resolve returns the absolute path of out. It resolves symbolic links, so that Save replaces the
// target of a link and not the link itself.
func resolve(out string) (string, error) {
	path, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("export to %s: there is no folder %s; make it first", out, filepath.Dir(path))
	}
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	resolved, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return resolved, err
}

// checkTarget returns an error if out must not be replaced.
func (f Formats) checkTarget(out, target string, shape shape, force bool) error {
	file := shape != folder
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case file && info.IsDir():
		return fmt.Errorf("export to %s: a folder of that name %w; a name that ends in %s becomes a %s", out, errExists, filepath.Ext(out), shape)
	case file && !info.Mode().IsRegular(), !file && !info.IsDir():
		return fmt.Errorf("export to %s: %w and is no %s; give another name", out, errExists, shape)
	case file && force:
		return nil
	case file:
		return fmt.Errorf("export to %s: the file %w; give another name, or --force to replace it", out, errExists)
	}
	files, err := os.ReadDir(target)
	if err != nil {
		return err
	}
	for _, file := range files {
		if !force {
			return fmt.Errorf("export to %s: the folder %w and is not empty; give another, or --force to replace an earlier export", out, errExists)
		}
		if !file.Type().IsRegular() || !f.isExported(file.Name()) {
			return fmt.Errorf("export to %s: the folder %w and holds %s, which is of no export; give another folder, even with --force",
				out, errExists, file.Name())
		}
	}
	return nil
}

// writeFolder writes the files to a new folder and syncs them.
func writeFolder(ctx context.Context, dir string, entries []archive.Entry) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return durable.Explain(filepath.Dir(dir), err)
	}
	for _, e := range entries {
		if err := writeFile(ctx, filepath.Join(dir, filepath.FromSlash(e.Name)), e.Write); err != nil {
			return err
		}
	}
	return durable.SyncDir(dir)
}

// writeFile writes a new file and syncs it.
func writeFile(ctx context.Context, name string, write func(io.Writer) error) error {
	return durable.WriteNew(name, 0, func(w io.Writer) error { return write(stoppable{ctx, w}) })
}

// stoppable is a writer that returns an error once its context has ended.
type stoppable struct {
	ctx context.Context
	io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Writer.Write(p)
}

// replace renames fresh to target. If target is a file or an empty folder, this rename replaces it.
// A folder with files is first renamed to old, and renamed back if fresh cannot be renamed.
func replace(fresh, target, old string) error {
	err := os.Rename(fresh, target)
	if errors.Is(err, fs.ErrExist) {
		if err := os.Rename(target, old); err != nil {
			return err
		}
		if err = os.Rename(fresh, target); err != nil {
			return errors.Join(err, os.Rename(old, target))
		}
	}
	if err != nil {
		return durable.Explain(filepath.Dir(target), err)
	}
	return durable.SyncDir(filepath.Dir(target))
}
