package explorer

import "sync"

// kept holds what was made last, by tags, so that what many ask for is made once.
// A tag names the data, so that nothing old is ever given.
type kept[T any] struct {
	mu   sync.Mutex
	all  map[string]T
	ring []string // tags, the oldest at next
	next int
}

// newKept keeps so many.
func newKept[T any](most int) *kept[T] {
	return &kept[T]{all: map[string]T{}, ring: make([]string, most)}
}

func (k *kept[T]) get(tag string) (T, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.all[tag]
	return v, ok
}

func (k *kept[T]) put(tag string, v T) {
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
