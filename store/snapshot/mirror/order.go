package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"bencao/store/snapshot"
)

var (
	// ErrRollback is returned when the publisher shows an older state than one
	// that was seen before.
	ErrRollback = errors.New("the publisher has gone back")
	// ErrExpired is returned when what the publisher shows held until a time
	// that is past.
	ErrExpired = errors.New("the publisher's timestamp has expired")
)

// AnyRollback is the [Options.AllowRollback] that lets every snapshot through.
const AnyRollback = "any"

// where says which snapshot is the publisher's current one: by its timestamp,
// or by the CURRENT of a publisher whose program writes none.
func (p *pull) where(ctx context.Context) (snapshot.Pointer, error) {
	p.timestamp = nil
	if p.root != nil {
		return p.trusted(ctx)
	}
	t, err := p.remote.timestamp(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		at, err := p.remote.current(ctx)
		if err != nil {
			return at, err
		}
		return at, p.allowed(at.ID, p.missing(at.ID))
	}
	if err != nil {
		return snapshot.Pointer{}, err
	}
	if len(p.keys) > 0 {
		if err := t.CheckSignature(p.keys); err != nil {
			return snapshot.Pointer{}, fmt.Errorf("%s: %w", p.remote.base, err)
		}
	}
	p.timestamp = &t
	p.report.Version, p.report.Expires = t.Version, &t.Expires
	return t.Pointer, errors.Join(p.allowed(t.ID, p.older(t)), p.allowed(t.ID, p.expired(t)))
}

// missing says why a publisher without a timestamp must not be followed.
func (p *pull) missing(id string) error {
	if p.seen.Version == 0 {
		return nil
	}
	return fmt.Errorf("%w: it has no %s any more and shows %s, but on %s it had version %d of it, for %s; either somebody keeps the file from you, or the publisher has gone back to an older bencao: ask, and if it is meant give --allow-rollback",
		ErrRollback, snapshot.TimestampName, id, dated(p.seen.Version), p.seen.Version, p.seen.ID)
}

// older says why a timestamp must not follow the one that was seen last.
func (p *pull) older(t snapshot.Timestamp) error {
	const mend = "if it is meant, such as after the publisher was lost and made anew, give --allow-rollback"
	switch {
	case t.Version < p.seen.Version:
		return fmt.Errorf("%w: it shows version %d of its %s, for snapshot %s, but version %d, for %s, was here before; somebody may be showing you an old state; %s",
			ErrRollback, t.Version, snapshot.TimestampName, t.ID, p.seen.Version, p.seen.ID, mend)
	case t.Version == p.seen.Version && t.ID != p.seen.ID:
		return fmt.Errorf("%w: it shows snapshot %s under version %d of its %s, and %s was here under the same; %s",
			ErrRollback, t.ID, t.Version, snapshot.TimestampName, p.seen.ID, mend)
	}
	return nil
}

// expired says why a timestamp is too old to be believed.
func (p *pull) expired(t snapshot.Timestamp) error {
	late := p.opt.Now().Sub(t.Expires)
	if late < 0 {
		return nil
	}
	return fmt.Errorf("%w: version %d, for snapshot %s, held until %s, and that was %s ago by this machine's clock; the publisher's nights have stopped or fail, or somebody is showing you an old state: see to \"bencao index\" there, or take it once by --allow-rollback",
		ErrExpired, t.Version, t.ID, t.Expires.Format(time.RFC3339), late.Round(time.Second))
}

// allowed lets a step back through that the operator has named.
func (p *pull) allowed(id string, why error) error {
	if why == nil || p.opt.AllowRollback != AnyRollback && p.opt.AllowRollback != id {
		return why
	}
	p.opt.Log.Warn("taken because a rollback is allowed", "snapshot", id, "error", why)
	return nil
}

// dated is when a publisher gave a version, as far as it tells.
func dated(version int64) string { return time.Unix(version, 0).UTC().Format(time.DateOnly) }

// recall reads what was seen last.
func (p *pull) recall(d snapshot.Dir) (err error) {
	p.seen, err = d.Seen()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && p.opt.AllowRollback != "":
		p.opt.Log.Warn("what was seen last is forgotten because a rollback is allowed", "error", err)
		return nil
	case err != nil:
		return fmt.Errorf("%w, so nobody can tell whether the publisher has gone back; ask which snapshot is its current one, and take that by --allow-rollback", err)
	}
	return nil
}

// remember notes what is taken, before it is: after a crash it must not be
// possible to go back.
func (p *pull) remember() error {
	if p.followed != nil {
		if err := p.followed.Keep(p.writer.Dir()); err != nil || p.timestamp == nil || p.timestamp.Version < p.seen.Version {
			return err
		}
	}
	if p.timestamp == nil {
		return p.writer.Remember(snapshot.Seen{})
	}
	return p.writer.Remember(snapshot.Seen{Version: p.timestamp.Version, ID: p.timestamp.ID})
}
