package patterns

import (
	"encoding/binary"
	"slices"

	"bencao/internal/varint"
	"bencao/store"
)

// packDescent returns the stored value for a result of origins and for the herbs that only the texts of
// the formulas name: the number of formulas and then, for each of them, the number of these herbs, the
// herbs, the number of its parents and, if it has any, the number of the basis and those of the parents.
func packDescent(all []origin, inText [][]uint32) []byte {
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for i, o := range all {
		out = binary.AppendUvarint(out, uint64(len(inText[i])))
		for _, herb := range inText[i] {
			out = binary.AppendUvarint(out, uint64(herb))
		}
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

// namedInText returns, for each formula, the numbers in list of the herbs that only its text names. It
// leaves out herbs that no formula lists.
func namedInText(d *store.Data, list []Herb) [][]uint32 {
	numbers := map[string]uint32{}
	for i, one := range list {
		numbers[one.Name] = uint32(i)
	}
	out := make([][]uint32, len(d.Formulas))
	for i := range d.Formulas {
		for _, name := range d.Formulas[i].Unlisted {
			if n, listed := numbers[name]; listed {
				out[i] = append(out[i], n)
			}
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
	e.inText = make([][]uint32, len(e.origins))
	for i := range e.origins {
		for range r.Count() {
			n := r.Number()
			if n >= uint64(len(e.namings[Standard].list)) {
				return errDamaged
			}
			e.inText[i] = append(e.inText[i], uint32(n))
		}
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
	// the older formula has. A processed form or a part is the same herb. A formula has the herbs
	// that its text names too: the source's list may be incomplete.
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

// herbsOf returns the herbs of a formula, with those that only its text names.
func (e *Engine) herbsOf(n store.Num) []uint32 {
	herbs := slices.Clone(e.namings[Standard].formula(n))
	for _, herb := range e.inText[n] {
		if !slices.Contains(herbs, herb) {
			herbs = append(herbs, herb)
		}
	}
	return herbs
}

// only returns the herbs that formula a has and formula b lacks, forms and parts together.
func (e *Engine) only(a, b store.Num) (herbs []uint32) {
	lacking := e.herbsOf(b)
	for _, herb := range e.herbsOf(a) {
		if !slices.ContainsFunc(lacking, func(other uint32) bool { return e.joined[herb] == e.joined[other] }) {
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
