package rowdiff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bencao/names/herb/dose"
)

// scaled finds cells whose numbers were multiplied by the same factor. Such a change is caused by a
// wrong unit (两 for 钱) or a lost digit (3 for 30).
func (c *comparison) scaled(out *Column, column int, changed []pair) {
	if !slices.Contains(c.spec.Numbers, c.names[column]) {
		return
	}
	by := map[string]*Scaled{}
	for _, p := range changed {
		was, is := c.before(p, column), c.tonight(p, column)
		how, ok := factor(was, is)
		if !ok {
			continue
		}
		if by[how] == nil {
			by[how] = &Scaled{How: how, Books: map[string]int{}}
		}
		by[how].add(c.now.Line(int(p.now)), was, is)
		if c.spec.Book != nil {
			by[how].Books[c.spec.Book(c.now, int(p.now))]++
		}
	}
	for _, how := range slices.Sorted(maps.Keys(by)) {
		if by[how].Count > 1 {
			out.Scaled = append(out.Scaled, *by[how])
		}
	}
	slices.SortStableFunc(out.Scaled, func(a, b Scaled) int { return b.Count - a.Count })
}

// increased finds references that all were increased by the same number. If the reference is in the
// key, it compares removed rows with added rows that agree in the other columns.
func (c *comparison) increased(columns []Column) {
	for i, name := range c.names {
		if !slices.Contains(c.spec.References, name) {
			continue
		}
		by := map[int]*Scaled{}
		add := func(now int, was, is string) {
			a, errA := strconv.Atoi(was)
			b, errB := strconv.Atoi(is)
			if errA != nil || errB != nil || a == b {
				return
			}
			if by[b-a] == nil {
				by[b-a] = &Scaled{How: fmt.Sprintf("%+d", b-a)}
			}
			by[b-a].add(c.now.Line(now), was, is)
		}
		for _, p := range c.pairs {
			if columns[i].Changed > 0 {
				add(int(p.now), c.before(p, i), c.tonight(p, i))
			}
		}
		was, is := slices.Delete(slices.Clone(c.was), i, i+1), slices.Delete(slices.Clone(c.is), i, i+1)
		if columns[i].inKey(c.spec) {
			gone := map[uint64][]int{}
			for _, row := range c.removed {
				h := c.old.hash(row, was)
				gone[h] = append(gone[h], row)
			}
			for _, row := range c.added {
				for _, other := range gone[c.now.hash(row, is)] {
					add(row, c.old.Cell(other, c.was[i]), c.now.Cell(row, c.is[i]))
				}
			}
		}
		most := Scaled{}
		for _, n := range slices.Sorted(maps.Keys(by)) {
			if by[n].Count > most.Count {
				most = *by[n]
			}
		}
		if most.Count > 1 {
			columns[i].Scaled = append(columns[i].Scaled, most)
		}
	}
}

func (c Column) inKey(spec Spec) bool { return slices.Contains(spec.Key, c.Name) }

// minFactor is the smallest factor between two numbers that counts as a change of scale. A wrong
// unit or a lost digit produces at least this factor.
const minFactor = 1.25

// factor describes how one number or dose differs from another: by a factor, or by the unit. ok is
// false if either is 0 or cannot be read, or if the factor is too small to count.
func factor(was, is string) (how string, ok bool) {
	a, unitA, okA := amount(was)
	b, unitB, okB := amount(is)
	if !okA || !okB || a == 0 || b == 0 {
		return "", false
	}
	f := b / a
	if unitA != unitB {
		return fmt.Sprintf("%s → %s", unitA, unitB), true
	}
	if f < minFactor && f > 1/minFactor {
		return "", false
	}
	return fmt.Sprintf("× %.3g", f), true
}

// amount parses a number or a dose.
func amount(s string) (value float64, unit string, ok bool) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return x, "", true
	}
	d, err := dose.Parse(s)
	if err != nil || d.Kind == dose.Equal || d.Kind == dose.Vague {
		return 0, "", false
	}
	return d.Value, d.Unit, true
}

// MainBook returns the book to which at least nine tenths of the cells belong, or "".
func (s *Scaled) MainBook() string {
	for book, n := range s.Books {
		if 10*n >= 9*s.Count {
			return book
		}
	}
	return ""
}
