package system

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// beyond returns the position of the byte that is locked. On Windows, locked bytes cannot be read
// or written by others, so the byte is far beyond the end of any file.
func beyond() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// Lock waits for an exclusive lock on f. Closing f unlocks it.
func Lock(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryLock locks f, which must not be a folder, without waiting. The lock is exclusive unless share
// is set. Closing f unlocks it. TryLock returns [ErrLocked] if another process has the lock, and
// [ErrNoLocks] if the file system has no locks.
func TryLock(f *os.File, share bool) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !share {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := lock(f, how)
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrLocked
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION), errors.Is(err, windows.ERROR_INVALID_PARAMETER):
		return fmt.Errorf("%w: %w", ErrNoLocks, err)
	}
	return err
}

func lock(f *os.File, how uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, beyond())
}
