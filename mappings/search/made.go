package search

import (
	"fmt"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/once"
	"bencao/store"
)

// made is what is made of an index when a query first filters, counts or sorts by
// a row.
type made struct {
	index     *index.Index
	columns   []once.Value[*columns.Column]
	orders    []once.Value[[]store.Num]
	namesakes []once.Value[*hits.Namesakes]
}

func newMade(ix *index.Index) *made {
	rows := len(ix.Rows)
	return &made{ix, make([]once.Value[*columns.Column], rows), make([]once.Value[[]store.Num], rows), make([]once.Value[*hits.Namesakes], rows)}
}

// names are those of the rows with some analyzers.
func (m *made) names(analyzers ...mappings.Analyzer) (names []string) {
	for _, r := range m.index.Rows {
		if slices.Contains(analyzers, r.Analyzer) {
			names = append(names, r.Name)
		}
	}
	return names
}

// sorts are the orders in which hits can be listed, but for how well they fit.
func (m *made) sorts() []string {
	sorts := m.names(mappings.Order)
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
func (m *made) column(field string) (*columns.Column, error) {
	row := slices.IndexFunc(m.index.Rows, func(r mappings.Row) bool { return r.Name == field && slices.Contains(facets, r.Analyzer) })
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no facet %q; use %s", ErrQuery, field, strings.Join(m.names(facets...), ", "))
	}
	return m.columns[row].Get(func() (*columns.Column, error) { return columns.New(m.index, row), nil })
}

// order returns all records in another order than that of the
// table.
func (m *made) order(name string) ([]store.Num, error) {
	row := slices.IndexFunc(m.index.Rows, func(r mappings.Row) bool {
		sort, ok := strings.CutSuffix(r.Name, orderSuffix)
		return ok && sort == name && r.Analyzer == mappings.Order
	})
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no sort %q; use relevance, %s", ErrQuery, name, strings.Join(m.sorts(), ", "))
	}
	return m.orders[row].Get(func() ([]store.Num, error) {
		order, ok := m.index.Order(row)
		if !ok {
			return nil, fmt.Errorf("order %s is not one of %d records; the index is damaged, build it anew", name, m.index.Len())
		}
		return order, nil
	})
}

// byName returns the records by name.
func (m *made) byName() (*hits.Namesakes, error) {
	row := slices.IndexFunc(m.index.Rows, func(r mappings.Row) bool { return r.Attested >= 0 })
	if row < 0 {
		return nil, fmt.Errorf("%w: the records of this table have a line each; ask formulas for one line a name", ErrQuery)
	}
	return m.namesakes[row].Get(func() (*hits.Namesakes, error) {
		values := func(row int) func(store.Num) string {
			return func(at store.Num) string { return m.index.Values(row, at) }
		}
		return hits.NewNamesakes(m.index, values(row), values(m.index.Rows[row].Attested)), nil
	})
}
