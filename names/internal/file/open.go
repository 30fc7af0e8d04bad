package file

import (
	"fmt"
	"os"
	"strings"

	"bencao/internal/null"
)

// File is an open names file. It may be used by many goroutines.
//
// Texts that it returns lie in the mapped file: what is used after Close must
// be cloned.
type File struct {
	Data
	// Versions is the checklistVersion of each checklist, its name and
	// version.
	Versions []null.Text
	// Database is the number of the database's own list, or -1.
	Database int

	mapped []byte // nil after Close
}

// Open maps the names file at path. A file that is not whole gives an error
// that wraps [ErrDamaged]; so does a file that was changed. The file must not
// be changed while it is open.
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
	// The checksum is read, not mapped: a file cut short is found before a
	// page of it can be missing.
	if err := checkFile(disk, st.Size()); err != nil {
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
	f.Database = f.database()
	for _, c := range f.Checklists {
		f.Versions = append(f.Versions, null.Text(strings.TrimSpace(c.Name+" "+c.Version)))
	}
	if err := forget(mapped); err != nil {
		return nil, closeAfter(f, err)
	}
	return f, nil
}

// unwrapPath drops the path from an error of package os: Open says it.
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

// Close releases the file. No method may be running or be called afterwards.
func (f *File) Close() error {
	mapped := f.mapped
	if mapped == nil {
		return nil
	}
	*f = File{}
	return unmapFile(mapped)
}
