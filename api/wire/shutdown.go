package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// minIdle is how long a connection must be idle before a shutdown closes it. Directly after an
// answer the client may be sending its next request, which closing would lose.
const minIdle = 2 * time.Second

// Shutdown tells how a server ends.
type Shutdown struct {
	// Began, if not nil, is called first. From then on answers should have "Connection: close", so
	// that clients leave.
	Began func()
	// Delay is how long the server continues as before, so that load balancers have time to notice.
	Delay time.Duration
	// Drain limits the time for requests in progress.
	Drain time.Duration
	// Cut, if not nil, is called before connections with unfinished requests are closed. It gets
	// their number, at least 1.
	Cut func(connections int)
}

// Serve runs srv until ctx ends and then shuts it down: it waits for Delay, accepts no more
// connections, waits up to Drain for the open ones, and closes the rest. It closes the listener.
// srv.ConnState must call [Listener.State].
func (l *Listener) Serve(ctx context.Context, srv *http.Server, end Shutdown) error {
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
	<-done // returns the error that the listener is closed
	// ctx has ended, but the requests in progress have time.
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

// drain waits until no connection is open or ctx ends.
func (l *Listener) drain(ctx context.Context) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for l.connections() > 0 {
		l.closeIdle(minIdle)
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}
