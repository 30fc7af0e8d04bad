package archive

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// Entry is a file that is about to be written.
type Entry struct {
	// Name is its path, with slashes.
	Name string
	// Write writes its bytes, and the same ones when it is called again.
	Write func(io.Writer) error
}

// packed is the time of every packed file, the earliest that a zip can say:
// with the real one, no two zips would be the same.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes a zip. The same files in any order give the same bytes.
func Pack(w io.Writer, entries []Entry) error {
	entries = slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	z := zip.NewWriter(w)
	for i, e := range entries {
		if why := safe(e.Name); why != "" {
			return fmt.Errorf("pack: a file %s", why)
		}
		if i > 0 && e.Name == entries[i-1].Name {
			return fmt.Errorf("pack %s: the file stands twice", e.Name)
		}
		header := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: packed}
		header.SetMode(0o644)
		f, err := z.CreateHeader(header)
		if err == nil {
			err = e.Write(f)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", e.Name, err)
		}
	}
	return z.Close()
}

// Entries are the archive's files, to be packed again or copied.
func (a *Archive) Entries() []Entry {
	entries := make([]Entry, len(a.names))
	for i, name := range a.names {
		entries[i] = Entry{name, func(w io.Writer) error {
			f, err := a.Open(name)
			if err != nil {
				return err
			}
			defer f.Close() // read-only: what can't be read fails the copy
			_, err = io.Copy(w, f)
			return err
		}}
	}
	return entries
}
