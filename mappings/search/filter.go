package search

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
)

// filter restricts the hits to the records that have a term in the fields of an
// analyzer. It is no part of the score, and never gives way.
type filter struct {
	analyzer mappings.Analyzer
	text     string // as the index writes it
}

// filters are those that a query asks for.
func (q *Query) filters() []filter {
	if strings.TrimSpace(q.Dynasty) == "" {
		return nil
	}
	return []filter{{mappings.Dynasty, mappings.DynastyKey(q.Dynasty)}}
}

// passing returns the bits of the places of the records that pass all filters, or
// nil if there is none.
func passing(l *lookup, filters []filter) (allowed []uint64) {
	for k, f := range filters {
		passed := l.hits.NoPlaces()
		for row, r := range l.Rows {
			if r.Analyzer == f.analyzer {
				l.reader.Each(l.find(row, mappings.Whole, f.text), func(at index.Place) { passed[at/64] |= 1 << (at % 64) })
			}
		}
		for i := range passed {
			if k > 0 {
				passed[i] &= allowed[i]
			}
		}
		allowed = passed
	}
	return allowed
}
