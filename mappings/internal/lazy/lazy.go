// Package once holds what is made of an index when a query first needs it.
package lazy

import (
	"sync"
	"sync/atomic"
)

// Value holds a value that is made when it is first asked for. Making that fails,
// or panics because a file was cut short under it, leaves nothing behind: the next
// query makes the value anew.
type Value[T any] struct {
	making sync.Mutex // held while the value is made
	value  atomic.Pointer[T]
}

// Get returns the value.
func (o *Value[T]) Get(make func() (T, error)) (T, error) {
	if v := o.value.Load(); v != nil {
		return *v, nil
	}
	o.making.Lock()
	defer o.making.Unlock()
	if v := o.value.Load(); v != nil {
		return *v, nil
	}
	v, err := make()
	if err == nil {
		o.value.Store(&v)
	}
	return v, err
}
