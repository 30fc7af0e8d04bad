package check

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bencao/indexer/finding"
	"bencao/indexer/rowdiff"
	"bencao/internal/messages"
)

// rule is a check. To add a check of rows, add a row to [rules].
type rule struct {
	name string
	// limit returns the maximum share of rows or cells that may fail.
	limit func(Limits) float64
	// least returns the minimum number of failures that can refuse the build. all is the number of
	// all rows or cells.
	least func(all int) int
	// sums is 0, or else the failures of several builds are added up. Their sum may be sums times as
	// large as the limit for one build.
	sums float64
	// reported, if not nil, returns a number of failures. At least this many failures are reported
	// even if they are within the limit.
	reported func(all int) int
	flag     exception // allows the failures
	code     finding.Code
	hint     string
	// of counts the failures in a table of the package, if the check compares rows.
	of func(t *compared, found func(count))
}

// compared is a table of the package with its differences from the previous snapshot.
type compared struct {
	place
	rowdiff.Diff
	limits Limits
	key    []string
	// orphans counts the removed rows that referred to a removed record of another table.
	orphans int
}

func share(x float64) func(Limits) float64 { return func(Limits) float64 { return x } }

func maxShrink(g Limits) float64   { return g.MaxShrink }
func maxChanged(g Limits) float64  { return g.MaxChanged }
func maxRejected(g Limits) float64 { return g.MaxRejected }

// maxGrowth is the maximum share by which a table may grow. Larger growth usually means that a table
// was loaded twice.
const maxGrowth = 0.5

// from returns a function that always returns n.
func from(n int) func(int) int { return func(int) int { return n } }

// few returns a function that returns n, or for a few rows or cells three quarters of them, but at
// least 3.
func few(n int) func(int) int {
	return func(all int) int { return min(n, max(3, 3*all/4+1)) }
}

// fewRows lets a small table lose up to three rows, but at most a fifth of its rows.
func fewRows(all int) int { return min(3, all/5) + 1 }

// reportShare is a share of a table's rows or of a column's cells. If at least this share differs,
// the difference is reported even if it is within the limit.
const reportShare = 0.0075

func reportedShare(all int) int { return max(2, int(math.Ceil(reportShare*float64(all)))) }

// maxMoved is the maximum share of values that may change places in a column or a table. In any
// table, four values may change places. A curator may move a few misplaced values to their right
// place; a broken export moves many values.
var maxMoved, fewMoved = share(0.01), few(5)

// sumOfValues is how many times the limit for one build the changed values of about thirty builds
// may reach. So a curator may revise 0.45 % of a column in every build, or 1 % in twenty builds.
const sumOfValues = 1.5

const (
	hintEncoding = "check whether the column holds another's values, or was saved in another encoding"
	hintBack     = "put the column back into its rows"
)

// rules are all checks. Checks for a cause come before checks that count its effects, so that an
// error names the cause first.
var rules = []rule{
	{"present", share(0), from(1), 0, nil, allowMissing, finding.Vanished, "", nil},
	{"version", share(0), from(1), 0, nil, allowOlder, finding.Older, "fetch or export the newest", nil},
	{"created", share(0), from(1), 0, nil, allowOlder, finding.Older, "fetch or export the newest", nil},
	// A curator never moves a GUID to another record.
	{"moved-guids", share(0), from(1), 0, nil, allowMovedGUIDs, finding.MovedGUID,
		"links to these records now resolve to others: give each record its GUID back", movedGUIDs},
	{"repeated", maxMoved, fewMoved, 3, from(1), allowGrowth, finding.Growth, "take the repeated rows out", repeated},
	{"recombined", maxMoved, fewMoved, 3, from(2), allowChanges, finding.Changes, "check whether the values of one of these columns moved to other rows", recombined},
	{"given", maxMoved, fewMoved, 3, from(1), allowChanges, finding.Changes, "give the rows back to their records", given},
	{"across", maxMoved, fewMoved, 3, from(1), allowChanges, finding.Changes, "put the values back into their columns", across},
	{"between", maxMoved, fewMoved, 3, from(2), allowChanges, finding.Changes, "put the values back into their rows", between},
	{"copied", maxMoved, fewMoved, 3, from(2), allowChanges, finding.Changes, "check whether a fill-down overwrote cells of the column", copied},
	{"same", maxMoved, fewMoved, 3, from(2), allowChanges, finding.Changes, "check whether one value was written into many cells of the column", same},
	{"scaled", maxMoved, fewMoved, 0, scaledReported, allowChanges, finding.Changes, "check whether a unit or a digit was lost when the table was exported", scaled},
	{"rejected", maxRejected, from(1), 0, nil, allowRejects, finding.Rejects, "fix the source", nil},
	{"shrink", maxShrink, fewRows, 2, reportedShare, allowShrink, finding.Shrink, "fix the source", shrunk},
	{"growth", share(maxGrowth), from(20), 0, nil, allowGrowth, finding.Growth, "check whether rows occur twice", grown},
	{"column", share(0), from(1), 0, nil, allowEmpty, finding.Vanished,
		"give the column its name and its values back, or name it in the source's columns map", emptyColumn},
	// A wrong encoding damages only text with non-ASCII letters. A list may have only two such
	// names, so two damaged cells are enough to refuse the build. A curator who corrects a table
	// leaves at most one damaged cell.
	{"debris", share(0), from(2), 0, nil, allowChanges, finding.Changes, hintEncoding, debris},
	{"mixed", share(0), from(2), 0, nil, allowChanges, finding.Changes, "write each word with the letters of one script", mixed},
	{"invisible", share(0.01), from(2), 0, nil, allowChanges, finding.Changes, hintEncoding, hidden},
	{"replaced", maxChanged, few(7), 0, reportedShare, allowChanges, finding.Changes, "check whether keys changed or moved to other rows", replaced},
	{"cut", share(0), from(minCut), 0, nil, allowShrink, finding.Shrink, "the file was cut off: fetch or export it again", nil},
	{"headless", share(0), from(minCut), 0, nil, allowShrink, finding.Shrink, "fetch or export the file again", nil},
	{"thinned", share(0), from(minCut), 0, nil, allowShrink, finding.Shrink, "check why rows are dropped when the table is exported", nil},
	{"changed", maxChanged, few(7), 0, nil, allowChanges, finding.Changes, "", changed},
	{"filled", share(0.05), few(5), 2, reportedShare, allowEmpty, finding.Emptied, "give the cells their values back", emptied},
	{"values", maxChanged, few(7), sumOfValues, reportedShare, allowChanges, finding.Changes, "check the column in the source", values},
	{"shifted", share(0.5), from(3), 0, nil, allowChanges, finding.Changes, hintBack, shifted},
	// A name that was found in a checklist once is normally found again.
	{"unmatched", share(0.01), few(5), 2, nil, allowEmpty, finding.Emptied, "", nil},
	{"lost", maxChanged, few(5), 2, nil, allowEmpty, finding.Emptied, "", nil},
	{"unlinked", maxChanged, few(5), 0, nil, allowEmpty, finding.Emptied, "", nil},
	{"families", share(0), from(3), 3, from(1), allowChanges, finding.Changes, "check the accepted names of the checklists", nil},
	{"derived", maxChanged, few(7), sumOfValues, nil, allowChanges, finding.Changes, "", nil},
	{"sense", share(0), from(1), 0, nil, allowFirst, finding.Sense, "", nil},
}

// ruleOf returns the check with a name, which must exist.
func ruleOf(name string) rule {
	return rules[slices.IndexFunc(rules, func(r rule) bool { return r.name == name })]
}

func movedGUIDs(t *compared, found func(count)) {
	n := count{column: "guid", bad: len(t.MovedGUIDs), all: t.Before}
	var such []string
	for _, g := range t.MovedGUIDs[:min(len(t.MovedGUIDs), 2)] {
		n.lines = append(n.lines, g.Line)
		such = append(such, fmt.Sprintf("%s:%d, %s belonged to %q and now belongs to %q", t.file, g.Line, g.GUID, g.Was, g.Is))
	}
	n.message = fmt.Sprintf("%d GUIDs belong to another record than in the previous snapshot, such as %s", n.bad, strings.Join(such, "; "))
	found(n)
}

func repeated(t *compared, found func(count)) {
	again := func(c rowdiff.Change) string { return fmt.Sprintf("%q again", c.Was) }
	found(count{bad: t.Repeated.Count, all: t.Before, lines: t.Repeated.Lines(),
		message: fmt.Sprintf("%d new rows repeat others under new ids%s", t.Repeated.Count, t.examples(t.Repeated, again))})
}

func recombined(t *compared, found func(count)) {
	found(count{bad: t.Recombined.Count, all: t.Before, lines: t.Recombined.Lines(),
		message: fmt.Sprintf("%d new rows combine the %s of removed rows in another way%s", t.Recombined.Count, strings.Join(t.key, " and "), t.examples(t.Recombined, is))})
}

func given(t *compared, found func(count)) {
	found(count{bad: t.Given.Count, all: t.Before, lines: t.Given.Lines(),
		message: fmt.Sprintf("%d rows belong to another record than in the previous snapshot, with the other rows of their record%s", t.Given.Count, t.examples(t.Given, is))})
}

func across(t *compared, found func(count)) {
	found(count{bad: t.Permuted.Count, all: t.Before, lines: t.Permuted.Lines(),
		message: fmt.Sprintf("%d new rows hold the cells of removed rows in other columns%s", t.Permuted.Count, t.examples(t.Permuted, wasIs))})
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Across.Count, all: c.Either(), lines: c.Across.Lines(),
			message: fmt.Sprintf("%d of %d cells hold the value that another column of their row held, mostly %s%s", c.Across.Count, c.Either(), c.From, t.examples(c.Across, wasIs)),
			hint:    "put the values of " + c.Name + " and " + c.From + " back into their columns"})
	}
}

func between(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Between.Count, all: c.Either(), lines: c.Between.Lines(),
			message: fmt.Sprintf("%d of %d cells exchanged their values with other rows%s", c.Between.Count, c.Either(), t.examples(c.Between, wasIs))})
	}
}

func copied(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Copied.Count, all: c.Either(), lines: c.Copied.Lines(),
			message: fmt.Sprintf("%d of %d cells took the value of the row above, more than chance explains%s", c.Copied.Count, c.Either(), t.examples(c.Copied, wasIs))})
	}
}

func same(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Same.Count, all: c.Either(), lines: c.Same.Lines(),
			message: fmt.Sprintf("%d different values of %d cells became %q, more than chance explains%s", c.Same.Count, c.Either(), c.Into, t.examples(c.Same, wasIs))})
	}
}

func scaledReported(all int) int { return max(3, all/500) }

// scaled counts the numbers of a column that were all multiplied by the same factor. If nearly all
// of these numbers belong to one book, a curator has corrected the book, so the change is only
// reported.
func scaled(t *compared, found func(count)) {
	for _, c := range t.Columns {
		for _, s := range c.Scaled {
			n := count{column: c.Name, bad: s.Count, all: c.Either(), lines: s.Lines()}
			if slices.Contains(t.key, c.Name) {
				n.all = t.Before
			}
			where := ""
			if book := s.MainBook(); book != "" {
				where, n.harmless = ", nearly all of "+book, true
			} else if len(s.Books) > 0 {
				top := slices.MaxFunc(slices.Sorted(maps.Keys(s.Books)), func(a, b string) int { return s.Books[a] - s.Books[b] })
				where = fmt.Sprintf(" of %d books, %d of them of %s", len(s.Books), s.Books[top], top)
			}
			n.message = fmt.Sprintf("%d numbers%s are those of the previous snapshot %s%s", s.Count, where, s.How, t.examples(s.Found, wasIs))
			found(n)
		}
	}
}

func is(c rowdiff.Change) string    { return c.Is }
func wasIs(c rowdiff.Change) string { return fmt.Sprintf("%q → %q", c.Was, c.Is) }

// examples returns the first two changes with file and line.
func (t *compared) examples(f rowdiff.Found, say func(rowdiff.Change) string) string {
	var parts []string
	for _, c := range f.First[:min(2, len(f.First))] {
		parts = append(parts, fmt.Sprintf("%s:%d, %s", t.file, c.Line, say(c)))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", such as " + strings.Join(parts, "; ")
}

// shrunk leaves out rows that were removed together with the record to which they refer.
func shrunk(t *compared, found func(count)) { found(fewer(t.limits, t.Before, t.After+t.orphans)) }

func fewer(g Limits, before, after int) count {
	return count{bad: before - after, all: before, message: fmt.Sprintf("%s where the previous snapshot has %d, %.1f %% fewer where %.1f %% are allowed",
		messages.Count(after, "row"), before, 100*float64(before-after)/float64(before), 100*g.MaxShrink)}
}

func grown(t *compared, found func(count)) { found(more(t.Before, t.After)) }

func more(before, after int) count {
	return count{bad: after - before, all: before, message: fmt.Sprintf("%s where the previous snapshot has %d, %.0f %% more where %.0f %% are allowed",
		messages.Count(after, "row"), before, 100*float64(after-before)/float64(before), 100*maxGrowth)}
}

func emptyColumn(t *compared, found func(count)) {
	for _, c := range t.Columns {
		if c.FilledBefore > 2 && c.FilledAfter == 0 && t.After > 0 {
			found(count{column: c.Name, bad: 1, all: 1, message: "every cell of the column is empty, unlike in the previous snapshot"})
		}
	}
}

func debris(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Marks.Debris, all: c.FilledAfter, lines: c.Marked,
			message: fmt.Sprintf("%d more cells than in the previous snapshot hold the remains of a wrong encoding", c.Marks.Debris)})
	}
}

func mixed(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Marks.Mixed, all: c.FilledAfter, lines: c.Marked,
			message: fmt.Sprintf("%d more cells than in the previous snapshot have a word that mixes Latin letters with letters of another script", c.Marks.Mixed)})
	}
}

func hidden(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Marks.Invisible, all: c.FilledAfter, lines: c.Marked,
			message: fmt.Sprintf("%d more cells than in the previous snapshot hold an invisible character", c.Marks.Invisible)})
	}
}

func replaced(t *compared, found func(count)) {
	found(count{bad: min(t.Removed, t.Added), all: t.Before, lines: t.AddedLines,
		message: fmt.Sprintf("%d of %d rows of the previous snapshot are gone and %d new ones came, by their key (%s); %.0f %% are allowed",
			t.Removed, t.Before, t.Added, t.keyName(), 100*t.limits.MaxChanged)})
}

func (t *compared) keyName() string {
	if t.key == nil {
		return "the whole row"
	}
	return strings.Join(t.key, " + ")
}

func changed(t *compared, found func(count)) {
	if t.Common > 0 {
		found(count{bad: t.Changed, all: t.Common, lines: t.ChangedLines, hint: t.changedHint(),
			message: fmt.Sprintf("%d of %d records changed since the previous snapshot, %.1f %% where %.0f %% are allowed",
				t.Changed, t.Common, 100*float64(t.Changed)/float64(t.Common), 100*t.limits.MaxChanged)})
	}
}

// changedHint returns the likely cause of changed records.
func (t *compared) changedHint() string {
	var columns []string
	for _, c := range t.Columns {
		if c.Filled > 0 && float64(c.Changed) > t.limits.MaxChanged*float64(c.Filled) {
			columns = append(columns, c.Name)
		}
	}
	switch {
	case len(columns) > 3 && 2*len(columns) > len(t.Columns):
		return "nearly all columns changed: check whether the keys moved to other records"
	case len(columns) > 0:
		return "check " + strings.Join(columns, ", ") + " in the source"
	}
	return "check the source"
}

func emptied(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Emptied - c.FilledIn, all: c.Filled, lines: c.Lines,
			message: fmt.Sprintf("%d of %d cells that were filled in the previous snapshot are empty", c.Emptied, c.Filled)})
	}
}

func values(t *compared, found func(count)) {
	for _, c := range t.Columns {
		if c.Relinked.Count > 0 {
			found(count{column: c.Name, bad: c.Relinked.Count, all: t.Before, lines: c.Relinked.Lines(),
				message: fmt.Sprintf("%d of %d rows have another %s than in the previous snapshot%s", c.Relinked.Count, t.Before, c.Name, t.examples(c.Relinked, wasIs))})
			continue
		}
		found(count{column: c.Name, bad: c.Changed - c.Emptied, all: c.Filled, back: c.Back, lines: c.Lines,
			message: fmt.Sprintf("%d of %d filled cells have another value than in the previous snapshot, %.1f %% where %.0f %% are allowed%s",
				c.Changed, c.Filled, 100*float64(c.Changed)/float64(max(1, c.Filled)), 100*t.limits.MaxChanged, shiftHint(c)),
			hint: "check the column in the source" + shiftHint(c)})
	}
}

// shifted: a shift of the column by one row gives every cell the value of the cell above or below;
// corrections do not. Only cells that differed from the cell above can show a shift.
func shifted(t *compared, found func(count)) {
	for _, c := range t.Columns {
		found(count{column: c.Name, bad: c.Shifted, all: c.Borders, lines: c.Lines,
			message: fmt.Sprintf("the column is shifted by a row: at %d of the %d places where the value differed from the row before, it is now the neighbour's", c.Shifted, c.Borders)})
	}
}

// shiftHint says that changed values come from neighbouring rows, if most do.
func shiftHint(c rowdiff.Column) string {
	if c.Borders >= 3 && 2*c.Shifted > c.Borders {
		return ", each that of a neighbouring row"
	}
	return ""
}
