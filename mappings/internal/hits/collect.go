package hits

import (
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/store"
)

// Collector collects the hits of one query by tier, counts them and returns a page. A record that
// is a hit in several tiers counts only in the best one.
//
// Large sets of hits stay bitmaps of the index, because the bits of a bitmap can be counted a
// machine word at a time.
type Collector struct {
	tiers     [mappings.MaxTier + 1]tierHits
	ways      [mappings.MaxTier + 1]uint64 // for each tier, a bit set of the ways in which its hits were found
	shown     []uint64                     // bit set of the records that are not allowed or already counted
	marked    []store.Num                  // the records whose bits are set in shown, unless scattered
	scattered bool                         // shown may have bits of records that are not in marked
	buffer    [256]uint32
	union     []uint64 // bit set of the records of one tier
	scratch   []uint64 // a bit set for temporary use
	reasons   map[store.Num]Why
	scores    []float32  // by record, for the ranked tier
	ranked    uint8      // the tier that is sorted by score or by length; 0 is none
	weights   []uint8    // length of the title, by record
	lengths   [][]uint64 // byLength if the ranked tier is sorted by length, else nil
	byLength  [][]uint64 // for each length of a title, in ascending order, a bit set of the records with it
	// uncounted is the number of hits of the ranked tier that were not added one by one, because
	// they come after the requested page.
	uncounted int
}

// tierHits holds the hits of a tier. A record may occur several times.
type tierHits struct {
	single []store.Num
	bitmap []*roaring.Bitmap // bitmaps of the index, which must not be changed
}

// Why is the reason for a hit. A reason of tier 0 is none: the field is not searched in that way.
type Why struct {
	Tier uint8
	Row  int
	Way  mappings.Way
}

// Lower returns the reason with its tier lowered by the given number, but at least to 1. Tier 0 stays
// 0.
func (w Why) Lower(by int) Why {
	if w.Tier > 0 {
		w.Tier = uint8(max(int(w.Tier)-by, 1))
	}
	return w
}

// As returns the reason with another way and the tier of that way.
func (w Why) As(way mappings.Way, tier uint8) Why { return Why{tier, w.Row, way} }

// fewHits is the maximum number of hits that are processed one by one. If there are more, a bit set
// is faster.
const fewHits = 128

// New returns a collector for the records of an index. It is for one search at a time and must not
// be used again after a panic.
func New(ix *index.Index) *Collector {
	words := (ix.Len() + 63) / 64
	return &Collector{
		weights: ix.Weights, byLength: ix.Lengths,
		shown: make([]uint64, words), union: make([]uint64, words), scratch: make([]uint64, words),
	}
}

// None returns an empty bit set for all records.
func (c *Collector) None() []uint64 { return make([]uint64, len(c.shown)) }

// AddUncounted increases the number of uncounted hits of the ranked tier.
func (c *Collector) AddUncounted(n int) { c.uncounted += n }

// Reset prepares the collector for the next query. If allowed is not nil, only the records in this
// bit set can be hits. If reasons is not nil, the collector writes the best reason of each hit to
// it.
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
	case c.scattered:
		clear(c.shown)
	default: // faster than clearing everything if few bits are set
		for _, at := range c.marked {
			c.shown[at/64] = 0
		}
	}
	c.marked, c.scattered = c.marked[:0], allowed != nil
	c.reasons, c.ranked, c.lengths, c.uncounted = reasons, 0, nil, 0
}

// Rank makes the collector sort the hits of a tier by score in descending order, then by number. It
// returns a slice of scores by record. All scores are 0, and the caller must fill in those of the
// hits. Hits of this tier must be added one by one.
func (c *Collector) Rank(tier uint8) []float32 {
	if c.scores == nil {
		c.scores = make([]float32, len(c.weights))
	} else {
		clear(c.scores)
	}
	c.ranked, c.lengths = tier, nil
	return c.scores
}

// RankByLength makes the collector sort the hits of a tier by the length of their titles in
// ascending order, then by number.
func (c *Collector) RankByLength(tier uint8) {
	c.ranked, c.lengths = tier, c.byLength
}

// Above returns the number of hits of a ranked tier with a score above limit.
func (c *Collector) Above(tier uint8, limit float32) int {
	count := 0
	for _, at := range c.tiers[tier].single {
		if c.scores[at] > limit {
			count++
		}
	}
	return count
}

// Add adds a hit, unless its tier is 0.
func (c *Collector) Add(at store.Num, why Why) {
	if why.Tier == 0 {
		return
	}
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

// AddAll adds a set of hits of any size.
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

// Any reports whether anything was found. Records that a filter excludes count as found. Otherwise,
// a filter could start a later stage and so make the search more tolerant.
func (c *Collector) Any() bool {
	return c.uncounted > 0 || c.Best() > 0
}

// Within reports whether anything of a bit set was found, as Any does. Nil is the set of all records.
func (c *Collector) Within(set []uint64) bool {
	if set == nil {
		return c.Any()
	}
	for i := range c.tiers {
		if slices.ContainsFunc(c.tiers[i].single, func(at store.Num) bool { return has(set, at) }) {
			return true
		}
		for _, b := range c.tiers[i].bitmap {
			clear(c.scratch)
			b.WriteDenseTo(c.scratch)
			for i, w := range c.scratch {
				if w&set[i] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// Best returns the best tier with hits, or 0.
func (c *Collector) Best() int {
	for i := len(c.tiers) - 1; i > 0; i-- {
		if t := &c.tiers[i]; len(t.single) > 0 || len(t.bitmap) > 0 {
			return i
		}
	}
	return 0
}

// Has reports whether a record is a hit of a tier.
func (c *Collector) Has(tier int, at store.Num) bool {
	t := &c.tiers[tier]
	return slices.Contains(t.single, at) ||
		slices.ContainsFunc(t.bitmap, func(b *roaring.Bitmap) bool { return b.Contains(at) })
}

// unite sets union to the records of a tier that are not in shown yet. It returns their number.
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

// set sets in all, a bit set, the bits of the records of a tier.
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

// Verdict describes how well the hits of the best tier match the query. If these hits were found in
// several ways, the best way counts. Filters do not change the verdict.
func (c *Collector) Verdict() (best mappings.Verdict) {
	ways := c.ways[c.Best()]
	for w, first := mappings.Way(0), true; ways>>w != 0; w++ {
		if v := w.Verdict(); ways&(1<<w) != 0 && (first || v.Better(best)) {
			best, first = v, false
		}
	}
	return best
}
