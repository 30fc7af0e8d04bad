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
	// Report is called with the status after each attempt and whenever it changes, from the
	// goroutine of Start or Run. Nil is silent.
	Report func(Status)
}

// ErrGone is the [Status.Err] of a snapshot that was removed while it serves.
var ErrGone = errors.New("its directory is gone")

// Status describes whether a [Follower] serves the current snapshot.
type Status struct {
	// Serving is the snapshot taken last; its zero value before the first.
	Serving Pointer
	// Since is when it was taken.
	Since time.Time
	// Err is why Serving is not what CURRENT says, or is not on the disk any
	// more: the service is stale. Nil means that it is fresh.
	Err error
	// Tried is when a Follower last tried to take CURRENT, rather than only read it.
	Tried time.Time
}

// Follower keeps a service on the snapshot that CURRENT names. Whatever is
// wrong with a new snapshot, the service stays on the one it has.
type Follower struct {
	dir  Dir
	take func(context.Context, *Snapshot) error
	opt  FollowOptions

	// failed is the content of CURRENT, or the error of reading it, at the last failure. Only Start
	// and Run use it.
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

// Status returns the present status. It may be called from any goroutine.
func (f *Follower) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Start takes the current snapshot, or the newest usable one if the current one fails; then the
// status has the reason. It returns an error only if no snapshot is usable.
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

// check reads CURRENT and takes the snapshot that it names, if that is due.
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

// gone returns an error if the serving snapshot is no longer on the disk. The server still answers
// from open files, but cannot open them again.
func (f *Follower) gone(p Pointer) error {
	if _, err := os.Lstat(filepath.Join(f.dir.snapshot(p.ID), manifestName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("snapshot %s is no longer in %s: %w; it answers from files that are open, until the server ends; run \"bencao index\", \"bencao pull\", or \"bencao rollback\" to another", p.ID, f.dir.snapshots(), ErrGone)
	}
	return nil
}

// attempt opens a snapshot and passes it to take.
func (f *Follower) attempt(ctx context.Context, p Pointer) (_ Pointer, err error) {
	s, err := f.dir.open(ctx, p, Quick)
	if err != nil {
		return Pointer{}, err
	}
	p = s.Pointer
	// Libraries may panic at unexpected content, and mapped memory faults if its file is
	// truncated. Neither must end a server that has a good snapshot.
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
