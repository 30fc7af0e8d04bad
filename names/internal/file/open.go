package file

import (
	"fmt"
	"os"
	"strings"

	"bencao/internal/null"
	"bencao/names/internal/checklist"
)

// File is an open names file. It is safe for concurrent use. Its texts are in mapped memory, so
// callers must clone texts that they use after Close.
type File struct {
	Data
	// Versions holds the value of checklistVersion for each checklist: its name and version.
	Versions []null.Text
	// Database is the number of the database's list, or -1. Herbs is the number of the list of herb
	// names, or -1.
	Database, Herbs int

	mapped []byte // nil after Close
}

// Open maps the names file at path. The caller must have verified the file against the manifest of
// its snapshot. If the file is incomplete or a number in it leads nowhere, the error wraps
// [ErrDamaged]. The file must not be changed while it is open.
func Open(path string) (*File, error) {
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open names %s: %w", path, err)
	}
	return f, nil
}

func open(path string) (*File, error) {
	if err := checkByteOrder(); err != nil {
		return nil, err
	}
	disk, err := os.Open(path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer disk.Close()
	st, err := disk.Stat()
	if err != nil {
		return nil, unwrapPath(err)
	}
	// If the file were too short, access to missing pages of its mapping would crash the program.
	if err := checkHeader(disk, st.Size()); err != nil {
		return nil, unwrapPath(err)
	}
	mapped, err := mapFile(disk, st.Size())
	if err != nil {
		return nil, fmt.Errorf("map into memory: %w", err)
	}
	f := &File{mapped: mapped}
	if err := f.read(mapped); err != nil {
		return nil, closeAfter(f, err)
	}
	f.Database, f.Herbs = f.list(checklist.SourceDatabase), f.list(checklist.SourceHerbs)
	for _, c := range f.Checklists {
		f.Versions = append(f.Versions, null.Text(strings.TrimSpace(c.Name+" "+c.Version)))
	}
	if err := forget(mapped); err != nil {
		return nil, closeAfter(f, err)
	}
	return f, nil
}

// unwrapPath removes the path from an error of package os, because Open adds the path itself.
func unwrapPath(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

func closeAfter(f *File, err error) error {
	if cerr := f.Close(); cerr != nil {
		return fmt.Errorf("%w (and %w)", err, cerr)
	}
	return err
}

// Close unmaps the file. No other method may run at the same time or afterwards.
func (f *File) Close() error {
	mapped := f.mapped
	if mapped == nil {
		return nil
	}
	*f = File{}
	return unmapFile(mapped)
}
