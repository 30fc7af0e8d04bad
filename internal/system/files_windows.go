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
	// NoWait makes an open call on a pipe return at once, without waiting for the other end. On
	// Windows no file is a pipe.
	NoWait = 0
	// NoFollow makes an open call not follow a symbolic link. The call fails, or the opened file is
	// the link itself.
	NoFollow = windows.FILE_FLAG_OPEN_REPARSE_POINT
	// Modes reports whether the mode of a file determines who may use it. Windows uses access
	// control lists instead.
	Modes = false
)

// IsLink reports whether opening a file failed because it is a symbolic link. On Windows the call
// does not fail for that reason.
func IsLink(error) bool { return false }

const (
	renameTries = 20
	renamePause = 10 * time.Millisecond // the first pause; each later one is longer, all together take 2.1 s
)

// Rename renames a file or folder. It replaces a file that has the new name.
//
// The new name is durable when Rename returns, so the folder need not be synced. If another process
// has one of the files open, such as a server that reads CURRENT or a virus scanner, Rename waits a
// little.
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
			break // a rename never replaces a folder
		}
		if statErr == nil && info.Mode().Perm()&0o200 == 0 {
			// A read-only file cannot be replaced either.
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

// Taken reports whether [Rename] failed because a folder already has the new name.
func Taken(err error, to string) bool {
	info, statErr := os.Lstat(to)
	return err != nil && statErr == nil && info.IsDir()
}

// Busy reports whether a file cannot be renamed or removed because a process has it open. Windows
// may also return "access denied" for such a file.
func Busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// Links returns the number of names that a file has, or 0 if the number is not known.
func Links(path string) uint64 {
	f, err := os.OpenFile(path, os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return 0
	}
	defer f.Close() // the file was only read
	var i windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &i); err != nil {
		return 0
	}
	return uint64(i.NumberOfLinks)
}

// Owner reports that the owner is not known, because users of Windows have no numbers.
func Owner(fs.FileInfo) (user, group int, known bool) { return 0, 0, false }

// Writable returns an error if this user cannot create files in a folder. It tries to create one.
func Writable(folder string) error {
	f, err := os.CreateTemp(folder, ".bencao-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Full lists the errors which mean that a disk or a quota is full.
var Full = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}

// RoomOf returns the free space on the disk of a folder. Files and FilesLeft are 0, because Windows
// does not count files.
func RoomOf(folder string) (Room, error) {
	path, err := windows.UTF16PtrFromString(filepath.Clean(folder))
	if err != nil {
		return Room{}, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return Room{Free: int64(free)}, err
}
