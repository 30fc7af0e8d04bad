// Package cache keeps recent results in memory, so that a page or answer is computed once for many
// clients. It does not know what the results mean. Results never expire, so a key must name
// everything that a result depends on, such as the version of the data and the language. Begin with
// [New] and [Cache.GetOrMake].
package cache

import (
	"context"
	"sync"
)

// Cache keeps a limited number of values. When the cache is full, a new value replaces the value
// that was stored first. It may be used from many goroutines.
type Cache[T any] struct {
	fits func(T) bool // reports whether a value may be stored

	mu     sync.Mutex // guards the fields below
	values map[string]T
	keys   []string // ring buffer of the keys; the oldest is at index next
	next   int
	// running has the calls of GetOrMake that are making a value.
	running map[string]*running[T]
}

// running is a call that is making a value. Other fields may be read when done is closed.
type running[T any] struct {
	done  chan struct{}
	value T
	made  bool // the call has succeeded
}

// New returns a cache of at most size values. It stores a value only if fits returns true. If fits
// is nil, it stores all values.
func New[T any](size int, fits func(T) bool) *Cache[T] {
	if fits == nil {
		fits = func(T) bool { return true }
	}
	return &Cache[T]{fits: fits, values: map[string]T{}, keys: make([]string, size), running: map[string]*running[T]{}}
}

// Get returns the value that is stored for a key.
func (c *Cache[T]) Get(key string) (v T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok = c.values[key]
	return v, ok
}

// GetOrMake returns the value of a key. If the cache has no value for the key, GetOrMake calls
// compute, stores the value that it returns, and returns it. Callers must not change the value.
//
// Of several callers that ask for a value at the same time, one calls its compute, and the others
// wait for the value, at most until their ctx ends. If compute returns an error or panics, this
// concerns only its own caller, whose client may have left: one of the waiting callers then calls
// its own compute.
func (c *Cache[T]) GetOrMake(ctx context.Context, key string, compute func() (T, error)) (v T, err error) {
	for {
		c.mu.Lock()
		if v, ok := c.values[key]; ok {
			c.mu.Unlock()
			return v, nil
		}
		other := c.running[key]
		if other == nil {
			own := &running[T]{done: make(chan struct{})}
			c.running[key] = own
			c.mu.Unlock()
			defer c.end(key, own)
			own.value, err = compute()
			own.made = err == nil
			return own.value, err
		}
		c.mu.Unlock()
		select {
		case <-other.done:
			if other.made {
				return other.value, nil
			}
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// end ends a call that was making the value of a key, and stores the value.
func (c *Cache[T]) end(key string, own *running[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, key)
	close(own.done)
	if !own.made || !c.fits(own.value) {
		return
	}
	delete(c.values, c.keys[c.next])
	c.keys[c.next] = key
	c.next = (c.next + 1) % len(c.keys)
	c.values[key] = own.value
}
