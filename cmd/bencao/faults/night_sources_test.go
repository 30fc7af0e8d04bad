//go:build linux

package faults_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNightOddSources runs a nightly build with unusable sources, such as pipes, empty files and
// links. A careless program would wait forever for some of them. The build must fail and change
// nothing.
func TestNightOddSources(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	pkg := func(name string, change func(dir string) error) string {
		sources, err := buildSources()
		must(t, err)
		must(t, os.CopyFS(at(name), os.DirFS(filepath.Join(sources, "wednesday"))))
		must(t, change(at(name)))
		return at(name)
	}
	faultsOnly(t)
	must(t, syscall.Mkfifo(at("pipe"), 0o644))
	must(t, os.Symlink("loop", at("loop")))
	must(t, os.WriteFile(at("empty"), nil, 0o644))
	must(t, os.WriteFile(at("empty.zip"), nil, 0o644))
	must(t, os.Mkdir(at("nothing"), 0o755))
	whole := at("whole.zip")
	zipped(t, pkg("zipped", func(string) error { return nil }), whole)
	b, err := os.ReadFile(whole)
	must(t, err)
	must(t, os.WriteFile(at("half.zip"), b[:len(b)/2], 0o644))
	for _, tt := range []struct{ name, flag, path, says string }{
		{"nothing there", "--source", at("nowhere"), "does not exist; correct its path"},
		{"a pipe", "--source", at("pipe"), "not a folder, a zip or a file"},
		{"a device", "--source", "/dev/zero", "not a folder, a zip or a file"},
		{"a link to itself", "--source", at("loop"), "too many levels of symbolic links"},
		{"no bytes", "--source", at("empty"), "empty"},
		{"a zip without bytes", "--source", at("empty.zip"), "empty.zip"},
		{"half a zip", "--source", at("half.zip"), "cut off or not a zip"},
		{"an empty folder", "--source", at("nothing"), "has no files"},
		{"a folder with a pipe", "--source", pkg("piped", func(d string) error { return syscall.Mkfifo(filepath.Join(d, "more.csv"), 0o644) }), "more.csv is a link or a device"},
		{"a folder with a link", "--source", pkg("linked", func(d string) error { return os.Symlink("/etc/passwd", filepath.Join(d, "more.csv")) }), "more.csv is a link or a device"},
		{"a folder with a link to itself", "--source", pkg("looped", func(d string) error { return os.Symlink("more", filepath.Join(d, "more")) }), "more is a link or a device"},
		{"a table without bytes", "--source", pkg("emptied", func(d string) error { return os.Truncate(filepath.Join(d, "species.csv"), 0) }), "species.csv"},
		{"a table that is a folder", "--source", pkg("nested", func(d string) error {
			return errors.Join(os.Remove(filepath.Join(d, "species.csv")), os.Mkdir(filepath.Join(d, "species.csv"), 0o755))
		}), "species.csv"},
		{"a checklist that is a pipe", "--checklist", "more=" + at("pipe"), "checklist more: "},
		{"a checklist without bytes", "--checklist", "more=" + at("empty"), "checklist more: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := newBuild(t)
			before := n.state(t)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			out, err := exec.CommandContext(ctx, program(), append(n.flags, tt.flag, tt.path)...).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), tt.says) {
				t.Errorf("%v, want exit code 1 and a message with %q:\n%s", err, tt.says, out)
			}
			if got := n.serves(t); got != plantsTuesday || n.state(t) != before {
				t.Errorf("%d plants, want %d, and no changed file", got, plantsTuesday)
			}
			if b, err := os.ReadFile(filepath.Join(n.data, "last-report.json")); err != nil || !strings.Contains(string(b), `"outcome": "failed"`) {
				t.Errorf("last-report.json does not say that the build failed: %v", err)
			}
		})
	}
}

// zipped packs a folder into a zip file.
func zipped(t *testing.T, dir, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	w := zip.NewWriter(f)
	must(t, errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), f.Close()))
}

// TestNightSourcesChange changes the sources at the moment when the nightly build opens one of
// their files. It runs a build for each such moment. The build must not publish a mixture of old
// and new sources. It fails with a message that a source changed, or publishes a snapshot that the
// next run finds unchanged from the present sources.
func TestNightSourcesChange(t *testing.T) {
	t.Parallel()
	root, err := buildSources()
	must(t, err)
	tuesday, wednesday := filepath.Join(root, "tuesday"), filepath.Join(root, "wednesday")
	for _, tt := range []struct {
		name   string
		packed bool
		change func(source string) error
		each   int // every each-th moment is tried
	}{
		{"a table is cut off", false, func(source string) error { return os.Truncate(filepath.Join(source, "species.csv"), 10_000) }, 5},
		{"a table is replaced", false, func(source string) error {
			return errors.Join(os.CopyFS(source+".new", os.DirFS(wednesday)), os.Rename(filepath.Join(source+".new", "species.csv"), filepath.Join(source, "species.csv")))
		}, 5},
		{"a table is removed", false, func(source string) error { return os.Remove(filepath.Join(source, "aliases.csv")) }, 9},
		{"the folder is replaced", false, func(source string) error {
			return errors.Join(os.Rename(source, source+".old"), os.CopyFS(source, os.DirFS(wednesday)))
		}, 9},
		{"the zip is cut off", true, func(source string) error { return os.Truncate(source, 10_000) }, 1},
		{"the zip is replaced", true, func(source string) error { return os.Rename(source+".new", source) }, 1},
	} {
		for at := 1; ; at += tt.each {
			n := newBuild(t)
			source := filepath.Join(filepath.Dir(n.data), "package")
			if tt.packed {
				zipped(t, tuesday, source)
				zipped(t, wednesday, source+".new")
			} else {
				must(t, os.CopyFS(source, os.DirFS(tuesday)))
			}
			// File times have a coarse resolution. After an old time, a change is visible.
			old := time.Now().Add(-time.Hour)
			for _, p := range []string{source, filepath.Join(source, "species.csv")} {
				if _, err := os.Stat(p); err == nil {
					must(t, os.Chtimes(p, old, old))
				}
			}
			flags := append(n.flags, "--source", source, "--rebuild")
			end := afflict(t, harm{calls: opens, under: source, at: at, do: func() {
				if err := tt.change(source); err != nil {
					t.Error(err)
				}
			}}, flags...)
			moment := fmt.Sprintf("%s before call %d, %s", tt.name, at, end.hit)
			if end.hit == "" {
				if at < 4 {
					t.Errorf("%s: the build opens only %q, so the test covers too little", tt.name, end.met)
				}
				break
			}
			plants := n.serves(t)
			switch {
			case end.code == 0:
				if code, said := try(t, append(n.flags, "--source", source)...); code != 0 || !strings.Contains(said, "unchanged") {
					t.Errorf("%s: exit code 0, and the next run says %d, %s; want unchanged", moment, code, said)
				}
			case plants != plantsTuesday || end.code != 1 && end.code != 3:
				t.Errorf("%s: exit code %d, %d plants; want 1 and %d:\n%s", moment, end.code, plants, plantsTuesday, end.said)
			case at > 3 && (end.code != 1 || !strings.Contains(end.said, "changed while it was read")):
				// Before call 4, the build may not have read the source, so it may not notice the
				// change.
				t.Errorf("%s: exit code %d, want 1 and a message that a source changed:\n%s", moment, end.code, end.said)
			}
			n.tidy(t)
		}
	}
}
