//go:build unix

package system

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Lock waits for an exclusive lock on f. Closing f unlocks it.
func Lock(f *os.File) error { return flock(f, unix.LOCK_EX) }

// TryLock locks f, a file or a folder, without waiting. The lock is exclusive unless share is set.
// Closing f unlocks it. TryLock returns [ErrLocked] if another process has the lock, and
// [ErrNoLocks] if the file system has no locks.
func TryLock(f *os.File, share bool) error {
	how := unix.LOCK_EX
	if share {
		how = unix.LOCK_SH
	}
	err := flock(f, how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	for _, no := range []unix.Errno{unix.ENOLCK, unix.ENOTSUP, unix.ENOSYS, unix.EINVAL, unix.EBADF, unix.EISDIR} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", ErrNoLocks, err)
		}
	}
	return err
}

func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		if err != unix.EINTR {
			return err
		}
	}
}
