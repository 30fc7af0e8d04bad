package search

import (
	"math/bits"
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// ofBook reports whether a part of a query is a book.
func ofBook(rec mappings.Recognised) bool { return rec.Field == mappings.SourceField }

// ofHerb reports whether a part of a query is a herb.
func ofHerb(rec mappings.Recognised) bool { return rec.Field == mappings.HerbsField }

// A formula with all herbs of the query may also have other herbs. Each other herb after the first
// lowers the formula by one tier. mostOthers is the maximum number of these tiers. A formula of which
// some herbs are known to be missing comes after all these.
const mostOthers = 8

// having returns the bit set of the formulas that have all the herbs. Each element of herbs lists the
// names of one herb.
func (p *properties) having(herbs [][]string) (all []uint64) {
	for _, names := range herbs {
		has := make([]uint64, len(p.incomplete))
		for _, name := range names {
			p.herbs.FindValue(name, has)
		}
		intersect(has, all)
		all = has
	}
	return all
}

// collect adds to the hits the formulas that have all the herbs, as having finds them. Among the
// formulas of exactly the herbs, the first of a name stands for the name: the record that comes first
// in all answers may lack an ingredient.
func (l *lexicon) collect(s *Searcher, herbs [][]string, to *hits.Collector) {
	p := l.properties
	asked, noted := p.asked(herbs)
	tiers := &s.index.Rows[p.herbsRow].Tiers
	for i, w := range p.having(herbs) {
		for ; w != 0; w &= w - 1 {
			at := store.Num(i*64 + bits.TrailingZeros64(w))
			others := p.others(at, asked, noted[at])
			why := hits.Why{Tier: tiers[mappings.AllHerbs], Row: p.herbsRow, Way: mappings.AllHerbs}
			below := min(max(others-1, 0), mostOthers)
			switch only := tiers[mappings.OnlyHerbs]; {
			case p.incomplete[i]&(w&-w) != 0:
				below = mostOthers + 1
			case only > 0 && others == 0 && len(herbs) > 1:
				why = why.As(mappings.OnlyHerbs, only)
			}
			to.Add(at, why.Lower(below))
		}
	}
	to.StandIn(tiers[mappings.OnlyHerbs], l.formulas)
}

// clearly is how many times as many formulas count as clearly more: those of a dynasty of one character
// than those with the character in their names, if a query means the dynasty, and those with one name
// of a complaint than those with another.
const clearly = 10

// named returns the column of a field of books or authors.
func (p *properties) named(field string) *columns.Column {
	if field == mappings.AuthorField {
		return p.authors
	}
	return p.sources
}

// isWhole reports whether one of the values is the whole title of a book or name of an author, not one
// that has the key as a part.
func isWhole(column *columns.Column, values []uint32, key string) bool {
	return slices.ContainsFunc(values, func(v uint32) bool { return terms.ChineseKey(column.Values[v].Text) == key })
}
