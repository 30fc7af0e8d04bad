package durable_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bencao/internal/durable"
	"bencao/internal/system"
	"bencao/internal/test/testkit"
)

// names returns the names of the files in a directory.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// must ends the test if there is an error.
var must = testkit.Must

// has checks a file's content and mode.
func has(t *testing.T, path, want string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if err != nil || string(got) != want || statErr != nil {
		t.Errorf("%s is %q (%v, %v), want %q", path, got, err, statErr, want)
	} else if system.Modes && info.Mode().Perm() != mode {
		t.Errorf("%s has mode %v, want %v", path, info.Mode(), mode)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // a name without a folder must not use the system's temporary folder
	for _, want := range []string{"first", "second, longer", ""} {
		must(t, durable.WriteFile("access.toml", []byte(want), durable.Options{Mode: 0o600}))
		has(t, "access.toml", want, 0o600)
	}
	if err := durable.WriteFile(filepath.Join(dir, "none", "x"), nil, durable.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a write into a missing directory: %v, want ErrNotExist", err)
	}
	must(t, os.Mkdir("folder", 0o755))
	if err := durable.WriteFile("folder", nil, durable.Options{}); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"access.toml", "folder"}) {
		t.Errorf("the directory holds %q, want access.toml and folder", got)
	}
}

func TestWriteFileKeeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "access.toml")
	must(t, durable.WriteFile(path, []byte("new"), durable.Options{Mode: 0o600, Keep: true}))
	has(t, path, "new", 0o600)
	must(t, os.Chmod(path, 0o640))
	must(t, durable.WriteFile(path, []byte("newer"), durable.Options{Mode: 0o600, Keep: true}))
	has(t, path, "newer", 0o640)
}

// TestWriteFileAtLinks checks that WriteFile replaces a symbolic link, not its target.
func TestWriteFileAtLinks(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must(t, os.WriteFile(file, []byte("old"), 0o644))
	must(t, os.Symlink("file", link))
	must(t, durable.WriteFile(link, []byte("replaced"), durable.Options{}))
	has(t, link, "replaced", 0o644)
	has(t, file, "old", 0o644)
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("link is %v (%v), want a file in its place", info.Mode(), err)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	must(t, os.WriteFile(filepath.Join(dir, ".key.tmp-123"), []byte("of a run that was killed"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, ".other.tmp-123"), nil, 0o600))
	must(t, durable.Create(path, []byte("secret"), 0o600))
	has(t, path, "secret", 0o600)
	if err := durable.Create(path, []byte("another"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second Create: %v, want ErrExist", err)
	}
	has(t, path, "secret", 0o600)
	if got := names(t, dir); !slices.Equal(got, []string{".other.tmp-123", "key"}) {
		t.Errorf("the directory holds %q, want the key and the temporary file of another path", got)
	}
}

func TestWriteNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "part")
	write := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	must(t, durable.WriteNew(path, 0o444, write))
	has(t, path, "text", 0o444)
	if err := durable.WriteNew(path, 0, write); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second WriteNew: %v, want ErrExist", err)
	}
	own := errors.New("of the writer")
	if err := durable.WriteNew(path+"2", 0, func(io.Writer) error { return own }); !errors.Is(err, own) {
		t.Errorf("got %v, want the writer's error", err)
	}
}

func TestMkdirAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	must(t, durable.MkdirAll(dir))
	must(t, durable.MkdirAll(dir))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	if err := durable.MkdirAll(filepath.Join(dir, "file")); err == nil {
		t.Error("MkdirAll accepted a file as the directory")
	}
}
