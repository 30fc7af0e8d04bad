package fullsize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "list.zip"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCAO_SHARED", dir)
	if path, err := fullsize.Find("list.zip"); err != nil || path != filepath.Join(dir, "list.zip") {
		t.Errorf("found %q, %v; want list.zip in %s", path, err, dir)
	}
	if _, err := fullsize.Find("no/such.zip"); err == nil || !strings.Contains(err.Error(), "BENCAO_SHARED") {
		t.Errorf("a missing file: %v, want an error that names BENCAO_SHARED", err)
	}
	skipped := t.Run("skips", func(t *testing.T) {
		fullsize.Path(t, "no/such.zip")
		t.Error("the test continues without its data")
	})
	if !skipped {
		t.Error("a test without its data fails, want that it is skipped")
	}
	t.Setenv("BENCAO_SHARED", "")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(wd, "..", "..", "..", "..", "shared")
	if path, err := fullsize.Find("."); err == nil && path != want || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("without BENCAO_SHARED the path is %q, %v; want %s", path, err, want)
	}
}
