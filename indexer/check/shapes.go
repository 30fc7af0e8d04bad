package check

import (
	"fmt"
	"math"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
)

// compareShape compares a table's profile with that of the previous build.
func (c *Checker) compareShape(s *shape) {
	was, known := c.past.Profiles[s.table]
	if !known {
		if c.before != nil && c.before.Tables[s.table] > 0 {
			c.ledger.judgeShrink(s.table, c.before.Tables[s.table], s.profile.Rows)
		}
		return
	}
	before := was.Rows
	if c.before.Tables[s.table] > 0 { // count only the accepted rows
		before = c.before.Tables[s.table]
	}
	var d profile.Difference
	comparable := false
	if s.profile.Rows > 0 && was.Rows > 0 {
		// Two profiles with different key columns are not comparable. In that case a key column is
		// missing or new, which compareColumn reports.
		if d, comparable = profile.Compare(was, s.profile, nil); comparable {
			c.orphans[s.table] = d.Scale * d.Orphans(c.references(s.table))
			c.removed[s.table] = d.RemovedValues(was.Key0())
		}
	}
	c.ledger.judgeShrink(s.table, before, s.profile.Rows+c.orphans[s.table])
	c.ledger.judgeGrowth(s, was)
	if s.profile.Rows == 0 || was.Rows == 0 {
		return
	}
	for _, column := range was.Columns {
		c.ledger.compareColumn(s, column, was.Sorted)
	}
	if comparable {
		c.touched[s.table] = d.Touched
		c.ledger.compareRecords(s, d)
	}
}

// references returns, for each column that refers to another table, the keys that were removed from
// that table. That table must already have been compared.
func (c *Checker) references(table string) map[string]map[uint16]bool {
	out := map[string]map[uint16]bool{}
	for _, t := range datapackage.Schema() {
		if t.Name != table {
			continue
		}
		for _, ref := range t.References {
			out[ref.Column] = c.removed[ref.Table]
		}
	}
	return out
}

// judgeGrowth judges the number of additional rows.
func (l *ledger) judgeGrowth(s *shape, was *profile.Profile) {
	now := s.profile.Rows
	l.judge(verdict{
		measure: "growth", table: s.table, bad: now - was.Rows, all: was.Rows, limit: l.limits.MaxGrowth, least: 20,
		flag: allowGrowth, code: finding.Growth, file: s.file, hint: "check whether rows occur twice",
		message: fmt.Sprintf("%d rows where the previous snapshot has %d, %.0f %% more where %.0f %% are allowed",
			now, was.Rows, 100*float64(now-was.Rows)/float64(was.Rows), 100*l.limits.MaxGrowth),
	})
}

// marks are properties of cells that are compared between builds. limit is the maximum share of a
// column's cells that may gain or lose the property.
var marks = []struct {
	name, what string
	limit      float64
	of         func(profile.Column) int
}{
	// A wrong encoding damages only text with non-ASCII letters. A list may have only two such
	// names, so two damaged cells are enough to refuse the build. A curator who corrects a table
	// leaves at most one damaged cell.
	{"debris", "hold the remains of a wrong encoding", 0, func(c profile.Column) int { return c.Debris }},
	{"invisible", "hold an invisible character", 0.01, func(c profile.Column) int { return c.Invisible }},
	{"han", "hold Chinese characters", 0.1, func(c profile.Column) int { return c.Han }},
	{"latin", "hold Latin letters", 0.1, func(c profile.Column) int { return c.Latin }},
	{"digit", "hold digits", 0.1, func(c profile.Column) int { return c.Digit }},
}

// compareColumn compares properties of a column's cells with those in the previous build. sorted
// means that the profile of the previous build was made from a package that this program wrote.
// Such a package has all columns.
func (l *ledger) compareColumn(s *shape, was profile.Column, sorted bool) {
	now, there := s.profile.Column(was.Name)
	if was.Filled == 0 && (there || sorted) {
		return
	}
	if !there || now.Filled == 0 && was.Filled > 2 {
		what := "the column is missing"
		if there {
			what = "every cell of the column is empty"
		}
		l.judge(verdict{measure: "column", table: s.table, column: was.Name, bad: 1, all: 1, flag: allowEmpty,
			code: finding.Vanished, file: s.file, message: what + ", unlike in the previous snapshot",
			hint: "give the column its name and its values back, or name it in the source's columns map"})
		return
	}
	if now.Filled == 0 {
		return
	}
	for _, m := range marks {
		before := float64(m.of(was)) / float64(was.Filled)
		// off is the number of cells that have the property now, minus the number that would have
		// it if the share of these cells were the same as before.
		off := float64(m.of(now)) - before*float64(now.Filled)
		small, least := 6, 0
		switch m.name {
		case "debris", "invisible": // only an increase is bad
			small, least = 1, 2
		default:
			off = max(off, -off)
		}
		l.judge(verdict{measure: m.name, table: s.table, column: was.Name, bad: int(math.Round(off)), all: now.Filled, limit: m.limit, small: small, least: least,
			flag: allowChanges, code: finding.Changes, file: s.file, hint: "check whether the column holds another's values, or was saved in another encoding",
			message: fmt.Sprintf("%.1f %% of the filled cells %s, in the previous snapshot %.1f %%", 100*float64(m.of(now))/float64(now.Filled), m.what, 100*before)})
	}
	if now.Filled >= minRecords && was.Filled >= minRecords && stretched(was.Length, now.Length) {
		l.judge(verdict{measure: "length", table: s.table, column: was.Name, bad: now.Filled, all: now.Filled, flag: allowChanges, code: finding.Changes, file: s.file,
			message: fmt.Sprintf("half of the cells have %d characters or more, in the previous snapshot %d", now.Length[1], was.Length[1]),
			hint:    "check whether the column holds another's values, or cells were cut"})
	}
}

// stretched reports whether all quartiles of the text lengths grew by more than half or shrank by
// more than a third. All three quartiles are compared, because a few long cells move only one
// quartile. In a column with two equally frequent kinds of values, small changes can move the
// median alone.
func stretched(was, now [3]int) bool {
	longer, shorter := true, true
	for i := range was {
		longer = longer && 2*now[i] > 3*was[i]
		shorter = shorter && 2*was[i] > 3*now[i]
	}
	return longer || shorter
}

// compareRecords judges the changes of a table's rows.
func (l *ledger) compareRecords(s *shape, d profile.Difference) {
	g := l.limits
	about := ""
	if d.Scale > 1 {
		about = "about "
	}
	replaced := min(d.Removed, d.Added)
	l.judge(verdict{
		measure: "replaced", table: s.table, bad: replaced, all: d.Before, limit: g.MaxChanged, small: 6, least: 3, reportFrom: reportThreshold(d.Before), flag: allowChanges, code: finding.Changes,
		file: s.file, lines: d.AddedLines, hint: "check whether keys changed or moved to other rows",
		message: fmt.Sprintf("%s%d of %d rows of the previous snapshot are gone and %s%d new ones came, by their key (%s); %.0f %% are allowed",
			about, d.Removed*d.Scale, d.Before*d.Scale, about, d.Added*d.Scale, keyName(s.profile), 100*g.MaxChanged),
	})
	for _, end := range []struct {
		measure, which string
		gone           int
		hint           string
	}{
		{"cut", "last", d.Cut, "the file was cut off: fetch or export it again"},
		{"headless", "first", d.Headless, "fetch or export the file again"},
	} {
		if end.gone == 0 {
			continue
		}
		l.judge(verdict{
			measure: end.measure, table: s.table, bad: end.gone, all: d.Before, flag: allowShrink, code: finding.Shrink, file: s.file, hint: end.hint,
			message: fmt.Sprintf("the missing rows are exactly the %s %s%d of the previous snapshot's %d",
				end.which, about, end.gone*d.Scale, d.Before*d.Scale),
		})
	}
	if d.Every > 0 {
		l.judge(verdict{
			measure: "thinned", table: s.table, bad: d.Removed, all: d.Before, flag: allowShrink, code: finding.Shrink, file: s.file,
			hint:    "check why rows are dropped when the table is exported",
			message: fmt.Sprintf("the missing rows are exactly every %d-th row", d.Every),
		})
	}
	if d.Common == 0 {
		return
	}
	l.judge(verdict{
		measure: "changed", table: s.table, bad: d.Changed, all: d.Common, limit: g.MaxChanged, small: 6, least: 3, flag: allowChanges, code: finding.Changes,
		file: s.file, lines: d.ChangedLines, hint: changedHint(d, g.MaxChanged),
		message: fmt.Sprintf("%s%d of %d records changed since the previous snapshot, %.1f %% where %.0f %% are allowed",
			about, d.Changed*d.Scale, d.Common*d.Scale, 100*float64(d.Changed)/float64(d.Common), 100*g.MaxChanged),
	})
	for _, c := range d.Columns {
		for _, m := range columnMeasures {
			v := m.of(g, c, d)
			v.measure, v.table, v.column, v.file, v.lines = m.name, s.table, c.Name, s.file, c.Lines
			l.judge(v)
		}
	}
}

// changedHint returns the likely cause of changed records.
func changedHint(d profile.Difference, limit float64) string {
	var columns []string
	for _, c := range d.Columns {
		if c.Filled > 0 && float64(c.Changed) > limit*float64(c.Filled) {
			columns = append(columns, c.Name)
		}
	}
	switch {
	case len(columns) > 3 && 2*len(columns) > len(d.Columns):
		return "nearly all columns changed: check whether the keys moved to other records"
	case len(columns) > 0:
		return "check " + strings.Join(columns, ", ") + " in the source"
	}
	return "check the source"
}

func keyName(p *profile.Profile) string {
	if p.Key == nil {
		return "the whole row"
	}
	return strings.Join(p.Key, " + ")
}

// columnMeasures are the checks of a column's cells. To add a check, add a row.
var columnMeasures = []struct {
	name string
	of   func(Limits, profile.ColumnDifference, profile.Difference) verdict
}{
	{"filled", func(g Limits, c profile.ColumnDifference, d profile.Difference) verdict {
		return verdict{bad: c.Emptied - c.FilledIn, all: d.Common, limit: g.MaxEmptied, small: 4, drift: true, reportFrom: reportThreshold(d.Common), flag: allowEmpty, code: finding.Emptied,
			hint:    "give the cells their values back",
			message: fmt.Sprintf("%d of %d cells that were filled in the previous snapshot are empty", c.Emptied, c.Filled)}
	}},
	{"values", func(g Limits, c profile.ColumnDifference, _ profile.Difference) verdict {
		return verdict{bad: c.Changed - c.Emptied, all: c.Filled, limit: g.MaxChanged, small: 6, least: 3, reportFrom: reportThreshold(c.Filled), flag: allowChanges, code: finding.Changes,
			hint: "check the column in the source" + movedHint(c),
			message: fmt.Sprintf("%d of %d filled cells have another value than in the previous snapshot, %.1f %% where %.0f %% are allowed%s",
				c.Changed, c.Filled, 100*float64(c.Changed)/float64(max(1, c.Filled)), 100*g.MaxChanged, movedHint(c))}
	}},
	// A shift of the column by one row gives every cell the value of the cell above or below;
	// corrections do not. Only cells that differed from the cell above can show a shift.
	{"shifted", func(_ Limits, c profile.ColumnDifference, _ profile.Difference) verdict {
		return verdict{bad: max(c.Down, c.Up), all: c.Borders, limit: 0.5, least: 3, flag: allowChanges, code: finding.Changes,
			hint:    "put the column back into its rows",
			message: fmt.Sprintf("the column is shifted by a row: at %d of the %d places where the value differed from the row before, it is now the neighbour's", max(c.Down, c.Up), c.Borders)}
	}},
	// The column has the same values as before, but in other places: it was sorted or reversed
	// without the other columns. Cells with the most frequent value do not count. Half of the other
	// cells may move.
	{"moved", func(_ Limits, c profile.ColumnDifference, _ profile.Difference) verdict {
		return verdict{bad: c.Moved, all: c.Particular, limit: 0.5, least: 6, flag: allowChanges, code: finding.Changes,
			hint:    "put the column back into its rows",
			message: fmt.Sprintf("%d cells only changed places with others of the column", c.Moved)}
	}},
	// If one value overwrites half of the distinct values of a column, the number of distinct
	// values falls.
	{"distinct", func(_ Limits, c profile.ColumnDifference, _ profile.Difference) verdict {
		v := verdict{bad: c.DistinctBefore - c.DistinctAfter, all: c.DistinctBefore, limit: 0.49, flag: allowChanges, code: finding.Changes,
			hint:    "give the cells their values back",
			message: fmt.Sprintf("the column has %d different values, in the previous snapshot it has %d", c.DistinctAfter, c.DistinctBefore)}
		if c.Changed < 3 {
			v.all = 0
		}
		return v
	}},
}

// movedHint describes where changed values went, if that is clear.
func movedHint(c profile.ColumnDifference) string {
	switch {
	case c.Borders >= 3 && 2*c.Down > c.Borders:
		return ", each that of the row before"
	case c.Borders >= 3 && 2*c.Up > c.Borders:
		return ", each that of the row after"
	case 2*c.Moved > c.Changed && c.Moved > 6:
		return ", each that of another row"
	}
	return ""
}
