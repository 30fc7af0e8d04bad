package mappings

import (
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
	scores  []float32         // by place, for the hits of one tier
	ranked  uint8             // that tier, which stands by score or by length; 0 is none
	weights []uint8           // by place: the length of each title
	lengths []*roaring.Bitmap // by length, if the ranked tier stands by length: the shortest first
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
	return &collector{numbers: ix.numbers, weights: ix.weights, shown: make([]uint64, words), union: make([]uint64, words), scratch: make([]uint64, words)}
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
	c.reasons, c.ranked, c.lengths, c.uncounted = nil, 0, nil, 0
}

// rank makes the hits of a tier stand by score, best first, before their
// numbers count. It returns the scores, all 0. Such hits are added singly.
func (c *collector) rank(tier uint8) []float32 {
	if c.scores == nil {
		c.scores = make([]float32, len(c.numbers))
	} else {
		clear(c.scores)
	}
	c.ranked, c.lengths = tier, nil
	return c.scores
}

// rankByLength makes the hits of a tier stand by the length of their titles,
// the shortest first, before their numbers count.
func (c *collector) rankByLength(tier uint8, lengths []*roaring.Bitmap) {
	c.ranked, c.lengths = tier, lengths
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
