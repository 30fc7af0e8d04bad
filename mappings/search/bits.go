package search

import (
	"iter"
	"math/bits"

	"bencao/store"
)

// intersect removes from a bit set the records that are not allowed. If allowed is nil, all are.
func intersect(set, allowed []uint64) {
	for i, w := range allowed {
		set[i] &= w
	}
}

// invert makes a bit set that of the other records.
func invert(set []uint64) {
	for i := range set {
		set[i] = ^set[i]
	}
}

// size returns the number of records in a bit set.
func size(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// records yields the records of a bit set.
func records(set []uint64) iter.Seq[store.Num] {
	return func(yield func(store.Num) bool) {
		for i, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(store.Num(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// either returns the set that is not nil, if one is.
func either(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	return a
}
