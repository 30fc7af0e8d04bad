package durable

import (
	"os"

	"golang.org/x/sys/windows"
)

// Lock waits for the lock of f alone. Closing f unlocks it.
func Lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
