package rowdiff

import (
	"hash/maphash"
	"math"
)

// repeated finds new rows with the content of another row. Rows that were already repetitions in
// the old version do not count.
func (c *comparison) repeated(pairs []pair) Found {
	var f Found
	was, is := c.content()
	if len(c.spec.IDs) == 0 || len(pairs) == c.now.Rows() || len(is) == 0 {
		return f
	}
	fresh := make([]bool, c.now.Rows())
	for i := range fresh {
		fresh[i] = true
	}
	for _, p := range pairs {
		fresh[p.now] = false
	}
	had := make(map[uint64]int, c.old.Rows())
	for i := range c.old.Rows() {
		had[c.old.hash(i, was)]++
	}
	// Take old rows first, so that the new rows count as the repetitions.
	first := make(map[uint64]int32, c.now.Rows())
	left := map[uint64]int{}
	for _, p := range pairs {
		h := c.now.hash(int(p.now), is)
		if _, known := first[h]; !known {
			first[h], left[h] = p.now, had[h]
		}
		left[h]--
	}
	blank := c.now.hashOfEmpty(len(is))
	for i, isNew := range fresh {
		if !isNew {
			continue
		}
		h := c.now.hash(i, is)
		other, known := first[h]
		switch {
		case h == blank:
		case !known:
			first[h], left[h] = int32(i), had[h]-1
		case left[h] > 0: // the old version already had this repetition, under another id
			left[h]--
		default:
			f.add(c.now.Line(i), c.now.label(int(other), c.identityColumns()), c.now.label(i, c.identityColumns()))
		}
	}
	return f
}

// identityColumns returns the positions, in the new version, of the columns by which people
// recognise a row.
func (c *comparison) identityColumns() []int {
	if at, all := c.now.indexes(c.spec.Identity); all && len(at) > 0 {
		return at
	}
	_, is := c.content()
	return is[:min(3, len(is))]
}

func (t *Table) hashOfEmpty(columns int) uint64 {
	blank := Table{Columns: make([]string, columns), ends: make([]uint32, columns)}
	at := make([]int, columns)
	for i := range at {
		at[i] = i
	}
	return blank.hash(0, at)
}

// recombined finds new rows whose key columns have the values of different removed rows: as if the
// ends of links had been exchanged.
func (c *comparison) recombined(pairs []pair) Found {
	var f Found
	if len(c.spec.Key) < 2 || len(pairs) == c.now.Rows() || len(pairs) == c.old.Rows() {
		return f
	}
	stays, kept := c.paired(pairs)
	was, _ := c.old.indexes(c.spec.Key)
	is, _ := c.now.indexes(c.spec.Key)
	removed, added := c.old.Rows()-len(pairs), c.now.Rows()-len(pairs)
	least := math.MaxInt
	for k := range was {
		lost := map[uint64]int{}
		for i, s := range stays {
			if !s {
				lost[c.old.hash(i, was[k:k+1])]++
			}
		}
		moved := 0
		for i, s := range kept {
			if h := c.now.hash(i, is[k:k+1]); !s && lost[h] > 0 {
				lost[h]--
				moved++
			}
		}
		least = min(least, moved)
	}
	if float64(least) < minRecombined*float64(min(removed, added)) {
		return f
	}
	for i, s := range kept {
		if !s {
			f.add(c.now.Line(i), "", c.now.label(i, is))
		}
	}
	f.Count = least
	return f
}

// paired reports, for each row of both versions, whether it is in a pair.
func (c *comparison) paired(pairs []pair) (old, now []bool) {
	old, now = make([]bool, c.old.Rows()), make([]bool, c.now.Rows())
	for _, p := range pairs {
		old[p.old], now[p.now] = true, true
	}
	return old, now
}

// permuted finds new rows that have the same cells as a removed row, but in other columns.
func (c *comparison) permuted(pairs []pair) Found {
	var f Found
	if len(pairs) == c.now.Rows() || len(pairs) == c.old.Rows() {
		return f
	}
	stays, kept := c.paired(pairs)
	gone := map[uint64][]int{}
	for i, s := range stays {
		if !s {
			h := c.old.unorderedHash(i, c.was)
			gone[h] = append(gone[h], i)
		}
	}
	for i, s := range kept {
		if s {
			continue
		}
		h := c.now.unorderedHash(i, c.is)
		if of := gone[h]; len(of) > 0 {
			f.add(c.now.Line(i), c.old.label(of[0], c.was), c.now.label(i, c.is))
			gone[h] = of[1:]
		}
	}
	return f
}

// unorderedHash returns a hash of several cells of a row. The hash does not depend on their order.
func (t *Table) unorderedHash(row int, columns []int) uint64 {
	var sum uint64
	for _, c := range columns {
		sum += maphash.String(seed, t.Cell(row, c))
	}
	return sum
}

// minRecombined is the minimum share of the new keys that must consist of values of removed keys.
// Below this share, none counts as recombined.
const minRecombined = 0.6
