// Package snapshot keeps directories that never change once they are
// published, and hands them over: from the nightly build to the server, and
// from one night to the next.
//
//	DATA/
//	  LOCK                           held by the one process that writes
//	  CURRENT                        one line: id, SHA-256 of its manifest
//	  CHECKED                        one line: id, when it was last found up to date, checksum
//	  tuf/, trusted/                 signatures, see package trust
//	  snapshots/
//	    20261120T021500Z-3f9a1c/     never changes again
//	      manifest.json              every other file, with its checksums
//	      …
//	    .tmp-…                       being built
//	    .pull-…                      being copied from elsewhere
//	    .old-…                       being removed
//
// Who writes takes [Dir.Lock] and works through the [Writer]: [Writer.Draft]
// and [Draft.Publish], [Writer.Copy] and [Copy.Publish], [Writer.Rollback],
// [Writer.Prune]. Who reads opens a
// [Snapshot], which is verified first and can't be pruned until it is closed;
// a server keeps up with CURRENT through a [Follower] and changes over under
// load with a [Live].
//
// The package knows nothing of what the files hold. It trusts no file before
// its checksum fits the manifest, no manifest before its content fits its id,
// and nothing at all to be on the disk before fsync said so.
package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/internal/messages"
)

// ErrNone is returned when a data directory has no snapshot.
var ErrNone = errors.New("no snapshot")

// Dir is a data directory. It need not exist: the first [Dir.Lock] makes it.
// Its methods may be called from many goroutines and processes.
type Dir struct{ path string }

// At returns the data directory at path.
func At(path string) Dir { return Dir{filepath.Clean(path)} }

// Path is where the directory is.
func (d Dir) Path() string { return d.path }

func (d Dir) lock() string              { return filepath.Join(d.path, lockName) }
func (d Dir) current() string           { return filepath.Join(d.path, currentName) }
func (d Dir) checked() string           { return filepath.Join(d.path, checkedName) }
func (d Dir) snapshots() string         { return filepath.Join(d.path, snapshotsDir) }
func (d Dir) snapshot(id string) string { return filepath.Join(d.path, snapshotsDir, id) }

// Current reads CURRENT: which snapshot was published last. It returns
// [ErrNone] if there is no such file. The snapshot itself is not looked at.
func (d Dir) Current() (Pointer, error) {
	b, err := readSmall(d.current(), maxPointer)
	if errors.Is(err, fs.ErrNotExist) {
		return Pointer{}, messages.Errorf("data directory %s has no CURRENT: %w; run \"bencao index\", or \"bencao pull\" on a mirror", d.path, ErrNone)
	}
	if err != nil {
		return Pointer{}, err
	}
	p, err := ParsePointer(b)
	if err != nil {
		return Pointer{}, fmt.Errorf("%s: %w; run \"bencao rollback\" with one of \"bencao snapshots\"", d.current(), err)
	}
	return p, nil
}

// Info is a snapshot in a list.
type Info struct {
	// ID is the name of the snapshot's directory.
	ID string
	// Manifest is what the snapshot holds; its zero value if Err is not nil.
	Manifest Manifest
	// Current tells that CURRENT names this snapshot.
	Current bool
	// InUse tells that some process has the snapshot open.
	InUse bool
	// Misdated tells that the id bears a time that no clock shows. The snapshot
	// counts as older than all others.
	Misdated bool
	// Err is why the manifest can't be trusted. Files are not checked: see
	// [Dir.Verify].
	Err error
}

// List returns all snapshots, newest first. A data directory without
// snapshots gives an empty list.
func (d Dir) List() ([]Info, error) {
	ids, err := d.ids()
	if err != nil {
		return nil, err
	}
	// A broken CURRENT names nothing; whoever serves from it says so.
	current, err := d.Current()
	if err != nil {
		current = Pointer{}
	}
	list := make([]Info, 0, len(ids))
	for _, id := range ids {
		info := Info{ID: id, Current: id == current.ID, Misdated: misdated(id)}
		info.Manifest, info.Err = readManifest(d.snapshot(id), Pointer{ID: id})
		// What can't be asked, such as a file that bears an id, must not hide
		// the others.
		if info.InUse, err = inUse(d.snapshot(id), id); info.Err == nil {
			info.Err = err
		}
		list = append(list, info)
	}
	return list, nil
}

// ids returns the names of the snapshot directories, newest first. Those that
// no clock can have given come last.
func (d Dir) ids() ([]string, error) {
	entries, err := os.ReadDir(d.snapshots())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if ValidID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if bad := misdated(a); bad != misdated(b) {
			if bad {
				return 1
			}
			return -1
		}
		return strings.Compare(b, a)
	})
	return ids, nil
}
