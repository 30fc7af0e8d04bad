package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bencao/store/snapshot"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// ownDeltas returns the deltas that produce files of the published snapshots.
func (p *push) ownDeltas(d snapshot.Dir) (own []snapshot.Delta, err error) {
	all, err := snapshot.Deltas(d)
	if err != nil {
		return nil, err
	}
	published := map[string]bool{}
	for _, s := range p.own.Snapshots {
		for _, f := range s.Manifest.Files {
			published[f.SHA256] = true
		}
	}
	for _, x := range all {
		if published[x.New] {
			own = append(own, x)
		}
	}
	return own, nil
}

// deltas sends the deltas that the bucket lacks.
func (p *push) deltas(ctx context.Context, d snapshot.Dir, own []snapshot.Delta) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(senders)
	for _, x := range own {
		g.Go(func() error {
			local := filepath.Join(d.Path(), filepath.FromSlash(x.Path()))
			sum, err := sumOf(local)
			if err == nil {
				err = p.file(ctx, x.Path(), local, snapshot.File{Path: x.Path(), Bytes: x.Bytes, SHA256: sum})
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // another run removed the delta, so no mirror needs it
			}
			return err
		})
	}
	return g.Wait()
}

// sumOf returns the SHA-256 of a file.
func sumOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// pruneDeltas removes deltas whose new file is in no snapshot. ids are the ids of all snapshots in
// the bucket. If a manifest is invalid or cannot be read, it removes no delta.
func (p *push) pruneDeltas(ctx context.Context, ids []string) error {
	b := p.bucket
	kept := map[string]bool{}
	for _, id := range ids {
		o, err := b.read(ctx, snapshot.FilePath(id, snapshot.ManifestName), snapshot.MaxManifest)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the push of this snapshot is in progress or was interrupted
		}
		if err != nil {
			return err
		}
		m, err := snapshot.ParseManifest(o.content)
		if err != nil {
			p.opt.Log.Warn("no old deltas are removed, because a manifest in the bucket is invalid", "snapshot", id, "error", err)
			return nil
		}
		for _, f := range m.Files {
			kept[f.SHA256] = true
		}
	}
	root := b.key(snapshot.DeltasDir) + "/"
	for o := range b.client.ListObjectsIter(listing(ctx), b.name, minio.ListObjectsOptions{Prefix: root, Recursive: true}) {
		if o.Err != nil {
			return b.wrap("list", snapshot.DeltasDir, o.Err)
		}
		if made, _, ok := strings.Cut(strings.TrimPrefix(o.Key, root), "/"); !ok || kept[made] {
			continue
		}
		if err := b.client.RemoveObject(ctx, b.name, o.Key, minio.RemoveObjectOptions{}); err != nil {
			return b.wrap("remove a delta from", "", err)
		}
	}
	return nil
}
