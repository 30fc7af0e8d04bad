package hits

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/mappings"
	"bencao/store"
)

// Page is a page of the records found.
type Page struct {
	Total int // all hits, exactly, whatever the page
	Nums  []store.Num
	mappings.Verdict
	// Namesakes says of each record how many other hits have its name, when each
	// name has one line.
	Namesakes []int
}

// Page counts the hits and returns those from the given one on, at most size.
func (c *Collector) Page(from, size int) Page {
	hits := Page{Nums: []store.Num{}}
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		t := &c.tiers[tier]
		if len(t.single) == 0 && len(t.bitmap) == 0 {
			continue
		}
		byLength, byScore := tier == int(c.ranked) && c.lengths != nil, tier == int(c.ranked) && c.lengths == nil
		byBits := !byScore && (len(t.bitmap) > 0 || len(t.single) > fewHits)
		var count int
		if byBits {
			count = c.unite(t)
			for i, w := range c.union {
				c.shown[i] |= w
			}
		} else {
			t.single = c.take(t.single)
			count = len(t.single)
		}
		first := max(from+len(hits.Nums)-hits.Total, 0)
		if room := size - len(hits.Nums); room > 0 && first < count {
			last := first + min(room, count-first)
			switch {
			case byBits && byLength:
				hits.Nums = c.pickLengths(hits.Nums, first, last)
			case byBits:
				hits.Nums = pickBits(hits.Nums, c.union, first, last)
			case byScore:
				hits.Nums = c.pickRanked(hits.Nums, t.single, first, last)
			default:
				hits.Nums = append(hits.Nums, c.sorted(t.single, byLength)[first:last]...)
			}
		}
		hits.Total += count
	}
	hits.Total += c.uncounted
	return hits
}

// take returns the records that were not shown yet, in the room of the list.
func (c *Collector) take(list []store.Num) []store.Num {
	fresh := list[:0]
	for _, at := range list {
		if !c.isShown(at) {
			c.shown[at/64] |= 1 << (at % 64)
			fresh = append(fresh, at)
		}
	}
	return fresh
}

// sorted puts records into answer order, those of short titles first if asked.
func (c *Collector) sorted(found []store.Num, byLength bool) []store.Num {
	slices.SortFunc(found, func(a, b store.Num) int {
		if byLength && c.weights[a] != c.weights[b] {
			return cmp.Compare(c.weights[a], c.weights[b])
		}
		return cmp.Compare(a, b)
	})
	return found
}

// pickLengths appends the numbers of union from the first to the last, those
// of short titles first.
func (c *Collector) pickLengths(nums []store.Num, first, last int) []store.Num {
	before := 0
	for _, length := range c.lengths {
		if before >= last {
			break
		}
		clear(c.scratch)
		length.WriteDenseTo(c.scratch)
		count := 0
		for i, w := range c.union {
			c.scratch[i] &= w
			count += bits.OnesCount64(c.scratch[i])
		}
		if before+count > first {
			nums = pickBits(nums, c.scratch, max(first-before, 0), min(last-before, count))
		}
		before += count
	}
	return nums
}

// pickBits appends the numbers of a set from the first to the last in answer
// order.
func pickBits(nums []store.Num, set []uint64, first, last int) []store.Num {
	before := 0
	for i, w := range set {
		if count := bits.OnesCount64(w); before+count <= first {
			before += count
			continue
		}
		for ; w != 0; w &= w - 1 {
			if before == last {
				return nums
			}
			if before >= first {
				nums = append(nums, store.Num(i*64+bits.TrailingZeros64(w)))
			}
			before++
		}
	}
	return nums
}

// scoreSteps is how finely scores are told apart before any are sorted.
const scoreSteps = 2048

// pickRanked appends the numbers of a list from the first to the last by
// score, of which none is 0. It sorts only the hits whose scores are near
// those of the places asked for.
func (c *Collector) pickRanked(nums []store.Num, list []store.Num, first, last int) []store.Num {
	var top float32
	for _, at := range list {
		top = max(top, c.scores[at])
	}
	step := func(at store.Num) int { return int((top - c.scores[at]) / top * (scoreSteps - 1)) }
	var counts [scoreSteps]int
	for _, at := range list {
		counts[step(at)]++
	}
	from, before := 0, 0 // the first step that has a place asked for, and the hits before it
	for before+counts[from] <= first {
		before += counts[from]
		from++
	}
	to := from
	for reached := before + counts[to]; reached < last; reached += counts[to] {
		to++
	}
	near := make([]store.Num, 0, last-before)
	for _, at := range list {
		if i := step(at); i >= from && i <= to {
			near = append(near, at)
		}
	}
	slices.SortFunc(near, func(a, b store.Num) int {
		return cmp.Or(cmp.Compare(c.scores[b], c.scores[a]), cmp.Compare(a, b))
	})
	return append(nums, near[first-before:last-before]...)
}
