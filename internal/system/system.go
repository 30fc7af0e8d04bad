// Package system asks and does what each operating system has a way of its own
// for: locks, names that change hands, room on a disk, users, what a process
// has used. A caller need not know which system it runs on; where one has no
// such thing, the function says so.
package system

import "errors"

var (
	// ErrLocked is returned by [TryLock] while somebody else has the lock.
	ErrLocked = errors.New("is locked by another process")
	// ErrNoLocks is returned by [TryLock] where the file system can't lock.
	ErrNoLocks = errors.New("the file system has no such locks")
)

// Room is what a disk has left for this user.
type Room struct {
	// Free is in bytes.
	Free int64
	// Files is how many files the disk can hold, 0 if it does not count them,
	// and FilesLeft how many more.
	Files, FilesLeft int64
}
