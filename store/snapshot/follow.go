package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
)

// FollowOptions tunes a [Follower]. The zero value is ready for use.
type FollowOptions struct {
	// Interval is the time between two looks at CURRENT. Zero is 1 s.
	Interval time.Duration
	// Retry is the time between two attempts at a CURRENT that could not be
	// taken. Zero is 30 s. A CURRENT that changes is tried at once.
	Retry time.Duration
	// Trigger makes it look at once, and try again whatever failed before: a
	// channel for SIGHUP. Nil never does.
	Trigger <-chan os.Signal
	// Report is told the status after each attempt and whenever it changes,
	// from the goroutine of Start or Run: for the log, metrics and /readyz.
	// Nil is silent.
	Report func(Status)
}

// ErrGone is the [Status.Err] of a snapshot that was removed while it serves.
var ErrGone = errors.New("its directory is gone")

// Status is how far a [Follower] keeps up.
type Status struct {
	// Serving is the snapshot taken last; its zero value before the first.
	Serving Pointer
	// Since is when it was taken.
	Since time.Time
	// Err is why Serving is not what CURRENT says, or is not on the disk any
	// more: the service is stale. Nil means that it is fresh.
	Err error
	// Tried is when CURRENT was last tried and not merely looked at.
	Tried time.Time
}

// Follower keeps a service on the snapshot that CURRENT names. Whatever is
// wrong with a new snapshot, the service stays on the one it has.
type Follower struct {
	dir  Dir
	take func(context.Context, *Snapshot) error
	opt  FollowOptions

	// failed is the content of CURRENT, or the error in place of one, that
	// could not be taken last. Only Start and Run use it.
	failed string

	mu     sync.Mutex // guards status
	status Status
}

// NewFollower returns a Follower that hands each verified snapshot to take.
// Take opens it and changes over to it: it then owns the snapshot and closes
// it after its last use. If take returns an error or panics, the service must
// be as before; the Follower closes the snapshot.
func NewFollower(d Dir, take func(context.Context, *Snapshot) error, opt FollowOptions) *Follower {
	if opt.Interval == 0 {
		opt.Interval = time.Second
	}
	if opt.Retry == 0 {
		opt.Retry = 30 * time.Second
	}
	if opt.Report == nil {
		opt.Report = func(Status) {}
	}
	return &Follower{dir: d, take: take, opt: opt}
}

// Status is how things stand. It may be called from any goroutine.
func (f *Follower) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Start takes the current snapshot. If that can't be, it takes the newest one
// that can, and the status says why. It returns an error only if none can be
// taken.
func (f *Follower) Start(ctx context.Context) error {
	f.check(ctx, true)
	why := f.Status().Err
	if why == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	ids, err := f.dir.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		p, err := f.attempt(ctx, Pointer{ID: id})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			f.set(p, fmt.Errorf("serving %s instead: %w", id, why))
			return nil
		}
	}
	if len(ids) == 0 {
		return why
	}
	return fmt.Errorf("none of %d snapshots in %s can be served: %w; run \"bencao index\", or copy a whole snapshot", len(ids), f.dir.path, why)
}

// Run follows CURRENT until ctx ends. Start comes first.
func (f *Follower) Run(ctx context.Context) {
	tick := time.NewTicker(f.opt.Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.check(ctx, false)
		case <-f.opt.Trigger:
			f.check(ctx, true)
		}
	}
}

// check looks at CURRENT and takes what it names, if that is due.
func (f *Follower) check(ctx context.Context, force bool) {
	status := f.Status()
	p, err := f.dir.Current()
	if err == nil && p == status.Serving {
		f.failed = ""
		gone := f.gone(p)
		if (gone == nil) != (status.Err == nil) || gone != nil && gone.Error() != status.Err.Error() {
			f.set(p, gone)
		}
		return
	}
	seen := p.String()
	if err != nil {
		seen = err.Error()
	}
	if seen == f.failed && !force && time.Since(status.Tried) < f.opt.Retry {
		return
	}
	if err == nil {
		p, err = f.attempt(ctx, p)
	}
	if ctx.Err() != nil {
		return // stopped, not failed
	}
	if err != nil {
		f.failed = seen
		p = status.Serving
	} else {
		f.failed = ""
	}
	f.set(p, err)
}

// gone tells that what is served lies on the disk no more. Answers go on from
// what is open, but nothing could be opened again.
func (f *Follower) gone(p Pointer) error {
	if _, err := os.Lstat(filepath.Join(f.dir.snapshot(p.ID), manifestName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("snapshot %s is no longer in %s: %w; it answers from files that are open, until the server ends; run \"bencao index\", \"bencao pull\", or \"bencao rollback\" to another", p.ID, f.dir.snapshots(), ErrGone)
	}
	return nil
}

// attempt opens the snapshot and hands it over.
func (f *Follower) attempt(ctx context.Context, p Pointer) (_ Pointer, err error) {
	s, err := f.dir.open(ctx, p, Quick)
	if err != nil {
		return Pointer{}, err
	}
	p = s.Pointer
	// The libraries that open a snapshot's files may panic at content they
	// don't expect, and memory that a file is mapped to faults if the file is
	// cut off meanwhile. That must not end a server that has a good snapshot.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if bad := recover(); bad != nil {
			err = fmt.Errorf("snapshot %s: panic while opening: %v", p.ID, bad)
		}
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := f.take(ctx, s); err != nil {
		return Pointer{}, fmt.Errorf("snapshot %s: %w", p.ID, err)
	}
	return p, nil
}

// set records the outcome of a check and reports it.
func (f *Follower) set(serving Pointer, err error) {
	f.mu.Lock()
	now := time.Now()
	if serving != f.status.Serving {
		f.status.Serving, f.status.Since = serving, now
	}
	f.status.Err, f.status.Tried = err, now
	status := f.status
	f.mu.Unlock()
	f.opt.Report(status)
}
