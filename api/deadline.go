package api

import (
	"context"
	"sync"
	"time"
)

// deadline is a context as [context.WithTimeout] makes one, for answers of which most are
// there before anybody waits for its end: only who asks for Done pays for a timer. Until
// then Err looks at the clock.
type deadline struct {
	context.Context // that it ends with
	at              time.Time

	mu     sync.Mutex         // guards what follows
	timed  context.Context    // ends as this one does; nil until somebody waits
	cancel context.CancelFunc // of timed
	err    error              // why it has ended before that
}

func withTimeout(parent context.Context, d time.Duration) *deadline {
	return &deadline{Context: parent, at: time.Now().Add(d)}
}

// Deadline is when it ends.
func (d *deadline) Deadline() (time.Time, bool) {
	if at, ok := d.Context.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

// Done is closed when it ends.
func (d *deadline) Done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		switch d.err {
		case nil:
			d.timed, d.cancel = context.WithDeadline(d.Context, d.at)
		case context.DeadlineExceeded:
			d.timed, d.cancel = context.WithDeadline(context.Background(), time.Time{})
		default:
			d.timed, d.cancel = context.WithCancel(context.Background())
			d.cancel()
		}
	}
	return d.timed.Done()
}

// Err says why it has ended, nil if it has not. It never says otherwise later.
func (d *deadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.timed != nil:
		return d.timed.Err()
	case d.err != nil:
	case d.Context.Err() != nil:
		d.err = d.Context.Err()
	case !time.Now().Before(d.at):
		d.err = context.DeadlineExceeded
	}
	return d.err
}

// release ends it, as the function does that [context.WithTimeout] returns.
func (d *deadline) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.timed != nil:
		d.cancel()
	case d.err == nil:
		d.err = context.Canceled
	}
}
