//go:build unix

package access_test

import (
	"os"
	"syscall"
	"testing"
)

// TestEditKeepsOwner checks that an edit does not change the owner of the file, because the user
// who edits it may not be the user who runs the server.
func TestEditKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to somebody else")
	}
	path, _ := newFile(t, lab(t))
	must(t, os.Chown(path, 12345, 23456))
	must(t, do(t, path, "rate lab 7"))
	stat, err := os.Stat(path)
	must(t, err)
	if s := stat.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 {
		t.Errorf("after an edit the file belongs to %d:%d, want 12345:23456 as before", s.Uid, s.Gid)
	}
}
