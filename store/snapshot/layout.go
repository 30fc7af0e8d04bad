package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"bencao/internal/system"
)

// Names of files, the first two in the data directory and the third in a snapshot, and the largest
// sizes of these files in bytes.
const (
	CurrentName  = "CURRENT"
	CheckedName  = "CHECKED"
	ManifestName = "manifest.json"

	MaxPointer  = 256
	MaxChecked  = 512
	MaxManifest = 16 << 20 // a hundred times the size of a real manifest
)

// Other names inside a data directory.
const (
	lockName     = "LOCK"
	snapshotsDir = "snapshots"
	draftPrefix  = ".tmp-"
	copyPrefix   = ".pull-"
	trashPrefix  = ".old-"
)

// FilePath returns the path of a file of a snapshot, relative to the data directory, with slashes.
func FilePath(id, file string) string { return path.Join(snapshotsDir, id, file) }

// openFlags prevent an open from following a symbolic link or waiting for the other end of a pipe.
const openFlags = system.NoFollow | system.NoWait

// readSmall reads a regular file of at most limit bytes.
func readSmall(path string, limit int64) (b []byte, err error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer closing(f, &err)
	b, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, limit)
	}
	return b, nil
}

// oneLine replaces line breaks and other control characters with spaces, so that a message that
// quotes the bytes of a file stays on one line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

// openRegular opens a regular file for reading. It returns an error for symbolic links, directories
// and special files.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if system.IsLink(err) {
		return nil, fmt.Errorf("%s is a symbolic link", path)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// closing closes f. If that fails and err holds no error yet, it stores the error in err.
func closing(f *os.File, err *error) {
	*err = cmp.Or(*err, f.Close())
}
