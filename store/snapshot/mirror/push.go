package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"bencao/store/snapshot"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// PushOptions tunes [Push]. The zero value is ready for use.
type PushOptions struct {
	// Keep is how many snapshots stay in the bucket. Zero is 3.
	Keep int
	// Retries is how often a request that failed is tried again. Zero is 5, less
	// is never.
	Retries int
	// Transport carries the requests. Nil is the library's own.
	Transport http.RoundTripper
}

// Pushed says what a push did.
type Pushed struct {
	Snapshot string `json:"snapshot"`
	// Bytes is the size of the snapshot. Sent of them went over the net, the
	// others were there.
	Bytes int64 `json:"bytes"`
	Sent  int64 `json:"sent"`
	// Removed are the old snapshots that went from the bucket.
	Removed []string `json:"removed"`
}

// How long caches may keep what never changes, and what says which snapshot is
// the current one.
const (
	forever = "public, max-age=31536000, immutable"
	briefly = "max-age=60"
)

// hashKey is under which an object says what SHA-256 it was sent with.
const hashKey = "Sha256"

// push is one run under way.
type push struct {
	*bucket
	client *minio.Client
	dir    snapshot.Dir
	sent   atomic.Int64
}

// Push makes the current snapshot of d that of a bucket, s3://bucket/folder, from
// where [Pull] and every client of HTTP can read it. What names the snapshot is
// written last, so at no time does anybody find half of one. It goes back to no
// older state. To must have passed [CheckBucket].
func Push(ctx context.Context, d snapshot.Dir, to string, opt PushOptions) (Pushed, error) {
	defaults(&opt.Keep, 3)
	defaults(&opt.Retries, 5)
	done := Pushed{Removed: []string{}}
	u, err := parseURL(to)
	if err != nil {
		return done, err
	}
	p := &push{dir: d}
	if p.bucket, err = openBucket(u); err != nil {
		return done, err
	}
	if p.client, err = p.bucket.client(opt.Transport, opt.Retries); err != nil {
		return done, err
	}
	snap, err := d.OpenCurrent(ctx) // holds it against removal
	if err != nil {
		return done, err
	}
	done.Snapshot, done.Bytes = snap.ID, snap.Manifest.Bytes()
	err = errors.Join(p.all(ctx, snap), snap.Close())
	done.Sent = p.sent.Load()
	if err != nil {
		return done, fmt.Errorf("%s: %w", to, err)
	}
	done.Removed, err = p.prune(ctx, snap.ID, opt.Keep)
	if err != nil {
		err = fmt.Errorf("%s has the snapshot, but old ones are not all removed: %w", to, err)
	}
	return done, err
}

// CheckBucket tells what is wrong with the address of a bucket.
func CheckBucket(to string) error {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != scheme {
		return errors.New("the bucket's address is not one; write one such as s3://bucket/bencao")
	}
	_, err = openBucket(u)
	return err
}

// all writes the snapshot, first what never changes, last what names it.
func (p *push) all(ctx context.Context, snap *snapshot.Snapshot) error {
	timestamp, err := p.newer(ctx, snap)
	if err != nil {
		return err
	}
	// Whoever pulls compares SHA-256, so nothing else may be sent.
	if _, err := p.dir.Verify(ctx, snap.ID, snapshot.Deep); err != nil {
		return err
	}
	g, limited := errgroup.WithContext(ctx)
	g.SetLimit(fetchers)
	for _, f := range snap.Manifest.Files {
		g.Go(func() error { return p.file(limited, snap, f) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	signature, err := p.dir.Signature(snap.ID)
	switch {
	case err == nil:
		err = p.small(ctx, snapshot.SignaturePath(snap.ID), signature, briefly)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(snap.Path(snapshot.ManifestName))
	if err != nil {
		return err
	}
	if err := p.small(ctx, snapshot.FilePath(snap.ID, snapshot.ManifestName), manifest, forever); err != nil {
		return err
	}
	checked, err := p.dir.Checked()
	switch {
	case err == nil:
		err = p.small(ctx, snapshot.CheckedName, checked.Encode(), briefly)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	if err := p.small(ctx, snapshot.CurrentName, []byte(snap.Pointer.String()+"\n"), briefly); err != nil {
		return err
	}
	if timestamp == nil {
		return nil
	}
	return p.small(ctx, snapshot.TimestampName, timestamp.Encode(), briefly)
}

// newer returns the timestamp of the snapshot, nil if the folder has none, and
// refuses one that is older than the bucket's.
func (p *push) newer(ctx context.Context, snap *snapshot.Snapshot) (*snapshot.Timestamp, error) {
	there, thereErr := p.theirs(ctx)
	if thereErr != nil && !errors.Is(thereErr, fs.ErrNotExist) {
		return nil, thereErr
	}
	ours, err := p.dir.Timestamp()
	switch {
	case errors.Is(err, fs.ErrNotExist) && thereErr != nil:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: the bucket has version %d of %s, and there is none here", ErrRollback, there.Version, snapshot.TimestampName)
	case err != nil:
		return nil, err
	case ours.Pointer != snap.Pointer:
		return nil, fmt.Errorf("%s names snapshot %s, %s names %s: a night is being published; push again when it is over", snapshot.TimestampName, ours.ID, snapshot.CurrentName, snap.ID)
	case thereErr == nil && there.Version > ours.Version:
		return nil, fmt.Errorf("%w: the bucket has version %d of %s, snapshot %s, and here is version %d; push from where its last night was", ErrRollback, there.Version, snapshot.TimestampName, there.ID, ours.Version)
	}
	return &ours, nil
}

// theirs reads the bucket's timestamp. One that is not there, or that nobody can
// read, gives [fs.ErrNotExist].
func (p *push) theirs(ctx context.Context) (t snapshot.Timestamp, err error) {
	object, err := p.client.GetObject(ctx, p.name, p.key(snapshot.TimestampName), minio.GetObjectOptions{})
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, object.Close()) }()
	b, err := io.ReadAll(io.LimitReader(object, snapshot.MaxTimestamp+1))
	if gone(err) {
		return t, fs.ErrNotExist
	}
	if err != nil {
		return t, err
	}
	if t, err = snapshot.ParseTimestamp(b); err != nil {
		return t, fmt.Errorf("the bucket's %s %w: %w", snapshot.TimestampName, err, fs.ErrNotExist)
	}
	return t, nil
}

func gone(err error) bool {
	return err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound && minio.ToErrorResponse(err).Code != minio.NoSuchBucket
}

// key is what a path of the data folder is called in the bucket.
func (p *push) key(name string) string { return path.Join(p.folder, name) }

// file sends a file of the snapshot, unless it is there.
func (p *push) file(ctx context.Context, snap *snapshot.Snapshot, f snapshot.File) (err error) {
	key := p.key(snapshot.FilePath(snap.ID, f.Path))
	there, err := p.client.StatObject(ctx, p.name, key, minio.StatObjectOptions{})
	if err == nil && there.Size == f.Bytes && there.UserMetadata[hashKey] == f.SHA256 {
		return nil
	}
	if err != nil && !gone(err) {
		return err
	}
	in, err := os.Open(snap.Path(f.Path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if _, err := p.client.PutObject(ctx, p.name, key, in, f.Bytes, sending(forever, map[string]string{hashKey: f.SHA256})); err != nil {
		return err
	}
	p.sent.Add(f.Bytes)
	return nil
}

// sending says how an object goes: with a sum that the server compares, and not
// in signed pieces, which some servers would hand out as an encoding.
func sending(cache string, metadata map[string]string) minio.PutObjectOptions {
	return minio.PutObjectOptions{CacheControl: cache, UserMetadata: metadata, SendContentMd5: true, DisableContentSha256: true}
}

// small sends what is held in memory.
func (p *push) small(ctx context.Context, name string, content []byte, cache string) error {
	_, err := p.client.PutObject(ctx, p.name, p.key(name), bytes.NewReader(content), int64(len(content)), sending(cache, nil))
	return err
}

// prune removes the oldest snapshots beyond keep from the bucket, but never the
// current one. The manifest goes first, so that nobody begins to read the rest.
func (p *push) prune(ctx context.Context, current string, keep int) ([]string, error) {
	removed := []string{}
	folder := p.key(snapshot.FilePath("", "")) + "/"
	names := map[string][]string{} // of a snapshot, its objects
	for o := range p.client.ListObjectsIter(ctx, p.name, minio.ListObjectsOptions{Prefix: folder, Recursive: true}) {
		if o.Err != nil {
			return removed, o.Err
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(o.Key, folder), "/")
		if id = strings.TrimSuffix(id, ".sig"); snapshot.ValidID(id) {
			names[id] = append(names[id], o.Key)
		}
	}
	var ids []string
	for id := range names {
		if id != current {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids) // an id begins with its time
	for _, id := range ids[:max(0, len(ids)+1-keep)] {
		manifest := p.key(snapshot.FilePath(id, snapshot.ManifestName))
		for _, key := range append([]string{manifest}, names[id]...) {
			if err := p.client.RemoveObject(ctx, p.name, key, minio.RemoveObjectOptions{}); err != nil {
				return removed, err
			}
		}
		removed = append(removed, id)
	}
	return removed, nil
}
