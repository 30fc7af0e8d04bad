package durable_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bencao/internal/durable"
)

// TestInodesRunOut fills a disk with files until it has megabytes left but no inode for another
// file. Each function must then return an error that says so.
func TestInodesRunOut(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("bencao", dir, "tmpfs", 0, "size=16m,nr_inodes=8"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("a disk of few files is needed for this test and must be there when CI is true: %v", err)
		}
		t.Skipf("SKIPPED: the right to mount a small disk is needed for this test: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	must(t, durable.WriteFile(filepath.Join(dir, "old"), []byte("old"), durable.Options{}))
	var err error
	for n := 0; err == nil; n++ {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), nil, 0o644)
	}
	for what, do := range map[string]func(path string) error{
		"WriteFile": func(path string) error { return durable.WriteFile(path, []byte("new"), durable.Options{}) },
		"Create":    func(path string) error { return durable.Create(path+"2", []byte("new"), 0o600) },
		"WriteNew":  func(path string) error { return durable.WriteNew(path+"3", 0, nil) },
		"MkdirAll":  func(path string) error { return durable.MkdirAll(path + "4") },
	} {
		err := do(filepath.Join(dir, "old"))
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no inodes") || strings.Count(err.Error(), "no inodes") > 1 {
			t.Errorf("%s without inodes: %v, want an error that there are no inodes", what, err)
		}
	}
	has(t, filepath.Join(dir, "old"), "old", 0o644)
}
