package indexer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/indexer/archive"
)

// TestUnknownFormat checks that the error for a checklist of unknown format lists all formats, also if
// a readme beside the table cannot be read. If the table cannot be read, the error says why.
func TestUnknownFormat(t *testing.T) {
	for _, tt := range []struct {
		what  string
		files map[string]string
		known bool
	}{
		{"a table", map[string]string{"odd.csv": "a,b\n1,2\n"}, false},
		{"a readme in Latin-1 after a table", map[string]string{"odd.csv": "Taxon;Auteur\n1;2\n", "readme.txt": "Vari\xe9t\xe9s\n"}, false},
		{"a readme in Latin-1 before a table", map[string]string{"odd.csv": "Taxon;Auteur\n1;2\n", "a.txt": "Vari\xe9t\xe9s\n"}, false},
		{"a table in Latin-1", map[string]string{"odd.csv": "name,vari\xe9t\xe9\nRosa,2\n"}, true},
		{"a table in Latin-1 after a readme", map[string]string{"odd.csv": "name,vari\xe9t\xe9\nRosa,2\n", "a.txt": "A list\n"}, true},
		{"a table in Latin-1 before a readme", map[string]string{"odd.csv": "name,vari\xe9t\xe9\nRosa,2\n", "readme.txt": "A list\n"}, true},
	} {
		folder := t.TempDir()
		for name, text := range tt.files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		src, err := archive.Open(folder, archive.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		_, _, err = openList(src, Input{})
		if err == nil {
			t.Fatalf("%s: opened", tt.what)
		}
		if known := strings.Contains(err.Error(), "odd.csv:1: the text is not UTF-8"); known != tt.known {
			t.Errorf("%s: %q; want that it speaks of UTF-8: %v", tt.what, err, tt.known)
		}
		for _, f := range formats {
			if !tt.known && !strings.Contains(err.Error(), f.kind) {
				t.Errorf("%s: the error %q lacks the format %s", tt.what, err, f.kind)
			}
		}
	}
}
