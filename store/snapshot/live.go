package snapshot

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// Live holds the current value, such as an open snapshot. The value can be replaced while it is in
// use: each user keeps the value that it acquired. A replaced value is closed after its last user
// releases it, unless [Live.Keep] keeps it open. Many goroutines may call the methods. Only
// [Live.Close] waits for users.
type Live[T any] struct {
	current atomic.Pointer[counted[T]]
	before  atomic.Pointer[[]*counted[T]] // replaced values that stay open, newest first
	close   func(T)

	mu     sync.Mutex // serialises Swap, Keep and Close
	keep   int        // the number of replaced values that stay open
	closed bool
	open   sync.WaitGroup // values that are not closed yet
}

// counted is a value with the number of its users.
type counted[T any] struct {
	value T
	// users is the number of users, plus one while the value is current or kept. It is retired, far
	// below zero, once the value is being closed.
	users   atomic.Int64
	release func()
}

// retired is the number of users of a value that is being closed.
const retired = math.MinInt64 / 2

// NewLive returns a Live with the current value first. When a replaced value has no users left, the
// Live calls close with that value in a new goroutine.
func NewLive[T any](first T, close func(T)) *Live[T] {
	l := &Live[T]{close: close}
	l.before.Store(new([]*counted[T]))
	l.current.Store(l.count(first))
	return l
}

func (l *Live[T]) count(v T) *counted[T] {
	c := &counted[T]{value: v}
	c.users.Store(1)
	c.release = func() { l.release(c) }
	l.open.Add(1)
	return c
}

// Acquire returns the current value, which stays open until release is called. Call release exactly
// once. Calling Acquire after Close is a bug and panics.
func (l *Live[T]) Acquire() (value T, release func()) {
	for {
		c := l.current.Load()
		if c == nil {
			panic("snapshot: Acquire after Close")
		}
		if c.users.Add(1) > 0 {
			return c.value, c.release
		}
		// The value was replaced and closed after the Load, so load the new one.
	}
}

// AcquireThat is like [Live.Acquire], but searches the current and the kept values. It returns the
// newest value v for which is(v) returns true. found is false if there is none.
func (l *Live[T]) AcquireThat(is func(T) bool) (value T, release func(), found bool) {
	for {
		c := l.current.Load()
		if c == nil {
			panic("snapshot: AcquireThat after Close")
		}
		for _, c := range append([]*counted[T]{c}, *l.before.Load()...) {
			if is(c.value) && c.users.Add(1) > 0 {
				return c.value, c.release, true
			}
		}
		if l.current.Load() == c {
			return value, nil, false
		}
		// Swap replaced the current value during the search, so search again.
	}
}

// Keep sets the number of replaced values that stay open. The newest ones stay open.
func (l *Live[T]) Keep(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep = n
	l.retire(*l.before.Load())
}

// retire gets the list of all replaced values. It keeps the first l.keep of them open and releases
// the others. The caller must hold mu.
func (l *Live[T]) retire(all []*counted[T]) {
	n := min(l.keep, len(all))
	kept := append([]*counted[T]{}, all[:n]...)
	l.before.Store(&kept)
	for _, c := range all[n:] {
		l.release(c)
	}
}

func (l *Live[T]) release(c *counted[T]) {
	n := c.users.Add(-1)
	if n < 0 {
		panic("snapshot: value released twice")
	}
	// Another goroutine may acquire the value before the exchange below. Then the exchange fails,
	// and the value is closed when that goroutine releases it.
	if n == 0 && c.users.CompareAndSwap(0, retired) {
		go func() {
			defer l.open.Done()
			l.close(c.value)
		}()
	}
}

// Swap makes next the current value without waiting. The previous value stays open or is closed
// after its last use. After Close, Swap closes next immediately.
func (l *Live[T]) Swap(next T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		l.close(next)
		return
	}
	// First add the old value to l.before, and then replace it in l.current, so that AcquireThat
	// always finds it.
	old := l.current.Load()
	all := append([]*counted[T]{old}, *l.before.Load()...)
	l.before.Store(&all)
	l.current.Store(l.count(next))
	l.retire(all)
}

// Close waits until all values are closed. If ctx ends first, it returns the error of ctx; values
// still in use are closed when they are released.
func (l *Live[T]) Close(ctx context.Context) error {
	l.mu.Lock()
	if !l.closed {
		l.closed, l.keep = true, 0
		l.retire(*l.before.Load())
		l.release(l.current.Swap(nil))
	}
	l.mu.Unlock()
	done := make(chan struct{})
	go func() {
		l.open.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
