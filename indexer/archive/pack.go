package archive

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Entry is a file to be written.
type Entry struct {
	// Name is the path, separated by slashes.
	Name string
	// Write writes the content. Each call must write the same bytes.
	Write func(io.Writer) error
}

// packTime is the modification time of every packed file: the earliest time that a zip can store.
// With real times, two zips of the same files would differ.
var packTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes a zip. The same files yield the same bytes, whatever their order.
func Pack(w io.Writer, entries []Entry) error {
	p := NewPacker(w)
	return errors.Join(p.Add(entries...), p.Close())
}

// Packer writes a zip in several steps.
type Packer struct {
	zip  *zip.Writer
	seen map[string]bool
}

// NewPacker returns a packer that writes to w.
func NewPacker(w io.Writer) *Packer { return &Packer{zip.NewWriter(w), map[string]bool{}} }

// Add adds files in the order of their names.
func (p *Packer) Add(entries ...Entry) error {
	for _, e := range slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) }) {
		if why := unsafeReason(e.Name); why != "" {
			return fmt.Errorf("pack: a file %s", why)
		}
		if p.seen[e.Name] {
			return fmt.Errorf("pack %s: the file occurs twice", e.Name)
		}
		p.seen[e.Name] = true
		header := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: packTime}
		header.SetMode(0o644)
		f, err := p.zip.CreateHeader(header)
		if err == nil {
			err = e.Write(f)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", e.Name, err)
		}
	}
	return nil
}

// Close completes the zip.
func (p *Packer) Close() error { return p.zip.Close() }

// Entries returns the archive's files in the form that [Pack] needs.
func (a *Archive) Entries() []Entry {
	entries := make([]Entry, len(a.names))
	for i, name := range a.names {
		entries[i] = Entry{name, func(w io.Writer) error {
			f, err := a.Open(name)
			if err != nil {
				return err
			}
			defer f.Close() // read-only: a read error fails the copy
			_, err = io.Copy(w, f)
			return err
		}}
	}
	return entries
}
