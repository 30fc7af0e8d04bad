package bucket

import (
	"bytes"
	"context"
	"errors"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/minio/minio-go/v7"
)

// put writes a small file and reads it back. If over is not nil, put writes the file only if the
// bucket still has the object that over describes. The zero value describes a missing object.
func (p *push) put(ctx context.Context, name string, content []byte, cache string, over *object) error {
	opt := minio.PutObjectOptions{ContentType: "application/octet-stream", CacheControl: cache, SendContentMd5: true, DisableContentSha256: true}
	if over != nil && over.etag != "" {
		opt.SetMatchETag(over.etag)
	} else if over != nil {
		opt.SetMatchETagExcept("*")
	}
	b := p.bucket
	_, err := b.client.PutObject(ctx, b.name, b.key(name), bytes.NewReader(content), int64(len(content)), opt)
	if over != nil && minio.ToErrorResponse(err).Code == "NotImplemented" {
		p.opt.Log.Warn("the store does not support conditional writes; never run two pushes at the same time", "to", b.address)
		return p.put(ctx, name, content, cache, nil)
	}
	if err != nil {
		return b.wrap("write", name, err)
	}
	return p.verifySmall(ctx, name, content)
}

// trust writes the signed metadata.
func (p *push) trust(ctx context.Context) error {
	for _, f := range p.trusted {
		if !trust.Immutable(f) {
			if err := p.replace(ctx, f); err != nil {
				return err
			}
			continue
		}
		there, err := p.bucket.read(ctx, f.Name, maxPointerFile)
		if err == nil && bytes.Equal(there.content, f.Content) {
			continue
		}
		if err := p.put(ctx, f.Name, f.Content, forever, nil); err != nil {
			return err
		}
		p.report.Outcome = "published"
	}
	return nil
}

// replace writes a pointer file, unless another push has written it since this push read the
// bucket.
func (p *push) replace(ctx context.Context, f snapshot.PointerFile) error {
	before := p.shown[f.Name]
	if bytes.Equal(before.content, f.Content) {
		return nil
	}
	err := p.put(ctx, f.Name, f.Content, shortly, &before)
	if errors.Is(err, errMoved) {
		// This is no error if the file has the right content. Another push of the same state may
		// have written it, or this push may have written it and lost the response.
		now, readErr := p.bucket.read(ctx, f.Name, maxPointerFile)
		if readErr == nil && bytes.Equal(now.content, f.Content) {
			err = nil
		}
	}
	if err == nil {
		p.report.Outcome = "published"
	}
	return err
}

// point writes the signed metadata and the pointer files, so that mirrors see the new state.
func (p *push) point(ctx context.Context) error {
	p.report.Outcome = "unchanged"
	if err := p.trust(ctx); err != nil {
		return err
	}
	for _, f := range p.own.Pointers {
		if err := p.replace(ctx, f); err != nil {
			return err
		}
	}
	if len(p.shown[retiredTimestamp].content) == 0 {
		return nil
	}
	err := p.bucket.client.RemoveObject(ctx, p.bucket.name, p.bucket.key(retiredTimestamp), minio.RemoveObjectOptions{})
	return p.bucket.wrap("remove", retiredTimestamp, err)
}
