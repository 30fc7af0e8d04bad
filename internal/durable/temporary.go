package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tempInfix = ".tmp-"

// tempPrefix returns the prefix of the names of temporary files for a file called base.
func tempPrefix(base string) string { return "." + base + tempInfix }

// isTemporary reports whether name is the name of a temporary file of this package.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.LastIndex(name, tempInfix) > 0
}

// ClearBeside removes the temporary files that [WriteFile] and [Create] left beside path when their
// process was killed. No other process may write the file at path at the same time.
func ClearBeside(path string) error {
	dir, base := filepath.Split(path)
	return clearDir(filepath.Clean(dir), func(name string) bool { return strings.HasPrefix(name, tempPrefix(base)) })
}

// ClearDir removes the temporary files that killed processes left in a directory.
func ClearDir(dir string) error { return clearDir(dir, func(string) bool { return true }) }

// clearDir removes temporary files of a directory. meant selects them by their names.
func clearDir(dir string, meant func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if !e.Type().IsRegular() || !isTemporary(e.Name()) || !meant(e.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
