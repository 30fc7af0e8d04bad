//go:build unix

package listen

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// unixSockets reports whether a service may listen on one.
const unixSockets = true

// NotifyHandover has c told of SIGUSR2, which had a server start its successor
// once, and would end it now.
func NotifyHandover(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR2) }

// lock waits for the lock of an open folder, which its Close gives back.
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
