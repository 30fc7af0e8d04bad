//go:build unix

package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noRoom tells that an error is that of a full disk or quota.
func noRoom(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// room is how many bytes are free on the disk of dir, how many files it can
// hold, 0 if it does not count them, and how many more.
func room(dir string) (free, files, left int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), int64(s.Files), int64(s.Ffree), nil
}

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
	want, known := old.Sys().(*syscall.Stat_t)
	if !known {
		return 0, fmt.Errorf("the owner of %s is not known", path)
	}
	mine, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if is, known := mine.Sys().(*syscall.Stat_t); !known || is.Uid != want.Uid || is.Gid != want.Gid {
		if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
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

// SyncDir makes the names in a directory durable.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(Explain(dir, f.Sync()), f.Close())
}
