package search

import (
	"fmt"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/lazy"
	"bencao/store"
)

// lazyColumns caches the columns, orders and groups of namesakes that filters, facets
// and sorts need, by row. Each is built on first use.
type lazyColumns struct {
	index     *index.Index
	columns   []lazy.Value[*columns.Column]
	orders    []lazy.Value[[]store.Num]
	namesakes []lazy.Value[*hits.Namesakes]

	herbsRow   int // the row of herbs that queries may contain; -1 if there is none
	properties lazy.Value[*properties]
	lexicon    lazy.Value[*lexicon]
}

func newLazyColumns(ix *index.Index) *lazyColumns {
	rows := len(ix.Rows)
	return &lazyColumns{
		index: ix, columns: make([]lazy.Value[*columns.Column], rows), orders: make([]lazy.Value[[]store.Num], rows), namesakes: make([]lazy.Value[*hits.Namesakes], rows),
		herbsRow: slices.IndexFunc(ix.Rows, func(r mappings.Row) bool { return r.Tiers[mappings.AllHerbs] > 0 }),
	}
}

// names returns the names of the rows for which ok returns true.
func (c *lazyColumns) names(ok func(mappings.Row) bool) (names []string) {
	for _, r := range c.index.Rows {
		if ok(r) {
			names = append(names, r.Name)
		}
	}
	return names
}

// sorts returns the names of the orders other than relevance.
func (c *lazyColumns) sorts() []string {
	sorts := c.names(func(r mappings.Row) bool { return r.Analyzer == mappings.Order })
	for i := range sorts {
		sorts[i] = strings.TrimSuffix(sorts[i], orderSuffix)
	}
	return sorts
}

// orderSuffix is the suffix of the names of order rows.
const orderSuffix = "Order"

// column returns the column of a field.
func (c *lazyColumns) column(field string) (*columns.Column, error) {
	row := slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool { return r.Name == field && r.IsFacet() })
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no facet %q; use %s", ErrQuery, field, strings.Join(c.names(mappings.Row.IsFacet), ", "))
	}
	return c.columns[row].Get(func() (*columns.Column, error) { return columns.New(c.index, row), nil })
}

// order returns all records in a named order.
func (c *lazyColumns) order(name string) ([]store.Num, error) {
	row := slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool {
		sort, ok := strings.CutSuffix(r.Name, orderSuffix)
		return ok && sort == name && r.Analyzer == mappings.Order
	})
	if row < 0 {
		return nil, fmt.Errorf("%w: there is no sort %q; use relevance, %s", ErrQuery, name, strings.Join(c.sorts(), ", "))
	}
	return c.orders[row].Get(func() ([]store.Num, error) {
		order, ok := c.index.Order(row)
		if !ok {
			return nil, fmt.Errorf("order %s is not one of %d records; the index is damaged, rebuild it", name, c.index.Len())
		}
		return order, nil
	})
}

// nameRow returns the row of the names by which records are grouped, or -1.
func (c *lazyColumns) nameRow() int {
	return slices.IndexFunc(c.index.Rows, func(r mappings.Row) bool { return r.Attested >= 0 })
}

// byName returns the groups of namesakes of the table.
func (c *lazyColumns) byName() (*hits.Namesakes, error) {
	row := c.nameRow()
	if row < 0 {
		return nil, fmt.Errorf("%w: only formulas can be listed with one line for each name", ErrQuery)
	}
	return c.namesakes[row].Get(func() (*hits.Namesakes, error) {
		values := func(row int) func(store.Num) string {
			return func(at store.Num) string { return c.index.Values(row, at) }
		}
		return hits.NewNamesakes(c.index, values(row), values(c.index.Rows[row].Attested)), nil
	})
}
