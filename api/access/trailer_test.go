package access_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

// TestCutAnywhere cuts files off at every byte. For each cut file, a running server sees it for a
// long time, another server starts with it, and an edit tries to seal it. No cut file may enable a
// key that is disabled or expired, and none may count as complete.
func TestCutAnywhere(t *testing.T) {
	open, off, ended := lab(t), lab(t), lab(t)
	off.ID, off.Disabled, off.Note = "off", true, "stolen"
	ended.ID, ended.Expires = "ended", noon.Add(-time.Hour)
	path, secrets := newFile(t, ended, open, off)
	data := read(t, path)
	for name, text := range map[string][]byte{
		"as it was made":    data,
		"with CRLF":         bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"edited by hand":    bytes.Replace(data, []byte("note = 'stolen'"), []byte("note = \"left in a taxi\" # or a bus"), 1),
		"without line end":  bytes.TrimRight(data, "\n"),
		"with a short end":  append(bytes.Clone(data[:bytes.LastIndex(data, []byte(" (checksum"))]), '\n'),
		"with bare edges":   append(bytes.Clone(data), "\n\n  \n"...),
		"an end made twice": append(bytes.Clone(data), data[bytes.LastIndex(data, []byte("# end")):]...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(memory(t), "access.toml")
			write(t, path, data)
			cutAnywhere(t, path, text, secrets)
		})
	}
}

// cutAnywhere tests a text with three keys, of which only the second is valid.
func cutAnywhere(t *testing.T, path string, text []byte, secrets []access.Secret) {
	c := newClock()
	w := watch(t, path, c.Now)
	write(t, path, text)
	w.look()
	c.Go(time.Minute)
	w.look()
	first := bytes.Index(text, []byte("\n# end of access file")) + len("\n# end of access file")
	for n := range len(text) {
		write(t, path, text[:n])
		w.look()
		c.Go(time.Minute)
		err := w.Reload()
		for i, want := range []bool{false, true, false} {
			_, refused := w.Table().Authenticate([]string{secrets[i].Reveal()}, noon)
			if (refused == nil) != want {
				t.Fatalf("cut off at byte %d of %d: key %d works: %v, want %v:\n%s", n, len(text), i+1, !want, want, text[:n])
			}
		}
		if n > 0 && text[n-1] == '\r' {
			continue // cut between \r and \n; such a file is never valid
		}
		if cut := n < first; cut != (err != nil) {
			t.Fatalf("cut off at byte %d of %d: %v, want an error: %v", n, len(text), err, cut)
		}
		if n >= first {
			continue
		}
		if _, err := access.OpenFile(path, access.FileOptions{Sleep: func(time.Duration) {}}); err == nil {
			t.Fatalf("cut off at byte %d of %d: a server starts with it", n, len(text))
		}
		if err := access.SealAtOnce(path); err == nil {
			t.Fatalf("cut off at byte %d of %d: it can be sealed", n, len(text))
		}
	}
}

// TestLeftovers checks that an edit removes the temporary files of edits that were killed, and no
// other files.
func TestLeftovers(t *testing.T) {
	path, _ := newFile(t, lab(t))
	dir := filepath.Dir(path)
	gone := []string{".access.toml.tmp-123", ".access.toml.tmp-4294967295"}
	stays := []string{".access.toml.tmp", "access.toml.tmp-1", ".other.toml.tmp-123", ".access.toml.lock"}
	for _, name := range append(gone, stays...) {
		write(t, filepath.Join(dir, name), nil)
	}
	if err := os.Mkdir(filepath.Join(dir, ".access.toml.tmp-99"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := do(t, path, "rate lab 7"); err != nil {
		t.Fatal(err)
	}
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}
	for _, name := range gone {
		if there(name) {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range append(stays, ".access.toml.tmp-99") {
		if !there(name) {
			t.Errorf("%s is gone, but no edit made it", name)
		}
	}
}

// TestSealMovesTheEnd appends text below the last line of a file, as an edit by hand may do. After
// Seal, that text must be above the last line.
func TestSealMovesTheEnd(t *testing.T) {
	path, _ := newFile(t, lab(t))
	write(t, path, append(read(t, path), "\n# for the open day\n[anonymous]\nrate = 5\n"...))
	if err := access.SealAtOnce(path); err != nil {
		t.Fatal(err)
	}
	inner := openSeal(t, string(read(t, path)), "\n")
	if !strings.HasSuffix(inner, "rate = 600\n\n\n# for the open day\n[anonymous]\nrate = 5\n") || strings.Contains(inner, "end of") {
		t.Errorf("the sealed file is\n%s", inner)
	}
	if err := do(t, path, "rate lab 7"); err != nil {
		t.Fatal(err)
	}
	if got := readTable(t, path); got.AnonymousRate() != 5 || len(got.Warnings()) > 0 {
		t.Errorf("after an edit the rate without a key is %d, want 5; warnings: %q", got.AnonymousRate(), got.Warnings())
	}
}
