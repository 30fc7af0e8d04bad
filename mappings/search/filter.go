package search

import (
	"strings"

	"bencao/internal/messages"
	"bencao/mappings/internal/columns"
	"bencao/store"
)

// Filter restricts the hits of a query by a field of the search table, or to some
// records.
type Filter struct {
	Field string // empty restricts them to Records
	// Any are values of which a record has at least one, in any of their forms.
	Any []string
	// From and To, of years, take the place of Any; nil is no bound. A record
	// without a year passes neither.
	From, To *int32
	// Records are those that pass, for what no field says.
	Records []store.Num
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

// passing returns the bits of the records that pass all filters, or
// nil if there is none.
func (c *lazyColumns) passing(q *Query) (allowed []uint64, err error) {
	for k, f := range q.filters() {
		passed := make([]uint64, (c.index.Len()+63)/64)
		if f.Field == "" {
			c.mark(f.Records, passed)
		} else if column, err := c.column(f.Field); err == nil {
			f.find(column, passed)
		} else if f.Field == dynasty { // of records that have none
			return passed, nil
		} else {
			return nil, err
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

// find sets the bits of the records that a column lets pass.
func (f *Filter) find(column *columns.Column, passed []uint64) {
	if f.From != nil || f.To != nil {
		column.Between(f.From, f.To, passed)
	}
	for _, v := range f.Any {
		column.Find(v, passed)
	}
}

// mark sets the bits of some records.
func (c *lazyColumns) mark(records []store.Num, passed []uint64) {
	for _, n := range records {
		passed[n/64] |= 1 << (n % 64)
	}
}

// ofNames is what a query is called that is asked of the records' names.
const ofNames = "name"

// checkIn says what is wrong with the part of the records that a query is asked
// of.
func (c *lazyColumns) checkIn(part string) error {
	parts := []string{ofNames}
	for _, r := range c.index.Rows {
		if r.Part == part {
			return nil
		}
		if r.Part != "" {
			parts = append(parts, r.Part)
		}
	}
	return messages.Errorf("%w: there is nothing called %q in these records; use %s", ErrQuery, part, strings.Join(parts, ", "))
}
