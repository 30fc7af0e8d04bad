//go:build unix

package access_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/api/access"
)

// TestOddFiles replaces the access file by a pipe or another object that is no regular file, and by
// a file of 1 GiB. The server must refuse each at once and with little memory, and the previous
// rights must remain in force. When the file is restored, it must be read again.
func TestOddFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.toml")
	if _, err := access.Create(path, lab(t)); err != nil {
		t.Fatal(err)
	}
	good := read(t, path)
	w := watch(t, path, time.Now)
	for _, odd := range []struct {
		name, says string
		make       func() error
	}{
		{"pipe", "not a regular file", func() error { return syscall.Mkfifo(path, 0o600) }},
		{"folder", "not a regular file", func() error { return os.Mkdir(path, 0o700) }},
		{"device", "not a regular file", func() error { return os.Symlink("/dev/zero", path) }},
		{"socket", path, func() error {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				return err
			}
			l.SetUnlinkOnClose(false)
			return l.Close()
		}},
		{"link to itself", path, func() error { return os.Symlink(filepath.Base(path), path) }},
		{"a GiB", "larger than", func() error { return errors.Join(os.WriteFile(path, good, 0o600), os.Truncate(path, 1<<30)) }},
	} {
		if err := errors.Join(os.Remove(path), odd.make()); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := w.look()
		runtime.ReadMemStats(&after)
		if len(got) != 1 || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), odd.says) || len(w.Table().Entries()) != 1 {
			t.Errorf("%s: reported %+v, and %d keys are in force; want one error that says %q, and the key from before", odd.name, got, len(w.Table().Entries()), odd.says)
		}
		if _, err := access.OpenFile(path, access.FileOptions{}); err == nil {
			t.Errorf("%s: taken at start", odd.name)
		}
		const enough = 128 << 20
		if took := after.TotalAlloc - before.TotalAlloc; took > enough {
			t.Errorf("%s: took %d MiB of memory, want less than %d", odd.name, took>>20, enough>>20)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		write(t, path, good)
		if got := w.look(); len(got) != 1 || got[0].Err != nil {
			t.Errorf("%s: put back: reported %+v, want that it is read", odd.name, got)
		}
	}
}
