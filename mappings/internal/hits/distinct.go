package hits

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/mappings/index"
	"bencao/store"
)

// Namesakes holds the records of an index grouped by name. It is used for answers with one line per
// name. A record without a name is a group of its own.
type Namesakes struct {
	of      []uint32             // group, by record
	named   map[string]store.Num // normalised name → the first record with the name
	members [][]store.Num        // group → its records in ascending order; the most widely attested group first, then by first record
}

// NewNamesakes returns the records of an index grouped by name. A name counts as more widely
// attested than another if attested returns more distinct values for its records.
func NewNamesakes(ix *index.Index, name, attested func(store.Num) string) *Namesakes {
	n := &Namesakes{of: make([]uint32, ix.Len()), named: map[string]store.Num{}}
	groups := make(map[string]uint32)
	for at := range store.Num(ix.Len()) {
		key := name(at)
		g, known := groups[key]
		if !known || key == "" {
			g = uint32(len(n.members))
			n.members = append(n.members, nil)
			groups[key] = g
			if key != "" {
				n.named[key] = at
			}
		}
		n.members[g] = append(n.members[g], at)
	}
	wide := make([]int, ix.Len()) // by the first record of a group: the number of attested values
	for _, list := range n.members {
		seen := make(map[string]bool, len(list))
		for _, at := range list {
			seen[attested(at)] = true
		}
		wide[list[0]] = len(seen)
	}
	slices.SortFunc(n.members, func(a, b []store.Num) int {
		return cmp.Or(cmp.Compare(wide[b[0]], wide[a[0]]), cmp.Compare(a[0], b[0]))
	})
	for g, list := range n.members {
		for _, at := range list {
			n.of[at] = uint32(g)
		}
	}
	return n
}

// Named returns the records with a normalised name, in ascending order.
func (n *Namesakes) Named(name string) []store.Num {
	first, known := n.named[name]
	if !known {
		return nil
	}
	return n.members[n.of[first]]
}

// All returns all hits as a bit set.
func (c *Collector) All() []uint64 {
	all := c.None()
	for i := range c.tiers {
		c.set(&c.tiers[i], all)
	}
	for i, w := range c.shown {
		all[i] &^= w
	}
	return all
}

// numsOf yields the record numbers of a bit set.
func numsOf(all []uint64) func(yield func(store.Num) bool) {
	return func(yield func(store.Num) bool) {
		for i, w := range all {
			for ; w != 0; w &= w - 1 {
				if !yield(store.Num(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

func has(all []uint64, at store.Num) bool { return all[at/64]&(1<<(at%64)) != 0 }

// PageBy returns a page of the hits in a given order of all records. If names is not nil, the page
// has one line per name: the first hit with the name in that order.
func (c *Collector) PageBy(order []store.Num, names *Namesakes, from, size int) Page {
	all := c.All()
	page := Page{Nums: []store.Num{}}
	if names == nil {
		for _, w := range all {
			page.Total += bits.OnesCount64(w)
		}
		appendPage(order, from, size, func(at store.Num) bool { return has(all, at) }, &page)
		return page
	}
	seen := make([]bool, len(names.members))
	var first []store.Num
	for _, at := range order {
		if g := names.of[at]; has(all, at) && !seen[g] {
			seen[g] = true
			first = append(first, at)
		}
	}
	page.Total = len(first)
	appendPage(first, from, size, func(store.Num) bool { return true }, &page)
	names.count(all, first[min(from, len(first)):][:len(page.Nums)], &page)
	return page
}

// appendPage appends records of an order to the page. It takes only records for which ok returns
// true. from is the number of such records to skip, and size is the maximum number of records on
// the page.
func appendPage(order []store.Num, from, size int, ok func(store.Num) bool, page *Page) {
	for _, at := range order {
		if len(page.Nums) == size {
			return
		}
		if !ok(at) {
			continue
		}
		if from--; from < 0 {
			page.Nums = append(page.Nums, at)
		}
	}
}

// PageOfNames returns a page of the hits with one line per name: the hit with the lowest record
// number. A name has the best tier of its hits. Within a tier, the most widely attested names come
// first.
func (c *Collector) PageOfNames(names *Namesakes, from, size int) Page {
	all := c.All()
	page := Page{Nums: []store.Num{}}
	words := (len(names.members) + 63) / 64
	seen, here := make([]uint64, words), make([]uint64, words)
	var shown []store.Num
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		t := &c.tiers[tier]
		if len(t.single) == 0 && len(t.bitmap) == 0 {
			continue
		}
		c.unite(t)
		clear(here)
		count := 0
		for at := range numsOf(c.union) {
			if g := names.of[at]; !has(seen, g) {
				seen[g/64] |= 1 << (g % 64)
				here[g/64] |= 1 << (g % 64)
				count++
			}
		}
		if skip := from + len(shown) - page.Total; skip < count && len(shown) < size {
			for g := range numsOf(here) {
				if len(shown) == size {
					break
				}
				if skip--; skip < 0 {
					members := names.members[g]
					shown = append(shown, members[slices.IndexFunc(members, func(at store.Num) bool { return has(all, at) })])
				}
			}
		}
		page.Total += count
	}
	page.Nums = append(page.Nums, shown...)
	names.count(all, shown, &page)
	return page
}

// StandIn makes the collector sort the hits of a tier by number, but with the first hit of each name
// at the place of the first record of the name, which may be no hit. All hits of the tier must have
// been added.
func (c *Collector) StandIn(tier uint8, names *Namesakes) {
	if len(c.tiers[tier].single) < 2 {
		return
	}
	slices.Sort(c.tiers[tier].single)
	scores := c.Rank(tier)
	for at := range scores {
		scores[at] = float32(len(scores) - at)
	}
	seen := make(map[uint32]bool)
	for _, at := range c.tiers[tier].single {
		if g := names.of[at]; !seen[g] && !c.isShown(at) {
			seen[g] = true
			scores[at] = scores[names.members[g][0]]
		}
	}
}

// PageTogether returns a page of all hits, with those of one name after each other in the order of
// their numbers. The names have the order of [Collector.PageBy], or of [Collector.PageOfNames] if
// order is nil.
func (c *Collector) PageTogether(order []store.Num, names *Namesakes, from, size int) Page {
	all := c.All()
	page := Page{Nums: []store.Num{}}
	for _, w := range all {
		page.Total += bits.OnesCount64(w)
	}
	for g := range c.groups(order, names) {
		for _, at := range names.members[g] {
			if !has(all, at) {
				continue
			}
			if len(page.Nums) == size {
				return page
			}
			if from--; from < 0 {
				page.Nums = append(page.Nums, at)
			}
		}
	}
	return page
}

// groups yields the groups of the hits in a given order of all records, or the best first if order is
// nil.
func (c *Collector) groups(order []store.Num, names *Namesakes) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		seen := make([]bool, len(names.members))
		all := c.All()
		for _, at := range order {
			if g := names.of[at]; has(all, at) && !seen[g] {
				seen[g] = true
				if !yield(g) {
					return
				}
			}
		}
		if order != nil {
			return
		}
		here := make([]uint64, (len(names.members)+63)/64)
		for tier := len(c.tiers) - 1; tier > 0; tier-- {
			c.unite(&c.tiers[tier])
			clear(here)
			for at := range numsOf(c.union) {
				if g := names.of[at]; !seen[g] {
					seen[g] = true
					here[g/64] |= 1 << (g % 64)
				}
			}
			for g := range numsOf(here) {
				if !yield(uint32(g)) {
					return
				}
			}
		}
	}
}

// count sets the number of other hits with the same name, for each record on the page.
func (n *Namesakes) count(all []uint64, shown []store.Num, page *Page) {
	page.Namesakes = make([]int, len(shown))
	for i, at := range shown {
		for _, other := range n.members[n.of[at]] {
			if other != at && has(all, other) {
				page.Namesakes[i]++
			}
		}
	}
}
