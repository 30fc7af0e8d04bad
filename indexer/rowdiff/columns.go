package rowdiff

import (
	"hash/maphash"
)

// minExchanged is the minimum share of a column's changed cells that must have exchanged values.
// Below this share, only exchanges of rare values count.
const minExchanged = 0.75

// columns compares the cells of all pairs. group is the column that groups rows. A value that moved
// between two rows of the same group does not count.
func (c *comparison) columns(pairs []pair, group string) []Column {
	stayed := make([][]pair, len(c.names)) // by column: the changed cells that do not have the old value of another column
	out := make([]Column, len(c.names))
	for i, name := range c.names {
		out[i].Name = name
	}
	from := make([]map[int]int, len(c.names))
	var differ []int
	for _, p := range pairs {
		differ = differ[:0]
		for i := range c.names {
			was, is := c.before(p, i), c.tonight(p, i)
			if was != "" {
				out[i].Filled++
			}
			if was != is {
				differ = append(differ, i)
			}
		}
		for _, i := range differ {
			c.remember(&out[i], i, p)
			out[i].differs(c.before(p, i), c.tonight(p, i), c.now.Line(int(p.now)))
			if source := c.across(p, i, differ); source >= 0 {
				if from[i] == nil {
					from[i] = map[int]int{}
				}
				from[i][source]++
				out[i].Across.add(c.now.Line(int(p.now)), c.before(p, i), c.tonight(p, i))
				continue
			}
			stayed[i] = append(stayed[i], p)
		}
	}
	for i := range out {
		out[i].FilledBefore, out[i].FilledAfter = c.old.filled(c.was[i]), c.now.filled(c.is[i])
		if out[i].Changed+out[i].FilledIn == 0 {
			continue
		}
		most := 0
		for source, name := range c.names {
			if from[i][source] > most {
				most, out[i].From = from[i][source], name
			}
		}
		c.shifted(&out[i], i, pairs)
		c.copied(&out[i], i, pairs)
		c.same(&out[i], i, pairs)
		c.between(&out[i], i, stayed[i], group)
		c.scaled(&out[i], i, stayed[i])
	}
	return out
}

// differs counts a cell that differs.
func (c *Column) differs(was, is string, line int) {
	switch {
	case was == "":
		c.FilledIn++
	case is == "":
		c.Emptied++
		c.Changed++
	default:
		c.Changed++
	}
	c.Lines = atMost(c.Lines, line)
}

// filled counts the cells of a column that have a value.
func (t *Table) filled(column int) int {
	n := 0
	for row := range t.Rows() {
		if t.Cell(row, column) != "" {
			n++
		}
	}
	return n
}

// shifted compares each cell with the neighbours of its row. The pairs are in the order of the
// source.
func (c *comparison) shifted(out *Column, column int, pairs []pair) {
	down, up := 0, 0
	for i := 1; i < len(pairs); i++ {
		was, above := c.before(pairs[i], column), c.before(pairs[i-1], column)
		if was == above {
			continue
		}
		out.Borders++
		if c.tonight(pairs[i], column) == above {
			down++
		}
		if c.tonight(pairs[i-1], column) == was {
			up++
		}
	}
	out.Shifted = max(down, up)
}

// marks counts the characters of the cells that differ, and of those in added and removed rows.
func (c *comparison) marks(columns []Column) {
	for i := range columns {
		out := &columns[i]
		count := func(cell string, line int) {
			was := out.Marks
			out.Marks.Add(cell, 1)
			if out.Marks.Debris > was.Debris || out.Marks.Invisible > was.Invisible || out.Marks.Mixed > was.Mixed {
				out.Marked = atMost(out.Marked, line)
			}
		}
		for _, row := range c.removed {
			out.Marks.Add(c.old.Cell(row, c.was[i]), -1)
		}
		for _, row := range c.added {
			count(c.now.Cell(row, c.is[i]), c.now.Line(row))
		}
		if out.Changed+out.FilledIn == 0 {
			continue
		}
		for _, p := range c.pairs {
			if was, is := c.before(p, i), c.tonight(p, i); was != is {
				out.Marks.Add(was, -1)
				count(is, c.now.Line(int(p.now)))
			}
		}
	}
}

func (c *comparison) before(p pair, column int) string {
	return c.old.Cell(int(p.old), c.was[column])
}

func (c *comparison) tonight(p pair, column int) string {
	return c.now.Cell(int(p.now), c.is[column])
}

// across compares the new value of a changed cell with the old values in the other changed columns
// of its row. It returns the column with the same value, or -1.
func (c *comparison) across(p pair, column int, differ []int) int {
	is := c.tonight(p, column)
	for _, other := range differ {
		if is != "" && other != column && c.before(p, other) == is {
			return other
		}
	}
	return -1
}

// between finds values that moved from one row to another. A move between two rows of the same
// group does not count.
func (c *comparison) between(out *Column, column int, changed []pair, group string) {
	lost, gained := c.flows(column, changed, group)
	moved := map[uint64]int{}
	total := 0
	for v, n := range gained {
		if m := min(n, lost[v]); m > 0 {
			moved[v] = m
			total += m
		}
	}
	if total == 0 {
		return
	}
	frequency := map[uint64]int{}
	for i := range c.old.Rows() {
		if v := maphash.String(seed, c.old.Cell(i, c.was[column])); moved[v] > 0 {
			frequency[v]++
		}
	}
	for v, n := range moved {
		if frequency[v] <= 2 && v != empty {
			out.Rare += n
		}
	}
	for _, p := range changed {
		was, is := c.before(p, column), c.tonight(p, column)
		if moved[maphash.String(seed, is)] > 0 {
			out.Between.add(c.now.Line(int(p.now)), was, is)
		}
	}
	// A value may have appeared in more rows than it disappeared from. Count it only as often as it
	// disappeared.
	out.Between.Count = total
	if float64(total) < minExchanged*float64(len(changed)) {
		out.Between.Count = out.Rare
	}
}

var empty = maphash.String(seed, "")

// flows counts how often each value disappeared and appeared, by its hash.
func (c *comparison) flows(column int, changed []pair, group string) (lost, gained map[uint64]int) {
	lost, gained = map[uint64]int{}, map[uint64]int{}
	if c.now.Index(group) < 0 {
		for _, p := range changed {
			lost[maphash.String(seed, c.before(p, column))]++
			gained[maphash.String(seed, c.tonight(p, column))]++
		}
		return lost, gained
	}
	type inGroup struct{ group, value uint64 }
	net := map[inGroup]int{}
	for _, p := range changed {
		of := maphash.String(seed, c.now.Cell(int(p.now), c.now.Index(group)))
		net[inGroup{of, maphash.String(seed, c.before(p, column))}]--
		net[inGroup{of, maphash.String(seed, c.tonight(p, column))}]++
	}
	for v, n := range net {
		if n < 0 {
			lost[v.value] -= n
		} else {
			gained[v.value] += n
		}
	}
	return lost, gained
}
