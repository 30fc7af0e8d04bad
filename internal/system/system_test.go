package system_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

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

func TestLinks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	for n := uint64(1); n < 4; n++ {
		if got := system.Links(file); got != n {
			t.Errorf("the file has %d names, want %d", got, n)
		}
		must(t, os.Link(file, fmt.Sprint(file, n)))
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
