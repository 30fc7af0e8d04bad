//go:build unix

package access

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for the lock of f alone.
func lockFile(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
