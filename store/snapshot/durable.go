package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFileAtomic replaces the file at path, so that after a crash or a power
// cut it has either its old content or its new one. A symbolic link at path is
// replaced, not followed. On error the old content is still there, except that
// when the last fsync fails the new one may be.
func WriteFileAtomic(path string, data []byte, mode fs.FileMode) error {
	dir, base := filepath.Dir(path), filepath.Base(path)
	f, err := os.CreateTemp(dir, tempPrefix(base)+"*")
	if err != nil {
		return err
	}
	if err := fill(f, data, mode); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(dir)
}

// ClearTemporary removes what [WriteFileAtomic] left of files beside path when
// it was killed while it wrote it. Nobody else may write it meanwhile.
func ClearTemporary(path string) error {
	dir, base := filepath.Split(path)
	return clearTemporary(filepath.Clean(dir), func(name string) bool { return strings.HasPrefix(name, tempPrefix(base)) })
}

// clearTemporary removes the temporary files of a directory that are meant.
func clearTemporary(dir string, meant func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if e.Type().IsRegular() && isTemp(e.Name()) && meant(e.Name()) {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

const tempInfix = ".tmp-"

// tempPrefix is how the temporary file for a file called base begins.
func tempPrefix(base string) string { return "." + base + tempInfix }

// isTemp tells a temporary file for another, not a draft, which has no name.
func isTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.LastIndex(name, tempInfix) > 0
}

// fill writes data to a new file, makes it durable and closes it.
func fill(f *os.File, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// makeDir makes a directory and those above it, durably.
func makeDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if err := makeDir(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}
