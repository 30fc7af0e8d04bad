package mutant

import (
	"fmt"
	"slices"
)

// tableKind is a way in which an export can damage a whole table. spoil returns nil if the table is
// missing afterwards.
type tableKind struct {
	name  string
	spoil func(t *Table) *Table
}

// cuts lists the percentages of rows that remain when a table is cut off.
var cuts = []float64{1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 93, 93.5, 94, 94.5, 95, 95.5, 96, 96.5, 97, 97.5, 98, 98.5, 99}

func tableKinds() []tableKind {
	kinds := []tableKind{
		{"drop", func(*Table) *Table { return nil }},
		{"header-only", func(t *Table) *Table { return t.only(func(int) bool { return false }) }},
		{"empty-file", func(t *Table) *Table { return &Table{raw: []byte{}} }},
		{"double", func(t *Table) *Table { return t.rows(slices.Concat(t.Rows, t.Rows)) }},
		{"double-each", func(t *Table) *Table {
			var rows [][]string
			for _, r := range t.Rows {
				rows = append(rows, r, r)
			}
			return t.rows(rows)
		}},
		{"no-last-line-feed", func(t *Table) *Table {
			b := t.bytes()
			return &Table{raw: b[:len(b)-1]}
		}},
		{"no-header", func(t *Table) *Table {
			if len(t.Rows) == 0 {
				return t
			}
			return &Table{Header: t.Rows[0], Rows: t.Rows[1:], Dialect: t.Dialect}
		}},
		{"cells-left", func(t *Table) *Table { return t.each(func(r []string) []string { return append(r[1:], r[0]) }) }},
		{"first-cell-gone", func(t *Table) *Table { return t.each(func(r []string) []string { return r[1:] }) }},
		{"rows-same", func(t *Table) *Table {
			if len(t.Rows) == 0 {
				return t
			}
			return t.rows(slices.Repeat(t.Rows[:1], len(t.Rows)))
		}},
	}
	for _, n := range []int{2, 3, 5, 10, 15, 25} {
		kinds = append(kinds, tableKind{fmt.Sprintf("every-%d.-row-gone", n), func(t *Table) *Table {
			return t.only(func(i int) bool { return i%n != n-1 })
		}})
	}
	for _, p := range cuts {
		kinds = append(kinds,
			tableKind{fmt.Sprintf("cut-at-%g%%", p), func(t *Table) *Table {
				b := t.bytes()
				return &Table{raw: b[:int(float64(len(b))*p/100)]}
			}},
			tableKind{fmt.Sprintf("rows-cut-at-%g%%", p), func(t *Table) *Table {
				return t.rows(t.Rows[:int(float64(len(t.Rows))*p/100)])
			}},
			tableKind{fmt.Sprintf("first-rows-gone-%g%%", 100-p), func(t *Table) *Table {
				return t.rows(t.Rows[len(t.Rows)-int(float64(len(t.Rows))*p/100):])
			}})
	}
	return kinds
}

// rows returns a copy of the table with the given rows.
func (t *Table) rows(rows [][]string) *Table {
	c := *t
	c.raw, c.Rows = nil, rows
	return &c
}

// only returns a table with some of the rows. keep selects them by their index.
func (t *Table) only(keep func(i int) bool) *Table {
	var rows [][]string
	for i, r := range t.Rows {
		if keep(i) {
			rows = append(rows, r)
		}
	}
	return t.rows(rows)
}

// each returns a copy of the table in which f has replaced each row.
func (t *Table) each(f func([]string) []string) *Table {
	c := t.clone()
	for i, r := range c.Rows {
		c.Rows[i] = f(r)
	}
	return c
}
