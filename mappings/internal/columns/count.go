package columns

import (
	"math/bits"
	"slices"
)

// Counts holds, for each value of a column, the number of records in a set that have the value.
type Counts struct {
	Of      []uint32 // by value: the number of records that have it
	Without int      // number of records without a value
}

// add counts one record with these values.
func (n *Counts) add(values []uint32) {
	for _, v := range values {
		n.Of[v]++
	}
	if len(values) == 0 {
		n.Without++
	}
}

// Count counts the records of a bit set by value. It writes the counts into n, whose memory it
// reuses. If the set has more than half of all records, it counts the other records and subtracts.
func (c *Column) Count(set []uint64, n *Counts) {
	records, hits := len(c.ofRecord.ends), 0
	for _, w := range set {
		hits += bits.OnesCount64(w)
	}
	most := hits > records/2
	n.Without = 0
	n.Of = slices.Grow(n.Of[:0], len(c.Values))[:len(c.Values)]
	clear(n.Of)
	for i, w := range set {
		if most {
			w = ^w
		}
		for ; w != 0; w &= w - 1 {
			at := i*64 + bits.TrailingZeros64(w)
			if at >= records {
				break
			}
			n.add(c.ofRecord.of(at))
		}
	}
	if most {
		n.Without = c.Total.Without - n.Without
		for v, total := range c.Total.Of {
			n.Of[v] = total - n.Of[v]
		}
	}
}

// Commonest returns the most frequent values, the most frequent first. Equally frequent values are
// in the order of their characters. most is the maximum number of values and must be at least 1.
// all is the number of values that occur.
func (n *Counts) Commonest(most int) (values []uint32, all int) {
	var best []uint64 // the count in the high bits, the inverted value in the low bits
	cut := func() {
		slices.Sort(best)
		best = best[max(0, len(best)-most):]
	}
	least := uint32(0) // a value with at most this count cannot be among the most frequent values
	for v, count := range n.Of {
		if count > 0 {
			all++
		}
		if count <= least {
			continue
		}
		if best = append(best, uint64(count)<<32|uint64(^uint32(v))); len(best)/2 >= most { // sorting now and then is faster than a heap
			cut()
			least = uint32(best[0] >> 32)
		}
	}
	cut()
	values = make([]uint32, 0, len(best))
	for _, b := range slices.Backward(best) {
		values = append(values, ^uint32(b))
	}
	return values, all
}
