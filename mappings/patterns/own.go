package patterns

import (
	"cmp"
	"slices"

	"bencao/store"
)

// With returns an engine over the formulas of e and further sets of herbs, and the bit sets of both. The
// herbs of the formulas of e are those of the naming [Standard], as counts returns them. Of the new engine
// only this naming may be asked. A set must not have a herb twice.
func (e *Engine) With(sets [][]Herb, counts func(Herb) Herb) (with *Engine, own, other []uint64, err error) {
	d := e.namings[Standard]
	var list []Herb
	numbers := map[Herb]uint32{}
	number := func(h Herb) uint32 {
		n, known := numbers[h]
		if !known {
			n = uint32(len(list))
			numbers[h], list = n, append(list, h)
		}
		return n
	}
	as := make([]uint32, len(d.list))
	for n, herb := range d.list {
		as[n] = number(counts(herb))
	}
	before := len(d.class)
	all := make([][]uint32, before, before+len(sets))
	for f := range all {
		for _, herb := range d.formula(store.Num(f)) {
			all[f] = append(all[f], as[herb])
		}
	}
	for _, set := range sets {
		var one []uint32
		for _, herb := range set {
			one = append(one, number(herb))
		}
		all = append(all, one)
	}
	for f, set := range all {
		slices.Sort(set)
		all[f] = slices.Compact(set)
	}
	union, err := unpack(pack(list, all))
	if err != nil {
		return nil, nil, nil, err
	}
	with = &Engine{namings: map[Naming]*herbs{Standard: union}, composed: union.composed(), factorials: newFactorials(len(all))}
	own, other = make([]uint64, len(with.composed)), make([]uint64, len(with.composed))
	for n := range all {
		set := other
		if n >= before {
			set = own
		}
		set[n/64] |= 1 << (n % 64)
	}
	return with, own, other, nil
}

// LeastPaired returns the minimum number of formulas of a herb with which a table of pairs begins, in a
// population of n formulas: 5 %, but at least 2, or [Automatic] for 200 formulas and more.
func LeastPaired(n int) int {
	if n /= 20; n < leastPaired {
		return max(n, 2)
	}
	return Automatic
}

// How tells how a formula is near to a set of herbs.
type How string

// The ways of being near.
const (
	Equal    How = "equals"   // the set has the same herbs
	Contains How = "contains" // the set has all herbs of the formula, at least four, and others
	Nearest  How = "nearest"  // they share the most herbs of those that one of them has
)

// Near is the formula that is nearest to a set of herbs.
type Near struct {
	Formula store.Num
	How     How
	Shared  int
	// Added lists the herbs that only the set has. LeftOut lists those that only the formula has.
	Added, LeftOut []Herb
}

// Neighbours finds the formulas that are near to sets of herbs. It must not be used concurrently.
type Neighbours struct {
	d        *herbs
	numbers  map[Herb]uint32
	in       [][]store.Num // herb → the formulas with it
	common   []int         // formula → the numbers of formulas with each of its herbs, added up
	complete func(store.Num) bool
	older    func(a, b store.Num) int
	shared   []int32
	touched  []store.Num
}

// Neighbours returns a finder of the formulas in a bit set, by the naming [Standard]. complete reports
// whether all herbs of a formula are known: the others can only be nearest. older compares formulas: of
// several as near, the first is taken.
func (e *Engine) Neighbours(among []uint64, complete func(store.Num) bool, older func(a, b store.Num) int) *Neighbours {
	d := e.namings[Standard]
	n := &Neighbours{d: d, numbers: make(map[Herb]uint32, len(d.list)), in: make([][]store.Num, len(d.list)), common: make([]int, len(d.class)), complete: complete, older: older, shared: make([]int32, len(d.class))}
	for i, herb := range d.list {
		n.numbers[herb] = uint32(i)
	}
	for f := range d.class {
		if at(among, f/64)>>(f%64)&1 == 0 {
			continue
		}
		for _, herb := range d.formula(store.Num(f)) {
			n.in[herb] = append(n.in[herb], store.Num(f))
		}
	}
	for f := range d.class {
		for _, herb := range d.formula(store.Num(f)) {
			n.common[f] += len(n.in[herb])
		}
	}
	return n
}

// Of returns the formula that a set of different herbs equals. If there is none, it returns the largest
// that it contains, of several that with the rarest herbs; or else the nearest one, with which it shares
// two herbs or more. It returns false if there is none either.
func (n *Neighbours) Of(set []Herb) (near Near, ok bool) {
	n.touched = n.touched[:0]
	for _, herb := range set {
		number, known := n.numbers[herb]
		if !known {
			continue
		}
		for _, f := range n.in[number] {
			if n.shared[f]++; n.shared[f] == 1 {
				n.touched = append(n.touched, f)
			}
		}
	}
	best := candidate{}
	for _, f := range n.touched {
		c := candidate{f, int(n.shared[f]), len(n.d.formula(f)), Nearest}
		n.shared[f] = 0
		switch {
		case c.shared < 2 && c.shared < c.size:
			continue
		case c.shared < c.size || !n.complete(f):
		case c.size == len(set):
			c.how = Equal
		case c.size >= leastContained:
			c.how = Contains
		}
		if best.how == "" || n.compare(c, best, len(set)) < 0 {
			best = c
		}
	}
	if best.how == "" {
		return near, false
	}
	near = Near{Formula: best.formula, How: best.how, Shared: best.shared}
	formula := n.d.formula(best.formula)
	for _, herb := range set {
		if number, known := n.numbers[herb]; !known || !slices.Contains(formula, number) {
			near.Added = append(near.Added, herb)
		}
	}
	for _, number := range formula {
		if !slices.Contains(set, n.d.list[number]) {
			near.LeftOut = append(near.LeftOut, n.d.list[number])
		}
	}
	return near, true
}

// candidate is a formula that may be the nearest.
type candidate struct {
	formula      store.Num
	shared, size int
	how          How
}

// compare compares candidates for a set of a number of herbs: the nearer one comes first.
func (n *Neighbours) compare(a, b candidate, herbs int) int {
	rank := []How{Equal, Contains, Nearest}
	order := cmp.Compare(slices.Index(rank, a.how), slices.Index(rank, b.how))
	if order == 0 && a.how == Contains {
		order = cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(n.common[a.formula], n.common[b.formula]))
	}
	if order == 0 && a.how == Nearest { // by Jaccard, shared / (herbs + size - shared)
		order = cmp.Compare(b.shared*(herbs+a.size-a.shared), a.shared*(herbs+b.size-b.shared))
	}
	return cmp.Or(order, n.older(a.formula, b.formula))
}
