// Package cache keeps recent results in memory, so that a page or answer is computed once for many
// clients. It does not know what the results mean. Results never expire, so a key must name
// everything that a result depends on, such as the version of the data and the language. Begin with
// [New] and [Cache.GetOrMake].
package cache

import "sync"

// Cache keeps a limited number of values. When the cache is full, a new value replaces the value
// that was stored first. It may be used from many goroutines.
type Cache[T any] struct {
	mu     sync.Mutex // guards the fields below
	values map[string]T
	keys   []string // ring buffer of the keys; the oldest is at index next
	next   int
}

// New returns a cache of at most size values.
func New[T any](size int) *Cache[T] {
	return &Cache[T]{values: map[string]T{}, keys: make([]string, size)}
}

// Get returns the value of a key, and whether the cache has one.
func (c *Cache[T]) Get(key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

// Put stores v, which the caller must not change afterwards. If the key has a value already, Put
// keeps that value.
func (c *Cache[T]) Put(key string, v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[key]; ok {
		return
	}
	delete(c.values, c.keys[c.next])
	c.keys[c.next] = key
	c.next = (c.next + 1) % len(c.keys)
	c.values[key] = v
}

// GetOrMake returns the value of a key. If the cache has no value for the key, GetOrMake calls
// make, stores the value that make returns, and returns it. It does not store the value if make
// returns an error.
func (c *Cache[T]) GetOrMake(key string, make func() (T, error)) (T, error) {
	if v, ok := c.Get(key); ok {
		return v, nil
	}
	v, err := make()
	if err == nil {
		c.Put(key, v)
	}
	return v, err
}
