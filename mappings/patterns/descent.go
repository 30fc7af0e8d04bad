package patterns

import (
	"encoding/binary"
	"slices"

	"bencao/internal/varint"
	"bencao/store"
)

// packDescent returns the stored value for a result of origins: the number of formulas and then, for
// each of them, the number of its parents and, if it has any, the number of the basis and those of
// the parents.
func packDescent(all []origin) []byte {
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for _, o := range all {
		out = binary.AppendUvarint(out, uint64(len(o.parents)))
		if len(o.parents) > 0 {
			out = binary.AppendUvarint(out, uint64(slices.Index(bases, o.basis)))
		}
		for _, p := range o.parents {
			out = binary.AppendUvarint(out, uint64(p))
		}
	}
	return out
}

// openDescent reads the result of packDescent. A nil packed means no formulas.
func (e *Engine) openDescent(packed []byte) error {
	r := varint.Reader{Rest: packed}
	if packed == nil {
		r.Rest = []byte{0}
	}
	e.origins = make([]origin, r.Count())
	e.children = make([][]store.Num, len(e.origins))
	for i := range e.origins {
		count := r.Count()
		if count == 0 {
			continue
		}
		o := &e.origins[i]
		basis := r.Number()
		if count > 2 || basis >= uint64(len(bases)) {
			return errDamaged
		}
		o.basis = bases[basis]
		for range count {
			n := r.Number()
			if n >= uint64(len(e.origins)) {
				return errDamaged
			}
			o.parents = append(o.parents, store.Num(n))
			e.children[n] = append(e.children[n], store.Num(i))
		}
	}
	if r.Failed || len(r.Rest) > 0 || len(e.origins) != len(e.namings[Standard].class) {
		return errDamaged
	}
	return nil
}

// Relative is a parent or a child of the formula for which [Engine.Descent] is called.
type Relative struct {
	Formula store.Num
	Basis   Basis
	// Added lists the herbs that only the younger formula has. LeftOut lists the herbs that only
	// the older formula has. A processed form or a part is the same herb.
	Added, LeftOut []Herb
}

// Descent returns the parents of formula n: none, one, or the two that it combines. It also returns
// the formulas of which n is a parent, in answer order.
func (e *Engine) Descent(n store.Num) (from, to []Relative) {
	if int(n) >= len(e.origins) {
		return nil, nil
	}
	o := &e.origins[n]
	for _, p := range o.parents {
		from = append(from, e.relative(p, p, n, o.basis))
	}
	for _, child := range e.children[n] {
		to = append(to, e.relative(child, n, child, e.origins[child].basis))
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
		for _, herb := range e.only(child, n) {
			added[herb]++
		}
	}
	for _, herb := range d.eligible(added, 1) {
		herbs, count = append(herbs, d.list[herb]), append(count, added[herb])
	}
	return herbs, count
}

// only returns the herbs that formula a contains and formula b lacks, forms and parts together.
func (e *Engine) only(a, b store.Num) (herbs []uint32) {
	d := e.namings[Standard]
	for _, herb := range d.formula(a) {
		if !slices.ContainsFunc(d.formula(b), func(other uint32) bool { return e.joined[herb] == e.joined[other] }) {
			herbs = append(herbs, herb)
		}
	}
	return herbs
}

func (e *Engine) relative(n, older, younger store.Num, by Basis) Relative {
	list := func(a, b store.Num) []Herb {
		out := []Herb{}
		for _, herb := range e.only(a, b) {
			out = append(out, e.namings[Standard].list[herb])
		}
		return out
	}
	return Relative{n, by, list(younger, older), list(older, younger)}
}
