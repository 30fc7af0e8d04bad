package profile

import "slices"

// Difference is the difference between the rows of two versions of a table. All numbers count only
// the rows that the profiles keep. Each kept row represents [Difference.Scale] rows of the table.
type Difference struct {
	// Scale is the number of rows of the table that a kept row represents.
	Scale int
	// Before and After count the kept rows of each version, and Common counts the rows that both
	// versions have.
	Before, After, Common int
	// Removed counts the rows that only the old version has, Added those that only the new one has.
	Removed, Added int
	// Changed counts the common rows in which a column has a different value.
	Changed int
	// Columns lists the columns that both versions have.
	Columns []ColumnDifference
	// Cut is the number of rows that were removed from the end of the table, and Headless is the
	// number that were removed from its start. Both are 0 if rows elsewhere were removed too, or if
	// new rows took the place of the removed rows.
	Cut, Headless int
	// Every is n if exactly every n-th row was removed, and otherwise 0.
	Every int
	// AddedLines and ChangedLines are the first lines of added and changed rows.
	AddedLines, ChangedLines []int
	// Touched has the key hashes of changed rows.
	Touched map[uint64]bool

	removed []*row // the removed rows
	were    []Column
}

// RemovedValues returns the fingerprints of a column in the removed rows.
func (d *Difference) RemovedValues(column string) map[uint16]bool {
	out := map[uint16]bool{}
	i := slices.IndexFunc(d.were, func(c Column) bool { return c.Name == column })
	for _, r := range d.removed {
		if i >= 0 && r.cells[i] != 0 {
			out[r.cells[i]] = true
		}
	}
	return out
}

// Orphans counts the removed rows that refer to a removed row of another table. references has, for
// each column that refers to another table, the keys that were removed from that table.
func (d *Difference) Orphans(references map[string]map[uint16]bool) int {
	n := 0
	for _, r := range d.removed {
		for i, c := range d.were {
			if references[c.Name][r.cells[i]] {
				n++
				break
			}
		}
	}
	return n
}

// ColumnDifference is the difference between the cells of a column in the rows that both versions
// have.
type ColumnDifference struct {
	Name string
	// Filled counts the cells that had a value in the old version. Of these, Changed counts the
	// cells that now have another value or none, and Emptied counts those that now have none.
	// FilledIn counts the cells that were empty and now have a value.
	Filled, Changed, Emptied, FilledIn int
	// Particular counts the cells whose old value was not the column's most frequent value.
	Particular int
	// Moved counts the changed cells that only exchanged their values with each other.
	Moved int
	// Borders counts the cells whose old value differed from that of the cell above. Of these, Down
	// counts the cells that now have the old value of the cell above. Up counts the cells whose old
	// value is now in the cell above.
	Borders, Down, Up int
	// DistinctBefore and DistinctAfter count the distinct values, not counting the empty one.
	DistinctBefore, DistinctAfter int
	// Lines are the lines of the first changed cells.
	Lines []int
}

// maxLines is the maximum number of lines that a difference lists.
const maxLines = 5

// Compare compares two versions of a table. It ignores rows whose key hash is in skip. It returns
// false if the keys of the two versions consist of different columns, since then their rows cannot
// be matched.
func Compare(before, after *Profile, skip map[uint64]bool) (Difference, bool) {
	if !slices.Equal(before.Key, after.Key) {
		return Difference{}, false
	}
	if before.Key == nil && !slices.EqualFunc(before.Columns, after.Columns, func(a, b Column) bool { return a.Name == b.Name }) {
		return Difference{}, false
	}
	level := max(before.Level, after.Level)
	d := Difference{Scale: 1 << level, Touched: map[uint64]bool{}}
	old, now := keptRows(before, level, skip), keptRows(after, level, skip)
	d.Before, d.After = len(old), len(now)
	at := make(map[uint64]int, len(old))
	for i, r := range old {
		at[r.key] = i
	}
	var pairs []pair
	gone := make([]bool, len(old))
	for i := range gone {
		gone[i] = true
	}
	firstCommon, lastCommon := int32(-1), int32(-1)
	for _, r := range now {
		i, ok := at[r.key]
		if !ok {
			d.Added++
			d.AddedLines = atMost(d.AddedLines, r.line)
			continue
		}
		gone[i] = false
		if firstCommon < 0 {
			firstCommon = r.place
		}
		lastCommon = r.place
		pairs = append(pairs, pair{old[i], r})
	}
	d.were = before.Columns
	for i, g := range gone {
		if g {
			d.removed = append(d.removed, old[i])
		}
	}
	d.Common = len(pairs)
	d.Removed = d.Before - d.Common
	placed := !before.Sorted && !after.Sorted && inOrder(pairs)
	d.columns(before, after, pairs, placed)
	if !placed {
		return d, true
	}
	// Rows that are not kept may precede the first kept row or follow the last one. around is the
	// number of such rows that is tolerated. It is 0 if all rows are kept.
	around := int32(16 * (d.Scale - 1))
	d.order(old, gone, firstCommon <= around, int32(after.Rows)-1-lastCommon <= around)
	return d, true
}

// pair is a row in both versions.
type pair struct{ old, now *row }

// inOrder reports whether most rows have kept their order. If they have not, the table was sorted
// in another way.
func inOrder(pairs []pair) bool {
	back := 0
	for i := 1; i < len(pairs); i++ {
		if pairs[i].old.place < pairs[i-1].old.place {
			back++
		}
	}
	return 10*back <= len(pairs)
}

// keptRows returns those rows of p that a profile of the given level also keeps, without the rows
// in skip.
func keptRows(p *Profile, level int, skip map[uint64]bool) []*row {
	out := make([]*row, 0, len(p.rows))
	for i := range p.rows {
		if r := &p.rows[i]; r.key&(1<<level-1) == 0 && !skip[r.key] {
			out = append(out, r)
		}
	}
	return out
}

func atMost(lines []int, line int32) []int {
	if line > 0 && len(lines) < maxLines {
		return append(lines, int(line))
	}
	return lines
}

// columns compares the cells of all pairs.
func (d *Difference) columns(before, after *Profile, pairs []pair, placed bool) {
	changed := make([]bool, len(pairs))
	for i, c := range before.Columns {
		j := slices.IndexFunc(after.Columns, func(a Column) bool { return a.Name == c.Name })
		if j < 0 {
			continue
		}
		d.Columns = append(d.Columns, compareColumn(c.Name, i, j, pairs, changed, placed))
	}
	for n, yes := range changed {
		if yes {
			d.Changed++
			d.ChangedLines = atMost(d.ChangedLines, pairs[n].now.line)
			d.Touched[pairs[n].now.key] = true
		}
	}
}

// compareColumn compares column i of the old rows with column j of the new rows, and marks the
// pairs that changed. placed means that rows have the same neighbours as before.
func compareColumn(name string, i, j int, pairs []pair, changed []bool, placed bool) ColumnDifference {
	c := ColumnDifference{Name: name}
	were, are := map[uint16]int{}, map[uint16]int{}
	all := 0
	for n, p := range pairs {
		was, is := p.old.cells[i], p.now.cells[j]
		were[was]++
		are[is]++
		if was != 0 {
			c.Filled++
		}
		if was != is {
			all++
			changed[n] = true
			c.Lines = atMost(c.Lines, p.now.line)
			switch {
			case was == 0:
				c.FilledIn++
			case is == 0:
				c.Emptied++
				c.Changed++
			default:
				c.Changed++
			}
		}
		if placed && p.old.prev != nil && p.old.prev[i] != was {
			c.Borders++
			if is == p.old.prev[i] {
				c.Down++
			}
			if p.now.prev != nil && p.now.prev[j] == was {
				c.Up++
			}
		}
	}
	common, net := 0, 0
	for v, n := range were {
		common = max(common, n)
		net += max(0, n-are[v])
	}
	c.Particular = len(pairs) - common
	c.Moved = all - net
	c.DistinctBefore, c.DistinctAfter = len(were), len(are)
	if were[0] > 0 {
		c.DistinctBefore--
	}
	if are[0] > 0 {
		c.DistinctAfter--
	}
	return c
}

// minRemoved is the minimum number of removed rows for which their positions are judged. A curator
// may remove the last one or two rows of a table.
const minRemoved = 3

// minCutShare is the minimum share of a table's rows that must be missing at an end to count as a
// cut.
const minCutShare = 0.0075

// maxChance is the maximum probability that rows removed at random would all be at the end of the
// table: once in a million tables and builds. If the probability is higher, the positions of the
// removed rows are not judged.
const maxChance = 1e-6

// order determines whether the removed rows were at an end of the table or at equal distances.
// first means that the first row that both versions have is at the start of the new version. last
// means that the last such row is at its end.
func (d *Difference) order(old []*row, gone []bool, first, last bool) {
	if d.Removed < minRemoved || d.Common == 0 || chance(len(gone), d.Removed) > maxChance {
		return
	}
	// A smaller share of rows at the end may be recent additions that a curator has removed.
	if float64(d.Removed) < minCutShare*float64(len(gone)) {
		d.thinned(old, gone)
		return
	}
	head := slices.Index(gone, false)
	tail := 0
	for i := len(gone) - 1; gone[i]; i-- {
		tail++
	}
	switch {
	case last && tail == d.Removed:
		d.Cut = tail
	case first && head == d.Removed:
		d.Headless = head
	}
	d.thinned(old, gone)
}

// thinned determines whether rows were removed at equal distances.
func (d *Difference) thinned(old []*row, gone []bool) {
	var places []int
	for i, g := range gone {
		if g {
			places = append(places, int(old[i].place))
		}
	}
	d.Every = stepOf(places, int(old[len(old)-1].place)+1, d.Scale)
}

// chance returns the probability that k of n items drawn at random are the last k.
func chance(n, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(k-i) / float64(n-i)
	}
	return p
}

// stepOf returns n if exactly every n-th row was removed, and otherwise 0. places are the positions
// of those removed rows that the profile keeps. total is the number of all rows of the table.
func stepOf(places []int, total, scale int) int {
	step := 0
	for _, p := range places[1:] {
		step = gcd(step, p-places[0])
	}
	if step < 2 {
		return 0
	}
	// All rows at this step must be removed, not only a few of them. want is the number of kept
	// rows to expect at this step.
	want := float64(total) / float64(step) / float64(scale)
	switch {
	case scale == 1 && len(places) > minRemoved && places[0] < step && len(places) == (total-1-places[0])/step+1:
		return step
	case scale > 1 && float64(len(places)) > want/2 && len(places) >= 8:
		return step
	}
	return 0
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
