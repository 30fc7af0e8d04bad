package export

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bencao/indexer/archive"
	"bencao/internal/durable"
	"bencao/internal/messages"
	"bencao/internal/system"
)

// errExists is returned when there is something already where an export is to
// be written.
var errExists = errors.New("exists already")

// Save writes files to out: a zip if it ends in ".zip", the database alone if
// there is one and out ends as databases do, else a folder. The files are
// written aside, made durable, and get their name at last; after an error there
// is nothing, or what was there before.
//
// An empty folder is taken. What else is there is replaced only by force, and
// a folder only if it holds nothing but an earlier export.
func Save(ctx context.Context, out string, entries []archive.Entry, force bool) (err error) {
	target, err := resolve(out)
	if err != nil {
		return err
	}
	made := shapeOf(out, entries)
	if err := vacant(out, target, made, force); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".tmp-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(aside)) }()
	fresh := filepath.Join(aside, "new")
	switch made {
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

// shape is what an export becomes.
type shape string

const (
	folder shape = "folder"
	zipped shape = "zip"
	single shape = "database"
)

// Names are the files that come of an export to out.
func Names(out string, entries []archive.Entry) []string {
	if shapeOf(out, entries) == single {
		entries = entries[:1]
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// shapeOf says what a name makes of files.
func shapeOf(out string, entries []archive.Entry) shape {
	switch strings.ToLower(filepath.Ext(out)) {
	case ".zip":
		return zipped
	case ".sqlite", ".sqlite3", ".db":
		if len(entries) > 0 && entries[0].Name == databaseFile {
			return single
		}
	}
	return folder
}

// resolve is the path behind links, so that what they lead to is replaced and
// not they.
func resolve(out string) (string, error) {
	path, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", messages.Errorf("export to %s: there is no folder %s; make it first", out, filepath.Dir(path))
	}
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	behind, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return behind, err
}

// vacant says why out must not be written to.
func vacant(out, target string, made shape, force bool) error {
	file := made != folder
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case file && info.IsDir():
		return messages.Errorf("export to %s: a folder of that name %w; a name that ends in %s becomes a %s", out, errExists, filepath.Ext(out), made)
	case file && !info.Mode().IsRegular(), !file && !info.IsDir():
		return messages.Errorf("export to %s: %w and is no %s; give another name", out, errExists, made)
	case file && force:
		return nil
	case file:
		return messages.Errorf("export to %s: the file %w; give another name, or --force to replace it", out, errExists)
	}
	files, err := os.ReadDir(target)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !force {
			return messages.Errorf("export to %s: the folder %w and is not empty; give another, or --force to replace an earlier export", out, errExists)
		}
		if !f.Type().IsRegular() || !writes(f.Name()) {
			return messages.Errorf("export to %s: the folder %w and holds %s, which is of no export; give another folder, even with --force",
				out, errExists, f.Name())
		}
	}
	return nil
}

// writeFolder writes the files into a new folder and makes them durable.
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

// writeFile writes a new file and makes it durable.
func writeFile(ctx context.Context, name string, write func(io.Writer) error) error {
	return durable.WriteNew(name, 0, func(w io.Writer) error { return write(stoppable{ctx, w}) })
}

// stoppable writes until its context ends.
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

// replace gives made its name. A file or an empty folder of that name is
// replaced at once; a folder with files goes to old first, and comes back if
// its successor can't take its place.
func replace(made, target, old string) error {
	err := system.Rename(made, target)
	if system.Taken(err, target) {
		if err := system.Rename(target, old); err != nil {
			return err
		}
		if err = system.Rename(made, target); err != nil {
			return errors.Join(err, system.Rename(old, target))
		}
	}
	if err != nil {
		return durable.Explain(filepath.Dir(target), err)
	}
	return durable.SyncDir(filepath.Dir(target))
}
