package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// ownerAlone is an access control list that lets only the owner of a file, the system and
// administrators use the file, whatever the folder allows.
const ownerAlone = "D:P(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)"

// private lets only the owner read a new file.
func private(f *os.File) error {
	access, err := windows.SecurityDescriptorFromString(ownerAlone)
	if err != nil {
		return err
	}
	return setAccess(f, access)
}

// keep gives f the access control list of the file at path and returns the mode of that file. It
// does not change the owner of f. If there is no file at path, keep only returns mode.
func keep(f *os.File, path string, mode fs.FileMode) (fs.FileMode, error) {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mode, nil
	}
	if err != nil {
		return 0, err
	}
	access, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return 0, err
	}
	return old.Mode().Perm(), setAccess(f, access)
}

// setAccess gives f the access control list of a security descriptor.
func setAccess(f *os.File, from *windows.SECURITY_DESCRIPTOR) error {
	list, _, err := from.DACL()
	if err != nil {
		return err
	}
	control, _, err := from.Control()
	if err != nil {
		return err
	}
	what := windows.SECURITY_INFORMATION(windows.DACL_SECURITY_INFORMATION)
	if control&windows.SE_DACL_PROTECTED != 0 {
		what |= windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	return windows.SetNamedSecurityInfo(f.Name(), windows.SE_FILE_OBJECT, what, nil, nil, list, nil)
}

// SyncFile makes the content of a file durable. That needs the right to write to the file, so
// SyncFile makes a read-only file writable for a moment.
func SyncFile(name string) (err error) {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o200 == 0 {
		if err := os.Chmod(name, mode|0o200); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Chmod(name, mode)) }()
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(Explain(filepath.Dir(name), f.Sync()), f.Close())
}

// SyncDir does nothing, because Windows cannot sync a folder. [system.Rename] is durable when it
// returns, and NTFS records the names of new files in its journal, in order.
func SyncDir(string) error { return nil }

// ownerOfFolder does nothing, since on Windows a file inherits the rights of its folder.
func ownerOfFolder(*os.File) error { return nil }

// Foreign returns nothing, since on Windows access to a file does not depend on its owner.
func Foreign(dir, like string) ([]string, error) { return nil, nil }

// Adopt does nothing, since on Windows access to a file does not depend on its owner.
func Adopt(dir, owner string) error { return nil }
