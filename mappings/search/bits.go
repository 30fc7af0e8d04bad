package search

import "math/bits"

// intersect removes from a bit set the records that are not allowed. If allowed is nil, all are.
func intersect(set, allowed []uint64) {
	for i, w := range allowed {
		set[i] &= w
	}
}

// size returns the number of records in a bit set.
func size(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}
