package rowdiff

import (
	"hash/maphash"
	"maps"
	"math"
	"slices"
)

// repeated finds new rows with the content of another row. Rows that were already repetitions in
// the old version do not count.
func (c *comparison) repeated() Found {
	var f Found
	was, is := c.content()
	if len(c.spec.IDs) == 0 || len(c.added) == 0 || len(is) == 0 {
		return f
	}
	had := make(map[uint64]int, c.old.Rows())
	for i := range c.old.Rows() {
		had[c.old.hash(i, was)]++
	}
	// Take old rows first, so that the new rows count as the repetitions.
	first := make(map[uint64]int32, c.now.Rows())
	left := map[uint64]int{}
	for _, p := range c.pairs {
		h := c.now.hash(int(p.now), is)
		if _, known := first[h]; !known {
			first[h], left[h] = p.now, had[h]
		}
		left[h]--
	}
	blank := c.now.hashOfEmpty(len(is))
	for _, i := range c.added {
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
func (c *comparison) recombined() Found {
	var f Found
	if len(c.spec.Key) < 2 || len(c.added) == 0 || len(c.removed) == 0 {
		return f
	}
	was, _ := c.old.indexes(c.spec.Key)
	is, _ := c.now.indexes(c.spec.Key)
	least := math.MaxInt
	for k := range was {
		lost := map[uint64]int{}
		for _, i := range c.removed {
			lost[c.old.hash(i, was[k:k+1])]++
		}
		moved := 0
		for _, i := range c.added {
			if h := c.now.hash(i, is[k:k+1]); lost[h] > 0 {
				lost[h]--
				moved++
			}
		}
		least = min(least, moved)
	}
	if float64(least) < minRecombined*float64(min(len(c.removed), len(c.added))) {
		return f
	}
	for _, i := range c.added {
		f.add(c.now.Line(i), "", c.now.label(i, is))
	}
	f.Count = least
	return f
}

// permuted finds new rows that have the same cells as a removed row, but in other columns.
func (c *comparison) permuted() Found {
	var f Found
	gone := map[uint64][]int{}
	for _, i := range c.removed {
		h := c.old.unorderedHash(i, c.was)
		gone[h] = append(gone[h], i)
	}
	for _, i := range c.added {
		h := c.now.unorderedHash(i, c.is)
		if of := gone[h]; len(of) > 0 {
			f.add(c.now.Line(i), c.old.label(of[0], c.was), c.now.label(i, c.is))
			gone[h] = of[1:]
		}
	}
	return f
}

// block is a set of rows of one record, without their keys: the sum of their hashes.
type block struct {
	rows int
	sum  uint64
}

// given finds rows that belong to another record than before. All rows of a record, or all that it
// gained, must be all rows that another record had, or all that it lost.
func (c *comparison) given() Found {
	var f Found
	groupWas, groupIs := c.old.Index(c.spec.Group), c.now.Index(c.spec.Group)
	var was, is []int
	for i, name := range c.names {
		if !slices.Contains(c.spec.Key, name) {
			was, is = append(was, c.was[i]), append(is, c.is[i])
		}
	}
	if groupWas < 0 || groupIs < 0 || len(was) == 0 {
		return f
	}
	had, has := c.old.groups(groupWas, was), c.now.groups(groupIs, is)
	owner := map[block]string{}
	type gain struct {
		of      string
		all, by block
	}
	var gains []gain
	for of := range maps.Keys(has) {
		if _, known := had[of]; !known {
			had[of] = nil
		}
	}
	for _, of := range slices.Sorted(maps.Keys(had)) {
		all, lost := less(had[of], nil), less(had[of], has[of])
		if lost.rows > 0 {
			owner[all], owner[lost] = of, of
		}
		if by := less(has[of], had[of]); by.rows > 0 {
			gains = append(gains, gain{of, less(has[of], nil), by})
		}
	}
	rows := map[string]int{}
	for _, g := range gains {
		for _, b := range []block{g.all, g.by} {
			if from, known := owner[b]; known && from != g.of && b.rows > 1 {
				rows[g.of] = max(rows[g.of], b.rows)
			}
		}
	}
	seen := map[string]int{}
	for i := range c.now.Rows() {
		of := c.now.Cell(i, groupIs)
		if seen[of]++; seen[of] <= rows[of] {
			f.add(c.now.Line(i), "", c.now.label(i, c.is))
		}
	}
	return f
}

// groups counts the rows of each group by the hash of some columns.
func (t *Table) groups(group int, columns []int) map[string]map[uint64]int {
	out := map[string]map[uint64]int{}
	for i := range t.Rows() {
		of := t.Cell(i, group)
		if out[of] == nil {
			out[of] = map[uint64]int{}
		}
		out[of][t.hash(i, columns)]++
	}
	return out
}

// less returns the rows of a without those of b.
func less(a, b map[uint64]int) block {
	var out block
	for h, n := range a {
		if n -= b[h]; n > 0 {
			out.rows += n
			out.sum += uint64(n) * h
		}
	}
	return out
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
