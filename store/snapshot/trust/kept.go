package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Kept returns the root of trust that a data directory has seen: the first intact root that the
// mirror followed, or one of the roots that the directory publishes, if the others are lost. It
// returns [ErrNoRoot] if the directory has seen none.
func Kept(d snapshot.Dir) ([]byte, error) {
	err := ErrNoRoot
	for _, s := range []metadataFolder{followed(d), published(d)} {
		all, globErr := filepath.Glob(s.path("*." + metadata.ROOT))
		if globErr != nil {
			return nil, globErr
		}
		slices.SortFunc(all, func(a, b string) int { return versionOf(a) - versionOf(b) })
		for _, path := range all {
			b, readErr := s.read(numbered(metadata.ROOT, int64(versionOf(path))))
			if readErr == nil {
				var r *Root
				if r, readErr = ParseRoot(b); readErr == nil {
					readErr = r.Complete()
				}
			}
			if readErr == nil {
				return b, nil
			}
			err = fmt.Errorf("%s %w (%w); give the publisher's first root by --trust-root", path, ErrForgotten, readErr)
		}
	}
	return nil, err
}

// Signature describes the stored metadata that name a snapshot.
type Signature struct {
	// Root is the version of the root under which they are signed.
	Root int64
	// Seen is the time when the data directory got them.
	Seen time.Time
	// Latest is the snapshot that the latest metadata name.
	Latest snapshot.Pointer
}

// Signed returns the signature of a snapshot by the metadata that a data directory stores: on a
// mirror those that it has followed, otherwise those that it publishes. It returns [ErrUnsigned] if
// none of them name the snapshot, and [ErrNoRoot] if the directory has no root of trust.
func Signed(d snapshot.Dir, at snapshot.Pointer) (sig Signature, err error) {
	s := followed(d)
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		s = published(d)
		root, err = s.root()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return sig, ErrNoRoot
	}
	if err != nil {
		return sig, err
	}
	all, err := filepath.Glob(s.path("*." + metadata.TARGETS))
	if err != nil {
		return sig, err
	}
	sig.Root = root.Version()
	slices.SortFunc(all, func(a, b string) int { return versionOf(b) - versionOf(a) })
	for _, path := range all {
		named, err := s.named(root, int64(versionOf(path)))
		if err != nil {
			continue // no proof: the file is damaged, or signed with a key that no longer counts
		}
		if sig.Latest == (snapshot.Pointer{}) {
			sig.Latest = named
		}
		if named == at {
			info, err := os.Stat(path)
			if err != nil {
				return sig, err
			}
			sig.Seen = info.ModTime().UTC()
			return sig, nil
		}
	}
	return sig, fmt.Errorf("snapshot %s %w: no metadata in %s name it", at.ID, ErrUnsigned, string(s))
}

// named returns the snapshot that a version of the role targets names, if the root lets its key sign.
func (s metadataFolder) named(root *Root, version int64) (snapshot.Pointer, error) {
	b, err := s.read(numbered(metadata.TARGETS, version))
	if err != nil {
		return snapshot.Pointer{}, err
	}
	targets, err := metadata.Targets().FromBytes(b)
	if err == nil {
		err = root.meta.VerifyDelegate(metadata.TARGETS, targets)
	}
	if err != nil {
		return snapshot.Pointer{}, err
	}
	of, err := target(targets.Signed.Targets)
	return of.Pointer, err
}
