package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// farewell is how long a connection must have been idle to be closed at the
// end. Right after an answer the next request may be under way, and closing
// would lose it.
const farewell = 2 * time.Second

// End says how a server ends.
type End struct {
	// Began, if not nil, is called first. From then on answers should say
	// "Connection: close", so that clients leave by themselves.
	Began func()
	// Delay is how long it goes on as before then, so that whoever spreads
	// requests over servers can notice.
	Delay time.Duration
	// Drain bounds how long requests that are under way may take.
	Drain time.Duration
	// Cut, if not nil, is called with the number of connections, at least 1,
	// whose requests took longer: they are about to be closed.
	Cut func(connections int)
}

// Serve runs srv, whose ConnState must call [Listener.State], until ctx ends,
// and then ends it: it waits for Delay, takes no more connections, lets those
// that are open finish for as long as Drain, and closes the others. It closes
// the listener.
func (l *Listener) Serve(ctx context.Context, srv *http.Server, end End) error {
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	if end.Began != nil {
		end.Began()
	}
	if end.Delay > 0 {
		delay := time.NewTimer(end.Delay)
		defer delay.Stop()
		select {
		case err := <-done:
			return fmt.Errorf("serve on %s: %w", l.Addr(), err)
		case <-delay.C:
		}
	}
	err := l.Close()
	<-done // it has told that the listener is closed
	// ctx has ended; the requests under way have a time of their own.
	gentle, cancel := context.WithTimeout(context.WithoutCancel(ctx), end.Drain)
	defer cancel()
	l.drain(gentle)
	busy := l.busy()
	down := srv.Shutdown(gentle)
	if errors.Is(down, context.DeadlineExceeded) {
		if end.Cut != nil {
			end.Cut(max(busy, 1))
		}
		down = srv.Close()
	}
	if down != nil {
		err = errors.Join(err, fmt.Errorf("shut down %s: %w", l.Addr(), down))
	}
	return err
}

// drain waits until no connection is open, or ctx ends.
func (l *Listener) drain(ctx context.Context) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for l.connections() > 0 {
		l.closeIdle(farewell)
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}
