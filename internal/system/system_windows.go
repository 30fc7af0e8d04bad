package system

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// On Windows the program has only the commands that ask a server. The functions that no such command
// needs do nothing there, or return an error.

const (
	// NoWait makes an open call on a pipe return at once. On Windows it does nothing.
	NoWait = 0
	// NoFollow makes an open call not follow a symbolic link. On Windows it does nothing.
	NoFollow = 0
	// Modes reports whether the mode of a file determines who may use it.
	Modes = false
	// SyncsFolders reports whether a folder can be synced.
	SyncsFolders = false
)

// AddressTaken is the error if another process listens on an address.
const AddressTaken = windows.WSAEADDRINUSE

// ReadOnly is the error if a disk is protected from writes.
const ReadOnly = windows.ERROR_WRITE_PROTECT

// Full lists the errors which mean that a disk or a quota is full.
var Full = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}

// IsLink returns false.
func IsLink(error) bool { return false }

// Links returns 0: the number is not known.
func Links(string) uint64 { return 0 }

// Owner reports that the owner is not known.
func Owner(fs.FileInfo) (user, group int, known bool) { return 0, 0, false }

// Writable returns an error.
func Writable(string) error { return errors.ErrUnsupported }

// RoomOf returns an error.
func RoomOf(string) (Room, error) { return Room{}, errors.ErrUnsupported }

// Lock returns an error.
func Lock(*os.File) error { return ErrNoLocks }

// TryLock returns an error.
func TryLock(*os.File, bool) error { return ErrNoLocks }

// CPUTime returns 0: the time is not known.
func CPUTime() time.Duration { return 0 }

// Memory returns 0: the number is not known.
func Memory() int64 { return 0 }

// PeakMemory returns 0: the number is not known.
func PeakMemory() int64 { return 0 }
