package system_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bencao/internal/system"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|system.NoFollow|system.NoWait, 0o600)
	must(t, err)
	t.Cleanup(func() { f.Close() }) // the test may have closed it already
	return f
}

func TestLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "LOCK")
	a, b, c := open(t, path), open(t, path), open(t, path)
	for _, f := range []*os.File{a, b} {
		if err := system.TryLock(f, true); err != nil {
			t.Fatalf("a shared lock: %v", err)
		}
	}
	if err := system.TryLock(c, false); !errors.Is(err, system.ErrLocked) {
		t.Errorf("an exclusive lock while two share the file: %v, want ErrLocked", err)
	}
	must(t, errors.Join(a.Close(), b.Close()))
	must(t, system.Lock(c))
	if err := system.TryLock(open(t, path), true); !errors.Is(err, system.ErrLocked) {
		t.Errorf("a shared lock while the file is locked exclusively: %v, want ErrLocked", err)
	}
	// A locked file can still be read and written, also through another descriptor.
	if _, err := c.WriteAt([]byte("mine"), 0); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "mine" || err != nil {
		t.Errorf("a locked file reads as %q, %v", b, err)
	}
}

// TestRename replaces a read-only file while it is open, and checks that a rename cannot replace a
// folder.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "new"), filepath.Join(dir, "old")
	for path, mode := range map[string]fs.FileMode{from: 0o444, to: 0o444} {
		must(t, os.WriteFile(path, []byte(filepath.Base(path)), mode))
	}
	reader, err := os.Open(to)
	must(t, err)
	closed := make(chan error)
	time.AfterFunc(time.Millisecond, func() { closed <- reader.Close() }) // on Windows, Rename waits until it is closed
	defer func() {
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}()
	must(t, system.Rename(from, to))
	if b, err := os.ReadFile(to); string(b) != "new" || err != nil {
		t.Errorf("the replaced file reads as %q, %v", b, err)
	}
	if n := system.Links(to); n != 1 {
		t.Errorf("the replaced file has %d names", n)
	}
	must(t, system.Rename(to, from))
	for _, path := range []string{filepath.Join(dir, "a", "x"), filepath.Join(dir, "b", "x")} {
		must(t, errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)))
	}
	if err := system.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")); !system.Taken(err, filepath.Join(dir, "b")) {
		t.Errorf("renaming a folder to another folder: %v, want an error for which Taken returns true", err)
	}
}

func TestMachine(t *testing.T) {
	dir := t.TempDir()
	if room, err := system.RoomOf(dir); err != nil || room.Free <= 0 || room.FilesLeft > room.Files {
		t.Errorf("free space of the disk: %+v, %v", room, err)
	}
	if err := system.Writable(dir); err != nil {
		t.Error(err)
	}
	if err := system.Writable(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if system.CPUTime() <= 0 {
		t.Error("this test has used no processor time")
	}
}
