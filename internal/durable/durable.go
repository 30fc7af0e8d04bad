// Package durable writes files that survive a crash or a power cut. Afterwards a file has either
// its complete old content or its complete new content.
//
//	temporary file ─▶ write ─▶ fsync ─▶ rename ─▶ fsync of the directory
//
// Interrupted calls and short writes are repeated. A failed fsync is not, since a second call may
// report success although data is lost. Begin with [WriteFile].
package durable

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Options sets the properties of a file that [WriteFile] writes. With the zero value, WriteFile
// replaces a file or a symbolic link at the path by a file with mode 0644.
type Options struct {
	// Mode is the mode of the file. Zero means 0644.
	Mode fs.FileMode
	// Keep gives the new file the mode, owner and group of the old file, if there is one. WriteFile
	// fails if this process may not set that owner and group.
	Keep bool
	// ModTime is the modification time of the file. Zero means the time of the write.
	ModTime time.Time
}

// WriteFile writes data to the file at path and replaces an existing file. If this process runs as
// root, the file gets the owner of its folder. After an error the file has its old content, except
// that it may have the new content if the last fsync failed.
func WriteFile(path string, data []byte, opt Options) error {
	if opt.Mode == 0 {
		opt.Mode = 0o644
	}
	dir, base := filepath.Dir(path), filepath.Base(path)
	f, err := os.CreateTemp(dir, tempPrefix(base)+"*")
	if err != nil {
		return Explain(dir, err)
	}
	if err := fill(f, data, opt, path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return errors.Join(Explain(dir, err), os.Remove(f.Name()))
	}
	return SyncDir(dir)
}

// fill writes data to a new file, makes it durable and closes the file. For [Options.Keep], like is
// the path of the old file.
func fill(f *os.File, data []byte, opt Options, like string) error {
	_, err := f.Write(data)
	if err == nil {
		err = ownerOfFolder(f)
	}
	if err == nil && opt.Keep {
		opt.Mode, err = keep(f, like, opt.Mode)
	}
	if err == nil {
		err = f.Chmod(opt.Mode)
	}
	if err == nil && !opt.ModTime.IsZero() {
		err = os.Chtimes(f.Name(), time.Time{}, opt.ModTime)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(Explain(filepath.Dir(f.Name()), err), f.Close())
}

// Create creates a file that must not exist yet, such as a secret. If this process runs as root,
// the file gets the owner of its folder. After a crash the file is complete or absent. Create
// returns [fs.ErrExist] if the path exists. Only one process may call it for a path at a time.
func Create(path string, data []byte, mode fs.FileMode) error {
	if err := ClearBeside(path); err != nil {
		return err
	}
	dir, base := filepath.Dir(path), filepath.Base(path)
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already: %w", path, fs.ErrExist)
	}
	f, err := os.CreateTemp(dir, tempPrefix(base)+"*")
	if err != nil {
		return Explain(dir, err)
	}
	if err := fill(f, data, Options{Mode: mode}, ""); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	// Unlike a rename, a link never replaces an existing file.
	if err := os.Link(f.Name(), path); err != nil {
		return errors.Join(Explain(dir, err), os.Remove(f.Name()))
	}
	if err := os.Remove(f.Name()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return SyncDir(dir)
}

// WriteNew writes a new file, which must not exist yet, and makes its content durable. It is meant
// for files in a directory that gets its final name only after all its files are complete. So
// WriteNew does not remove the file after an error. A mode of zero means 0666, reduced by the
// umask.
func WriteNew(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return Explain(filepath.Dir(path), err)
	}
	defer func() { err = errors.Join(Explain(filepath.Dir(path), err), f.Close()) }()
	b := bufio.NewWriterSize(f, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	return f.Sync()
}

// MkdirAll makes a directory and its missing parents, durably. Their mode is 0755, reduced by the
// umask.
func MkdirAll(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if err := MkdirAll(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return Explain(parent, err)
	}
	return SyncDir(parent)
}
