package search

import (
	"sync"
	"sync/atomic"

	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
)

// made is what is made of an index when a query first needs it, by row.
type made struct {
	lexicons   []once[*lexicon]
	nearLines  []once[string]
	otherNames []once[[]otherName] // of names in characters
	columns    []once[*columns.Column]
	orders     []once[[]index.Place]
	namesakes  []once[*hits.Namesakes]
}

func newMade(rows int) *made {
	return &made{
		make([]once[*lexicon], rows), make([]once[string], rows), make([]once[[]otherName], rows),
		make([]once[*columns.Column], rows), make([]once[[]index.Place], rows), make([]once[*hits.Namesakes], rows),
	}
}

// once holds a value that is made when it is first asked for. Making that fails,
// or panics because a file was cut short under it, leaves nothing behind: the next
// query makes the value anew.
type once[T any] struct {
	making sync.Mutex // held while the value is made
	value  atomic.Pointer[T]
}

// get returns the value.
func (o *once[T]) get(make func() (T, error)) (T, error) {
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
