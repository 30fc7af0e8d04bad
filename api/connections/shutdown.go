package connections

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// minIdle is how long a connection must be idle before a shutdown closes it. Directly after an
// answer, the client may already be sending its next request. Closing the connection would lose
// that request.
const minIdle = 2 * time.Second

// Shutdown has the steps and times by which a server shuts down.
type Shutdown struct {
	// Began, if not nil, is called when the shutdown begins. From then on, handlers should send
	// "Connection: close", so that clients do not reuse their connections.
	Began func()
	// Delay is how long the server still accepts connections after Began, so that load balancers
	// have time to notice that it shuts down.
	Delay time.Duration
	// Drain limits how long the server then waits for requests in progress.
	Drain time.Duration
	// Cut, if not nil, is called before connections with unfinished requests are closed. It gets
	// the number of these connections, at least 1.
	Cut func(connections int)
}

// Serve runs srv until ctx ends and then shuts it down. It waits for Delay and accepts no more
// connections. It then waits up to Drain until the open connections have no request, and closes
// them. It closes the listener.
func (l *Listener) Serve(ctx context.Context, srv *http.Server, end Shutdown) error {
	srv.Handler = lastWithBody(srv.Handler)
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	watch := srv.ConnState
	srv.ConnState = func(c net.Conn, state http.ConnState) {
		if watch != nil {
			watch(c, state)
		}
		l.state(c.(*conn), state)
	}
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
	<-done // the only error here is that the listener is closed
	// ctx has ended, but the requests in progress still have the time Drain.
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

// drain waits until no connection is open, or until ctx ends. It closes connections that have been
// idle for minIdle.
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
