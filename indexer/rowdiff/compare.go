package rowdiff

import (
	"slices"

	"bencao/indexer/profile"
)

// Spec describes how to compare a table.
type Spec struct {
	// Key lists the columns that identify rows. If it is empty, the whole row without the columns in
	// IDs is the key.
	Key []string
	// GUID is the column of the permanent identifier, or "".
	GUID string
	// IDs lists the columns that identify a record without describing it, such as entry_id and url.
	// If IDs is empty, Compare does not look for repeated rows.
	IDs []string
	// Identity lists the columns by which a record is recognised even if other columns were
	// corrected, such as its name.
	Identity []string
	// References lists the columns with numbers of other records. Numbers lists the columns with
	// numbers and doses.
	References, Numbers []string
	// Group is a column such as formula_id: its value is the record to which numbered rows belong.
	// Inserting a row renumbers the following rows of the record. So the columns in GroupKey
	// identify a row within its record, and the number does not.
	Group    string
	GroupKey []string
	// Book, if not nil, returns the source book of a row.
	Book func(now *Table, row int) string
	// Earlier, if not nil, reports whether a cell of a column had a value before an earlier build
	// changed it. cell is the hash that [Column].Left lists.
	Earlier func(column string, cell uint64) bool
}

// Diff is the difference between two versions of a table.
type Diff struct {
	// Before and After count the rows of each version, and Common counts the rows that both
	// versions have, by their key. Removed counts the rows that only the old version has, Added
	// those that only the new one has, and Changed the common rows with a different cell.
	Before, After, Common, Removed, Added, Changed int
	// AddedLines and ChangedLines are the first lines of added and changed rows.
	AddedLines, ChangedLines []int
	// MovedGUIDs lists GUIDs that belong to another record than before.
	MovedGUIDs []MovedGUID
	// Repeated counts new rows with the content of another row.
	Repeated Found
	// Recombined counts new rows whose key combines values of different removed rows.
	Recombined Found
	// Permuted counts new rows that have the same cells as a removed row, but in other columns. At
	// least one of these columns is a key column.
	Permuted Found
	// Given counts rows that belong to another record than before, together with the other rows of
	// the same record.
	Given Found
	// Columns are the columns that both versions have.
	Columns []Column

	comparison *comparison
}

// RemovedValues returns the values of a column in the removed rows.
func (d *Diff) RemovedValues(column string) map[string]bool {
	out := map[string]bool{}
	i := d.comparison.old.Index(column)
	for _, row := range d.comparison.removed {
		if v := d.comparison.old.Cell(row, i); v != "" {
			out[v] = true
		}
	}
	return out
}

// Orphans counts the removed rows that refer to a removed row of another table. references has, for
// each column that refers to another table, the keys that were removed from that table.
func (d *Diff) Orphans(references map[string]map[string]bool) int {
	n := 0
	for _, row := range d.comparison.removed {
		for column, gone := range references {
			if gone[d.comparison.old.Cell(row, d.comparison.old.Index(column))] {
				n++
				break
			}
		}
	}
	return n
}

// Touched returns the values of a column in the changed rows.
func (d *Diff) Touched(column string) map[string]bool {
	out := map[string]bool{}
	i := d.comparison.now.Index(column)
	for _, p := range d.comparison.pairs {
		if d.comparison.differs(p) {
			out[d.comparison.now.Cell(int(p.now), i)] = true
		}
	}
	return out
}

// Release lets the garbage collector free both tables. Afterwards only the counts may be used.
func (d *Diff) Release() { d.comparison = nil }

// MovedGUID is a GUID that belongs to another record than before.
type MovedGUID struct {
	GUID string
	Line int
	// Was and Is describe the old and the new record by their identity columns.
	Was, Is string
}

// Found counts rows or cells and lists the first of them.
type Found struct {
	Count int
	First []Change
}

// Change is a changed row or cell with its old and new value.
type Change struct {
	Line    int
	Was, Is string
}

// maxListed is the maximum number of rows or cells listed.
const maxListed = 5

func (f *Found) add(line int, was, is string) {
	f.Count++
	if len(f.First) < maxListed {
		f.First = append(f.First, Change{line, clip(was), clip(is)})
	}
}

// Lines returns the lines of the listed changes.
func (f *Found) Lines() []int {
	var lines []int
	for _, c := range f.First {
		lines = append(lines, c.Line)
	}
	return lines
}

// Column is the difference between the cells of a column in the rows that both versions have.
type Column struct {
	Name string
	// FilledBefore and FilledAfter count the cells with a value in all rows of each version.
	FilledBefore, FilledAfter int
	// Filled counts the cells that had a value in the old version. Of these, Changed counts the
	// cells that now have another value or none, and Emptied counts those that now have none.
	// FilledIn counts the cells that were empty and now have a value.
	Filled, Changed, Emptied, FilledIn int
	// Back counts the changed cells that have a value again that an earlier build changed. Left has
	// the hash of the key and the old value of each of the other changed cells.
	Back int
	Left []uint64
	// Relinked counts new rows that differ from a removed row only in this column, which is one of
	// the columns of the key.
	Relinked Found
	// Copied counts the changed cells that have the value of the row above, less the number to be
	// expected because rows are sorted.
	Copied Found
	// Same counts the different values that became the value Into, less one and the number to be
	// expected by chance.
	Same Found
	Into string
	// Lines are the lines of the first cells that differ.
	Lines []int
	// Marks counts the cells with certain characters in the new version, less those in the old
	// version. It includes added and removed rows. Marked are the lines of the first such cells.
	Marks  profile.Marks
	Marked []int
	// Borders counts the cells whose old value differed from that of the row above, in the order of
	// the source. Of these, Shifted counts the cells that now have the old value of the row above,
	// or of the row below.
	Borders, Shifted int
	// Across counts the changed cells that now have the old value of another column of their row.
	// From is the column from which most of these values come.
	Across Found
	From   string
	// Between counts the changed cells whose new value disappeared from another row. Rare counts
	// those cells whose value occurred in at most two rows.
	Between Found
	Rare    int
	// Scaled lists the factors by which numbers were multiplied and the numbers by which references
	// were increased, the most frequent first.
	Scaled []Scaled
}

// Either returns the number of cells that have a value in either version.
func (c Column) Either() int { return c.Filled + c.FilledIn }

// mostlyEmpty reports whether at most one in a hundred cells had a value, as for a trial. If such a
// column is filled, its records do not count as changed.
func (c Column) mostlyEmpty(rows int) bool { return 100*c.FilledBefore <= rows }

// Scaled counts the cells of a column whose numbers were multiplied by the same factor.
type Scaled struct {
	Found
	// How describes the change, such as "× 0.1" or "+ 1".
	How string
	// Books counts the cells by the source book of their row, if it is known.
	Books map[string]int
}

// Compare compares two versions of a table.
func Compare(old, now *Table, spec Spec) Diff {
	c := &comparison{old: old, now: now, spec: spec}
	for i, name := range old.Columns {
		if j := now.Index(name); j >= 0 {
			c.names, c.was, c.is = append(c.names, name), append(c.was, i), append(c.is, j)
		}
	}
	if spec.Key == nil {
		for _, name := range c.names {
			if !slices.Contains(spec.IDs, name) {
				c.spec.Key = append(c.spec.Key, name)
			}
		}
	}
	d := Diff{Before: old.Rows(), After: now.Rows(), comparison: c}
	d.MovedGUIDs = c.movedGUIDs()
	c.pairs = c.inOrder(c.pair(c.spec.Key))
	c.split()
	d.Common, d.Removed, d.Added = len(c.pairs), len(c.removed), len(c.added)
	for _, row := range c.added {
		d.AddedLines = atMost(d.AddedLines, c.now.Line(row))
	}
	d.Columns = c.columns(c.pairs, spec.Group)
	for _, p := range c.pairs {
		if c.changed(p, d.Columns) {
			d.Changed++
			d.ChangedLines = atMost(d.ChangedLines, c.now.Line(int(p.now)))
		}
	}
	c.relinked(d.Columns)
	if spec.GroupKey != nil {
		within := c.inOrder(c.pair(append([]string{spec.Group}, spec.GroupKey...)))
		takeLarger(d.Columns, c.columns(within, ""))
		d.Given = c.given()
	}
	c.marks(d.Columns)
	c.increased(d.Columns)
	d.Repeated = c.repeated()
	d.Recombined = c.recombined()
	d.Permuted = c.permuted()
	return d
}

// maxLines is the maximum number of lines that a difference lists.
const maxLines = 5

func atMost(lines []int, line int) []int {
	if line > 0 && len(lines) < maxLines {
		return append(lines, line)
	}
	return lines
}

// comparison is the state of Compare. names lists the compared columns. was has their positions in
// the old version, and is has their positions in the new version. pairs are the rows that both
// versions have, removed those that only the old one has, and added those that only the new one has.
type comparison struct {
	old, now       *Table
	spec           Spec
	names          []string
	was, is        []int
	pairs          []pair
	removed, added []int
}

// split sets c.removed and c.added.
func (c *comparison) split() {
	stays, kept := make([]bool, c.old.Rows()), make([]bool, c.now.Rows())
	for _, p := range c.pairs {
		stays[p.old], kept[p.now] = true, true
	}
	for i, s := range stays {
		if !s {
			c.removed = append(c.removed, i)
		}
	}
	for i, k := range kept {
		if !k {
			c.added = append(c.added, i)
		}
	}
	slices.SortStableFunc(c.added, func(a, b int) int { return c.now.Line(a) - c.now.Line(b) })
}

// differs reports whether a cell of a row differs.
func (c *comparison) differs(p pair) bool {
	for i := range c.names {
		if c.before(p, i) != c.tonight(p, i) {
			return true
		}
	}
	return false
}

// changed reports whether a cell of a row changed. Cells that are filled for the first time, in a
// column that was mostly empty, do not count.
func (c *comparison) changed(p pair, columns []Column) bool {
	for i := range c.names {
		was, is := c.before(p, i), c.tonight(p, i)
		if was != is && (was != "" || !columns[i].mostlyEmpty(c.old.Rows())) {
			return true
		}
	}
	return false
}

// pair is a row that both versions have.
type pair struct{ old, now int32 }

// inOrder sorts rows by their lines in the source.
func (c *comparison) inOrder(pairs []pair) []pair {
	slices.SortStableFunc(pairs, func(a, b pair) int { return int(c.now.lines[a.now]) - int(c.now.lines[b.now]) })
	return pairs
}

// pair matches the rows of both versions by a key. Rows with the same key are matched in their
// order. It returns none if a version lacks a column of the key.
func (c *comparison) pair(key []string) []pair {
	was, there := c.old.indexes(key)
	is, here := c.now.indexes(key)
	if !there || !here || len(key) == 0 {
		return nil
	}
	at := make(map[uint64]int32, c.old.Rows())
	next := map[int32]int32{} // the next old row with the same key
	for i := c.old.Rows() - 1; i >= 0; i-- {
		h := c.old.hash(i, was)
		if later, twice := at[h]; twice {
			next[int32(i)] = later
		}
		at[h] = int32(i)
	}
	var pairs []pair
	for i := range c.now.Rows() {
		h := c.now.hash(i, is)
		j, ok := at[h]
		if !ok {
			continue
		}
		pairs = append(pairs, pair{j, int32(i)})
		if later, more := next[j]; more {
			at[h] = later
		} else {
			delete(at, h)
		}
	}
	return pairs
}

// takeLarger takes the moved values of each column from b where b counts more of them.
func takeLarger(a, b []Column) {
	for i, c := range b {
		if c.Between.Count > a[i].Between.Count {
			a[i].Between, a[i].Rare = c.Between, c.Rare
		}
	}
}

// content returns the positions, in both versions, of the columns that describe a record.
func (c *comparison) content() (was, is []int) {
	for i, name := range c.names {
		if !slices.Contains(c.spec.IDs, name) {
			was, is = append(was, c.was[i]), append(is, c.is[i])
		}
	}
	return was, is
}
