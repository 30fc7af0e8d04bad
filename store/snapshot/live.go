package snapshot

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// Live is the value that is current now, such as an open snapshot, and can be
// exchanged while it is used: each user keeps the value it began with, and a
// value is closed after its last user. Its methods may be called from many
// goroutines, and none but [Live.Close] ever waits for a user.
type Live[T any] struct {
	current atomic.Pointer[counted[T]]
	close   func(T)

	mu     sync.Mutex // orders Swap and Close
	closed bool
	open   sync.WaitGroup // values that are not closed yet
}

// counted is a value with its users.
type counted[T any] struct {
	value T
	// users counts those who hold the value: one for being current, and one
	// for each Acquire. It is far below zero once the value is being closed.
	users   atomic.Int64
	release func()
}

const retired = math.MinInt64 / 2

// NewLive returns a Live that holds first. It calls close, in a goroutine of
// its own, for each value that was replaced and has no user left.
func NewLive[T any](first T, close func(T)) *Live[T] {
	l := &Live[T]{close: close}
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

// Acquire returns the current value, which stays open until release is called.
// Release must be called exactly once. To acquire after Close is a bug and
// panics.
func (l *Live[T]) Acquire() (value T, release func()) {
	for {
		c := l.current.Load()
		if c == nil {
			panic("snapshot: Acquire after Close")
		}
		if c.users.Add(1) > 0 {
			return c.value, c.release
		}
		// It was retired since the Load, so another is current by now.
	}
}

func (l *Live[T]) release(c *counted[T]) {
	n := c.users.Add(-1)
	if n < 0 {
		panic("snapshot: value released twice")
	}
	// Between the two lines somebody may acquire the value again. Then the
	// exchange fails, and closing it falls to them.
	if n == 0 && c.users.CompareAndSwap(0, retired) {
		go func() {
			defer l.open.Done()
			l.close(c.value)
		}()
	}
}

// Swap makes next current, at once. The value before is closed after its last
// user. After Close, next is closed right away.
func (l *Live[T]) Swap(next T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		l.close(next)
		return
	}
	l.release(l.current.Swap(l.count(next)))
}

// Close waits until all values are closed, the current one too, or until ctx
// ends: then it returns ctx's error, and values still in use are closed when
// their users release them.
func (l *Live[T]) Close(ctx context.Context) error {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
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
