package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilledSources kills the generation of sources. It checks that every command refuses the
// incomplete sources and names the folder to remove. After the removal the sources can be
// generated.
func TestKilledSources(t *testing.T) {
	folder := t.TempDir()
	sources := filepath.Join(folder, "0.001", "sources")
	cmd := exec.Command(os.Args[0], "data", "-scale", "1", "-out", sources)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written := func() bool {
		found, err := filepath.Glob(filepath.Join(filepath.Dir(sources), "*", "wcvp", "*"))
		return err == nil && len(found) > 0
	}
	for deadline := time.Now().Add(5 * time.Minute); !written(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no file is written")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the command ended before it was killed")
	}

	somewhere := filepath.Join(folder, "somewhere")
	for _, args := range [][]string{
		{"data", "-scale", "0.001", "-out", sources},
		{"build", "-sources", sources, "-data", somewhere, "-out", somewhere},
		{"build", "-sources", sources + ".half", "-data", somewhere, "-out", somewhere},
	} {
		var errs bytes.Buffer
		if code := run(args, nil, &bytes.Buffer{}, &errs); code != 2 || !strings.Contains(errs.String(), sources+".half is half made") {
			t.Errorf("%q: exit %d, %q; want 2 and that the sources are half made", args, code, &errs)
		}
	}
	if err := os.RemoveAll(sources + ".half"); err != nil {
		t.Fatal(err)
	}
	if code := run([]string{"data", "-scale", "0.001", "-out", sources}, nil, &bytes.Buffer{}, os.Stderr); code != 0 {
		t.Errorf("made again: exit %d", code)
	}
	if list, err := os.ReadDir(filepath.Dir(sources)); err != nil || len(list) != 1 || list[0].Name() != "sources" {
		t.Errorf("beside the sources are %v (%v), want nothing", list, err)
	}
}
