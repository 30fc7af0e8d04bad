// Package system provides functions that each operating system implements differently: locks, free
// space on a disk, users, and the resources that a process has used. A caller need not know the
// system. If a system lacks a feature, the function's documentation says so.
package system

import "errors"

var (
	// ErrLocked is returned by [TryLock] while another process has the lock.
	ErrLocked = errors.New("is locked by another process")
	// ErrNoLocks is returned by [TryLock] if the file system has no locks.
	ErrNoLocks = errors.New("the file system has no such locks")
)

// Room is the free space on a disk for this user.
type Room struct {
	// Free is the free space in bytes.
	Free int64
	// Files is the number of files that the disk can hold, or 0 if it does not count them.
	// FilesLeft is the number of files that can still be added.
	Files, FilesLeft int64
}
