//go:build unix

package listen

import (
	"errors"
	"os"
	"syscall"
)

// unixSockets reports whether the system has unix sockets with file modes.
const unixSockets = true

// lock waits for an exclusive lock on an open folder. Closing the folder releases the lock.
func lock(dir *os.File) error {
	raw, err := dir.SyscallConn()
	if err != nil {
		return err
	}
	outer := raw.Control(func(fd uintptr) {
		for err = syscall.EINTR; err == syscall.EINTR; {
			err = syscall.Flock(int(fd), syscall.LOCK_EX)
		}
	})
	return errors.Join(outer, err)
}
