// Package trust lets a mirror know what its publisher means, whoever hands out
// the files: by the roles and rules of The Update Framework,
// https://theupdateframework.io/, as go-tuf keeps them.
//
//	root ─▶ keys of all roles, a threshold; kept off the machine
//	targets ─▶ SHA-256 of the manifest of one snapshot
//	snapshot ─▶ which version of targets      timestamp ─▶ which version of snapshot, until when
//
// They lie in the folder tuf of a data directory: N.root.json of every version,
// N.snapshot.json and N.targets.json of the last ones, and timestamp.json, which
// alone ever changes. [Root] is made and signed by people, [Announce] says by
// night what is current, and [Follow] finds out what it is.
//
// The package knows no transport: whoever follows brings one.
package trust

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/durable"
	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// folder is where the metadata lie in a data directory.
const folder = "tuf"

// memory is where a mirror keeps those that it has followed. They are handed on
// when the snapshot is here that they name.
const memory = "trusted"

// The most bytes that a file may have, by role.
const (
	maxRoot     = 512 << 10
	maxMetadata = 64 << 10
)

// ErrNoRoot is returned for a data directory whose publisher has no root.
var ErrNoRoot = errors.New("there is no root of trust")

// file is where the metadata of a role lie, with slashes, relative to the data
// directory.
func file(name string) string { return path.Join(folder, name+".json") }

// FirstRoot is the path of the first root, which mirrors are given, relative to the data directory.
const FirstRoot = folder + "/1." + metadata.ROOT + ".json"

// TimestampFile is the path of the timestamp, relative to the data directory.
const TimestampFile = folder + "/" + metadata.TIMESTAMP + ".json"

// TimestampVersion returns the version of a timestamp, or 0 if the bytes are no timestamp. It checks
// no signature.
func TimestampVersion(b []byte) int64 {
	t, err := metadata.Timestamp().FromBytes(b)
	if err != nil {
		return 0
	}
	return t.Signed.Version
}

// numbered is so of a version that never changes.
func numbered(role string, version int64) string { return fmt.Sprintf("%d.%s", version, role) }

// Files returns the metadata that mirrors with a root of trust follow, in the order in which they
// must be replaced. There are none without a root.
func Files(d snapshot.Dir) ([]snapshot.PointerFile, error) {
	s := published(d)
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var all []snapshot.PointerFile
	for _, name := range names {
		b, err := s.read(name)
		if err != nil {
			return nil, err
		}
		all = append(all, snapshot.PointerFile{Name: file(name), Content: b})
	}
	return all, nil
}

// Immutable reports whether a file of [Files] never changes.
func Immutable(f snapshot.PointerFile) bool {
	return rank(strings.TrimSuffix(path.Base(f.Name), ".json")) < latest
}

// metadataFolder is a folder of a data directory that has metadata.
type metadataFolder string

func published(d snapshot.Dir) metadataFolder { return metadataFolder(filepath.Join(d.Path(), folder)) }
func followed(d snapshot.Dir) metadataFolder  { return metadataFolder(filepath.Join(d.Path(), memory)) }

func (s metadataFolder) path(name string) string { return filepath.Join(string(s), name+".json") }

// put makes a file durable. One that is there already stays as it is.
func (s metadataFolder) put(name string, b []byte) error {
	if old, err := s.read(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	if err := durable.MkdirAll(string(s)); err != nil {
		return err
	}
	return durable.WriteFile(s.path(name), b, durable.Options{})
}

// names lists the files, those that lead to others behind them: numbered ones, the
// roots last, then those of the last versions, then the timestamp. If a root names
// another key for timestamps, whoever follows meanwhile finds one by the old key,
// and refuses it: so nothing comes between the two that need not.
func (s metadataFolder) names() ([]string, error) {
	all, err := filepath.Glob(s.path("*"))
	names := make([]string, len(all))
	for i, name := range all {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	return names, err
}

// latest is the rank of files that change; those before it never do.
const latest = 2

func rank(name string) int {
	switch {
	case name == metadata.TIMESTAMP:
		return 3
	case !strings.Contains(name, "."):
		return latest
	case strings.HasSuffix(name, "."+metadata.ROOT):
		return 1
	}
	return 0
}

// clear removes targets and snapshots of old versions, and what was left by
// whoever was killed. Roots stay: mirrors take one after the other.
func (s metadataFolder) clear() error {
	if err := durable.ClearDir(string(s)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, role := range []string{metadata.TARGETS, metadata.SNAPSHOT} {
		all, err := filepath.Glob(s.path("*." + role))
		if err != nil {
			return err
		}
		slices.SortFunc(all, func(a, b string) int { return versionOf(b) - versionOf(a) })
		for _, old := range all[min(len(all), kept):] {
			if err := os.Remove(old); err != nil {
				return err
			}
		}
	}
	return nil
}

// versionOf is the number that a file's name begins with.
func versionOf(name string) int {
	number, _, _ := strings.Cut(filepath.Base(name), ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n
}

// read reads metadata. What is not there gives [fs.ErrNotExist].
func (s metadataFolder) read(name string) ([]byte, error) {
	at := s.path(name)
	info, err := os.Lstat(at)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxRoot:
		return nil, fmt.Errorf("%s is no file of at most %d bytes", at, maxRoot)
	}
	return os.ReadFile(at)
}

// Current reads the root that is in force in a data directory. It returns
// [ErrNoRoot] if there is none.
func Current(d snapshot.Dir) (*Root, error) {
	r, err := published(d).root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; \"bencao trust create\" makes one", d.Path(), ErrNoRoot)
	}
	return r, err
}

// root is the last one, which must be complete.
func (s metadataFolder) root() (*Root, error) {
	b, err := s.read(metadata.ROOT)
	if err != nil {
		return nil, err
	}
	r, err := ParseRoot(b)
	if err == nil {
		err = r.Complete()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(metadata.ROOT), err)
	}
	return r, nil
}

// oneLine keeps a message that quotes what somebody sent on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
