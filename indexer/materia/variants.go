package materia

import (
	"cmp"
	"slices"

	"bencao/names/drug"
	"bencao/store"
)

// The ways in which a herb's name is a variant of another's.
const (
	otherName = "otherName"
	processed = "processed"
	part      = "part"
)

// variants returns the herbs whose name the record's name is a variant of: those that have it as
// another name, else the herb of its longest reading.
func (c *collection) variants(r *draft) (of []store.HerbVariant) {
	for _, other := range c.namesakes(r) {
		of = append(of, store.HerbVariant{Herb: other.Num, How: otherName})
	}
	if of != nil {
		return of
	}
	for _, reading := range drug.Readings(r.Name) {
		other := c.drafts[reading.Base]
		if reading.Uncut() || other == nil || other == r || !c.related(r, other) || slices.Contains(c.namesakes(other), r) {
			continue
		}
		how := processed
		if len(reading.Parts) > 0 {
			how = part
		}
		return []store.HerbVariant{{Herb: other.Num, How: how}}
	}
	return nil
}

// namesakes returns the other records that have the record's name as another name, unless the table of
// drugs has a drug of that name.
func (c *collection) namesakes(r *draft) (others []*draft) {
	if r.drug != nil {
		return nil
	}
	for _, f := range drug.LookupReading(drug.Reading{Base: r.key}) {
		other := c.drafts[c.key(f.Name)]
		if other != nil && other != r && f.Alias && !f.Unsure && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	return others
}

// related reports whether one herb can be a processed form or a part of the other: they come from the
// same species. If a source is unknown, a herb that is a drug of its own is not related.
func (c *collection) related(a, b *draft) bool {
	of, from := c.kinds(a), c.kinds(b)
	switch {
	case len(a.Species) > 0 && len(b.Species) > 0:
		return intersects(a.Species, b.Species, func(x, y store.HerbSource) bool { return x.Species == y.Species })
	case len(of) > 0 && len(from) > 0:
		return intersects(of, from, func(x, y *drug.Drug) bool {
			return intersects(x.Species, y.Species, func(s, t drug.Species) bool {
				return intersects(s.Names, t.Names, func(m, n string) bool { return m == n })
			})
		})
	}
	return a.drug == nil && a.NoPlant == b.NoPlant
}

// intersects reports whether two lists have an element in common.
func intersects[E any](a, b []E, same func(x, y E) bool) bool {
	return slices.ContainsFunc(a, func(x E) bool {
		return slices.ContainsFunc(b, func(y E) bool { return same(x, y) })
	})
}

// cooccurrence counts the herbs that occur together in formulas.
type cooccurrence struct {
	records []*draft
	herbs   [][]store.Num // by formula
	count   []int         // by herb
}

func newCooccurrence(records []*draft, formulas int) *cooccurrence {
	b := &cooccurrence{records: records, herbs: make([][]store.Num, formulas), count: make([]int, len(records))}
	for i, r := range records {
		for _, f := range r.Formulas {
			b.herbs[f] = append(b.herbs[f], store.Num(i))
		}
	}
	return b
}

// of returns the herbs that occur most often together with a herb, equal counts in answer order.
func (b *cooccurrence) of(i int) (with []store.HerbTogether) {
	for _, f := range b.records[i].Formulas {
		for _, other := range b.herbs[f] {
			if int(other) == i {
				continue
			}
			if b.count[other]++; b.count[other] == 1 {
				with = append(with, store.HerbTogether{Herb: other})
			}
		}
	}
	for k := range with {
		with[k].Formulas = b.count[with[k].Herb]
		b.count[with[k].Herb] = 0
	}
	slices.SortFunc(with, func(x, y store.HerbTogether) int {
		return cmp.Or(cmp.Compare(y.Formulas, x.Formulas), cmp.Compare(x.Herb, y.Herb))
	})
	return with[:min(len(with), maxTogether)]
}
