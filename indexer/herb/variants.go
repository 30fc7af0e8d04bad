package herb

import (
	"cmp"
	"slices"

	"bencao/names/herb"
	"bencao/store"
)

// variants returns the herbs of which a record is a variant, such as a processed form, as
// names.txt lists them. If names.txt does not list the record's name, variants removes words
// for processing and parts from the name. It then returns the herb with the longest remaining name.
func (c *collection) variants(r *draft) (of []store.HerbVariant) {
	for _, s := range herb.StatementsOn(r.key) {
		if !s.Relation.Derived() {
			continue
		}
		for _, name := range s.Herbs {
			if other := c.drafts[c.key(name)]; other != nil && other != r {
				of = append(of, store.HerbVariant{Herb: other.Num, How: string(s.Relation), FromYear: s.From, ToYear: s.To, Source: s.Source})
			}
		}
	}
	if of != nil {
		return of
	}
	for _, reading := range herb.Readings(r.Name) {
		if reading.Uncut() {
			continue
		}
		other := c.drafts[c.key(reading.Base)]
		if other == nil || other == r || herb.AreDifferent(r.Name, other.Name) || herb.Relates(other.Name, r.Name) || !c.related(r, other) || slices.Contains(c.namesakes(other), r) {
			continue
		}
		how := herb.Processed
		if len(reading.Parts) > 0 {
			how = herb.Part
		}
		return []store.HerbVariant{{Herb: other.Num, How: string(how)}}
	}
	return nil
}

// namesakes returns the other records that have the name of r among their other names. It returns
// none if the table of herbs has a herb with the name of r.
func (c *collection) namesakes(r *draft) (others []*draft) {
	if r.herb != nil {
		return nil
	}
	for _, f := range herb.LookupReading(herb.Reading{Base: r.key}) {
		other := c.drafts[c.key(f.Name)]
		if other != nil && other != r && f.Alias() && !f.Unsure && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	return others
}

// related reports whether herb a can be a processed form or a part of herb b. The two must have a
// source species in common, according to herb_species or else the table of herbs. If the species of
// one of them are unknown, a must not be in the table of herbs under its own name.
func (c *collection) related(a, b *draft) bool {
	of, from := origins(a.key), origins(b.key)
	switch {
	case len(a.Species) > 0 && len(b.Species) > 0:
		return intersects(a.Species, b.Species, func(x, y store.HerbSource) bool { return x.Species == y.Species })
	case len(of) > 0 && len(from) > 0:
		return intersects(of, from, func(x, y origin) bool {
			return intersects(x.Species, y.Species, func(s, t herb.Species) bool {
				return intersects(s.Names, t.Names, func(m, n string) bool { return m == n })
			})
		})
	}
	return a.herb == nil && a.NoPlant == b.NoPlant
}

// intersects reports whether two lists have an element in common.
func intersects[E any](a, b []E, same func(x, y E) bool) bool {
	return slices.ContainsFunc(a, func(x E) bool {
		return slices.ContainsFunc(b, func(y E) bool { return same(x, y) })
	})
}

// cooccurrence counts which herbs occur together in formulas.
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

// of returns the herbs that occur most often together with herb i. Ties are in answer order.
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
