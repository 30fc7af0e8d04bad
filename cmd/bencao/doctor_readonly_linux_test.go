package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReadOnlyFolder examines folders that have become read-only, by their modes and by their file
// system.
func TestReadOnlyFolder(t *testing.T) {
	found := func(folder string) diagnosis { return findFolder(&examined{settings: &settings{data: folder}})[0] }
	data := t.TempDir()
	inside := filepath.Join(data, "snapshots")
	must(t, os.Mkdir(inside, 0o755))
	if d := found(data); d.State != stateOK {
		t.Errorf("a usual folder: %+v", d)
	}
	for _, folder := range []string{inside, data} {
		must(t, os.Chmod(folder, 0o555))
		if d := found(data); d.State != stateFail || !strings.Contains(d.Found, folder+" is read-only, even for its owner (mode 0555)") {
			t.Errorf("%s has mode 0555: %+v", folder, d)
		}
		must(t, os.Chmod(folder, 0o755))
	}
	for line := range strings.Lines(read(t, "/proc/mounts")) {
		fields := strings.Fields(line)
		info, err := os.Stat(fields[1])
		if err != nil || !info.IsDir() || info.Mode().Perm()&0o002 != 0 || info.Mode().Perm()&0o200 == 0 || !slices.Contains(strings.Split(fields[3], ","), "ro") {
			continue
		}
		if d := found(fields[1]); d.State != stateWarn || !strings.Contains(d.Found, "is on a file system that is read-only") {
			t.Errorf("%s: %+v", fields[1], d)
		}
		return
	}
	t.Log("no file system is mounted read-only here")
}
