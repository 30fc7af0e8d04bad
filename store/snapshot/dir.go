// Package snapshot manages snapshots: directories that never change after they are published. A
// nightly build publishes a snapshot, and a server opens it. While it answers requests, the server
// switches to the next snapshot.
//
//	DATA/
//	  LOCK                           locked by the process that writes
//	  CURRENT                        one line: id of a snapshot, SHA-256 of its manifest
//	  CHECKED                        one line: id of a snapshot, when it was up to date, checksum
//	  PINNED                         a line for each snapshot that stays: its id, and a label
//	  HELD                           what a rollback keeps from being published again
//	  tuf/, trusted/                 signatures, see package trust
//	  snapshots/
//	    20261120T021500Z-3f9a1c/     a snapshot
//	      manifest.json              the list of all other files, with their checksums
//	      …
//	    .tmp-…                       a snapshot that is being built
//	    .pull-…                      a snapshot that is being copied from a publisher
//	    .old-…                       a snapshot that is being removed
//
// To write, call [Dir.Lock] first. The [Writer] builds a [Draft], completes a [Copy], rolls back
// and prunes. To read, open a [Snapshot]: it is verified first and cannot be pruned until it is
// closed. A server follows CURRENT with a [Follower] and switches between snapshots with a [Live].
//
// The package does not know the content of the files. It trusts a file only if its checksum matches
// the manifest, and a manifest only if its content matches its id. It relies on data being on the
// disk only after fsync.
package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNone is the error for a data directory without a snapshot.
var ErrNone = errors.New("no snapshot")

// Dir is a data directory. It need not exist: the first [Dir.Lock] creates it. Many goroutines and
// processes may call its methods.
type Dir struct{ path string }

// At returns the data directory at path.
func At(path string) Dir { return Dir{filepath.Clean(path)} }

// Path returns the path of the directory.
func (d Dir) Path() string { return d.path }

func (d Dir) lock() string              { return filepath.Join(d.path, lockName) }
func (d Dir) current() string           { return filepath.Join(d.path, CurrentName) }
func (d Dir) checked() string           { return filepath.Join(d.path, CheckedName) }
func (d Dir) snapshots() string         { return filepath.Join(d.path, snapshotsDir) }
func (d Dir) snapshot(id string) string { return filepath.Join(d.path, snapshotsDir, id) }

// Current reads CURRENT, which names the published snapshot. It returns [ErrNone] if there is no
// such file. It does not open the snapshot.
func (d Dir) Current() (Pointer, error) {
	b, err := readSmall(d.current(), MaxPointer)
	if errors.Is(err, fs.ErrNotExist) {
		return Pointer{}, fmt.Errorf("data directory %s has no CURRENT: %w; run \"bencao index\", or \"bencao pull\" on a mirror", d.path, ErrNone)
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
	// Manifest describes the content. It is the zero value if Err is not nil.
	Manifest Manifest
	// Current is true if CURRENT names this snapshot.
	Current bool
	// InUse is true if a process has the snapshot open.
	InUse bool
	// Pin is the snapshot's pin, or nil.
	Pin *Pin
	// Err is the reason why the manifest cannot be trusted, or nil. The other files are not
	// checked: see [Dir.Verify].
	Err error
}

// MakeRoom tells how to free disk space in d.
func (d Dir) MakeRoom() string {
	if ids, err := d.ids(); err == nil && len(ids) < 2 {
		return "make room on this disk, or move the data folder to a larger one: there is no older snapshot to remove"
	}
	return "make room, such as with \"bencao prune --keep 1\""
}

// List returns all snapshots, newest first.
func (d Dir) List() ([]Info, error) {
	ids, err := d.ids()
	if err != nil {
		return nil, err
	}
	// If CURRENT is damaged, no snapshot is listed as current. Servers report the damage.
	current, err := d.Current()
	if err != nil {
		current = Pointer{}
	}
	pins, err := d.Pins()
	if err != nil {
		pins = nil // as for CURRENT; callers that need the pins call Pins
	}
	list := make([]Info, 0, len(ids))
	for _, id := range ids {
		info := Info{ID: id, Current: id == current.ID}
		if i := slices.IndexFunc(pins, func(p Pin) bool { return p.ID == id }); i >= 0 {
			info.Pin = &pins[i]
		}
		info.Manifest, info.Err = readManifest(d.snapshot(id), Pointer{ID: id})
		// If an entry cannot be examined, for example a file whose name is an id, the list must still
		// have the other entries.
		if info.InUse, err = inUse(d.snapshot(id), id); info.Err == nil {
			info.Err = err
		}
		list = append(list, info)
	}
	return list, nil
}

// ids returns the names of the snapshot directories, newest first.
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
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	return ids, nil
}
