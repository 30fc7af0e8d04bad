package trust

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"bencao/store/snapshot"

	"github.com/theupdateframework/go-tuf/v2/metadata"
	"github.com/theupdateframework/go-tuf/v2/metadata/config"
	"github.com/theupdateframework/go-tuf/v2/metadata/updater"
)

// [Follow] returns these errors.
var (
	// ErrUnsigned means that too few keys of a role have signed its metadata.
	ErrUnsigned = errors.New("is not signed as the root of trust requires")
	// ErrBack means that the mirror has already followed a newer state.
	ErrBack = errors.New("is older than the version seen before")
	// ErrExpired means that the metadata have expired.
	ErrExpired = errors.New("has expired")
	// ErrMixed means that the files of the metadata do not belong together, or that a file is
	// invalid.
	ErrMixed = errors.New("does not match the other metadata")
	// ErrForgotten means that the metadata that the mirror has stored is damaged.
	ErrForgotten = errors.New("is damaged")
	// ErrEndless means that a file is longer than allowed.
	ErrEndless = errors.New("is longer than allowed")
)

// Transport fetches a file of the publisher's data directory, of at most limit bytes. It returns
// [fs.ErrNotExist] if the file is missing and [ErrEndless] if it is longer.
type Transport func(path string, limit int64) ([]byte, error)

// IsNextRoot reports whether a path that [Follow] fetches is that of the next root, which a publisher
// may lack.
func IsNextRoot(path string) bool { return strings.HasSuffix(path, "."+metadata.ROOT+".json") }

// Followed is the publisher's current state.
type Followed struct {
	// Pointer names the snapshot.
	snapshot.Pointer
	// Manifest is the size of the manifest in bytes.
	Manifest int64
	// Root is the version of the latest root. Version is the version of the timestamp.
	Root, Version int64
	// Other reports whether the given root is another one than the mirror has followed before, such
	// as after the publisher has lost its keys.
	Other bool
	// Chosen is the time when the publisher last signed the name of the current snapshot.
	Chosen time.Time
	// Fresh is the time when the publisher last confirmed that the snapshot agrees with its
	// sources.
	Fresh time.Time
	// Expires is the time when the timestamp expires.
	Expires time.Time

	files map[string][]byte // content of the fetched files, by name without .json
}

// Follow verifies the publisher's metadata and returns the current state. It starts at the given
// root, or at a later root in d if the mirror once reached it from the given root. It then follows
// all later roots of the publisher, and the other metadata down to the manifest. It returns an
// error if d has a newer state, unless forget is true. It writes nothing: see [Followed.Keep].
func Follow(given []byte, d snapshot.Dir, fetch Transport, now time.Time, forget bool) (_ *Followed, err error) {
	if err := followed(d).whole(); err != nil && !forget {
		return nil, err
	}
	t := &taker{fetch: fetch, files: map[string][]byte{}}
	root, err := t.start(given, d)
	if err != nil {
		return nil, err
	}
	cfg, err := config.New("tuf:/", root)
	if err != nil {
		return nil, err
	}
	// go-tuf must not write files, since it does not call fsync.
	cfg.DisableLocalCache, cfg.Fetcher = true, t
	cfg.LocalMetadataDir = string(followed(d))
	if forget {
		cfg.LocalMetadataDir += "/forgotten"
	}
	cfg.RootMaxLength, cfg.TimestampMaxLength, cfg.SnapshotMaxLength, cfg.TargetsMaxLength = maxRoot, maxMetadata, maxMetadata, maxMetadata
	// go-tuf panics if signed metadata lacks some fields. Received data must not end the program.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %w: it is signed, but lacks required fields", t.last, ErrMixed)
		}
	}()
	u, err := updater.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("root of trust: %s", oneLine(err.Error()))
	}
	u.UnsafeSetRefTime(now.UTC())
	if err := u.Refresh(); err != nil {
		return nil, t.explained(err, now)
	}
	set := u.GetTrustedMetadataSet()
	f := &Followed{Other: t.other, Root: set.Root.Signed.Version, Version: set.Timestamp.Signed.Version, Expires: set.Timestamp.Signed.Expires.UTC(), files: t.files}
	of, err := target(u.GetTopLevelTargets())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file(metadata.TARGETS), err)
	}
	f.Pointer, f.Manifest, f.Fresh = of.Pointer, of.size, of.fresh
	f.Chosen = time.Unix(set.Targets[metadata.TARGETS].Signed.Version, 0)
	f.rename(metadata.SNAPSHOT, set.Snapshot.Signed.Version)
	f.rename(metadata.TARGETS, set.Targets[metadata.TARGETS].Signed.Version)
	return f, nil
}

// whole returns an error if a file of the stored metadata is not JSON. It does not check
// signatures; go-tuf does that later.
func (s metadataFolder) whole() error {
	for _, role := range []string{metadata.TIMESTAMP, metadata.SNAPSHOT, metadata.TARGETS} {
		b, err := s.read(role)
		if errors.Is(err, fs.ErrNotExist) || err == nil && json.Valid(b) {
			continue
		}
		return fmt.Errorf("%s %w, so a rollback of the publisher cannot be detected; ask the publisher for its current snapshot, and accept that with --allow-rollback=ID", s.path(role), ErrForgotten)
	}
	return nil
}

// manifestTarget is the only file that the role targets names: the manifest of a snapshot.
type manifestTarget struct {
	snapshot.Pointer
	size  int64
	fresh time.Time
}

// target returns the manifest that the role targets names. It returns an error if the role names
// any other file.
func target(all map[string]*metadata.TargetFiles) (m manifestTarget, err error) {
	if len(all) != 1 {
		return m, fmt.Errorf("%w: it lists %d files instead of one manifest", ErrMixed, len(all))
	}
	for name, f := range all {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, "snapshots/"), "/")
		sum, ok := f.Hashes["sha256"]
		if !snapshot.ValidID(id) || name != snapshot.FilePath(id, snapshot.ManifestName) || !ok || f.Length < 1 || f.Length > snapshot.MaxManifest {
			return m, fmt.Errorf("%w: it lists %q, which is not the manifest of a snapshot", ErrMixed, oneLine(name))
		}
		var c custom
		if f.Custom == nil || json.Unmarshal(*f.Custom, &c) != nil || c.Fresh.IsZero() {
			return m, fmt.Errorf("%w: it does not say when the snapshot was confirmed", ErrMixed)
		}
		m = manifestTarget{Pointer: snapshot.Pointer{ID: id, Digest: sum.String()}, size: f.Length, fresh: c.Fresh}
	}
	return m, nil
}

// rename adds the metadata of a role to files a second time, under the name without a version. The
// next run reads it by this name.
func (f *Followed) rename(role string, version int64) {
	if b, ok := f.files[numbered(role, version)]; ok {
		f.files[role] = b
	}
}

// Keep stores and syncs the metadata in d, so that the mirror accepts no older state later.
func (f *Followed) Keep(d snapshot.Dir) error {
	s := followed(d)
	names := slices.SortedFunc(maps.Keys(f.files), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	for _, name := range names {
		if err := s.put(name, f.files[name]); err != nil {
			return err
		}
	}
	if f.Other {
		if err := s.dropRoots(names); err != nil {
			return err
		}
	}
	return s.clear()
}

// Republish publishes the metadata that this mirror has followed, for mirrors of this mirror.
func Republish(d snapshot.Dir) error {
	from, to := followed(d), published(d)
	names, err := from.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := from.read(name)
		if err == nil {
			err = to.put(name, b)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(to.dropRoots(names), to.clear())
}

// taker is the transport for go-tuf. It keeps all files that it fetches.
type taker struct {
	fetch Transport
	files map[string][]byte // by name, without .json
	last  string            // path of the last requested file
	other bool              // the mirror has followed another root before
}

// start returns the root to start from: the given root, or a later root in d if the mirror once
// reached it from the given root.
func (t *taker) start(given []byte, d snapshot.Dir) ([]byte, error) {
	first, err := ParseRoot(given)
	if err == nil {
		err = first.Complete()
	}
	if err != nil {
		return nil, fmt.Errorf("the root of trust that was given %w", err)
	}
	t.files[numbered(metadata.ROOT, first.Version())], t.files[metadata.ROOT] = given, given
	was, err := followed(d).read(numbered(metadata.ROOT, first.Version()))
	t.other = err == nil && !bytes.Equal(was, given)
	if errors.Is(err, fs.ErrNotExist) || t.other {
		return given, nil // d does not start with this root: the operator gave another one
	}
	if err != nil {
		return nil, err
	}
	now, err := followed(d).root()
	if err != nil || now.Version() < first.Version() {
		return given, nil // the root in d is damaged, so follow all roots again
	}
	b, err := followed(d).read(metadata.ROOT)
	t.files[metadata.ROOT] = b
	return b, err
}

// DownloadFile fetches metadata for go-tuf.
func (t *taker) DownloadFile(url string, limit int64, _ time.Duration) ([]byte, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(url, "tuf:/"), ".json")
	t.last = file(name)
	b, err := t.fetch(t.last, limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &missing{metadata.ErrDownloadHTTP{StatusCode: http.StatusNotFound, URL: t.last}, err}
	case err != nil:
		return nil, err
	}
	if strings.HasSuffix(name, "."+metadata.ROOT) {
		if _, err := ParseRoot(b); err != nil { // checks limits that go-tuf does not check
			return nil, fmt.Errorf("%s %w; ask the publisher (%w)", t.last, err, ErrMixed)
		}
	}
	t.files[name] = b
	if strings.HasSuffix(name, "."+metadata.ROOT) {
		t.files[metadata.ROOT] = b
	}
	return b, nil
}

// missing is the error for a missing file. It matches [fs.ErrNotExist] and the error that go-tuf
// expects in this case.
type missing struct {
	tuf metadata.ErrDownloadHTTP
	err error
}

func (m *missing) Error() string   { return m.err.Error() }
func (m *missing) Unwrap() []error { return []error{&m.tuf, m.err} }

// explained translates an error of go-tuf into an error of this package with advice.
func (t *taker) explained(err error, now time.Time) error {
	was := oneLine(err.Error())
	if root, bad := ParseRoot(t.files[metadata.ROOT]); bad == nil && as[*metadata.ErrExpiredMetadata](err) && !now.Before(root.Expires()) {
		return fmt.Errorf("%s %w at %s, and the publisher has no later root; the current snapshot stays until the publisher makes one with \"bencao trust renew\"; if it already has, this machine's clock is wrong, or somebody hides the new root from you",
			file(numbered(metadata.ROOT, root.Version())), ErrExpired, root.Expires().Format(time.RFC3339))
	}
	for _, known := range []struct {
		is   func(error) bool
		want error
		fix  string
	}{
		{as[*metadata.ErrExpiredMetadata], ErrExpired, "the publisher's nightly builds have stopped or fail, this machine's clock is wrong, or somebody is showing you an old state: check \"bencao index\" on the publisher"},
		{as[*metadata.ErrUnsignedMetadata], ErrUnsigned, "the file is not the publisher's, or the publisher is changing keys or has changed them without a new root: try again, then ask the publisher, and keep the flag --trust-root"},
		{as[*metadata.ErrBadVersionNumber], ErrBack, "somebody may be showing you an old state; if the publisher lost its data and started again, give --allow-rollback once"},
		{as[*metadata.ErrLengthOrHashMismatch], ErrMixed, "a cache, or somebody, mixes old and new files: try again, and let caches keep tuf/timestamp.json for at most a minute"},
		{as[*metadata.ErrRepository], ErrMixed, "ask the publisher"},
		{as[*metadata.ErrValue], ErrMixed, "the server sends something else, such as a page to log in"},
		{as[*json.SyntaxError], ErrMixed, "the server sends something else, such as a page to log in"},
		{as[*json.UnmarshalTypeError], ErrMixed, "the server sends something else, such as a page to log in"},
	} {
		if known.is(err) {
			return fmt.Errorf("%s %w (%s); %s", t.last, known.want, was, known.fix)
		}
	}
	return err
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
