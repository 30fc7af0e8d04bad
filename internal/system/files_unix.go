//go:build unix

package system

import (
	"errors"
	"io/fs"
	"os"
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
)

// IsLink reports whether opening a file failed because it is a symbolic link.
func IsLink(err error) bool { return errors.Is(err, unix.ELOOP) }

// Rename renames a file or folder. It replaces a file that has the new name.
func Rename(from, to string) error { return os.Rename(from, to) }

// Taken reports whether [Rename] failed because a folder already has the new name.
func Taken(err error, _ string) bool {
	return errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST)
}

// Busy reports whether a file cannot be renamed or removed because a process has it open. On Unix
// an open file can be renamed and removed.
func Busy(error) bool { return false }

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
