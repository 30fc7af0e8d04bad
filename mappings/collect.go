package mappings

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/store"
)

// collector gathers the hits of one query by tier, then counts them and takes
// out a page. A record counts in the best tier that it was found in.
type collector struct {
	tiers   [101][]store.Num
	shown   []uint64 // bits of the records that are counted, or may not be
	sort    []uint64 // bits, all 0 between uses
	reasons map[store.Num]reason
	scores  []float32 // by number, for the hits of one tier
	ranked  uint8     // that tier, which stands by score; 0 is none
	// uncounted is how many more records that tier has, behind every page that
	// is asked for.
	uncounted int
}

// reason says how a hit was found.
type reason struct {
	tier uint8
	row  int
	way  Way
}

func newCollector(ix *Index) *collector {
	words := (ix.total + 63) / 64
	return &collector{shown: make([]uint64, words), sort: make([]uint64, words)}
}

// reset makes the collector ready. Only the records of allowed, if it is not
// nil, may be hits.
func (c *collector) reset(allowed []uint64) {
	for i := range c.tiers {
		c.tiers[i] = c.tiers[i][:0]
	}
	if allowed == nil {
		clear(c.shown)
	} else {
		for i, w := range allowed {
			c.shown[i] = ^w
		}
	}
	c.reasons, c.ranked, c.uncounted = nil, 0, 0
}

// rank makes the hits of a tier stand by score, best first, before their
// numbers count. It returns the scores, all 0.
func (c *collector) rank(tier uint8, total int) []float32 {
	if len(c.scores) != total {
		c.scores = make([]float32, total)
	} else {
		clear(c.scores)
	}
	c.ranked = tier
	return c.scores
}

// above counts the hits of a tier whose score is above a limit.
func (c *collector) above(tier uint8, limit float32) int {
	count := 0
	for _, n := range c.tiers[tier] {
		if c.scores[n] > limit {
			count++
		}
	}
	return count
}

// add adds a hit.
func (c *collector) add(n store.Num, why reason) {
	c.tiers[why.tier] = append(c.tiers[why.tier], n)
	if c.reasons != nil {
		if old, ok := c.reasons[n]; !ok || old.tier < why.tier {
			c.reasons[n] = why
		}
	}
}

// any says whether there is a hit.
func (c *collector) any() bool {
	if c.uncounted > 0 {
		return true
	}
	for _, list := range c.tiers {
		for _, n := range list {
			if c.shown[n/64]&(1<<(n%64)) == 0 {
				return true
			}
		}
	}
	return false
}

func (c *collector) take(n store.Num) bool {
	word, bit := n/64, uint64(1)<<(n%64)
	if c.shown[word]&bit != 0 {
		return false
	}
	c.shown[word] |= bit
	return true
}

// page counts the hits and returns those from the given one on, at most size.
func (c *collector) page(from, size int) Hits {
	hits := Hits{Nums: []store.Num{}}
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		list := c.tiers[tier]
		fresh := list[:0]
		for _, n := range list {
			if c.take(n) {
				fresh = append(fresh, n)
			}
		}
		first := max(from+len(hits.Nums)-hits.Total, 0)
		if room := size - len(hits.Nums); room > 0 && first < len(fresh) {
			hits.Nums = append(hits.Nums, c.pick(uint8(tier), fresh, first, first+min(room, len(fresh)-first))...)
		}
		hits.Total += len(fresh)
	}
	hits.Total += c.uncounted
	return hits
}

// pick returns the hits of one tier from place first to last. It may reorder
// the list.
func (c *collector) pick(tier uint8, list []store.Num, first, last int) []store.Num {
	if tier == c.ranked {
		return c.pickRanked(list, first, last)
	}
	c.order(list)
	return list[first:last]
}

// order sorts distinct numbers. Many are sorted by setting their bits and
// reading them off.
func (c *collector) order(list []store.Num) {
	if len(list) < len(c.sort)/8+32 {
		slices.Sort(list)
		return
	}
	for _, n := range list {
		c.sort[n/64] |= 1 << (n % 64)
	}
	list = list[:0]
	for i, w := range c.sort {
		for ; w != 0; w &= w - 1 {
			list = append(list, store.Num(i*64+bits.TrailingZeros64(w)))
		}
		c.sort[i] = 0
	}
}

// scoreSteps is how finely scores are told apart before any are sorted.
const scoreSteps = 2048

// pickRanked is pick by score, of which none is 0. It sorts only the hits whose scores are near
// those of the places asked for.
func (c *collector) pickRanked(list []store.Num, first, last int) []store.Num {
	var top float32
	for _, n := range list {
		top = max(top, c.scores[n])
	}
	step := func(n store.Num) int { return int((top - c.scores[n]) / top * (scoreSteps - 1)) }
	var counts [scoreSteps]int
	for _, n := range list {
		counts[step(n)]++
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
	for _, n := range list {
		if i := step(n); i >= from && i <= to {
			near = append(near, n)
		}
	}
	slices.SortFunc(near, func(a, b store.Num) int {
		return cmp.Or(cmp.Compare(c.scores[b], c.scores[a]), cmp.Compare(a, b))
	})
	return near[first-before : last-before]
}
