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
	// Interval is the time between two readings of CURRENT. Zero is 1 s.
	Interval time.Duration
	// Retry is the time between two attempts to take the same snapshot if it failed. Zero is 30 s.
	// If CURRENT changes, the Follower tries the new snapshot at once.
	Retry time.Duration
	// Trigger makes the Follower read CURRENT at once, and try its snapshot even if it failed
	// before. It is meant for SIGHUP. Nil never triggers.
	Trigger <-chan os.Signal
	// Report is called with the status after each attempt and whenever the status changes. Start
	// and Run call it from their own goroutine. Nil is silent.
	Report func(Status)
}

// ErrGone is the [Status.Err] of a snapshot that was removed while it serves.
var ErrGone = errors.New("its directory is gone")

// Status describes whether a [Follower] serves the current snapshot.
type Status struct {
	// Serving is the snapshot that is in use. It is the zero value before there is one.
	Serving Pointer
	// Since is when Serving came into use.
	Since time.Time
	// Err is nil if Serving is the snapshot in CURRENT and still on the disk. Otherwise it is the
	// reason why Serving differs from CURRENT or is gone.
	Err error
	// Tried is when the Follower last tried to open the snapshot in CURRENT. Merely reading CURRENT
	// does not count.
	Tried time.Time
}

// Follower makes a service use the snapshot that CURRENT names. If a new snapshot fails, the
// service continues with its present snapshot.
type Follower struct {
	dir  Dir
	take func(context.Context, *Snapshot) error
	opt  FollowOptions

	// failed is the content of CURRENT at the last failure, or the error of reading CURRENT. It is
	// empty if the last attempt succeeded. Only Start and Run use it.
	failed string

	mu     sync.Mutex // guards status
	status Status
}

// NewFollower returns a Follower that passes each verified snapshot to the function take. take
// opens the files of the snapshot and switches the service to them. The service then owns the
// snapshot and closes it after its last use. If take returns an error or panics, it must leave the
// service unchanged, and the Follower closes the snapshot.
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

// Status returns the present status. Any goroutine may call it.
func (f *Follower) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Start takes the current snapshot. If that fails, it takes the newest usable snapshot, and the
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

// Run follows CURRENT until ctx ends. Call Start first.
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

// check reads CURRENT and takes the snapshot that it names, unless that snapshot is already in use.
// If the snapshot failed before, check tries it again only after [FollowOptions.Retry]. If force is
// true, it tries the snapshot at once.
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
		return // the attempt was interrupted, which is not a failure
	}
	if err != nil {
		f.failed = seen
		p = status.Serving
	} else {
		f.failed = ""
	}
	f.set(p, err)
}

// gone returns an error if the snapshot in use is no longer on the disk. The server still answers
// from its open files, but could not open them again.
func (f *Follower) gone(p Pointer) error {
	if _, err := os.Lstat(filepath.Join(f.dir.snapshot(p.ID), ManifestName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("snapshot %s was removed from %s: %w; the server answers from its open files until it stops; run \"bencao index\", \"bencao pull\", or \"bencao rollback\" to another", p.ID, f.dir.snapshots(), ErrGone)
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
	// Libraries may panic on unexpected content, and reading mapped memory faults if the file was
	// truncated. Both must not end a server that still has a good snapshot.
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
