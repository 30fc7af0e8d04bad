//go:build !unix

package durable

import (
	"errors"
	"io/fs"
	"os"
)

// noRoom is never told of: this system has other errors.
func noRoom(error) bool { return false }

func room(string) (free, files, left int64, err error) { return 0, 0, 0, errors.ErrUnsupported }

// keep keeps the mode only: owners are not the file's own here.
func keep(_ *os.File, path string, mode fs.FileMode) (fs.FileMode, error) {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mode, nil
	}
	if err != nil {
		return 0, err
	}
	return old.Mode().Perm(), nil
}

// SyncDir does nothing: NTFS keeps renames in its journal.
func SyncDir(string) error { return nil }
