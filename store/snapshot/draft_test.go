package snapshot_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/store/snapshot"
)

// unpublished checks that monday is still current after a draft failed. It then aborts the draft,
// which must leave no files and no other snapshot.
func unpublished(t *testing.T, d snapshot.Dir, draft *snapshot.Draft) {
	t.Helper()
	if got := currentName(t, d); got != "monday" {
		t.Errorf("current is %q, want still monday", got)
	}
	must(t, draft.Abort())
	must(t, draft.Abort()) // a second call is harmless
	if left, all := litter(t, d), ids(t, d); left != nil || len(all) != 1 {
		t.Errorf("an aborted draft left %q, snapshots %q", left, all)
	}
	if _, err := draft.Publish(t.Context(), content("tuesday"), accept); err == nil {
		t.Error("an aborted draft was published")
	}
}

func accept(string) error { return nil }

func TestPublishRefuses(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
		want string
	}{
		{"nothing", func(*testing.T, string) {}, "draft has no files"},
		{"a symbolic link", func(t *testing.T, dir string) { must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "x"))) }, "x is a symbolic link"},
		{"an empty directory", func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, "x"), 0o755)) }, "x is an empty directory"},
		{"a manifest", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "manifest.json"), nil, 0o644))
		}, "manifest.json"},
		{"a name with a line feed", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "a\nb"), nil, 0o644)) }, `"a\nb"`},
		{"a name that is not UTF-8", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "a\xff"), nil, 0o644)) }, `"a\xff"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := dataDir(t)
			mustBuild(t, d, "monday")
			draft, err := lock(t, d).Draft()
			must(t, err)
			tt.make(t, draft.Path())
			_, err = draft.Publish(t.Context(), content("tuesday"), accept)
			oneLine(t, err, tt.want)
			unpublished(t, d, draft)
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	draft, err := lock(t, d).Draft()
	must(t, err)
	must(t, fill(draft.Path(), "tuesday"))
	refusal := errors.New("species has 40 % fewer rows than yesterday")
	_, err = draft.Publish(t.Context(), content("tuesday"), func(dir string) error {
		if dir != draft.Path() {
			t.Errorf("check got %s, want the draft", dir)
		}
		info, err := os.Stat(filepath.Join(dir, "store.bolt"))
		must(t, err)
		if info.Mode().Perm() != 0o444 {
			t.Errorf("check sees store.bolt with mode %v, want read-only", info.Mode())
		}
		return refusal
	})
	if !errors.Is(err, refusal) {
		t.Errorf("Publish: %v, want the check's own error", err)
	}
	unpublished(t, d, draft)
}

// TestCheckMustNotWrite lets the check change the files of the draft, as it would by opening an
// index for writing. Publishing must then fail.
func TestCheckMustNotWrite(t *testing.T) {
	for file, write := range map[string]func(dir string) error{
		"store.bolt": func(dir string) error {
			name := filepath.Join(dir, "store.bolt")
			return errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, files("wednesday")["store.bolt"], 0o644))
		},
		"new":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o644) },
		"names.idx": func(dir string) error { return os.Remove(filepath.Join(dir, "names.idx")) },
	} {
		t.Run(file, func(t *testing.T) {
			d := dataDir(t)
			mustBuild(t, d, "monday")
			draft, err := lock(t, d).Draft()
			must(t, err)
			must(t, fill(draft.Path(), "tuesday"))
			_, err = draft.Publish(t.Context(), content("tuesday"), write)
			oneLine(t, err, file)
			unpublished(t, d, draft)
		})
	}
}

func TestPublishStops(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	draft, err := lock(t, d).Draft()
	must(t, err)
	must(t, fill(draft.Path(), "tuesday"))
	ctx, cancel := context.WithCancel(t.Context())
	_, err = draft.Publish(ctx, content("tuesday"), func(string) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Publish: %v, want that it was cancelled", err)
	}
	unpublished(t, d, draft)
}

// TestCloseAborts checks that a deferred Close of the writer removes an unpublished draft.
func TestCloseAborts(t *testing.T) {
	d := dataDir(t)
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	must(t, fill(draft.Path(), "monday"))
	if _, err := w.Draft(); err == nil {
		t.Error("a second draft was created although the first is unfinished")
	}
	must(t, w.Close())
	if left := litter(t, d); left != nil {
		t.Errorf("left behind %q", left)
	}
	if _, err := d.OpenCurrent(t.Context()); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("OpenCurrent: %v, want ErrNone", err)
	}
}

func TestTwoBuilders(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	kill := holding(t, d, "lock")
	_, err := build(d, "tuesday", snapshot.WriterOptions{})
	if !errors.Is(err, snapshot.ErrLocked) {
		t.Fatalf("a second builder: %v, want ErrLocked", err)
	}
	oneLine(t, err, "held by process ", "(bencao index, since 20", "wait until that is done")
	kill()
	if _, err := build(d, "tuesday", snapshot.WriterOptions{}); err != nil {
		t.Errorf("after the owner of the lock was killed: %v, want that the lock is free", err)
	}
	if got := currentName(t, d); got != "tuesday" {
		t.Errorf("current is %q, want tuesday", got)
	}
}

func TestLockExisting(t *testing.T) {
	d := dataDir(t)
	_, err := d.Lock(snapshot.WriterOptions{Existing: true})
	oneLine(t, err, "is not a data directory")
	if _, err := os.Stat(d.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Lock with Existing created the directory: %v", err)
	}
	must(t, os.MkdirAll(filepath.Dir(d.Path()), 0o755))
	must(t, os.WriteFile(d.Path(), nil, 0o644))
	if _, err := d.Lock(snapshot.WriterOptions{}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("Lock of a file: %v, want that it is not a directory", err)
	}
}
