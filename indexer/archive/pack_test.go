package archive_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/archive"
)

// packed returns an entry with the given content.
func packed(name, text string) archive.Entry {
	return archive.Entry{Name: name, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}}
}

// TestPack checks that the same files, in any order, are packed to the same bytes, and that the zip
// contains these files when it is opened.
func TestPack(t *testing.T) {
	entries := []archive.Entry{packed("b.csv", strings.Repeat("人参,", 100_000)), packed("a.json", "{}"), packed("folder/c.txt", "")}
	pack := func(entries []archive.Entry) []byte {
		var b bytes.Buffer
		must(t, archive.Pack(&b, entries))
		return b.Bytes()
	}
	first := pack(entries)
	path := filepath.Join(t.TempDir(), "packed.zip")
	must(t, os.WriteFile(path, first, 0o600))
	a, err := archive.Open(path, archive.Limits{})
	must(t, err)
	defer a.Close()
	if want := []string{"a.json", "b.csv", "folder/c.txt"}; !slices.Equal(a.Files(), want) {
		t.Errorf("files %v, want %v", a.Files(), want)
	}
	slices.Reverse(entries)
	if !bytes.Equal(first, pack(entries)) {
		t.Error("files in another order give a different zip")
	}
	if !bytes.Equal(first, pack(a.Entries())) {
		t.Error("packing the files of the opened zip gives a different zip")
	}
}

func TestPackRefuses(t *testing.T) {
	for want, entries := range map[string][]archive.Entry{
		"occurs twice":   {packed("a.csv", ""), packed("b.csv", ""), packed("a.csv", "")},
		`".." in its`:    {packed("../a.csv", "")},
		"absolute path":  {packed("/a.csv", "")},
		"has no name":    {packed("", "")},
		"unexpected EOF": {{Name: "a.csv", Write: func(io.Writer) error { return io.ErrUnexpectedEOF }}},
	} {
		if err := archive.Pack(io.Discard, entries); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one that says %q", err, want)
		}
	}
}
