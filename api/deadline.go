package api

import (
	"context"
	"sync"
	"time"
)

// deadline is a context as [context.WithDeadline] makes one, for answers of which most are
// there before anybody waits for its end: only who asks for Done pays for a timer. Until
// then Err looks at the clock.
type deadline struct {
	context.Context // that it ends with
	at              time.Time

	once   sync.Once
	timed  context.Context
	cancel context.CancelFunc
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
	d.once.Do(func() { d.timed, d.cancel = context.WithDeadline(d.Context, d.at) })
	return d.timed.Done()
}

// Err says why it has ended, nil if it has not.
func (d *deadline) Err() error {
	if err := d.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(d.at) {
		return context.DeadlineExceeded
	}
	return nil
}

// release lets go of the timer. Behind that the context ends with its parent.
func (d *deadline) release() {
	d.once.Do(func() { d.timed = d.Context })
	if d.cancel != nil {
		d.cancel()
	}
}
