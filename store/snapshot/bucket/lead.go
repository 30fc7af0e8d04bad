package bucket

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/minio/minio-go/v7"
)

// put writes a small file and reads it back. If over is not nil, it writes only
// while that is still there.
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
		p.opt.Log.Warn("the store knows no conditions: let no two pushes run at once", "to", b.address)
		return p.put(ctx, name, content, cache, nil)
	}
	if err != nil {
		return b.fault("write", name, err)
	}
	return p.verifySmall(ctx, name, content)
}

// trust puts there by what mirrors with a root of trust follow.
func (p *push) trust(ctx context.Context) error {
	for _, l := range p.trusted {
		if !trust.Lasting(l) {
			if err := p.replace(ctx, l); err != nil {
				return err
			}
			continue
		}
		there, err := p.bucket.read(ctx, l.Name, largestLead)
		if err == nil && bytes.Equal(there.content, l.Content) {
			continue
		}
		if err := p.put(ctx, l.Name, l.Content, forever, nil); err != nil {
			return err
		}
		p.report.Outcome = "published"
	}
	return nil
}

// replace changes a lead, unless another push has since the bucket was looked at.
func (p *push) replace(ctx context.Context, l snapshot.Lead) error {
	before := p.shown[l.Name]
	if bytes.Equal(before.content, l.Content) {
		return nil
	}
	err := p.put(ctx, l.Name, l.Content, shortly, &before)
	if errors.Is(err, errMoved) {
		// Another push of the same state, or this one, whose answer was lost.
		now, readErr := p.bucket.read(ctx, l.Name, largestLead)
		if readErr == nil && bytes.Equal(now.content, l.Content) {
			err = nil
		}
	}
	if err == nil {
		p.report.Outcome = "published"
	}
	return err
}

// lead makes the bucket show the new state.
func (p *push) lead(ctx context.Context) error {
	p.report.Outcome = "unchanged"
	if err := p.trust(ctx); err != nil {
		return err
	}
	for _, l := range p.own.Leads {
		if err := p.replace(ctx, l); err != nil {
			return err
		}
	}
	isLed := func(l snapshot.Lead) bool { return l.Name == snapshot.TimestampName }
	if len(p.shown[snapshot.TimestampName].content) > 0 && !slices.ContainsFunc(p.own.Leads, isLed) {
		err := p.bucket.client.RemoveObject(ctx, p.bucket.name, p.bucket.key(snapshot.TimestampName), minio.RemoveObjectOptions{})
		return p.bucket.fault("remove", snapshot.TimestampName, err)
	}
	return nil
}
