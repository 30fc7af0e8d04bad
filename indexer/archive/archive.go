// Package archive opens a source, which is a folder, a zip or a single file. It refuses sources
// that could do harm:
//
//	names     absolute, with "..", backslashes or control characters; duplicates
//	links     symbolic links, devices, pipes and sockets
//	bombs     too many files, too large files, overlapping or extremely compressed ones
//	secrets   encrypted entries
//
// It ignores files and folders whose name starts with a full stop, so that a package may be a git
// working tree. It also ignores macOS's __MACOSX. If all files are in one folder, as in a zip from
// a code forge, that folder is the root.
//
// The package does not interpret the contents of files. Start with [Open].
package archive

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrUnsafe is returned for a source that could do harm.
var ErrUnsafe = errors.New("refused as unsafe")

// Limits bound the size of a source. The zero value is ready for use.
type Limits struct {
	// Files is the maximum number of files. Zero means 10,000.
	Files int
	// File is the maximum unpacked size of one file in bytes. Zero means 4 GiB.
	File int64
	// Total is the maximum unpacked size of all files in bytes. Zero means 8 GiB.
	Total int64
	// Ratio is the maximum ratio of unpacked to packed size, for files over 16 MiB. Text rarely
	// exceeds a ratio of 20. Zero means 200.
	Ratio int64
}

func (l Limits) orDefault() Limits {
	if l.Files == 0 {
		l.Files = 10_000
	}
	if l.File == 0 {
		l.File = 4 << 30
	}
	if l.Total == 0 {
		l.Total = 8 << 30
	}
	if l.Ratio == 0 {
		l.Ratio = 200
	}
	return l
}

// Archive is an open source. Its methods are safe for concurrent use.
type Archive struct {
	name   string // base name of the source, for messages
	path   string // of the zip or the single file; empty for a folder
	files  map[string]file
	names  []string // sorted
	closer io.Closer
	// watched lists the files and folders that Changed checks on the disk.
	watched []watched
}

// file describes one file of an archive.
type file struct {
	size     int64
	modified time.Time
	open     func() (io.ReadCloser, error)
}

// Open opens a folder, a zip (recognised by its content) or a single file.
func Open(name string, lim Limits) (*Archive, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		where, _ := filepath.Abs(name) // if Abs fails, the relative path is good enough
		return nil, fmt.Errorf("source %s: %w; correct its path, which is %s in full", name, fs.ErrNotExist, cmp.Or(where, name))
	}
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	lim = lim.orDefault()
	base := filepath.Base(name)
	switch {
	case info.IsDir():
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, fmt.Errorf("open source: %w", err)
		}
		a, err := fromFS(base, root.FS(), lim)
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
		a.closer = root
		a.watch(".", info, func() (fs.FileInfo, error) { return os.Stat(name) })
		return a, nil
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open source %s: not a folder, a zip or a file", name)
	}
	packed, err := isZip(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	if packed {
		return openZip(name, lim)
	}
	if strings.EqualFold(filepath.Ext(name), ".zip") {
		return nil, fmt.Errorf("source %s: is not a zip; fetch or export it again, and look into the file: it may be an error page", base)
	}
	a := &Archive{name: base, path: name, files: map[string]file{}}
	a.add(base, file{
		size: info.Size(), modified: info.ModTime(),
		open: func() (io.ReadCloser, error) { return os.Open(name) },
	})
	a.watch(base, info, func() (fs.FileInfo, error) { return os.Stat(name) })
	return a, a.check(lim)
}

// FromFS opens a folder of a file system, such as one embedded in the program.
func FromFS(name string, fsys fs.FS, lim Limits) (*Archive, error) {
	return fromFS(name, fsys, lim.orDefault())
}

func fromFS(name string, fsys fs.FS, lim Limits) (*Archive, error) {
	a := &Archive{name: name, files: map[string]file{}}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("read source %s: %w", name, err)
		case p == ".":
			return nil
		case ignored(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("source %s: %s is a link or a device, not a file: %w", name, p, ErrUnsafe)
		case len(a.names) >= lim.Files:
			return fmt.Errorf("source %s: more than %d files: %w", name, lim.Files, ErrUnsafe)
		}
		// Call Stat because some file systems return other inode numbers in a directory listing.
		info, err := fs.Stat(fsys, p)
		if err != nil {
			return fmt.Errorf("read source %s: %w", name, err)
		}
		a.add(p, file{
			size: info.Size(), modified: info.ModTime(),
			open: func() (io.ReadCloser, error) { return fsys.Open(p) },
		})
		a.watch(p, info, func() (fs.FileInfo, error) { return fs.Stat(fsys, p) })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, a.check(lim)
}

func (a *Archive) add(name string, f file) {
	a.files[name] = f
	a.names = append(a.names, name)
}

// check applies the limits that hold for all kinds of sources. If one folder contains all files,
// check removes its name from their paths.
func (a *Archive) check(lim Limits) error {
	var total int64
	for _, n := range a.names {
		size := a.files[n].size
		if size > lim.File {
			return fmt.Errorf("source %s: %s has %d bytes, more than %d: %w", a.name, n, size, lim.File, ErrUnsafe)
		}
		if total += size; total > lim.Total {
			return fmt.Errorf("source %s: more than %d bytes in all: %w", a.name, lim.Total, ErrUnsafe)
		}
	}
	if len(a.names) == 0 {
		return fmt.Errorf("source %s: has no files", a.name)
	}
	top, _, nested := strings.Cut(a.names[0], "/")
	for _, n := range a.names {
		nested = nested && strings.HasPrefix(n, top+"/")
	}
	if nested {
		files := make(map[string]file, len(a.files))
		for i, n := range a.names {
			a.names[i] = strings.TrimPrefix(n, top+"/")
			files[a.names[i]] = a.files[n]
		}
		a.files = files
	}
	slices.Sort(a.names)
	return nil
}

// Name returns the source's base name, such as china-plants.zip.
func (a *Archive) Name() string { return a.name }

// Files returns the names of all files, sorted.
func (a *Archive) Files() []string { return slices.Clone(a.names) }

// Has reports whether the archive has a file.
func (a *Archive) Has(name string) bool { _, ok := a.files[name]; return ok }

// Size returns a file's unpacked size in bytes.
func (a *Archive) Size(name string) int64 { return a.files[name].size }

// Modified returns a file's modification time, or the zero time if it is unknown.
func (a *Archive) Modified(name string) time.Time { return a.files[name].modified }

// Find returns the file with the given base name that is nearest to the root. It ignores the case
// of letters. It searches all folders, because publishers use different folders.
func (a *Archive) Find(base string) (name string, ok bool) {
	depth := 0
	for _, n := range a.names {
		if !strings.EqualFold(path.Base(n), base) {
			continue
		}
		if d := strings.Count(n, "/"); !ok || d < depth {
			name, depth, ok = n, d, true
		}
	}
	return name, ok
}

// Open opens a file. The caller must close it.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	f, ok := a.files[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w in %s", name, fs.ErrNotExist, a.name)
	}
	r, err := f.open()
	if err != nil {
		return nil, fmt.Errorf("open %s in %s: %w", name, a.name, err)
	}
	return &limitedFile{r, name, f.size}, nil
}

// Close closes the source. Open files can no longer be read.
func (a *Archive) Close() error {
	if a.closer == nil {
		return nil
	}
	return a.closer.Close()
}

// limitedFile is a file that returns an error if it yields more bytes than the size known when the
// archive was opened. If that happens, the file has grown since then, or the zip states a wrong
// size.
type limitedFile struct {
	io.ReadCloser
	name string
	left int64
}

func (b *limitedFile) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("%s is larger than it says: %w", b.name, ErrUnsafe)
	}
	if corrupt := flate.CorruptInputError(0); errors.Is(err, zip.ErrChecksum) || errors.As(err, &corrupt) {
		err = fmt.Errorf("%s is damaged in the archive: %w; fetch or export the archive again", b.name, err)
	}
	return n, err
}

// ignored reports whether a file or folder does not count as part of the source.
func ignored(base string) bool {
	return strings.HasPrefix(base, ".") || base == "__MACOSX"
}

// unsafeReason returns the reason to refuse a path inside an archive, or "".
func unsafeReason(name string) string {
	switch {
	case name == "":
		return "has no name"
	case !utf8.ValidString(name):
		return "has a name that is not UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7F }):
		return "has control characters in its name"
	case strings.Contains(name, `\`):
		return "has a backslash in its name"
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return "has an absolute path"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return `has ".." in its path`
	case len(name) > 1024:
		return "has a path longer than 1,024 bytes"
	}
	return ""
}
