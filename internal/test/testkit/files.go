package testkit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyFolder copies a folder with its modes, its times and symbolic links. The folder to must be
// missing or empty.
func CopyFolder(from, to string) error {
	modes := map[string]fs.FileMode{}
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		info, err := e.Info()
		switch {
		case err != nil:
			return err
		case e.IsDir():
			modes[at] = info.Mode().Perm()
			return os.MkdirAll(at, 0o700)
		case info.Mode().Type() == fs.ModeSymlink:
			target, err := os.Readlink(name)
			return errors.Join(err, os.Symlink(target, at))
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(at, text, 0o600)
		}
		if err == nil {
			err = os.Chmod(at, info.Mode().Perm())
		}
		if err == nil {
			err = os.Chtimes(at, info.ModTime(), info.ModTime())
		}
		return err
	})
	for dir, mode := range modes {
		err = errors.Join(err, os.Chmod(dir, mode))
	}
	return err
}
