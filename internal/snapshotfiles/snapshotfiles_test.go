package snapshotfiles_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/snapshotfiles"
	"bencao/names"
	"bencao/store/snapshot"
)

// TestContents opens all parts of a snapshot, then one part, then a snapshot with a missing file.
// The last call must return an error and leave no file open.
func TestContents(t *testing.T) {
	data := snapshot.At(filepath.Join(t.TempDir(), "data"))
	cfg := indexer.Config{Data: data.Path(), Package: indexer.Input{Path: "sample", FS: sample.Package()}}
	if _, err := indexer.Run(t.Context(), cfg, indexer.Options{}); err != nil {
		t.Fatal(err)
	}
	all, err := snapshotfiles.Current(t.Context(), data, snapshotfiles.All)
	must(t, err)
	if err := all.Warm(t.Context()); err != nil {
		t.Error(err)
	}
	if err := all.Close(); err != nil {
		t.Error(err)
	}
	only, err := snapshotfiles.Current(t.Context(), data, snapshotfiles.Names)
	must(t, err)
	if only.Store != nil || only.Species != nil || only.Formulas != nil || only.Papers != nil {
		t.Errorf("other parts than the names are open: %+v", only)
	}
	if r, err := only.Names.Match(names.Query{Name: "Panax ginseng"}); err != nil || len(r.Results) == 0 {
		t.Errorf("the names find %v (%v), want a name", r, err)
	}
	if err := only.Close(); err != nil {
		t.Error(err)
	}

	held, err := data.OpenCurrent(t.Context())
	must(t, err)
	if err := snapshotfiles.SameSchema(held.Manifest); err != nil {
		t.Errorf("a snapshot of this program has another schema: %v", err)
	}
	copied := t.TempDir()
	must(t, errors.Join(os.CopyFS(copied, os.DirFS(held.Path())), held.Close()))
	must(t, os.RemoveAll(filepath.Join(copied, "papers.bleve")))
	if _, err := snapshotfiles.Open(copied, snapshotfiles.All); err == nil || !strings.Contains(err.Error(), "papers.bleve") {
		t.Errorf("without the papers: %v, want an error that names papers.bleve", err)
	}
	if open := openBelow(t, copied); len(open) > 0 {
		t.Errorf("still open: %q", open)
	}
}

// openBelow returns the files in a folder that this process has open.
func openBelow(t *testing.T, dir string) (open []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(links) == 0 {
		t.Logf("open files are not checked, since this system does not list them: %v", err)
	}
	for _, l := range links {
		file, err := os.Readlink(l)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the file was closed at this moment
			t.Error(err)
		}
		if strings.HasPrefix(file, dir) {
			open = append(open, file)
		}
	}
	return open
}
