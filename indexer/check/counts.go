package check

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bencao/indexer/profile"
)

// minCut is the minimum number of rows that must be missing at an end of a file to count as a cut. A
// curator may remove the last one or two rows of a table.
const minCut = 3

// maxChance is the maximum probability that rows removed at random would all be at the end of the
// table: once in a million tables and builds. If the probability is higher, a cut is not judged.
const maxChance = 1e-6

// compareFile compares a file with its previous version by their profiles.
func (c *Checker) compareFile(f *file) {
	was := c.past.Files[f.table]
	if was == nil || was.Rows == 0 {
		return
	}
	now, at := f.profile, place{f.table, f.name}
	judge := func(check string, n count) { c.ledger.judge(check, at, n) }
	cause := false // whether a check for a cause of missing rows refuses them
	for _, end := range []struct {
		check, which string
		rows         []profile.End
	}{{"cut", "last", was.Last}, {"headless", "first", was.First}} {
		if n := was.Rows - now.Rows; f.cutAt(end.rows, n, was.Rows) {
			cause = true
			judge(end.check, count{bad: n, all: was.Rows, message: fmt.Sprintf("the missing rows are exactly the %s %d of the previous snapshot's %d", end.which, n, was.Rows)})
		}
	}
	if step := f.thinnedBy(was, was.Rows-now.Rows); step > 0 {
		cause = true
		judge("thinned", count{bad: was.Rows - now.Rows, all: was.Rows, message: fmt.Sprintf("the missing rows are exactly every %d-th row", step)})
	}
	if f.how.Counted {
		if !cause {
			judge("shrink", fewer(c.limits, was.Rows, now.Rows))
		}
		judge("growth", more(was.Rows, now.Rows))
	}
	for i, is := range now.Columns {
		column, _ := was.Column(is.Name)
		now.Columns[i].Follow(column)
	}
	for _, column := range was.Columns {
		is, there := now.Column(column.Name)
		switch {
		case !there:
			judge("column", count{column: column.Name, bad: 1, all: 1, message: "the column is missing, unlike in the previous snapshot"})
		case column.Filled > 2 && is.Filled == 0 && now.Rows > 0:
			judge("column", count{column: column.Name, bad: 1, all: 1, message: "every cell of the column is empty, unlike in the previous snapshot"})
		case column.Filled > 0 && is.Filled > 0:
			compareCounts(judge, was, now, column, is, c.limits)
		}
	}
}

// cutAt reports whether the n missing rows of the previous version's before rows are those at an
// end: all rows near the end are missing, and those further away are not.
func (f *file) cutAt(rows []profile.End, n, before int) bool {
	if n < minCut || float64(n) < reportShare*float64(before) || n >= before || chance(before, n) > maxChance {
		return false
	}
	for _, row := range rows {
		if f.there[row.Key] == (row.Place <= n) {
			return false
		}
	}
	return true
}

// minGone is the minimum number of missing rows among those whose keys are kept to recognise that
// every n-th row is missing. With fewer, rows removed at random could look like that.
const minGone = 5

// thinnedBy returns n if exactly every n-th row of the previous version is missing, and otherwise 0.
func (f *file) thinnedBy(was *profile.Profile, missing int) int {
	gone := map[int]bool{} // the rows whose keys are kept, by their place from 0, and whether they are missing
	for _, row := range was.First {
		gone[row.Place-1] = !f.there[row.Key]
	}
	for _, row := range was.Last {
		gone[was.Rows-row.Place] = !f.there[row.Key]
	}
	var at []int
	for _, place := range slices.Sorted(maps.Keys(gone)) {
		if gone[place] {
			at = append(at, place)
		}
	}
	if len(at) < minGone {
		return 0
	}
	first, step := at[0], at[1]-at[0]
	if step < 2 || first >= step || missing != (was.Rows-1-first)/step+1 {
		return 0
	}
	for place, is := range gone {
		if is != (place%step == first) {
			return 0
		}
	}
	return step
}

// chance returns the probability that k of n items drawn at random are the last k.
func chance(n, k int) float64 {
	p := 1.0
	for i := range min(k, 100) {
		p *= float64(k-i) / float64(n-i)
	}
	return p
}

// compareCounts compares the counts of a column's cells.
func compareCounts(judge func(string, count), before, after *profile.Profile, was, now profile.Column, g Limits) {
	grown := float64(after.Rows) / float64(before.Rows)
	emptied := int(math.Round(float64(was.Filled)*grown)) - now.Filled
	judge("filled", count{column: was.Name, bad: emptied, all: after.Rows,
		message: fmt.Sprintf("%d of %d rows have a value, in the previous snapshot %d of %d", now.Filled, after.Rows, was.Filled, before.Rows)})
	judge("changed", count{column: was.Name, bad: -emptied, all: after.Rows, hint: "check the column in the source",
		message: fmt.Sprintf("%d of %d rows have a value, in the previous snapshot %d of %d", now.Filled, after.Rows, was.Filled, before.Rows)})
	for _, m := range []struct {
		check, what string
		was, now    int
	}{
		{"debris", "hold the remains of a wrong encoding", was.Debris, now.Debris},
		{"mixed", "have a word that mixes Latin letters with letters of another script", was.Mixed, now.Mixed},
		{"invisible", "hold an invisible character", was.Invisible, now.Invisible},
	} {
		// off is the number of cells that have the property now, minus the number that would have
		// it if the share of these cells were the same as before.
		before := float64(m.was) / float64(was.Filled)
		off := float64(m.now) - before*float64(now.Filled)
		judge(m.check, count{column: was.Name, bad: int(math.Round(off)), all: now.Filled,
			message: fmt.Sprintf("%.1f %% of the filled cells %s, in the previous snapshot %.1f %%", 100*float64(m.now)/float64(now.Filled), m.what, 100*before)})
	}
	// The estimate exceeds the number of cells if many equal rows fall into one bucket.
	changed := min(now.Buckets.Changed(was.Buckets), was.Filled) - max(0, emptied)
	if changed > 0 {
		left := min(now.Down.Changed(was.Buckets), now.Up.Changed(was.Buckets))
		judge("shifted", count{column: was.Name, bad: changed - left, all: changed,
			message: fmt.Sprintf("the column is shifted by a row: about %d of %d cells that differ have the value of the row above or below", changed-left, changed)})
	}
	judge("values", count{column: was.Name, bad: changed, back: now.Back(was), all: was.Filled, message: fmt.Sprintf(
		"about %d of %d filled cells have another value than in the previous snapshot, %.1f %% where %.0f %% are allowed",
		changed, was.Filled, 100*float64(changed)/float64(was.Filled), 100*g.MaxChanged)})
}
