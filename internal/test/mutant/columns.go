package mutant

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// columnKinds lists the ways in which an export can damage a column.
var columnKinds = []struct {
	name  string
	spoil func(t *Table, col int) *Table
}{
	{"shift", func(t *Table, col int) *Table { return t.set(col, shifted(t.column(col), 1)) }},
	{"shift-up", func(t *Table, col int) *Table { return t.set(col, shifted(t.column(col), len(t.Rows)-1)) }},
	{"reverse", func(t *Table, col int) *Table {
		cells := t.column(col)
		slices.Reverse(cells)
		return t.set(col, cells)
	}},
	{"blank", func(t *Table, col int) *Table { return t.set(col, make([]string, len(t.Rows))) }},
	{"same", func(t *Table, col int) *Table {
		cells := t.column(col)
		at := slices.IndexFunc(cells, func(s string) bool { return s != "" })
		if at < 0 {
			return t
		}
		return t.set(col, slices.Repeat(cells[at:at+1], len(cells)))
	}},
	{"rename", func(t *Table, col int) *Table {
		c := t.clone()
		c.Header[col] = "x_" + c.Header[col]
		return c
	}},
	{"swap", func(t *Table, col int) *Table {
		next := (col + 1) % len(t.Header)
		return t.set(col, t.column(next)).set(next, t.column(col))
	}},
	// UTF-8 text was decoded as Windows-1252 and encoded as UTF-8 again.
	{"mojibake", func(t *Table, col int) *Table { return t.set(col, each(t.column(col), mojibake)) }},
	{"gb18030", func(t *Table, col int) *Table { return t.set(col, each(t.column(col), gb18030)) }},
}

// shifted moves cells down by n rows. The last cells move to the top.
func shifted(cells []string, n int) []string {
	if len(cells) == 0 {
		return cells
	}
	n %= len(cells)
	return slices.Concat(cells[len(cells)-n:], cells[:len(cells)-n])
}

func each(cells []string, f func(string) string) []string {
	for i, c := range cells {
		cells[i] = f(c)
	}
	return cells
}

func mojibake(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(charmap.Windows1252.DecodeByte(s[i]))
	}
	return b.String()
}

func gb18030(s string) string {
	out, err := simplifiedchinese.GB18030.NewEncoder().String(s)
	if err != nil {
		return s // cannot be converted; an unchanged table is not a mutant
	}
	return out
}
