// Package lazy computes values when they are first needed.
package lazy

import (
	"sync"
	"sync/atomic"
)

// Value is computed on first use. If computing it fails or panics, for example because a file is
// truncated, nothing is stored, and the next call tries again.
type Value[T any] struct {
	computing sync.Mutex // held while the value is computed
	value     atomic.Pointer[T]
}

// Get returns the value. It calls compute if there is none yet.
func (o *Value[T]) Get(compute func() (T, error)) (T, error) {
	if v := o.value.Load(); v != nil {
		return *v, nil
	}
	o.computing.Lock()
	defer o.computing.Unlock()
	if v := o.value.Load(); v != nil {
		return *v, nil
	}
	v, err := compute()
	if err == nil {
		o.value.Store(&v)
	}
	return v, err
}
