package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bencao/internal/system"
)

// keep gives f the owner and group of the file at path and returns that file's mode. If there is no
// such file, it returns mode.
func keep(f *os.File, path string, mode fs.FileMode) (fs.FileMode, error) {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mode, nil
	}
	if err != nil {
		return 0, err
	}
	user, group, known := system.Owner(old)
	if !known {
		return 0, fmt.Errorf("the owner of %s is not known", path)
	}
	mine, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if u, g, known := system.Owner(mine); !known || u != user || g != group {
		if err := f.Chown(user, group); err != nil {
			return 0, fmt.Errorf("%w: %w", &ownerError{path}, err)
		}
	}
	return old.Mode().Perm(), nil
}

// ownerError is returned if a file belongs to another user and this process cannot give a new file
// the same owner.
type ownerError struct{ path string }

func (e *ownerError) Error() string {
	return e.path + " belongs to another user, and its readers could lose access if its owner changed; run this as its owner"
}

// ownerOfFolder gives a new file the owner and group of its folder if this process is root. The
// owner of the folder can then use the file.
func ownerOfFolder(f *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(f.Name()))
	if err != nil {
		return err
	}
	user, group, known := system.Owner(folder)
	if !known || user == 0 {
		return nil
	}
	return f.Chown(user, group)
}

// Foreign returns the paths of the folder dir and of the files in it that do not belong to the owner
// of the file like. It omits symbolic links and the subfolder "usage", to which the server writes.
func Foreign(dir, like string) (paths []string, err error) {
	info, err := os.Stat(like)
	if err != nil {
		return nil, err
	}
	owner, _, known := system.Owner(info)
	if !known {
		return nil, nil
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if e != nil && path == filepath.Join(dir, "usage") {
			return filepath.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) || err == nil && e.Type() == fs.ModeSymlink {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if user, _, known := system.Owner(info); known && user != owner {
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// Adopt gives the folder dir, and the files in it that belong to another user, the owner and group
// of another file. The parameter owner is the path of that file. If the file belongs to root, or if
// this process is not root, Adopt does nothing.
func Adopt(dir, owner string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(owner)
	if err != nil {
		return err
	}
	user, group, known := system.Owner(info)
	if !known || user == 0 {
		return nil
	}
	paths, err := Foreign(dir, owner)
	for _, path := range paths {
		if e := os.Lchown(path, user, group); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// SyncFile makes the content of a file durable.
func SyncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(Explain(filepath.Dir(name), f.Sync()), f.Close())
}

// SyncDir makes the names in a directory durable, if the system can sync a directory.
func SyncDir(dir string) error {
	if !system.SyncsFolders {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(Explain(dir, f.Sync()), f.Close())
}
