//go:build unix

package system

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// NoWait makes an open call on a pipe return at once, without waiting for the other end.
	NoWait = unix.O_NONBLOCK
	// NoFollow makes an open call not follow a symbolic link. The call fails, or the opened file is
	// the link itself.
	NoFollow = unix.O_NOFOLLOW
	// Modes reports whether the mode of a file determines who may use it.
	Modes = true
	// SyncsFolders reports whether a folder can be synced.
	SyncsFolders = true
)

// IsLink reports whether opening a file failed because it is a symbolic link.
func IsLink(err error) bool { return errors.Is(err, unix.ELOOP) }

// Links returns the number of names that a file has, or 0 if the number is not known.
func Links(path string) uint64 {
	var s unix.Stat_t
	if err := unix.Lstat(path, &s); err != nil {
		return 0
	}
	return uint64(s.Nlink)
}

// Owner returns the user and group that a file belongs to.
func Owner(info fs.FileInfo) (user, group int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}

// Writable returns an error if this user cannot create files in a folder.
func Writable(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }

// Full lists the errors which mean that a disk or a quota is full.
var Full = []error{unix.ENOSPC, unix.EDQUOT}

// RoomOf returns the free space on the disk of a folder.
func RoomOf(folder string) (Room, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return Room{}, err
	}
	return Room{Free: int64(s.Bavail) * int64(s.Bsize), Files: int64(s.Files), FilesLeft: int64(s.Ffree)}, nil
}
