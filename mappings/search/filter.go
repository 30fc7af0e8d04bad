package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
)

// Filter restricts the hits of a query by a field of the search table.
type Filter struct {
	Field string
	// Any are values of which a record has at least one, in any of their forms.
	Any []string
	// From and To, of years, take the place of Any; nil is no bound. A record
	// without a year passes neither.
	From, To *int32
	// Not turns the filter round.
	Not bool
}

// Everything says whether a query finds all records in answer order.
func (q *Query) Everything() bool { return strings.TrimSpace(q.Text) == "" && q.plain() }

// plain says whether a query restricts and reorders nothing.
func (q *Query) plain() bool {
	return strings.TrimSpace(q.Dynasty) == "" && len(q.Filters) == 0 && q.Sort == "" && !q.Distinct
}

// dynasty is the field that [Query.Dynasty] filters by.
const dynasty = "dynasty"

// filters are those that a query asks for.
func (q *Query) filters() []Filter {
	if strings.TrimSpace(q.Dynasty) == "" {
		return q.Filters
	}
	return append([]Filter{{Field: dynasty, Any: []string{q.Dynasty}}}, q.Filters...)
}

// passing returns the bits of the places of the records that pass all filters, or
// nil if there is none.
func (s *Searcher) passing(q Query) (allowed []uint64, err error) {
	for k, f := range q.filters() {
		passed := make([]uint64, (s.Len()+63)/64)
		column, err := s.column(f.Field)
		switch {
		case err != nil && f.Field == dynasty: // of records that have none
			return passed, nil
		case err != nil:
			return nil, err
		}
		if f.From != nil || f.To != nil {
			column.Between(f.From, f.To, passed)
		}
		for _, v := range f.Any {
			column.Find(v, passed)
		}
		for i := range passed {
			if f.Not {
				passed[i] = ^passed[i]
			}
			if k > 0 {
				passed[i] &= allowed[i]
			}
		}
		allowed = passed
	}
	return allowed, nil
}

// names are those of the rows with some analyzers.
func (s *Searcher) names(analyzers ...mappings.Analyzer) (names []string) {
	for _, r := range s.index.Rows {
		if slices.Contains(analyzers, r.Analyzer) {
			names = append(names, r.Name)
		}
	}
	return names
}

// Sorts are the orders in which the hits of a query can be listed, but for how
// well they fit.
func (s *Searcher) Sorts() []string {
	sorts := s.names(mappings.Order)
	for i := range sorts {
		sorts[i] = strings.TrimSuffix(sorts[i], orderSuffix)
	}
	return sorts
}

// orderSuffix ends the names of the rows of orders.
const orderSuffix = "Order"

// facets are the analyzers of what records are filtered and counted by.
var facets = []mappings.Analyzer{mappings.Facet, mappings.Person, mappings.Year, mappings.Dynasty}

// column returns what a field's records are filtered and counted by.
func (s *Searcher) column(field string) (*columns.Column, error) {
	row := slices.IndexFunc(s.index.Rows, func(r mappings.Row) bool { return r.Name == field && slices.Contains(facets, r.Analyzer) })
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no facet %q; use %s", ErrQuery, field, strings.Join(s.names(facets...), ", "))
	}
	return s.made.columns[row].get(func() (*columns.Column, error) { return columns.New(s.index, row), nil })
}

// Has says whether a record has a value, in any of its forms.
func (s *Searcher) Has(field, value string) (bool, error) {
	c, err := s.column(field)
	return err == nil && c.Has(value), err
}

// order returns the places of all records in another order than that of the
// table.
func (s *Searcher) order(name string) ([]index.Place, error) {
	row := slices.IndexFunc(s.index.Rows, func(r mappings.Row) bool {
		sort, ok := strings.CutSuffix(r.Name, orderSuffix)
		return ok && sort == name && r.Analyzer == mappings.Order
	})
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no sort %q; use relevance, %s", ErrQuery, name, strings.Join(s.Sorts(), ", "))
	}
	return s.made.orders[row].get(func() ([]index.Place, error) {
		order := make([]index.Place, s.Len())
		for at := range index.Place(s.Len()) {
			n, err := strconv.ParseUint(s.index.Values(row, at), 16, 32)
			if err != nil || n >= uint64(len(order)) {
				return nil, fmt.Errorf("order %s has the place %q; the index is damaged, build it anew", name, s.index.Values(row, at))
			}
			order[n] = at
		}
		return order, nil
	})
}

// namesakes returns the records by name.
func (s *Searcher) namesakes() (*hits.Namesakes, error) {
	row := slices.IndexFunc(s.index.Rows, func(r mappings.Row) bool { return r.Attested >= 0 })
	if row < 0 {
		return nil, fmt.Errorf("%w: the records of this table have a line each; ask formulas for one line a name", ErrQuery)
	}
	return s.made.namesakes[row].get(func() (*hits.Namesakes, error) {
		values := func(row int) func(index.Place) string {
			return func(at index.Place) string { return s.index.Values(row, at) }
		}
		return hits.NewNamesakes(s.index, values(row), values(s.index.Rows[row].Attested)), nil
	})
}

// ofNames is what a query is called that is asked of the records' names.
const ofNames = "name"

// checkIn says what is wrong with the part of the records that a query is asked
// of.
func (s *Searcher) checkIn(part string) error {
	parts := []string{ofNames}
	for _, r := range s.index.Rows {
		if r.In == part {
			return nil
		}
		if r.In != "" {
			parts = append(parts, r.In)
		}
	}
	return fmt.Errorf("%w: there is nothing called %q in these records; use %s", ErrQuery, part, strings.Join(parts, ", "))
}
