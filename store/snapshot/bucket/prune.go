package bucket

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"bencao/store/snapshot"

	"github.com/minio/minio-go/v7"
)

// abandoned is the age above which an unfinished upload counts as left over from a killed push.
const abandoned = 24 * time.Hour

// prune removes old snapshots and unfinished uploads. It removes the manifest of a
// snapshot before the other files. If it is interrupted, the files that are left do not count as a
// snapshot, and the next push removes them.
func (p *push) prune(ctx context.Context) error {
	b := p.bucket
	root := b.key("snapshots") + "/"
	keys := map[string][]string{}
	for o := range b.client.ListObjectsIter(listing(ctx), b.name, minio.ListObjectsOptions{Prefix: root, Recursive: true}) {
		if o.Err != nil {
			return b.wrap("list", "snapshots", o.Err)
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(o.Key, root), "/")
		id = strings.TrimSuffix(id, ".sig")
		if snapshot.ValidID(id) {
			keys[id] = append(keys[id], o.Key)
		}
	}
	for _, id := range p.old(keys) {
		manifest := path.Join(root, id, snapshot.ManifestName)
		first := func(key string) bool { return key != manifest }
		slices.SortStableFunc(keys[id], func(a, b string) int {
			switch {
			case first(a) == first(b):
				return 0
			case first(a):
				return 1
			}
			return -1
		})
		for _, key := range keys[id] {
			if err := b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{}); err != nil {
				return b.wrap(fmt.Sprintf("remove snapshot %s from", id), "", err)
			}
		}
		p.report.Removed = append(p.report.Removed, id)
		delete(keys, id)
	}
	return p.pruneUploads(ctx, root)
}

// pruneUploads removes unfinished uploads below a folder.
func (p *push) pruneUploads(ctx context.Context, folder string) error {
	b := p.bucket
	for u := range b.client.ListIncompleteUploads(listing(ctx), b.name, folder, true) {
		if u.Err != nil {
			// Not every store can list unfinished uploads. They do no harm except to take space.
			p.opt.Log.Warn("unfinished uploads are not removed, because the store does not list them", "error", b.wrap("list", "uploads", u.Err))
			return ctx.Err()
		}
		if time.Since(u.Initiated) > abandoned {
			if err := b.client.RemoveIncompleteUpload(ctx, b.name, u.Key); err != nil {
				return b.wrap("remove an unfinished upload from", "", err)
			}
		}
	}
	return nil
}

// old returns the snapshots to remove, oldest first.
func (p *push) old(keys map[string][]string) (ids []string) {
	for id := range keys {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	kept := 0
	gone := slices.DeleteFunc(ids, func(id string) bool {
		// A snapshot without a manifest is left over from a killed push and does not count.
		if kept < p.opt.Keep && slices.Contains(keys[id], p.bucket.key(snapshot.FilePath(id, snapshot.ManifestName))) {
			kept++
			return true
		}
		return id > p.own.Current.ID || slices.ContainsFunc(p.own.Snapshots, func(s *snapshot.Snapshot) bool { return s.ID == id })
	})
	slices.Reverse(gone)
	return gone
}
