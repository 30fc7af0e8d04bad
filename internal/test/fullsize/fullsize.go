// Package fullsize finds test data that are too large for the repository, or whose licence does not
// allow them in it. The data are in the folder that BENCAO_SHARED names, or in the folder "shared"
// beside the repository. Only tests and benchmarks use the package. They must also work without
// these data.
package fullsize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Find returns the path of a file or folder of the data. If the data are missing, it returns an
// error that names BENCAO_SHARED.
func Find(name string) (string, error) {
	dir := os.Getenv("BENCAO_SHARED")
	if dir == "" {
		root, err := repository()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, "..", "shared")
	}
	path, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(name)))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", fmt.Errorf("the full-size test data are not here, set BENCAO_SHARED to their folder: %w", err)
	}
	return path, nil
}

// Path is like [Find], but skips the test if the data are missing. It also skips the test with
// -short, because reading the data takes long.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("SKIPPED, NOT PASSED: -short leaves out the full-size test data")
	}
	path, err := Find(name)
	if err != nil {
		tb.Skipf("SKIPPED, NOT PASSED: %v", err)
	}
	return path
}

// repository returns the path of the folder that contains go.mod: the folder of the test or a
// folder above it.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("no go.mod above the test")
		}
		dir = above
	}
}
