package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

var (
	// ErrRollback is the error if the publisher shows an older state than this mirror has already
	// followed.
	ErrRollback = errors.New("the publisher went back to an older state")
	// ErrExpired is the error if the publisher's metadata have expired.
	ErrExpired = errors.New("the publisher's metadata have expired")
)

// AnyRollback is the value of [Options.AllowRollback] that allows every snapshot.
const AnyRollback = "any"

// choice is the publisher's current snapshot.
type choice struct {
	snapshot.Pointer
	// chosen is the time when the publisher made the snapshot current. It is zero if the web server
	// does not send that time.
	chosen time.Time
}

// current asks the publisher for its current snapshot. With a root of trust, it verifies the
// publisher's signed metadata. Without a root, it reads CURRENT, which anyone on the network path
// can forge.
func (p *pull) current(ctx context.Context) (choice, error) {
	if p.root == nil {
		return p.remote.current(ctx)
	}
	f, err := p.follow(ctx, false)
	if err == nil {
		err = p.behind(f)
	}
	if (errors.Is(err, trust.ErrBack) || errors.Is(err, trust.ErrForgotten)) && p.opt.AllowRollback != "" {
		back, backErr := p.follow(ctx, true)
		if backErr != nil {
			return choice{}, backErr
		}
		f, err = back, p.allowed(back.ID, err)
	}
	switch {
	case errors.Is(err, trust.ErrBack):
		return choice{}, fmt.Errorf("%w: %w", ErrRollback, err)
	case errors.Is(err, trust.ErrExpired):
		return choice{}, expired{err}
	case err != nil:
		return choice{}, err
	}
	p.followed, p.report.Root, p.report.Version, p.report.Expires = f, f.Root, f.Version, &f.Expires
	return choice{f.Pointer, f.Chosen}, nil
}

// follow finds the current snapshot by the root of trust. If forget is true, the snapshot may be
// older than the snapshot that this mirror followed before.
func (p *pull) follow(ctx context.Context, forget bool) (*trust.Followed, error) {
	f, err := trust.Follow(p.root, p.writer.Dir(), func(path string, limit int64) ([]byte, error) {
		b, err := p.remote.small(ctx, path, limit)
		var status *statusError
		if trust.IsNextRoot(path) && errors.As(err, &status) && status.code == http.StatusForbidden {
			// S3 answers 403 for a missing object if the client may not list the bucket.
			return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
		}
		if errors.Is(err, errLimit) {
			err = fmt.Errorf("%w: %w; the publisher did not write this file: check what the web server sends", trust.ErrEndless, err)
		}
		return b, err
	}, p.opt.Now(), forget)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; this data folder has a root of trust, so it follows signed snapshots only", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.remote.base, err)
	}
	return f, nil
}

// behind returns an error if a signed state is older than what this data directory knows even if
// the metadata that it followed are lost: the state in the report of the last pull, and the current
// snapshot. A publisher that rolls back signs the older snapshot after it has made the newer one.
func (p *pull) behind(f *trust.Followed) error {
	const fix = "somebody may be showing you an old state; if the publisher lost its data and started again, give --allow-rollback once"
	// A later root may replace the key of a thief, who has signed with far higher versions.
	if l := p.last; !f.Other && (f.Root < l.Root || f.Root == l.Root && f.Version < l.Version) {
		return fmt.Errorf("%s: version %d under root %d %w, which %s names: version %d under root %d; %s", p.remote.base, f.Version, f.Root, trust.ErrBack, LastReport, l.Version, l.Root, fix)
	}
	here, err := p.writer.Dir().Current()
	if err != nil || p.last.NoTrust || snapshot.FromFuture(here.ID, p.opt.Now()) {
		return nil // there is no current snapshot, or it may be forged
	}
	if f.ID < here.ID && f.Chosen.Before(snapshot.BuiltAt(here.ID)) {
		return fmt.Errorf("%s: snapshot %s, signed at %s, %w: the current snapshot %s; %s", p.remote.base, f.ID, f.Chosen.UTC().Format(time.RFC3339), trust.ErrBack, here.ID, fix)
	}
	return nil
}

// expired is an error of package trust that also matches [ErrExpired]. It has the text of the
// original error.
type expired struct{ error }

func (e expired) Is(target error) bool { return target == ErrExpired }
func (e expired) Unwrap() error        { return e.error }

// allowed returns nil if the operator allowed a rollback to the snapshot id, and err otherwise.
func (p *pull) allowed(id string, err error) error {
	if p.opt.AllowRollback != AnyRollback && p.opt.AllowRollback != id {
		return err
	}
	p.opt.Log.Warn("an older state is accepted because a rollback is allowed", "snapshot", id, "error", err)
	return nil
}

// age returns an error if the publisher last built or confirmed the snapshot more than
// [Options.MaxAge] ago.
func (p *pull) age(ctx context.Context, m snapshot.Manifest) error {
	fresh, err := p.fresh(ctx, m)
	if err != nil || p.opt.MaxAge == 0 {
		return err
	}
	const skew = 10 * time.Minute
	switch old := p.opt.Now().Sub(fresh); {
	case old > p.opt.MaxAge:
		return fmt.Errorf("%w: snapshot %s was last up to date at %s, %s ago, and %s are allowed; check the publisher's \"bencao index\"",
			ErrStale, m.ID, fresh.Format(time.RFC3339), old.Round(time.Minute), p.opt.MaxAge)
	case old < -skew:
		return fmt.Errorf("%w, or a clock is wrong: snapshot %s is from %s, %s from now", ErrStale, m.ID, fresh.Format(time.RFC3339), (-old).Round(time.Minute))
	}
	return nil
}

// fresh returns the time when the publisher built the snapshot or last confirmed that it agrees
// with its sources. With a root of trust it uses only a signed confirmation, otherwise the
// publisher's CHECKED.
func (p *pull) fresh(ctx context.Context, m snapshot.Manifest) (time.Time, error) {
	p.checked = nil
	if p.followed != nil {
		p.checked = &snapshot.Checked{ID: m.ID, At: p.followed.Fresh.UTC().Truncate(time.Second)}
		return p.checked.At, nil
	}
	c, err := p.remote.checked(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case ctx.Err() != nil:
		return time.Time{}, ctx.Err()
	case err != nil:
		// CHECKED can only make the snapshot appear fresher, so ignoring the error is safe.
		p.opt.Log.Warn("the publisher's CHECKED is ignored", "error", err)
	case c.ID == m.ID:
		p.checked = &c
		return c.At, nil
	}
	return m.Created, nil
}
