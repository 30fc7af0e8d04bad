package hits

import (
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/store"
)

// Collector gathers the hits of one query by tier, then counts them and takes
// out a page. A record counts in the best tier that it was found in.
//
// Many records at once are kept as the bitmaps that the index has, so that
// counting them is adding up words.
type Collector struct {
	tiers    [mappings.MaxTier + 1]tierHits
	ways     [mappings.MaxTier + 1]uint64 // bits of the ways in which the hits of each tier were found
	shown    []uint64                     // bits of the records that are counted, or may not be
	marked   []store.Num                  // which have a bit in shown, unless it is strewn
	strewn   bool                         // shown may have bits anywhere
	buffer   [256]uint32
	union    []uint64 // bits of the records of one tier
	scratch  []uint64 // bits
	reasons  map[store.Num]Why
	scores   []float32  // by record, for the hits of one tier
	ranked   uint8      // that tier, which stands by score or by length; 0 is none
	weights  []uint8    // by record: the length of each title
	lengths  [][]uint64 // byLength, if the ranked tier stands by length
	byLength [][]uint64 // bits of the records with titles of each length, the shortest first
	// uncounted is how many more records that tier has, behind every page that
	// is asked for.
	uncounted int
}

// tierHits are the hits of a tier; a record may stand in it several times.
type tierHits struct {
	single []store.Num
	bitmap []*roaring.Bitmap // of the index, not to be changed
}

// Why says how a hit was found.
type Why struct {
	Tier uint8
	Row  int
	Way  mappings.Way
}

// Lower is the same reason in a tier by so many below, but in a tier still.
func (w Why) Lower(by int) Why {
	w.Tier = uint8(max(int(w.Tier)-by, 1))
	return w
}

// As is the same row found in another way.
func (w Why) As(way mappings.Way, tier uint8) Why { return Why{tier, w.Row, way} }

// fewHits is how many hits are rather gone through one by one than by words.
const fewHits = 128

// New returns a collector for the records of an index. It serves one search at a
// time, and is not to be used again after a panic.
func New(ix *index.Index) *Collector {
	words := (ix.Len() + 63) / 64
	return &Collector{
		weights: ix.Weights, byLength: ix.Lengths,
		shown: make([]uint64, words), union: make([]uint64, words), scratch: make([]uint64, words),
	}
}

// None returns room for the bits of all records, none of which is set.
func (c *Collector) None() []uint64 { return make([]uint64, len(c.shown)) }

// AddUncounted says that a ranked tier has so many more records, behind every
// page that is asked for.
func (c *Collector) AddUncounted(n int) { c.uncounted += n }

// Reset makes the Collector ready. Only the records of allowed, if it is not
// nil, may be hits. The best reason of each hit is written into reasons, if it is not
// nil.
func (c *Collector) Reset(allowed []uint64, reasons map[store.Num]Why) {
	clear(c.ways[:])
	for i := range c.tiers {
		t := &c.tiers[i]
		clear(t.bitmap)
		t.single, t.bitmap = t.single[:0], t.bitmap[:0]
	}
	switch {
	case allowed != nil:
		for i, w := range allowed {
			c.shown[i] = ^w
		}
	case c.strewn:
		clear(c.shown)
	default: // of many records it takes longer than to find one
		for _, at := range c.marked {
			c.shown[at/64] = 0
		}
	}
	c.marked, c.strewn = c.marked[:0], allowed != nil
	c.reasons, c.ranked, c.lengths, c.uncounted = reasons, 0, nil, 0
}

// Rank makes the hits of a tier stand by score, best first, before their
// numbers count. It returns the scores, all 0. Such hits are added singly.
func (c *Collector) Rank(tier uint8) []float32 {
	if c.scores == nil {
		c.scores = make([]float32, len(c.weights))
	} else {
		clear(c.scores)
	}
	c.ranked, c.lengths = tier, nil
	return c.scores
}

// RankByLength makes the hits of a tier stand by the length of their titles,
// the shortest first, before their numbers count.
func (c *Collector) RankByLength(tier uint8) {
	c.ranked, c.lengths = tier, c.byLength
}

// Above counts the hits of a ranked tier whose score is above a limit.
func (c *Collector) Above(tier uint8, limit float32) int {
	count := 0
	for _, at := range c.tiers[tier].single {
		if c.scores[at] > limit {
			count++
		}
	}
	return count
}

// Add adds a hit.
func (c *Collector) Add(at store.Num, why Why) {
	t := &c.tiers[why.Tier]
	t.single = append(t.single, at)
	c.ways[why.Tier] |= 1 << why.Way
	if c.reasons == nil || c.isShown(at) {
		return
	}
	if old, ok := c.reasons[at]; !ok || old.Tier < why.Tier {
		c.reasons[at] = why
	}
}

// AddAll adds hits, of which there may be very many.
func (c *Collector) AddAll(r *index.Reader, p index.Postings, why Why) {
	if c.reasons != nil || p.Bitmap() == nil || p.Count() <= fewHits {
		r.Each(p, func(at store.Num) { c.Add(at, why) })
		return
	}
	t := &c.tiers[why.Tier]
	c.ways[why.Tier] |= 1 << why.Way
	t.bitmap = append(t.bitmap, p.Bitmap())
}

func (c *Collector) isShown(at store.Num) bool { return c.shown[at/64]&(1<<(at%64)) != 0 }

// Any says whether anything was found, whether or not it may be a hit: a filter
// must not make a search forgiving.
func (c *Collector) Any() bool {
	return c.uncounted > 0 || c.Best() > 0
}

// Best is the best tier that has hits, or 0.
func (c *Collector) Best() int {
	for i := len(c.tiers) - 1; i > 0; i-- {
		if t := &c.tiers[i]; len(t.single) > 0 || len(t.bitmap) > 0 {
			return i
		}
	}
	return 0
}

// Has says whether a record is a hit of a tier.
func (c *Collector) Has(tier int, at store.Num) bool {
	t := &c.tiers[tier]
	return slices.Contains(t.single, at) ||
		slices.ContainsFunc(t.bitmap, func(b *roaring.Bitmap) bool { return b.Contains(at) })
}

// unite sets union to the records of a tier that are not shown yet, and counts
// them.
func (c *Collector) unite(t *tierHits) int {
	clear(c.union)
	c.set(t, c.union)
	count := 0
	for i, w := range c.shown {
		c.union[i] &^= w
		count += bits.OnesCount64(c.union[i])
	}
	return count
}

// set sets the bits of the records of a tier.
func (c *Collector) set(t *tierHits, all []uint64) {
	for _, at := range t.single {
		all[at/64] |= 1 << (at % 64)
	}
	for _, b := range t.bitmap {
		clear(c.scratch)
		b.WriteDenseTo(c.scratch)
		for i, w := range c.scratch {
			all[i] |= w
		}
	}
}

// Verdict is that of the best hits, by the best way in which any of them was found.
// Filters make no difference.
func (c *Collector) Verdict() (best mappings.Verdict) {
	ways := c.ways[c.Best()]
	for w, first := mappings.Way(0), true; ways>>w != 0; w++ {
		if v := w.Verdict(); ways&(1<<w) != 0 && (first || v.Better(best)) {
			best, first = v, false
		}
	}
	return best
}
