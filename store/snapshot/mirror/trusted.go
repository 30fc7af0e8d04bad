package mirror

import (
	"context"
	"errors"
	"fmt"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// trusted says which snapshot is the publisher's current one by its root of
// trust.
func (p *pull) trusted(ctx context.Context) (snapshot.Pointer, error) {
	f, err := p.follow(ctx, false)
	if (errors.Is(err, trust.ErrBack) || errors.Is(err, trust.ErrForgotten)) && p.opt.AllowRollback != "" {
		back, backErr := p.follow(ctx, true)
		if backErr != nil {
			return snapshot.Pointer{}, backErr
		}
		f, err = back, p.allowed(back.ID, err)
	}
	switch {
	case errors.Is(err, trust.ErrBack):
		return snapshot.Pointer{}, fmt.Errorf("%w: %w", ErrRollback, err)
	case errors.Is(err, trust.ErrExpired):
		return snapshot.Pointer{}, expired{err}
	case err != nil:
		return snapshot.Pointer{}, err
	}
	p.followed, p.report.Version, p.report.Expires = f, f.Version, &f.Expires
	// For those mirrors of this one that have no root of trust.
	if t, err := p.remote.timestamp(ctx); err == nil && t.Pointer == f.Pointer {
		p.timestamp = &t
	}
	return f.Pointer, nil
}

// expired is [ErrExpired] of any of the publisher's metadata, in their words.
type expired struct{ error }

func (e expired) Is(target error) bool { return target == ErrExpired }
func (e expired) Unwrap() error        { return e.error }

func (p *pull) follow(ctx context.Context, forget bool) (*trust.Followed, error) {
	f, err := trust.Follow(p.root, p.writer.Dir(), func(path string, limit int64) ([]byte, error) {
		b, err := p.remote.small(ctx, path, limit)
		if errors.Is(err, errLimit) {
			err = fmt.Errorf("%w: %w; it is not what the publisher wrote: see what the web server sends", trust.ErrEndless, err)
		}
		return b, err
	}, p.opt.Now(), forget)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.remote.base, err)
	}
	return f, nil
}
