package testkit

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// readers is an npm project. Its scripts use npm packages of other authors to read files that
// Bencao has written.
//
//go:embed readers readers/.npmrc
var readers embed.FS

var installing sync.Mutex

// Reader runs a script of the folder readers with node and returns its output. The npm packages are
// installed once into the user's cache. The test is skipped without BENCAO_NODE=1.
func Reader(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	if os.Getenv("BENCAO_NODE") != "1" {
		t.Skipf("NOT TESTED: %s is not run; set BENCAO_NODE=1, with node and npm, to run it", script)
	}
	installing.Lock()
	dir, err := installReaders()
	installing.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{filepath.Join(dir, script)}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// installReaders installs the npm packages of the folder readers and returns the folder with the
// installed packages. The name of that folder contains a hash of the files in readers. The packages
// are first installed in a folder with another name. So a folder with the final name is always
// complete.
func installReaders() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	files, err := fs.Sub(readers, "readers")
	if err != nil {
		return "", err
	}
	if err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		hash.Write([]byte(path))
		hash.Write(text)
		return err
	}); err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "bencao", fmt.Sprintf("readers-%x", hash.Sum(nil)[:6]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	aside, err := os.MkdirTemp(filepath.Dir(dir), "readers-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(aside)
	fresh := filepath.Join(aside, "new")
	if err := os.CopyFS(fresh, files); err != nil {
		return "", err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--loglevel=error")
	install.Dir = fresh
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w: %s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return "", err
		}
	}
	return dir, nil
}

// Program returns the path of a program that a test needs. If the program is missing, the test is
// skipped, but in CI it fails. install is the name of the Debian package.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("%s is missing, and CI must try this; .ci/run installs %s", name, install)
	}
	if err != nil {
		t.Skipf("NOT TESTED: needs %s; install %s", name, install)
	}
	return path
}
