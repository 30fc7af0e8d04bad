package columns

import (
	"math/bits"
	"slices"
)

// Counts says how many of some records have each value of a column.
type Counts struct {
	Of      []uint32 // by value
	Without int      // how many records have none
}

// add counts a record that has some values.
func (n *Counts) add(values []uint32) {
	for _, v := range values {
		n.Of[v]++
	}
	if len(values) == 0 {
		n.Without++
	}
}

// Count counts into n, whose room it uses, the records that are set. Of most of
// all records it counts the others.
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
		n.Without = c.total.Without - n.Without
		for v, total := range c.total.Of {
			n.Of[v] = total - n.Of[v]
		}
	}
}

// Commonest returns at most so many, one or more, of the values that any record has, the
// commonest first, then in the order of their characters, and how many there are.
func (n *Counts) Commonest(most int) (values []uint32, all int) {
	var best []uint64 // a count, then the value upside down
	cut := func() {
		slices.Sort(best)
		best = best[max(0, len(best)-most):]
	}
	least := uint32(0) // what has no more than that stands behind as many as are wanted
	for v, count := range n.Of {
		if count > 0 {
			all++
		}
		if count <= least {
			continue
		}
		if best = append(best, uint64(count)<<32|uint64(^uint32(v))); len(best)/2 >= most { // sorted now and then, not each time
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
