package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tempInfix = ".tmp-"

// tempPrefix is how the temporary file for a file called base begins.
func tempPrefix(base string) string { return "." + base + tempInfix }

// isTemporary reports whether a name is that of a temporary file for another.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.LastIndex(name, tempInfix) > 0
}

// ClearBeside removes what [WriteFile] and [Create] left of the file at path
// when they were killed. Nobody else may write it meanwhile.
func ClearBeside(path string) error {
	dir, base := filepath.Split(path)
	return clearDir(filepath.Clean(dir), func(name string) bool { return strings.HasPrefix(name, tempPrefix(base)) })
}

// ClearDir removes the temporary files that killed runs left in a directory.
func ClearDir(dir string) error { return clearDir(dir, func(string) bool { return true }) }

// clearDir removes the temporary files of a directory for which meant returns true.
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
