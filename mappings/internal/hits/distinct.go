package hits

import (
	"cmp"
	"math/bits"
	"slices"

	"bencao/mappings/index"
	"bencao/store"
)

// Namesakes are the records of an index by their name, for answers that have
// one line of each name. Records without a name are namesakes of nobody.
type Namesakes struct {
	of      []uint32        // by place: the group
	members [][]index.Place // by group, by number
	ordered []uint32        // the groups, the most widely attested first, then by their first number
}

// NewNamesakes groups the records of an index by name. A name is attested as
// often as its records have different values of attested.
func NewNamesakes(ix *index.Index, name, attested func(index.Place) string) *Namesakes {
	n := &Namesakes{of: make([]uint32, ix.Len())}
	groups := make(map[string]uint32)
	for at := range index.Place(ix.Len()) {
		key := name(at)
		g, known := groups[key]
		if !known || key == "" {
			g = uint32(len(n.members))
			n.members = append(n.members, nil)
			groups[key] = g
		}
		n.of[at] = g
		n.members[g] = append(n.members[g], at)
	}
	wide := make([]int, len(n.members))
	for g, list := range n.members {
		slices.SortFunc(list, func(a, b index.Place) int { return cmp.Compare(ix.Numbers[a], ix.Numbers[b]) })
		seen := make(map[string]bool, len(list))
		for _, at := range list {
			seen[attested(at)] = true
		}
		wide[g] = len(seen)
		n.ordered = append(n.ordered, uint32(g))
	}
	slices.SortFunc(n.ordered, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(wide[b], wide[a]), cmp.Compare(ix.Numbers[n.members[a][0]], ix.Numbers[n.members[b][0]]))
	})
	return n
}

// All unites the hits and returns the bits of their places.
func (c *Collector) All() []uint64 {
	all := c.NoPlaces()
	for i := range c.tiers {
		t := &c.tiers[i]
		for _, at := range t.single {
			all[at/64] |= 1 << (at % 64)
		}
		for _, b := range t.bitmap {
			clear(c.scratch)
			b.WriteDenseTo(c.scratch)
			for k, w := range c.scratch {
				all[k] |= w
			}
		}
	}
	for i, w := range c.shown {
		all[i] &^= w
	}
	return all
}

// placesOf yields the places of bits.
func placesOf(all []uint64) func(yield func(index.Place) bool) {
	return func(yield func(index.Place) bool) {
		for i, w := range all {
			for ; w != 0; w &= w - 1 {
				if !yield(index.Place(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

func has(all []uint64, at index.Place) bool { return all[at/64]&(1<<(at%64)) != 0 }

// PageBy returns a page of the hits in another order than that of the tiers.
// With namesakes, each name has one line, that of its first record in the order.
func (c *Collector) PageBy(order []index.Place, names *Namesakes, from, size int) Page {
	all := c.All()
	page := Page{Nums: []store.Num{}}
	if names == nil {
		for _, w := range all {
			page.Total += bits.OnesCount64(w)
		}
		c.walk(order, from, size, func(at index.Place) bool { return has(all, at) }, &page)
		return page
	}
	seen := make([]bool, len(names.members))
	var first []index.Place
	for _, at := range order {
		if g := names.of[at]; has(all, at) && !seen[g] {
			seen[g] = true
			first = append(first, at)
		}
	}
	page.Total = len(first)
	c.walk(first, from, size, func(index.Place) bool { return true }, &page)
	names.count(all, first[min(from, len(first)):][:len(page.Nums)], &page)
	return page
}

// walk takes a page out of a list of places.
func (c *Collector) walk(order []index.Place, from, size int, ok func(index.Place) bool, page *Page) {
	for _, at := range order {
		if len(page.Nums) == size {
			return
		}
		if !ok(at) {
			continue
		}
		if from--; from < 0 {
			page.Nums = append(page.Nums, c.numbers[at])
		}
	}
}

// PageOfNames returns a page of the hits with one line of each name: the first
// record of the name by number. A name stands in the best tier of its records;
// within a tier the most widely attested name stands first.
func (c *Collector) PageOfNames(names *Namesakes, from, size int) Page {
	all := c.All()
	page := Page{Nums: []store.Num{}}
	seen, here := make([]bool, len(names.members)), make([]bool, len(names.members))
	var shown []index.Place
	for tier := len(c.tiers) - 1; tier > 0; tier-- {
		t := &c.tiers[tier]
		if len(t.single) == 0 && len(t.bitmap) == 0 {
			continue
		}
		c.unite(t)
		clear(here)
		count := 0
		for at := range placesOf(c.union) {
			if g := names.of[at]; !seen[g] {
				seen[g], here[g] = true, true
				count++
			}
		}
		if skip := from + len(shown) - page.Total; skip < count && len(shown) < size {
			for _, g := range names.ordered {
				if len(shown) == size {
					break
				}
				if !here[g] {
					continue
				}
				if skip--; skip < 0 {
					members := names.members[g]
					shown = append(shown, members[slices.IndexFunc(members, func(at index.Place) bool { return has(all, at) })])
				}
			}
		}
		page.Total += count
	}
	for _, at := range shown {
		page.Nums = append(page.Nums, c.numbers[at])
	}
	names.count(all, shown, &page)
	return page
}

// count says of each record shown how many other hits have its name.
func (n *Namesakes) count(all []uint64, shown []index.Place, page *Page) {
	page.Namesakes = make([]int, len(shown))
	for i, at := range shown {
		for _, other := range n.members[n.of[at]] {
			if other != at && has(all, other) {
				page.Namesakes[i]++
			}
		}
	}
}
