package rowdiff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bencao/names/dose"
)

// scaled finds cells whose numbers were multiplied by the same factor. Such a change is caused by a
// wrong unit (两 for 钱) or a lost digit (3 for 30).
func (c *comparison) scaled(out *Column, column int, changed []pair) {
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
