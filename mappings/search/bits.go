package search

import "math/bits"

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
