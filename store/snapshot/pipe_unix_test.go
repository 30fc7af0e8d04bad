//go:build unix

package snapshot_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// makePipe makes a named pipe.
func makePipe(t testing.TB, path string) {
	t.Helper()
	must(t, unix.Mkfifo(path, 0o644))
}
