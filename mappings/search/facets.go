package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
)

// Facet counts the hits of a query by the values of a field.
type Facet struct {
	Field string
	// Values is how many values there are, Without how many hits have none.
	Values, Without int
	Counts          []ValueCount // the commonest first, then by value
}

// ValueCount is how many hits have a value.
type ValueCount struct {
	Value   string
	Chinese string // the value's name in Chinese, or empty
	Count   int
}

// Facets counts all hits of a query by some fields, exactly; each facet lists
// at most so many values. The page that the query asks for does not matter. It
// returns the hits' number too.
func (s *Searcher) Facets(ctx context.Context, q Query, fields []string, most int) (counted []Facet, total int, err error) {
	by := make([]*columns.Column, len(fields))
	for i, field := range fields {
		if by[i], err = s.made.column(field); err != nil {
			return nil, 0, err
		}
	}
	q.From, q.Size, q.Sort, q.Distinct = 0, math.MaxInt, "", false
	if err := q.check(s.most); err != nil {
		return nil, 0, err
	}
	text := strings.TrimSpace(q.Text)
	err = s.use(text, func(b *buffers) error {
		if err := s.run(ctx, b, q, text, nil); err != nil {
			return err
		}
		all := hits.Places(b.Hits.All())
		all(func(index.Place) bool { total++; return true })
		for i, field := range fields {
			counts, without := by[i].Count(all)
			counted = append(counted, facet(field, by[i], counts, without, most))
		}
		return nil
	})
	return counted, total, err
}

// facet lists the commonest values. Only those that are listed are sorted.
func facet(field string, by *columns.Column, counts []int, without, most int) Facet {
	f := Facet{Field: field, Without: without, Counts: []ValueCount{}}
	highest := 0
	for _, n := range counts {
		highest = max(highest, n)
	}
	having := make([]int, highest+1) // how many values have each count
	for _, n := range counts {
		having[n]++
	}
	having[0] = 0
	least, more := highest, 0 // the least count that is listed, and how many values have more
	for ; least > 0 && more+having[least] < most; least-- {
		more += having[least]
	}
	room := most - more // for values of the least count
	for _, v := range by.Sorted {
		n := counts[v]
		if n > 0 {
			f.Values++
		}
		if n == 0 || n < least || n == least && room == 0 {
			continue
		}
		if n == least {
			room--
		}
		f.Counts = append(f.Counts, ValueCount{by.Values[v].Text, by.Values[v].Chinese, n})
	}
	slices.SortStableFunc(f.Counts, func(a, b ValueCount) int { return cmp.Compare(b.Count, a.Count) })
	return f
}
