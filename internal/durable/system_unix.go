//go:build unix

package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bencao/internal/system"
)

// private has nothing to do: a temporary file is for its owner alone.
func private(*os.File) error { return nil }

// keep gives f the owner and group of the file at path, and returns its mode.
// If there is none, mode stays.
func keep(f *os.File, path string, mode fs.FileMode) (fs.FileMode, error) {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mode, nil
	}
	if err != nil {
		return 0, err
	}
	user, group, known := system.Owner(old)
	if !known {
		return 0, fmt.Errorf("the owner of %s is not known", path)
	}
	mine, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if u, g, known := system.Owner(mine); !known || u != user || g != group {
		if err := f.Chown(user, group); err != nil {
			return 0, fmt.Errorf("%w: %w", &ownerError{path}, err)
		}
	}
	return old.Mode().Perm(), nil
}

// ownerError says that a file can't keep its owner.
type ownerError struct{ path string }

func (e *ownerError) Error() string {
	return e.path + " belongs to somebody else, and who reads it now may not be able to if it changes hands; run this as its owner"
}

// SyncFile makes the content of a file durable.
func SyncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(Explain(filepath.Dir(name), f.Sync()), f.Close())
}

// SyncDir makes the names in a directory durable.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(Explain(dir, f.Sync()), f.Close())
}
