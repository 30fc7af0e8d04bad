// Package kept holds what was made last, by tags, so that what many ask for is made
// once. A tag names all that a thing depends on, so that nothing old is ever given.
package kept

import "sync"

// Ring keeps a number of things, and forgets the oldest for a new one. It may be used
// from many goroutines.
type Ring[T any] struct {
	mu   sync.Mutex
	all  map[string]T
	ring []string // tags, the oldest at next
	next int
}

// New returns a ring that keeps so many.
func New[T any](most int) *Ring[T] {
	return &Ring[T]{all: map[string]T{}, ring: make([]string, most)}
}

// Get returns what is kept under a tag.
func (k *Ring[T]) Get(tag string) (T, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.all[tag]
	return v, ok
}

// Put keeps v, which nobody changes from now on.
func (k *Ring[T]) Put(tag string, v T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.all[tag]; ok {
		return
	}
	delete(k.all, k.ring[k.next])
	k.ring[k.next] = tag
	k.next = (k.next + 1) % len(k.ring)
	k.all[tag] = v
}

// Of gives what is kept under a tag, or else makes and keeps it. What fails is not
// kept.
func (k *Ring[T]) Of(tag string, make func() (T, error)) (T, error) {
	if v, ok := k.Get(tag); ok {
		return v, nil
	}
	v, err := make()
	if err == nil {
		k.Put(tag, v)
	}
	return v, err
}
