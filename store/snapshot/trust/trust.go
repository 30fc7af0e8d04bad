// Package trust signs metadata that names the current snapshot of a publisher. Mirrors verify the
// signatures, so they need not trust the web server from which they copy. The package follows The
// Update Framework, https://theupdateframework.io/, with the library go-tuf. Each role is a signed
// file:
//
//	root       the key that signs roots, which stays on another machine, and the key of all other roles
//	targets    the SHA-256 of the manifest of one snapshot
//	snapshot   the version of targets
//	timestamp  the version of snapshot, and an expiry date
//
// The files are in the folder tuf of a data directory: N.root.json of every version,
// N.snapshot.json and N.targets.json of the latest versions, and timestamp.json, the only file that
// changes. On a publisher start with [NewPublisher] and [Publisher.Announce], on a mirror with
// [Follow].
//
// The package contains no transport: the caller of [Follow] provides one.
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

// folder is the folder of the published metadata in a data directory.
const folder = "tuf"

// memory is the folder of the metadata that a mirror has followed. After the mirror has copied the
// snapshot, it also publishes this metadata.
const memory = "trusted"

// These are the maximum sizes in bytes of the files of each role.
const (
	maxRoot     = 512 << 10
	maxMetadata = 64 << 10
)

// ErrNoRoot is the error for a data directory without a root of trust.
var ErrNoRoot = errors.New("there is no root of trust")

// file returns the path of the published metadata called name, relative to the data directory, with
// slashes.
func file(name string) string { return path.Join(folder, name+".json") }

// FirstRoot is the path of the first root, relative to the data directory. Operators of mirrors
// need this file to set up a mirror.
const FirstRoot = folder + "/1." + metadata.ROOT + ".json"

// numbered returns the name of a version of a role's metadata, such as 2.root. The file of a
// version never changes.
func numbered(role string, version int64) string { return fmt.Sprintf("%d.%s", version, role) }

// metadataFolder is a folder of metadata in a data directory.
type metadataFolder string

// published returns the folder of the metadata that mirrors read.
func published(d snapshot.Dir) metadataFolder { return metadataFolder(filepath.Join(d.Path(), folder)) }

// followed returns the folder of the metadata that a mirror has verified.
func followed(d snapshot.Dir) metadataFolder { return metadataFolder(filepath.Join(d.Path(), memory)) }

func (s metadataFolder) path(name string) string { return filepath.Join(string(s), name+".json") }

// put writes and syncs a file, unless the file already has that content.
func (s metadataFolder) put(name string, b []byte) error {
	if old, err := s.read(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	if err := durable.MkdirAll(string(s)); err != nil {
		return err
	}
	return durable.WriteFile(s.path(name), b, durable.Options{})
}

// names returns the names of the files in the order in which they must be replaced: first the
// numbered files, with the roots last, then the files without a number, with the timestamp last. If
// a new root changes the timestamp key, mirrors refuse the new root with the old timestamp. This
// order keeps the time between the two short.
func (s metadataFolder) names() ([]string, error) {
	all, err := filepath.Glob(s.path("*"))
	names := make([]string, len(all))
	for i, name := range all {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	return names, err
}

// rank returns the rank of a file's name in the order of names.
func rank(name string) int {
	switch {
	case name == metadata.TIMESTAMP:
		return 3
	case !strings.Contains(name, "."):
		return 2
	case strings.HasSuffix(name, "."+metadata.ROOT):
		return 1
	}
	return 0
}

// clear removes old versions of targets and snapshot, and temporary files of killed runs. It keeps
// all roots, since mirrors follow them one by one.
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

// dropRoots removes the numbered roots whose names are not among those to keep. After the publisher
// has started again with another root, the later roots of the first one would end every new mirror's
// chain.
func (s metadataFolder) dropRoots(keep []string) error {
	all, err := filepath.Glob(s.path("*." + metadata.ROOT))
	for _, path := range all {
		if !slices.Contains(keep, strings.TrimSuffix(filepath.Base(path), ".json")) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// versionOf returns the number at the start of a file's name.
func versionOf(name string) int {
	number, _, _ := strings.Cut(filepath.Base(name), ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n
}

// read reads metadata. It returns [fs.ErrNotExist] if there is no such file.
func (s metadataFolder) read(name string) ([]byte, error) {
	at := s.path(name)
	info, err := os.Lstat(at)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxRoot:
		return nil, fmt.Errorf("%s is not a regular file, or has more than %d bytes", at, maxRoot)
	}
	return os.ReadFile(at)
}

// Current returns the current root of a data directory, or [ErrNoRoot] if the directory has none.
func Current(d snapshot.Dir) (*Root, error) {
	r, err := published(d).root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; \"bencao trust init\" makes one", d.Path(), ErrNoRoot)
	}
	return r, err
}

// root returns the latest root. It returns an error if this root lacks signatures.
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

// oneLine removes line breaks from a message that quotes received text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
