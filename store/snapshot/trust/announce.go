package trust

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Publisher says what is current.
type Publisher struct {
	// Night signs targets and snapshot. Nil renews the timestamp alone.
	Night *snapshot.SigningKey
	// Timestamp signs the timestamp. Nil is Night.
	Timestamp *snapshot.SigningKey
	// Expires is how long a timestamp holds. Zero is 14 days.
	Expires time.Duration
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

const (
	defaultExpires = 14 * 24 * time.Hour
	// lasting is how long targets and snapshot hold, which need the key of the
	// night: longer than any pause between two nights.
	lasting = 90 * 24 * time.Hour
	// kept is how many versions stay, for mirrors that are at work.
	kept = 3
)

func (p Publisher) withDefaults() Publisher {
	if p.Expires == 0 {
		p.Expires = defaultExpires
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Timestamp == nil {
		p.Timestamp = p.Night
	}
	return p
}

// NearEnd is how long before a root expires the publisher is warned: time enough to
// bring those together who sign the next.
const NearEnd = 30 * 24 * time.Hour

// NextRoot says how a publisher gets another root.
const NextRoot = "make the next by \"bencao trust change\", have its keys sign it by \"bencao trust sign\", and put it there by \"bencao trust publish\""

// Check tells, before a night begins, whether its keys are those that the root
// in force names. A data directory without a root asks for none.
func (p Publisher) Check(d snapshot.Dir) error {
	p = p.withDefaults()
	root, err := Current(d)
	if errors.Is(err, ErrNoRoot) {
		return nil
	}
	if err != nil {
		return err
	}
	if left := root.Expires().Sub(p.Now()); left <= 0 {
		return fmt.Errorf("root %d has expired at %s, and no mirror believes what it signs for; %s", root.Version(), root.Expires().Format(time.RFC3339), NextRoot)
	}
	if p.Night != nil && !(root.allows(*p.Night, metadata.TARGETS) && root.allows(*p.Night, metadata.SNAPSHOT)) {
		return fmt.Errorf("key %s is none by which root %d lets nights be signed; give another by --sign-key, or make a root that names it by \"bencao trust change\"", p.Night.Public().ID(), root.Version())
	}
	if p.Timestamp == nil {
		return fmt.Errorf("mirrors follow root %d, and there is no key to tell them; give --sign-key", root.Version())
	}
	if !root.allows(*p.Timestamp, metadata.TIMESTAMP) {
		return fmt.Errorf("key %s is none by which root %d lets timestamps be signed; give another by --timestamp-key, or make a root that names it by \"bencao trust change\"", p.Timestamp.Public().ID(), root.Version())
	}
	return nil
}

// Announce says that a snapshot is current. In a data directory without a root
// it does nothing.
func (p Publisher) Announce(d snapshot.Dir, at snapshot.Pointer) error {
	root, err := Current(d)
	if errors.Is(err, ErrNoRoot) {
		return nil
	}
	p = p.withDefaults()
	if err == nil {
		err = p.Check(d)
	}
	if err != nil {
		return err
	}
	if p.Night == nil {
		return fmt.Errorf("mirrors follow root %d, and there is no key to tell them of %s; give --sign-key", root.Version(), at.ID)
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
	manifest, err := os.Stat(filepath.Join(d.Path(), filepath.FromSlash(file.Path)))
	if err != nil {
		return err
	}
	file.Length = manifest.Size()
	sum := metadata.HexBytes{}
	if err := sum.UnmarshalJSON([]byte(strconv.Quote(at.Digest))); err != nil {
		return err
	}
	file.Hashes = metadata.Hashes{"sha256": sum}
	targets.Signed.Targets[file.Path] = file
	if err := write(d, targets, *p.Night, numbered(metadata.TARGETS, version)); err != nil {
		return err
	}
	list := metadata.Snapshot(now.Add(lasting).UTC().Truncate(time.Second))
	list.Signed.Version = version
	if list.Signed.Meta[metadata.TARGETS+".json"], err = published(d).meta(metadata.TARGETS, version); err != nil {
		return err
	}
	if err := write(d, list, *p.Night, numbered(metadata.SNAPSHOT, version)); err != nil {
		return err
	}
	if err := p.stamp(d, version, version); err != nil {
		return err
	}
	return published(d).clear()
}

// Renew puts the expiry of what was announced off. It takes the key for
// timestamps alone.
func (p Publisher) Renew(d snapshot.Dir) error {
	p = p.withDefaults()
	if _, err := Current(d); err != nil {
		return err
	}
	if err := p.Check(d); err != nil {
		return err
	}
	old, err := stamped(d)
	if err != nil {
		return fmt.Errorf("nothing was announced yet: %w; the next night does", err)
	}
	version, err := next(d, p.Now())
	if err != nil {
		return err
	}
	return p.stamp(d, version, old.Signed.Meta[metadata.SNAPSHOT+".json"].Version)
}

// stamp writes a timestamp for a version of snapshot.
func (p Publisher) stamp(d snapshot.Dir, version, of int64) error {
	t := metadata.Timestamp(p.Now().Add(p.Expires).UTC().Truncate(time.Second))
	t.Signed.Version = version
	var err error
	if t.Signed.Meta[metadata.SNAPSHOT+".json"], err = published(d).meta(metadata.SNAPSHOT, of); err != nil {
		return err
	}
	return write(d, t, *p.Timestamp, metadata.TIMESTAMP)
}

// meta names a version of a role by its bytes.
func (s shelf) meta(role string, version int64) (*metadata.MetaFiles, error) {
	b, err := s.read(numbered(role, version))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	m := metadata.MetaFile(version)
	m.Length, m.Hashes = int64(len(b)), metadata.Hashes{"sha256": sum[:]}
	return m, nil
}

// stamped is the timestamp that is there.
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

// next is a version that is higher than all before it: seconds since 1970, or
// one more than the last. So versions rise also from a data directory that is
// lost to the one that takes its place.
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

// write signs metadata and makes them durable.
func write[T metadata.Roles](d snapshot.Dir, m *metadata.Metadata[T], k snapshot.SigningKey, name string) error {
	if err := sign(m, k); err != nil {
		return fmt.Errorf("sign %s: %w", name, err)
	}
	b, err := m.ToBytes(false)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return published(d).put(name, append(b, '\n'))
}
