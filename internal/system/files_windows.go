package system

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

const (
	// NoWait keeps an open from waiting for the other end of a pipe. No file
	// here is one.
	NoWait = 0
	// NoFollow keeps an open from following a symbolic link. The open fails, or
	// what is open shows that it is one.
	NoFollow = windows.FILE_FLAG_OPEN_REPARSE_POINT
	// Modes tells that the mode of a file says who may use it. Here access
	// control lists say that.
	Modes = false
)

// IsLink reports whether an open failed on a symbolic link. On Windows it does not fail.
func IsLink(error) bool { return false }

const (
	renameTries = 20
	renamePause = 10 * time.Millisecond // and longer each time: 2.1 s in all
)

// Rename gives a file or folder another name. A file of that name is replaced.
//
// It is durable when it returns, so no folder need be synced. It waits a little
// for whoever has the file or its successor open: a server that looks at
// CURRENT, a virus scanner.
func Rename(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	for try := range renameTries {
		err = windows.MoveFileEx(old, name, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
		if !Busy(err) {
			break
		}
		info, statErr := os.Lstat(to)
		if statErr == nil && info.IsDir() {
			break // no rename replaces a folder
		}
		if statErr == nil && info.Mode().Perm()&0o200 == 0 {
			// A file that is read-only is not replaced either.
			if err := os.Chmod(to, 0o600); err != nil {
				return err
			}
		}
		time.Sleep(time.Duration(try+1) * renamePause)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// Taken reports whether [Rename] failed because a folder has the name.
func Taken(err error, to string) bool {
	info, statErr := os.Lstat(to)
	return err != nil && statErr == nil && info.IsDir()
}

// Busy tells that a file can't be renamed or removed while somebody has it
// open. Windows also says that access is denied, as to one without the right.
func Busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// Links is how many names a file has; 0 if that can't be known.
func Links(path string) uint64 {
	f, err := os.OpenFile(path, os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return 0
	}
	defer f.Close() // only read
	var i windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &i); err != nil {
		return 0
	}
	return uint64(i.NumberOfLinks)
}

// Owner is the user and group that a file belongs to. Users have no numbers
// here.
func Owner(fs.FileInfo) (user, group int, known bool) { return 0, 0, false }

// Writable returns an error if this user can't make files in a folder. To know
// it, one is made.
func Writable(folder string) error {
	f, err := os.CreateTemp(folder, ".bencao-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Full are the errors of a disk or quota that has no room.
var Full = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}

// RoomOf is what the disk of a folder has left. It does not count files.
func RoomOf(folder string) (Room, error) {
	path, err := windows.UTF16PtrFromString(filepath.Clean(folder))
	if err != nil {
		return Room{}, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return Room{Free: int64(free)}, err
}
