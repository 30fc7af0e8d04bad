//go:build unix

package system

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Lock waits for the lock of f alone. Closing f unlocks it.
func Lock(f *os.File) error { return flock(f, unix.LOCK_EX) }

// TryLock takes the lock of f, a file or a folder, without waiting for it:
// alone, or together with others who share it. Closing f unlocks it. It returns
// [ErrLocked] or [ErrNoLocks].
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
