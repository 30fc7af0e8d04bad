package hits

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/mappings"
	"bencao/mappings/index"
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
				hits.Nums = c.pickBits(hits.Nums, c.union, first, last)
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

// take returns the places that were not shown yet, in the room of the list.
func (c *Collector) take(list []index.Place) []index.Place {
	fresh := list[:0]
	for _, at := range list {
		if !c.isShown(at) {
			c.shown[at/64] |= 1 << (at % 64)
			fresh = append(fresh, at)
		}
	}
	return fresh
}

// sorted returns the numbers at the places in answer order, those of short
// titles first if asked.
func (c *Collector) sorted(places []index.Place, byLength bool) []store.Num {
	slices.SortFunc(places, func(a, b index.Place) int {
		if byLength && c.weights[a] != c.weights[b] {
			return cmp.Compare(c.weights[a], c.weights[b])
		}
		return cmp.Compare(c.numbers[a], c.numbers[b])
	})
	nums := make([]store.Num, len(places))
	for i, at := range places {
		nums[i] = c.numbers[at]
	}
	return nums
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
			nums = c.pickBits(nums, c.scratch, max(first-before, 0), min(last-before, count))
		}
		before += count
	}
	return nums
}

// pickBits appends the numbers of a set of places from the first to the last
// in answer order. The numbers of a block of the index are those of no other:
// only the blocks between first and last are looked at.
func (c *Collector) pickBits(nums []store.Num, places []uint64, first, last int) []store.Num {
	const blockWords = index.BlockSize / 64
	before := 0
	for start := 0; start < len(places) && before < last; start += blockWords {
		block := places[start:min(start+blockWords, len(places))]
		count := 0
		for _, w := range block {
			count += bits.OnesCount64(w)
		}
		if before+count > first {
			nums = c.pickBlock(nums, block, start*64, max(first-before, 0), min(last-before, count))
		}
		before += count
	}
	return nums
}

// pickBlock is pickBits for one block, whose first place is base.
func (c *Collector) pickBlock(nums []store.Num, block []uint64, base, first, last int) []store.Num {
	var ordered [index.BlockSize / 64]uint64 // bits by number
	for i, w := range block {
		for ; w != 0; w &= w - 1 {
			n := int(c.numbers[base+i*64+bits.TrailingZeros64(w)]) - base
			ordered[n/64] |= 1 << (n % 64)
		}
	}
	at := 0
	for i, w := range ordered {
		if count := bits.OnesCount64(w); at+count <= first {
			at += count
			continue
		}
		for ; w != 0 && at < last; w &= w - 1 {
			if at >= first {
				nums = append(nums, store.Num(base+i*64+bits.TrailingZeros64(w)))
			}
			at++
		}
	}
	return nums
}

// scoreSteps is how finely scores are told apart before any are sorted.
const scoreSteps = 2048

// pickRanked appends the numbers of a list from the first to the last by
// score, of which none is 0. It sorts only the hits whose scores are near
// those of the places asked for.
func (c *Collector) pickRanked(nums []store.Num, list []index.Place, first, last int) []store.Num {
	var top float32
	for _, at := range list {
		top = max(top, c.scores[at])
	}
	step := func(at index.Place) int { return int((top - c.scores[at]) / top * (scoreSteps - 1)) }
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
	near := make([]index.Place, 0, last-before)
	for _, at := range list {
		if i := step(at); i >= from && i <= to {
			near = append(near, at)
		}
	}
	slices.SortFunc(near, func(a, b index.Place) int {
		return cmp.Or(cmp.Compare(c.scores[b], c.scores[a]), cmp.Compare(c.numbers[a], c.numbers[b]))
	})
	for _, at := range near[first-before : last-before] {
		nums = append(nums, c.numbers[at])
	}
	return nums
}
