package mappings

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"bencao/store"
)

// collector gathers the hits of one query by tier, then counts them and takes
// out a page. A record counts in the best tier that it was found in.
//
// Records are known by their place in the index. Many at once are kept as the
// bitmaps that the index has, so that counting them is adding up words, and
// only the blocks of the index that a page lies in are put into answer order.
type collector struct {
	tiers   [maxTier + 1]tierHits
	numbers []store.Num // by place
	shown   []uint64    // bits of the places that are counted, or may not be
	filter  bool        // some may not be
	union   []uint64    // bits of the places of one tier
	scratch []uint64    // bits
	reasons map[store.Num]reason
	scores  []float32 // by place, for the hits of one tier
	ranked  uint8     // that tier, which stands by score; 0 is none
	// uncounted is how many more records that tier has, behind every page that
	// is asked for.
	uncounted int
}

// tierHits are the hits of a tier; a place may stand in it several times.
type tierHits struct {
	single []place
	bitmap []*roaring.Bitmap // of the index, not to be changed
}

// reason says how a hit was found.
type reason struct {
	tier uint8
	row  int
	way  Way
}

// fewHits is how many hits are rather gone through one by one than by words.
const fewHits = 128

func newCollector(ix *Index) *collector {
	words := (ix.total + 63) / 64
	return &collector{numbers: ix.numbers, shown: make([]uint64, words), union: make([]uint64, words), scratch: make([]uint64, words)}
}

// reset makes the collector ready. Only the places of allowed, if it is not
// nil, may be hits.
func (c *collector) reset(allowed []uint64) {
	for i := range c.tiers {
		t := &c.tiers[i]
		clear(t.bitmap)
		t.single, t.bitmap = t.single[:0], t.bitmap[:0]
	}
	if c.filter = allowed != nil; c.filter {
		for i, w := range allowed {
			c.shown[i] = ^w
		}
	} else {
		clear(c.shown)
	}
	c.reasons, c.ranked, c.uncounted = nil, 0, 0
}

// rank makes the hits of a tier stand by score, best first, before their
// numbers count. It returns the scores, all 0. Such hits are added singly.
func (c *collector) rank(tier uint8) []float32 {
	if c.scores == nil {
		c.scores = make([]float32, len(c.numbers))
	} else {
		clear(c.scores)
	}
	c.ranked = tier
	return c.scores
}

// above counts the hits of a ranked tier whose score is above a limit.
func (c *collector) above(tier uint8, limit float32) int {
	count := 0
	for _, at := range c.tiers[tier].single {
		if c.scores[at] > limit {
			count++
		}
	}
	return count
}

// add adds a hit.
func (c *collector) add(at place, why reason) {
	t := &c.tiers[why.tier]
	t.single = append(t.single, at)
	if c.reasons == nil || c.isShown(at) {
		return
	}
	n := c.numbers[at]
	if old, ok := c.reasons[n]; !ok || old.tier < why.tier {
		c.reasons[n] = why
	}
}

// addAll adds hits, of which there may be very many.
func (c *collector) addAll(r *reader, p postings, why reason) {
	if c.reasons != nil || p.many == nil || p.count() <= fewHits {
		r.each(p, func(at place) { c.add(at, why) })
		return
	}
	t := &c.tiers[why.tier]
	t.bitmap = append(t.bitmap, p.many)
}

func (c *collector) isShown(at place) bool { return c.shown[at/64]&(1<<(at%64)) != 0 }

// any says whether there is a hit.
func (c *collector) any() bool {
	if c.uncounted > 0 {
		return true
	}
	for i := range c.tiers {
		t := &c.tiers[i]
		if slices.ContainsFunc(t.single, func(at place) bool { return !c.isShown(at) }) {
			return true
		}
		if len(t.bitmap) > 0 && (!c.filter || c.unite(t) > 0) {
			return true
		}
	}
	return false
}

// has says whether a place is a hit of a tier.
func (c *collector) has(tier int, at place) bool {
	t := &c.tiers[tier]
	return slices.Contains(t.single, at) ||
		slices.ContainsFunc(t.bitmap, func(b *roaring.Bitmap) bool { return b.Contains(uint32(at)) })
}

// unite sets union to the places of a tier that are not shown yet, and counts
// them.
func (c *collector) unite(t *tierHits) int {
	clear(c.union)
	for _, at := range t.single {
		c.union[at/64] |= 1 << (at % 64)
	}
	for _, b := range t.bitmap {
		clear(c.scratch)
		b.WriteDenseTo(c.scratch)
		for i, w := range c.scratch {
			c.union[i] |= w
		}
	}
	count := 0
	for i, w := range c.shown {
		c.union[i] &^= w
		count += bits.OnesCount64(c.union[i])
	}
	return count
}

// page counts the hits and returns those from the given one on, at most size.
func (c *collector) page(from, size int) Hits {
	hits := Hits{Nums: []store.Num{}}
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		t := &c.tiers[tier]
		if len(t.single) == 0 && len(t.bitmap) == 0 {
			continue
		}
		byBits := tier != int(c.ranked) && (len(t.bitmap) > 0 || len(t.single) > fewHits)
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
			case byBits:
				hits.Nums = c.pickBits(hits.Nums, first, last)
			case tier == int(c.ranked):
				hits.Nums = c.pickRanked(hits.Nums, t.single, first, last)
			default:
				hits.Nums = append(hits.Nums, c.sorted(t.single)[first:last]...)
			}
		}
		hits.Total += count
	}
	hits.Total += c.uncounted
	return hits
}

// take returns the places that were not shown yet, in the room of the list.
func (c *collector) take(list []place) []place {
	fresh := list[:0]
	for _, at := range list {
		if !c.isShown(at) {
			c.shown[at/64] |= 1 << (at % 64)
			fresh = append(fresh, at)
		}
	}
	return fresh
}

// sorted returns the numbers at the places in answer order.
func (c *collector) sorted(places []place) []store.Num {
	nums := make([]store.Num, len(places))
	for i, at := range places {
		nums[i] = c.numbers[at]
	}
	slices.Sort(nums)
	return nums
}

// pickBits appends the numbers of union from the first to the last in answer
// order. The numbers of a block of the index are those of no other: only the
// blocks between first and last are looked at.
func (c *collector) pickBits(nums []store.Num, first, last int) []store.Num {
	const blockWords = blockSize / 64
	before := 0
	for start := 0; start < len(c.union) && before < last; start += blockWords {
		block := c.union[start:min(start+blockWords, len(c.union))]
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
func (c *collector) pickBlock(nums []store.Num, block []uint64, base, first, last int) []store.Num {
	var ordered [blockSize / 64]uint64 // bits by number
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
func (c *collector) pickRanked(nums []store.Num, list []place, first, last int) []store.Num {
	var top float32
	for _, at := range list {
		top = max(top, c.scores[at])
	}
	step := func(at place) int { return int((top - c.scores[at]) / top * (scoreSteps - 1)) }
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
	near := make([]place, 0, last-before)
	for _, at := range list {
		if i := step(at); i >= from && i <= to {
			near = append(near, at)
		}
	}
	slices.SortFunc(near, func(a, b place) int {
		return cmp.Or(cmp.Compare(c.scores[b], c.scores[a]), cmp.Compare(c.numbers[a], c.numbers[b]))
	})
	for _, at := range near[first-before : last-before] {
		nums = append(nums, c.numbers[at])
	}
	return nums
}
