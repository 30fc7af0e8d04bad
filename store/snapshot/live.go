package snapshot

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Live holds the current value, such as an open snapshot, and earlier values that stay open. The
// current value can be replaced while it is in use: each user keeps the value that it acquired. A
// value that is neither current nor kept is closed after its last user releases it. [Live.Keep] says
// how many earlier values are kept: those that were current or acquired last. Many goroutines may
// call the methods. Only [Live.Close] and [Live.Open] wait for users.
type Live[T any] struct {
	current atomic.Pointer[counted[T]]
	before  atomic.Pointer[[]*counted[T]] // earlier values that stay open, the last used first
	close   func(T)

	mu     sync.Mutex // serialises changes of current and before
	keep   int        // the number of earlier values that stay open
	closed bool
	// leaving are the retired values that may not be closed yet.
	leaving []*counted[T]
	open    sync.WaitGroup // values that are not closed yet
}

// counted is a value with the number of its users.
type counted[T any] struct {
	value T
	// users is the number of users, plus one while the value is current or kept. It is retired, far
	// below zero, once the value is being closed.
	users   atomic.Int64
	release func()
	closed  chan struct{} // closed after the value
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
	c := &counted[T]{value: v, closed: make(chan struct{})}
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

// AcquireThat is like [Live.Acquire], but searches the current and the kept values for a value v for
// which is(v) returns true. found is false if there is none.
func (l *Live[T]) AcquireThat(is func(T) bool) (value T, release func(), found bool) {
	for {
		c := l.current.Load()
		if c == nil {
			panic("snapshot: AcquireThat after Close")
		}
		for i, c := range append([]*counted[T]{c}, *l.before.Load()...) {
			if is(c.value) && c.users.Add(1) > 0 {
				if i > 1 {
					l.touch(c)
				}
				return c.value, c.release, true
			}
		}
		if l.current.Load() == c {
			return value, nil, false
		}
		// Swap replaced the current value during the search, so search again.
	}
}

// List calls visit with the current value and then with the kept ones, the last used first. The
// values stay open meanwhile.
func (l *Live[T]) List(visit func(T)) {
	value, release := l.Acquire()
	visit(value)
	release()
	for _, c := range *l.before.Load() {
		if c.users.Add(1) > 0 {
			visit(c.value)
			c.release()
		}
	}
}

// isClosed reports whether the value is closed.
func (c *counted[T]) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// touch moves a kept value to the front, so that it stays open longest.
func (l *Live[T]) touch(c *counted[T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := slices.Clone(*l.before.Load())
	if i := slices.Index(before, c); i > 0 {
		copy(before[1:], before[:i])
		before[0] = c
		l.before.Store(&before)
	}
}

// Open adds the value that load returns to the earlier values, and acquires it. If no further value
// may stay open, Open first retires the kept value that was used least recently, and waits until all
// retired values are closed. So open values do not pile up behind slow users. If no earlier value
// may stay open at all, Open returns [ErrNoneKept]. Calls of Open must not overlap.
func (l *Live[T]) Open(ctx context.Context, load func() (T, error)) (value T, release func(), err error) {
	l.mu.Lock()
	room := l.keep - 1
	if all := *l.before.Load(); !l.closed && room >= 0 && len(all) > room {
		l.retireBeyond(all, room)
	}
	leaving := l.leaving
	l.mu.Unlock()
	if room < 0 {
		return value, nil, ErrNoneKept
	}
	for _, c := range leaving {
		select {
		case <-c.closed:
		case <-ctx.Done():
			return value, nil, ctx.Err()
		}
	}
	if value, err = load(); err != nil {
		return value, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		l.close(value)
		return value, nil, ErrNoneKept
	}
	c := l.count(value)
	c.users.Add(1)
	l.retire(append([]*counted[T]{c}, *l.before.Load()...))
	return value, c.release, nil
}

// ErrNoneKept is returned by [Live.Open] if no earlier value may stay open.
var ErrNoneKept = errors.New("no earlier version is kept open")

// Keep sets the number of earlier values that stay open. The last used ones stay open.
func (l *Live[T]) Keep(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep = n
	l.retire(*l.before.Load())
}

// retire gets the list of all earlier values. It keeps the first l.keep of them open and releases
// the others. The caller must hold mu.
func (l *Live[T]) retire(all []*counted[T]) { l.retireBeyond(all, l.keep) }

func (l *Live[T]) retireBeyond(all []*counted[T], n int) {
	n = min(n, len(all))
	kept := append([]*counted[T]{}, all[:n]...)
	l.before.Store(&kept)
	l.leaving = slices.DeleteFunc(slices.Concat(l.leaving, all[n:]), (*counted[T]).isClosed)
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
			defer close(c.closed)
			l.close(c.value)
		}()
	}
}

// Keeps reports whether earlier values may stay open.
func (l *Live[T]) Keeps() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keep > 0
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
