package search

import (
	"context"
	"math"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
)

// Facet counts the hits of a query by the values of a field.
type Facet struct {
	Field string
	// Values is the number of distinct values. Without is the number of hits without a value.
	Values, Without int
	Counts          []ValueCount // the most frequent first, then by value
}

// ValueCount is the number of hits with a value.
type ValueCount struct {
	Value   string
	Chinese string // the value's Chinese name, or ""
	Count   int
}

// Facets counts, for each of the fields, the hits of a query with each value of the field. It lists
// the most frequent values, and most is their maximum number per field. told has what is known of the
// hits, without the hits. Facets ignores From, Size and the order of the query.
func (s *Searcher) Facets(ctx context.Context, q Query, fields []string, most int) (counted []Facet, told Hits, err error) {
	by := make([]*columns.Column, len(fields))
	for i, field := range fields {
		if by[i], err = s.lazy.column(field); err != nil {
			return nil, Hits{}, err
		}
	}
	told, err = s.each(ctx, q, func(b *buffers) {
		for i, field := range fields {
			by[i].Count(b.Hits.All(), &b.counts)
			counted = append(counted, facet(field, by[i], &b.counts, most))
		}
	})
	return counted, told, err
}

// Found returns the bit set of all hits of a query, by record number. told has what is known of the
// hits, without the hits. Found ignores From, Size and the order of the query.
func (s *Searcher) Found(ctx context.Context, q Query) (found []uint64, told Hits, err error) {
	told, err = s.each(ctx, q, func(b *buffers) { found = slices.Clone(b.Hits.All()) })
	return found, told, err
}

// each finds all hits of a query, and calls use with the buffers that hold them.
func (s *Searcher) each(ctx context.Context, q Query, use func(b *buffers)) (told Hits, err error) {
	q.From, q.Size, q.Sort, q.Distinct, q.Grouped = 0, math.MaxInt, "", false, false
	if err := q.check(); err != nil {
		return Hits{}, err
	}
	text := strings.TrimSpace(q.Text)
	err = s.withBuffers(text, func(b *buffers) error {
		if err := s.run(ctx, b, q, text, nil); err != nil {
			return err
		}
		told = Hits{Total: size(b.Hits.All()), Verdict: s.verdict(b, q), Recognised: b.recognised, Named: b.named, Rewrite: b.rewrite}
		if told.Verdict == mappings.MostHerbs.Verdict() { // formulas without some of the herbs are no population
			told.Near, told.Total = told.Total, 0
			b.Hits.Reset(b.Hits.None(), nil)
		}
		use(b)
		return nil
	})
	return told, err
}

// facet returns the facet of a column with at most the given number of values.
func facet(field string, by *columns.Column, counts *columns.Counts, most int) Facet {
	values, all := counts.Commonest(most)
	f := Facet{Field: field, Values: all, Without: counts.Without, Counts: make([]ValueCount, len(values))}
	for i, v := range values {
		f.Counts[i] = ValueCount{by.Values[v].Text, by.Values[v].Chinese, int(counts.Of[v])}
	}
	return f
}
