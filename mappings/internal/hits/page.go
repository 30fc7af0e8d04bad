package hits

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/mappings"
	"bencao/store"
)

// Page is a page of hits.
type Page struct {
	Total int // the exact number of all hits
	Nums  []store.Num
	mappings.Verdict
	// Recognised lists the parts of the query that give properties of formulas.
	Recognised []mappings.Recognised
	// Parts lists the parts of the query that are something else than names: complaints, dose forms,
	// years and families.
	Parts []mappings.Recognised
	// Named is the number of hits that were found by their names alone, if the query was read as herbs,
	// a book or an author.
	Named int
	// Near is the number of formulas with most of the herbs of the query, if no formula has all. They
	// count in Total only in a search, which lists them.
	Near int
	mappings.Rewrite
	// Names are the names of the complaint by which the indications were searched.
	Names []string
	// WithHerb is the number of formulas with the herb that the query names, if it was read as a name.
	WithHerb int
	// Elsewhere counts the records that contain the text of the query in other parts.
	Elsewhere []mappings.Place
	// Namesakes has, for each record, the number of other hits with its name. It is nil unless the
	// page has one line per name.
	Namesakes []int
}

// Page returns at most size hits, starting at index from, and the total.
func (c *Collector) Page(from, size int) Page {
	hits := Page{Nums: []store.Num{}}
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		t := &c.tiers[tier]
		if len(t.single) == 0 && len(t.bitmap) == 0 {
			continue
		}
		byLength, byScore := tier == int(c.ranked) && c.lengths != nil, tier == int(c.ranked) && c.lengths == nil && len(t.bitmap) == 0
		alone := c.alone(tier)
		singly := byLength && c.gather(t)
		byBits := !singly && !byScore && (len(t.bitmap) > 0 || len(t.single) > fewHits)
		var count int
		switch {
		case alone && byBits:
			clear(c.union)
			t.bitmap[0].WriteDenseTo(c.union)
			count = int(t.bitmap[0].GetCardinality())
		case alone:
			count = len(t.single)
		case byBits:
			count = c.unite(t)
			for i, w := range c.union {
				c.shown[i] |= w
			}
			c.scattered = true
		default:
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
				hits.Nums, _ = pickBits(hits.Nums, c.union, nil, first, last)
			case byScore:
				hits.Nums = c.pickRanked(hits.Nums, t.single, first, last)
			case byLength:
				hits.Nums = c.pickShortest(hits.Nums, t.single, first, last)
			default:
				slices.Sort(t.single)
				hits.Nums = append(hits.Nums, t.single[first:last]...)
			}
		}
		hits.Total += count
	}
	hits.Total += c.uncounted
	return hits
}

// alone reports whether all hits of a tier are in one bitmap, so that no hit is a duplicate.
func (c *Collector) alone(tier int) bool {
	t := &c.tiers[tier]
	return len(t.bitmap) == 1 && len(t.single) == 0 && !c.scattered && len(c.marked) == 0 &&
		!slices.ContainsFunc(c.tiers[:tier], func(t tierHits) bool { return len(t.single) > 0 || len(t.bitmap) > 0 })
}

// take returns the records of list that are not in shown yet, and adds them to shown. It reuses the
// memory of list.
func (c *Collector) take(list []store.Num) []store.Num {
	fresh := list[:0]
	for _, at := range list {
		if !c.isShown(at) {
			c.shown[at/64] |= 1 << (at % 64)
			fresh = append(fresh, at)
		}
	}
	c.marked = append(c.marked, fresh...)
	return fresh
}

// gather expands the bitmaps of a tier into single hits if there are so few hits that this is
// faster than scanning a bit set of all records. It reports whether it did.
func (c *Collector) gather(t *tierHits) bool {
	many := len(t.single)
	for _, b := range t.bitmap {
		many += int(b.GetCardinality())
	}
	if many > len(c.shown)/2 {
		return false
	}
	t.single = slices.Grow(t.single, many-len(t.single))
	for _, b := range t.bitmap {
		for it := b.ManyIterator(); ; {
			n := it.NextMany(c.buffer[:])
			if n == 0 {
				break
			}
			t.single = append(t.single, c.buffer[:n]...)
		}
	}
	return true
}

// pickShortest appends to nums a part of list: the records with the indexes first to last-1 in the
// order of title lengths. It sorts only the records whose length can be on the page.
func (c *Collector) pickShortest(nums, list []store.Num, first, last int) []store.Num {
	var counts [256]int // by length
	for _, at := range list {
		counts[c.weights[at]]++
	}
	from, to, before := window(counts[:], first, last)
	near := list[:0]
	for _, at := range list {
		if n := int(c.weights[at]); n >= from && n <= to {
			near = append(near, at)
		}
	}
	slices.SortFunc(near, func(a, b store.Num) int {
		return cmp.Or(cmp.Compare(c.weights[a], c.weights[b]), cmp.Compare(a, b))
	})
	return append(nums, near[first-before:last-before]...)
}

// window returns the first and the last step that contain hits with the indexes first to last-1.
// before is the number of hits in earlier steps. A step is a title length or a range of scores.
// counts has the number of hits in each step.
func window(counts []int, first, last int) (from, to, before int) {
	for before+counts[from] <= first {
		before += counts[from]
		from++
	}
	to = from
	for reached := before + counts[to]; reached < last; reached += counts[to] {
		to++
	}
	return from, to, before
}

// pickLengths appends to nums a part of union: the records with the indexes first to last-1 in the
// order of title lengths.
func (c *Collector) pickLengths(nums []store.Num, first, last int) []store.Num {
	before := 0
	for _, length := range c.lengths {
		if before >= last {
			break
		}
		var count int
		nums, count = pickBits(nums, c.union, length, max(first-before, 0), last-before)
		before += count
	}
	return nums
}

// pickBits appends to nums a part of set: the records with the indexes first to last-1 in ascending
// order. If among is not nil, records that are not in among are ignored. before is the number of
// records counted, at most last.
func pickBits(nums []store.Num, set, among []uint64, first, last int) (_ []store.Num, before int) {
	for i, w := range set {
		if among != nil {
			w &= among[i]
		}
		if count := bits.OnesCount64(w); before+count <= first {
			before += count
			continue
		}
		for ; w != 0; w &= w - 1 {
			if before == last {
				return nums, before
			}
			if before >= first {
				nums = append(nums, store.Num(i*64+bits.TrailingZeros64(w)))
			}
			before++
		}
	}
	return nums, before
}

// scoreSteps is the number of buckets into which hits are distributed by score before any are
// sorted.
const scoreSteps = 2048

// pickRanked appends to nums a part of list: the records with the indexes first to last-1 in the
// order of scores. No score may be 0. It sorts only the hits in buckets that can be on the page.
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
	from, to, before := window(counts[:], first, last)
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
