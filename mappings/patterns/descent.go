package patterns

import (
	"cmp"
	"encoding/binary"
	"slices"

	"bencao/internal/varint"
	"bencao/store"
)

// leastComplete is the minimum number of herbs in a parent, that is, in a formula from which other
// formulas descend.
const leastComplete = 3

// descents returns, for each formula, the number of its parent plus 1, or 0 if it has no parent. A
// candidate for the parent is an older formula with at least three herbs. The formula must contain
// all herbs of the candidate. The parent is the candidate with the earliest year. Of several such
// candidates, it is the one with the most herbs, then the first in the source.
//
// A formula is older if its year is earlier, or if the year is the same and it comes first in the
// source. A formula of unknown year has no parent.
func descents(d *store.Data, herbs int, sets [][]uint32) []store.Num {
	rarest := make([][]store.Num, herbs) // herb → the formulas in which it is the rarest herb, that is, the herb with the highest number
	older := func(a, b store.Num) int {
		f, g := &d.Formulas[a], &d.Formulas[b]
		return cmp.Or(cmp.Compare(*f.Year, *g.Year), cmp.Compare(f.EntryID, g.EntryID))
	}
	for i, set := range sets {
		if len(set) >= leastComplete && d.Formulas[i].Year != nil {
			last := set[len(set)-1]
			rarest[last] = append(rarest[last], store.Num(i))
		}
	}
	parents := make([]store.Num, len(sets))
	for i, set := range sets {
		self := store.Num(i)
		if d.Formulas[i].Year == nil {
			continue
		}
		best, found := store.Num(0), false
		for _, herb := range set {
			for _, g := range rarest[herb] {
				if len(sets[g]) > len(set) || older(g, self) >= 0 || !within(sets[g], set) {
					continue
				}
				if !found || cmp.Or(cmp.Compare(*d.Formulas[g].Year, *d.Formulas[best].Year), cmp.Compare(len(sets[best]), len(sets[g])), older(g, best)) < 0 {
					best, found = g, true
				}
			}
		}
		if found {
			parents[i] = best + 1
		}
	}
	return parents
}

// within reports whether all numbers of a are in b. Both are in ascending order.
func within(a, b []uint32) bool {
	j := 0
	for _, n := range a {
		for j < len(b) && b[j] < n {
			j++
		}
		if j == len(b) || b[j] != n {
			return false
		}
	}
	return true
}

// packDescent returns the stored value for a result of descents: the number of formulas and then
// the elements of parents.
func packDescent(parents []store.Num) []byte {
	out := binary.AppendUvarint(nil, uint64(len(parents)))
	for _, n := range parents {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out
}

// openDescent reads the result of packDescent. A nil packed means no formulas.
func (e *Engine) openDescent(packed []byte) error {
	r := varint.Reader{Rest: packed}
	if packed == nil {
		r.Rest = []byte{0}
	}
	e.parents = make([]store.Num, r.Count())
	e.children = make([][]store.Num, len(e.parents))
	for i := range e.parents {
		n := r.Number()
		if n > uint64(len(e.parents)) {
			return errDamaged
		}
		if e.parents[i] = store.Num(n); n > 0 {
			e.children[n-1] = append(e.children[n-1], store.Num(i))
		}
	}
	if r.Failed || len(r.Rest) > 0 || len(e.parents) != len(e.namings[Standard].class) {
		return errDamaged
	}
	return nil
}

// Relative is the parent or a child of the formula for which [Engine.Descent] is called.
type Relative struct {
	Formula store.Num
	// Added lists the herbs that only the younger formula has. LeftOut lists the herbs that only
	// the older formula has.
	Added, LeftOut []Herb
}

// Descent returns the parent of formula n, or nil if it has none. It also returns the formulas
// whose parent is n, in answer order.
func (e *Engine) Descent(n store.Num) (from *Relative, to []Relative) {
	if int(n) >= len(e.parents) {
		return nil, nil
	}
	if p := e.parents[n]; p > 0 {
		from = new(e.relative(p-1, p-1, n))
	}
	for _, child := range e.children[n] {
		to = append(to, e.relative(child, n, child))
	}
	return from, to
}

// Additions returns the herbs that the children of formula n contain and formula n lacks. count
// has, for each herb, the number of children that contain it. The most frequent herbs come first.
// Equally frequent herbs are in the order of their names.
func (e *Engine) Additions(n store.Num) (herbs []Herb, count []int) {
	d := e.namings[Standard]
	added := make([]int, len(d.list))
	for _, child := range e.children[n] {
		for _, herb := range d.formula(child) {
			if !slices.Contains(d.formula(n), herb) {
				added[herb]++
			}
		}
	}
	for _, herb := range d.eligible(added, 1) {
		herbs, count = append(herbs, d.list[herb]), append(count, added[herb])
	}
	return herbs, count
}

func (e *Engine) relative(n, older, younger store.Num) Relative {
	d := e.namings[Standard]
	less := func(a, b store.Num) []Herb {
		out := []Herb{}
		for _, herb := range d.formula(a) {
			if !slices.Contains(d.formula(b), herb) {
				out = append(out, d.list[herb])
			}
		}
		return out
	}
	return Relative{n, less(younger, older), less(older, younger)}
}
