package system

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// A lock here keeps others from the bytes that are locked, so it is on one byte
// that no file has. Overlapped says where that is.
func beyond() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// Lock waits for the lock of f alone. Closing f unlocks it.
func Lock(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryLock takes the lock of f, which is no folder, without waiting for it:
// alone, or together with others who share it. Closing f unlocks it. It returns
// [ErrLocked] or [ErrNoLocks].
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
