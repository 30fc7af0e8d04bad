package trust

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"bencao/internal/durable"
	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Publisher signs metadata that names the current snapshot of a data directory for mirrors.
type Publisher struct {
	// Nightly signs all roles but the root. Nil is a missing key.
	Nightly *SigningKey
	// Keys is the folder from which the key was read, for error messages.
	Keys string
	// Dirs lists the data directories that the publisher fills. Those without a root of trust are not
	// signed.
	Dirs []snapshot.Dir
	// Expires is the lifetime of a timestamp. Zero is 14 days.
	Expires time.Duration
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

const (
	defaultExpires = 14 * 24 * time.Hour
	// lasting is the lifetime of the metadata of targets and snapshot, which the nightly key signs.
	// It must be longer than any pause between two nightly builds.
	lasting = 90 * 24 * time.Hour
	// kept is the number of versions of targets and of snapshot that stay published. Mirrors need
	// older versions while they still copy an older snapshot.
	kept = 3
)

func (p Publisher) withDefaults() Publisher {
	if p.Expires == 0 {
		p.Expires = defaultExpires
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	return p
}

// NearEnd is the time before a root's expiry during which warnings appear.
const NearEnd = 30 * 24 * time.Hour

// NextRoot is advice for error messages on how to make the next root.
const NextRoot = "put root.key into the folder --trust-keys and run \"bencao trust renew\""

// CopyRoot is advice for messages on how to sign the second of two data directories.
const CopyRoot = "run \"bencao trust init\" with --data and --public"

// ErrNoKey is the error if a data directory has a root of trust but the publisher lacks the key
// that the root names.
var ErrNoKey = errors.New("there is no key to sign with")

// ErrOfPublisher is the error if a mirror tries to sign. Only its publisher can sign.
var ErrOfPublisher = errors.New("only the publisher can sign for its root of trust")

// These are the names of the files in the folder of a publisher's keys.
const (
	rootKeyName    = "root.key"
	nightlyKeyName = "nightly.key"
)

// KeyFolder returns the default folder of the publisher's keys for a data directory. It is beside
// the data directory, because web servers may serve everything inside the data directory.
func KeyFolder(data string) string { return filepath.Clean(data) + ".keys" }

// Dirs returns the data directories that a publisher fills: data and, unless it is empty, that of the
// public snapshots.
func Dirs(data, public string) []snapshot.Dir {
	dirs := []snapshot.Dir{snapshot.At(data)}
	if public != "" {
		dirs = append(dirs, snapshot.At(public))
	}
	return dirs
}

// ReadPublisher reads the publisher's key for the directories of [Dirs]: nightly.key in the folder. If
// folder is empty, it uses [KeyFolder]. A missing key is nil in the Publisher.
func ReadPublisher(folder, data, public string) (Publisher, error) {
	p := Publisher{Keys: cmp.Or(folder, KeyFolder(data)), Dirs: Dirs(data, public)}
	if folder != "" {
		if _, err := os.Stat(folder); err != nil {
			return p, err
		}
	}
	key, err := ReadSigningKey(filepath.Join(p.Keys, nightlyKeyName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, err
	}
	p.Nightly = &key
	return p, nil
}

// NewPublisher makes the first root of trust, with a key for roots and a key for nightly builds. It
// creates these keys in the folder unless they exist.
func NewPublisher(folder string, expires time.Time) (*Root, error) {
	if err := durable.MkdirAll(filepath.Dir(folder)); err != nil {
		return nil, err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	root, err := keyIn(folder, rootKeyName)
	if err != nil {
		return nil, err
	}
	nightly, err := keyIn(folder, nightlyKeyName)
	if err != nil {
		return nil, err
	}
	return NewRoot(root, nightly.Public(), expires)
}

// RenewRoot makes the root after the current one of a data directory and publishes it. The folder
// must have root.key. The root names nightly.key, which the folder gets if it has none. Mirrors find
// the new root from the one that they have.
func RenewRoot(d snapshot.Dir, folder string, expires time.Time) (*Root, error) {
	before, err := Current(d)
	if err != nil {
		return nil, err
	}
	root, err := ReadSigningKey(filepath.Join(folder, rootKeyName))
	if err != nil {
		return nil, err
	}
	nightly, err := keyIn(folder, nightlyKeyName)
	if err != nil {
		return nil, err
	}
	next, err := before.Next(root, nightly.Public(), expires)
	if err != nil {
		return nil, err
	}
	return next, Install(d, next)
}

// HasRootKey reports whether a folder has the key that signs roots.
func HasRootKey(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, rootKeyName))
	return err == nil
}

// DropNightlyKey removes the nightly key from a folder, so that the next root names a new one.
func DropNightlyKey(folder string) error {
	if err := os.Remove(filepath.Join(folder, nightlyKeyName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.SyncDir(folder)
}

// keyIn reads the key called name in a folder, or creates it.
func keyIn(folder, name string) (SigningKey, error) {
	path := filepath.Join(folder, name)
	key, err := ReadSigningKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if key, err = NewSigningKey(); err != nil {
		return key, err
	}
	return key, key.WriteFile(path)
}

// Check returns an error if the publisher lacks keys that the current root of a data directory names,
// or if it has a key but none of its directories has a root. Call it before a nightly build.
func (p Publisher) Check(d snapshot.Dir) error {
	p = p.withDefaults()
	root, err := Current(d)
	if errors.Is(err, ErrNoRoot) {
		if p.Nightly == nil || slices.ContainsFunc(p.Dirs, hasRoot) {
			return nil
		}
		return fmt.Errorf("%s: %w, but %s has a key that signs for mirrors; restore tuf of that data folder from a backup, or put root.key beside the key and run \"bencao trust init\"", d.Path(), ErrNoRoot, p.Keys)
	}
	if err != nil {
		return err
	}
	if left := root.Expires().Sub(p.Now()); left <= 0 {
		return fmt.Errorf("root %d expired at %s, and mirrors accept nothing that is signed under it; %s", root.Version(), root.Expires().Format(time.RFC3339), NextRoot)
	}
	if p.Nightly == nil {
		return p.noKey(root)
	}
	if !root.allows(*p.Nightly, metadata.TARGETS) {
		return fmt.Errorf("root %d does not let key %s sign nightly builds; put the right nightly.key into %s, or make a root that names this key with \"bencao trust renew\"", root.Version(), p.Nightly.Public().id(), p.Keys)
	}
	return nil
}

// hasRoot reports whether a data directory has a root of trust, readable or not.
func hasRoot(d snapshot.Dir) bool {
	_, err := Current(d)
	return !errors.Is(err, ErrNoRoot)
}

// noKey returns the error for a missing nightly key.
func (p Publisher) noKey(root *Root) error {
	return fmt.Errorf("mirrors follow root %d: %w; put nightly.key into %s, or name its folder by --trust-keys", root.Version(), ErrNoKey, p.Keys)
}

// Announce signs metadata that names a snapshot as current, and the time when it was last confirmed
// to agree with its sources. In a data directory without a root it does nothing.
func (p Publisher) Announce(d snapshot.Dir, at snapshot.Pointer) error {
	_, err := Current(d)
	if errors.Is(err, ErrNoRoot) {
		return nil
	}
	p = p.withDefaults()
	if err == nil && p.Nightly == nil && ofPublisher(d) {
		return ErrOfPublisher
	}
	if err == nil {
		err = p.Check(d)
	}
	if err != nil {
		return err
	}
	now := p.Now()
	version, err := next(d, now)
	if err != nil {
		return err
	}
	targets := metadata.Targets(now.Add(lasting).UTC().Truncate(time.Second))
	targets.Signed.Version = version
	file := metadata.TargetFile()
	file.Path = snapshot.FilePath(at.ID, snapshot.ManifestName)
	raw, err := os.ReadFile(filepath.Join(d.Path(), filepath.FromSlash(file.Path)))
	if err != nil {
		return err
	}
	m, err := snapshot.CheckManifest(raw, at)
	if err != nil {
		return err
	}
	file.Length = int64(len(raw))
	fresh, err := json.Marshal(custom{Fresh: d.Fresh(m).UTC()})
	if err != nil {
		return err
	}
	file.Custom = (*json.RawMessage)(&fresh)
	sum := metadata.HexBytes{}
	if err := sum.UnmarshalJSON([]byte(strconv.Quote(at.Digest))); err != nil {
		return err
	}
	file.Hashes = metadata.Hashes{"sha256": sum}
	targets.Signed.Targets[file.Path] = file
	if err := write(d, targets, *p.Nightly, numbered(metadata.TARGETS, version)); err != nil {
		return err
	}
	list := metadata.Snapshot(now.Add(lasting).UTC().Truncate(time.Second))
	list.Signed.Version = version
	if list.Signed.Meta[metadata.TARGETS+".json"], err = published(d).meta(metadata.TARGETS, version); err != nil {
		return err
	}
	if err := write(d, list, *p.Nightly, numbered(metadata.SNAPSHOT, version)); err != nil {
		return err
	}
	stamp := metadata.Timestamp(now.Add(p.Expires).UTC().Truncate(time.Second))
	stamp.Signed.Version = version
	if stamp.Signed.Meta[metadata.SNAPSHOT+".json"], err = published(d).meta(metadata.SNAPSHOT, version); err != nil {
		return err
	}
	if err := write(d, stamp, *p.Nightly, metadata.TIMESTAMP); err != nil {
		return err
	}
	return published(d).clear()
}

// custom is the additional information about the manifest in the role targets.
type custom struct {
	// Fresh is the time when the snapshot was last confirmed to agree with its sources.
	Fresh time.Time `json:"fresh"`
}

// ofPublisher reports whether d is a mirror. The published metadata of a mirror is that of its
// publisher.
func ofPublisher(d snapshot.Dir) bool {
	from, err := followed(d).read(metadata.TIMESTAMP)
	if err != nil {
		return false
	}
	own, err := published(d).read(metadata.TIMESTAMP)
	return err == nil && bytes.Equal(from, own)
}

// Announced returns the snapshot that the signed metadata names as current. It returns [ErrNoRoot]
// if the data directory has no root, and [fs.ErrNotExist] if nothing has been announced yet.
func Announced(d snapshot.Dir) (snapshot.Pointer, error) {
	if _, err := Current(d); err != nil {
		return snapshot.Pointer{}, err
	}
	t, err := stamped(d)
	if err != nil {
		return snapshot.Pointer{}, err
	}
	b, err := published(d).read(numbered(metadata.SNAPSHOT, t.Signed.Meta[metadata.SNAPSHOT+".json"].Version))
	if err != nil {
		return snapshot.Pointer{}, err
	}
	s, err := metadata.Snapshot().FromBytes(b)
	if err != nil || s.Signed.Meta[metadata.TARGETS+".json"] == nil {
		return snapshot.Pointer{}, errors.Join(err, fmt.Errorf("%s names no targets", published(d).path(metadata.SNAPSHOT)))
	}
	if b, err = published(d).read(numbered(metadata.TARGETS, s.Signed.Meta[metadata.TARGETS+".json"].Version)); err != nil {
		return snapshot.Pointer{}, err
	}
	targets, err := metadata.Targets().FromBytes(b)
	if err != nil {
		return snapshot.Pointer{}, err
	}
	of, err := target(targets.Signed.Targets)
	return of.Pointer, err
}

// Followers returns the id of the snapshot that the signed metadata names as current, or nil if
// there is none. Mirrors copy this snapshot, so it must not be pruned. It differs from the snapshot
// in CURRENT after a rollback without the signing key.
func Followers(d snapshot.Dir) []string {
	p, err := Announced(d)
	if err != nil {
		return nil
	}
	return []string{p.ID}
}

// meta returns the description of a version of a role: its number, and the length and hash of its
// file.
func (s metadataFolder) meta(role string, version int64) (*metadata.MetaFiles, error) {
	b, err := s.read(numbered(role, version))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	m := metadata.MetaFile(version)
	m.Length, m.Hashes = int64(len(b)), metadata.Hashes{"sha256": sum[:]}
	return m, nil
}

// stamped reads the published timestamp.
func stamped(d snapshot.Dir) (*metadata.Metadata[metadata.TimestampType], error) {
	b, err := published(d).read(metadata.TIMESTAMP)
	if err != nil {
		return nil, err
	}
	t, err := metadata.Timestamp().FromBytes(b)
	if err == nil && t.Signed.Meta[metadata.SNAPSHOT+".json"] == nil {
		err = errors.New("it names no snapshot")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", published(d).path(metadata.TIMESTAMP), err)
	}
	return t, nil
}

// next returns a version that is higher than all earlier ones: the seconds since 1970, or the last
// version plus 1 if that is higher. Because of the seconds, versions also rise if a new data
// directory replaces a lost one.
func next(d snapshot.Dir, now time.Time) (int64, error) {
	old, err := stamped(d)
	if errors.Is(err, fs.ErrNotExist) {
		return now.Unix(), nil
	}
	if err != nil {
		return 0, err
	}
	return max(now.Unix(), old.Signed.Version+1), nil
}

// write signs metadata, writes it and syncs it.
func write[T metadata.Roles](d snapshot.Dir, m *metadata.Metadata[T], k SigningKey, name string) error {
	if err := sign(m, k); err != nil {
		return fmt.Errorf("sign %s: %w", name, err)
	}
	b, err := m.ToBytes(false)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return published(d).put(name, append(b, '\n'))
}
