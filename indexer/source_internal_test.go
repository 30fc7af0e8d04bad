package indexer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/indexer/archive"
)

// TestUnknownFormat checks that the error for a checklist of unknown format lists all formats.
func TestUnknownFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := archive.Open(path, archive.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	_, _, err = openList(src, Input{})
	if err == nil {
		t.Fatal("a table with unknown columns is opened")
	}
	for _, f := range formats {
		if !strings.Contains(err.Error(), f.kind) {
			t.Errorf("the error %q lacks the format %s", err, f.kind)
		}
	}
}
