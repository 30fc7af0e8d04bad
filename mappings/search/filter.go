package search

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/store"
)

// Everything reports whether a query finds all records in answer order.
func (q *Query) Everything() bool { return strings.TrimSpace(q.Text) == "" && q.plain() }

// plain reports whether a query has no filters and asks for no other order or grouping.
func (q *Query) plain() bool {
	return strings.TrimSpace(q.Dynasty) == "" && len(q.Filters) == 0 && q.Sort == "" && !q.Distinct && !q.Grouped
}

// dynasty is the name of the field to which the filter [Query.Dynasty] applies.
const dynasty = "dynasty"

// filters returns all filters of a query, including the filter by Dynasty.
func (q *Query) filters() []Filter {
	if strings.TrimSpace(q.Dynasty) == "" {
		return q.Filters
	}
	return append([]Filter{{Field: dynasty, Any: []string{q.Dynasty}}}, q.Filters...)
}

// passing returns the bit set of the records that pass all filters, or nil if there are
// no filters.
func (c *lazyColumns) passing(q *Query) (allowed []uint64, err error) {
	for _, f := range q.filters() {
		passed := make([]uint64, (c.index.Len()+63)/64)
		if f.Field == "" {
			c.mark(f.Records, passed)
		} else if column, err := c.column(f.Field); err == nil {
			f.find(column, passed)
		} else if f.Field == dynasty { // without a field of dynasties, no record passes
			return passed, nil
		} else {
			return nil, err
		}
		if f.Not {
			invert(passed)
		}
		intersect(passed, allowed)
		allowed = passed
	}
	return allowed, nil
}

// find sets the bits of the records whose values in the column match the filter.
func (f *Filter) find(column *columns.Column, passed []uint64) {
	if f.From != nil || f.To != nil {
		column.Between(f.From, f.To, passed)
	}
	for _, v := range f.Any {
		switch {
		case f.Written:
			for _, value := range column.Named(v) {
				column.Records(value, passed)
			}
		case f.Field == mappings.HerbsField:
			column.FindValue(v, passed) // 青木香 is a herb, and a spelling of another one
		default:
			column.Find(v, passed)
		}
	}
}

// mark sets the bits of the given records.
func (c *lazyColumns) mark(records []store.Num, passed []uint64) {
	for _, n := range records {
		passed[n/64] |= 1 << (n % 64)
	}
}

// ofNames is the value of [Query.In] that means the records' names.
const ofNames = "name"
