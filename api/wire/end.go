package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ErrHandedOver is the cause of a context that ends because another process
// answers on the same socket by now: nobody has to be told to go elsewhere.
var ErrHandedOver = errors.New("another process answers now")

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
	// requests over servers can notice. Nobody waits after [ErrHandedOver].
	Delay time.Duration
	// Drain bounds how long requests that are under way may take.
	Drain time.Duration
}

// Serve runs srv, whose ConnState must call [Listener.State], until ctx ends,
// and then ends it: it waits for Delay, takes no more connections, and lets
// those that are open finish. It closes the listener.
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
	if end.Delay > 0 && !errors.Is(context.Cause(ctx), ErrHandedOver) {
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
	if down := srv.Shutdown(gentle); down != nil {
		err = errors.Join(err, fmt.Errorf("shut down %s: %w", l.Addr(), errors.Join(down, srv.Close())))
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
