package profile

import "slices"

// Difference is what became of the rows of a table. Numbers are of rows that
// are kept in both profiles; those that they stand for are [Difference.Scale]
// times as many.
type Difference struct {
	// Scale is how many rows of the table a kept row stands for.
	Scale int
	// Before and After are the kept rows of each, Common those in both.
	Before, After, Common int
	// Removed are in the former alone, Added in the latter alone.
	Removed, Added int
	// Changed are the common rows with another value in some column.
	Changed int
	// Columns are those that both have.
	Columns []ColumnDifference
	// Cut is how many rows are gone from the end of the table, Headless from its
	// beginning, when nothing else is gone and nothing stands there, else 0.
	Cut, Headless int
	// Every is n when exactly every n-th row is gone, else 0.
	Every int
	// AddedLines and ChangedLines are the first such lines.
	AddedLines, ChangedLines []int
	// Touched are the keys' hashes of changed rows.
	Touched map[uint64]bool

	gone []*row // the removed rows
	were []Column
}

// Gone holds the fingerprints of a column in the rows that are removed.
func (d *Difference) Gone(column string) map[uint16]bool {
	out := map[uint16]bool{}
	i := slices.IndexFunc(d.were, func(c Column) bool { return c.Name == column })
	for _, r := range d.gone {
		if i >= 0 && r.cells[i] != 0 {
			out[r.cells[i]] = true
		}
	}
	return out
}

// Orphans counts the removed rows that refer to a removed row of another table:
// references gives, by column, what is gone there.
func (d *Difference) Orphans(references map[string]map[uint16]bool) int {
	n := 0
	for _, r := range d.gone {
		for i, c := range d.were {
			if references[c.Name][r.cells[i]] {
				n++
				break
			}
		}
	}
	return n
}

// ColumnDifference is what became of the cells of a column in common rows.
type ColumnDifference struct {
	Name string
	// Filled cells were not empty before. Of them, Changed have another value
	// or none, Emptied none. FilledIn were empty before and are not.
	Filled, Changed, Emptied, FilledIn int
	// Particular cells were not the column's commonest value before.
	Particular int
	// Moved is how many changed cells only changed places: the values as a
	// whole are the same.
	Moved int
	// Borders are the cells that differed from the one above; Down and Up of
	// them stand where their upper neighbour did or the other way round.
	Borders, Down, Up int
	// DistinctBefore and DistinctAfter count values, the empty one not.
	DistinctBefore, DistinctAfter int
	// Lines are the first changed cells' lines.
	Lines []int
}

// maxLines is how many lines a difference lists.
const maxLines = 5

// Compare says what became of a table between two nights. Skip, if not nil,
// names rows by their key's hash that are left out. It reports false when the
// tables' keys are not the same columns, so that rows can't be told apart.
func Compare(before, after *Profile, skip map[uint64]bool) (Difference, bool) {
	if !slices.Equal(before.Key, after.Key) {
		return Difference{}, false
	}
	if before.Key == nil && !slices.EqualFunc(before.Columns, after.Columns, func(a, b Column) bool { return a.Name == b.Name }) {
		return Difference{}, false
	}
	level := max(before.Level, after.Level)
	d := Difference{Scale: 1 << level, Touched: map[uint64]bool{}}
	old, now := chosen(before, level, skip), chosen(after, level, skip)
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
			d.gone = append(d.gone, old[i])
		}
	}
	d.Common = len(pairs)
	d.Removed = d.Before - d.Common
	placed := !before.Sorted && !after.Sorted && inOrder(pairs)
	d.columns(before, after, pairs, placed)
	if !placed {
		return d, true
	}
	// Where not all rows are kept, some that are not may stand at the ends.
	around := int32(16 * (d.Scale - 1))
	d.order(old, gone, firstCommon <= around, int32(after.Rows)-1-lastCommon <= around)
	return d, true
}

// pair is a row in both nights.
type pair struct{ old, now *row }

// inOrder tells that most rows follow each other as they did, and not as a
// table does that was sorted anew.
func inOrder(pairs []pair) bool {
	back := 0
	for i := 1; i < len(pairs); i++ {
		if pairs[i].old.place < pairs[i-1].old.place {
			back++
		}
	}
	return 10*back <= len(pairs)
}

// chosen are the rows that both profiles keep.
func chosen(p *Profile, level int, skip map[uint64]bool) []*row {
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

// compareColumn compares the cells of column i before with those of column j
// after, and marks the pairs that changed. Placed says that rows have
// their old neighbours.
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

// fewest is how many rows must be gone before their places say anything: a
// curator takes back his last one or two.
const fewest = 3

// leastCut is the least share of the rows that makes a cut.
const leastCut = 0.0075

// unlikely is how improbable it must be that rows gone at random lie so: once
// in a million tables and nights.
const unlikely = 1e-6

// order looks where the rows were that are gone. First says that no row stands
// before the first common one, last that none stands behind the last.
func (d *Difference) order(old []*row, gone []bool, first, last bool) {
	if d.Removed < fewest || d.Common == 0 || chances(len(gone), d.Removed) > unlikely {
		return
	}
	// To take back some of yesterday's additions is a curator's work.
	if float64(d.Removed) < leastCut*float64(len(gone)) {
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

// thinned looks whether rows are gone at equal distances.
func (d *Difference) thinned(old []*row, gone []bool) {
	var places []int
	for i, g := range gone {
		if g {
			places = append(places, int(old[i].place))
		}
	}
	d.Every = every(places, int(old[len(old)-1].place)+1, d.Scale)
}

// chances is the probability that k of n things taken at random are the last k.
func chances(n, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(k-i) / float64(n-i)
	}
	return p
}

// every is the distance at which rows are gone when exactly every such row is,
// else 0. Places are those of the kept rows that are gone, of total rows.
func every(places []int, total, scale int) int {
	step := 0
	for _, p := range places[1:] {
		step = gcd(step, p-places[0])
	}
	if step < 2 {
		return 0
	}
	// All rows of the step are gone, not some that happen to share it: of those
	// kept, as many as there should be.
	want := float64(total) / float64(step) / float64(scale)
	switch {
	case scale == 1 && len(places) > fewest && places[0] < step && len(places) == (total-1-places[0])/step+1:
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
