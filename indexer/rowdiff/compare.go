package rowdiff

import (
	"slices"
)

// Spec describes how to compare a table.
type Spec struct {
	// Key lists the columns that identify rows.
	Key []string
	// GUID is the column of the permanent identifier, or "".
	GUID string
	// IDs lists the columns that identify a record without describing it, such as entry_id and url.
	// If IDs is empty, Compare does not look for repeated rows.
	IDs []string
	// Identity lists the columns by which a record is recognised even if other columns were
	// corrected, such as its name.
	Identity []string
	// Group is a column such as formula_id: its value is the record to which numbered rows belong.
	// Inserting a row renumbers the following rows of the record. So the columns in GroupKey
	// identify a row within its record, and the number does not.
	Group    string
	GroupKey []string
	// Book, if not nil, returns the source book of a row.
	Book func(now *Table, row int) string
}

// Diff is the difference between two versions of a table.
type Diff struct {
	// Before is the number of old rows. Common is the number of old rows whose key still exists in
	// the new version.
	Before, Common int
	// MovedGUIDs lists GUIDs that belong to another record than before.
	MovedGUIDs []MovedGUID
	// Repeated counts new rows with the content of another row.
	Repeated Found
	// Recombined counts new rows whose key combines values of different removed rows.
	Recombined Found
	// Permuted counts new rows that have the same cells as a removed row, but in other columns. At
	// least one of these columns is a key column.
	Permuted Found
	// Columns lists only the columns with differences.
	Columns []Column
}

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
	// Filled counts the cells that have a value in either version.
	Filled int
	// Changed counts the cells whose value differs from before.
	Changed int
	// Across counts the changed cells that now have the old value of another column of their row.
	// From is the column from which most of these values come.
	Across Found
	From   string
	// Between counts the changed cells whose new value disappeared from another row. Rare counts
	// those cells whose value occurred in at most two rows.
	Between Found
	Rare    int
	// Scaled lists the factors by which numbers were multiplied, the most frequent factor first.
	Scaled []Scaled
}

// Scaled counts the cells of a column whose numbers were multiplied by the same factor.
type Scaled struct {
	Found
	// How describes the change, such as "× 0.1".
	How string
	// Books counts the cells by the source book of their row, if it is known.
	Books map[string]int
}

// Compare compares two versions of a table.
func Compare(old, now *Table, spec Spec) Diff {
	d := Diff{Before: old.Rows()}
	c := comparison{old: old, now: now, spec: spec}
	for i, name := range old.Columns {
		if j := now.Index(name); j >= 0 {
			c.names, c.was, c.is = append(c.names, name), append(c.was, i), append(c.is, j)
		}
	}
	d.MovedGUIDs = c.movedGUIDs()
	pairs, ok := c.pair(spec.Key)
	if !ok {
		return d
	}
	d.Common = len(pairs)
	d.Columns = c.columns(pairs, spec.Group)
	if spec.GroupKey != nil {
		if within, ok := c.pair(append([]string{spec.Group}, spec.GroupKey...)); ok {
			d.Columns = largerColumns(d.Columns, c.columns(within, ""))
		}
	}
	d.Repeated = c.repeated(pairs)
	d.Recombined = c.recombined(pairs)
	d.Permuted = c.permuted(pairs)
	return d
}

// comparison is the state of Compare. names lists the compared columns. was has their positions in
// the old version, and is has their positions in the new version.
type comparison struct {
	old, now *Table
	spec     Spec
	names    []string
	was, is  []int
}

// pair is a row that both versions have.
type pair struct{ old, now int32 }

// pair matches the rows of both versions by a key. Of several rows with the same key, it uses only
// the first. It returns false if a version lacks a column of the key.
func (c *comparison) pair(key []string) ([]pair, bool) {
	was, there := c.old.indexes(key)
	is, here := c.now.indexes(key)
	if !there || !here || len(key) == 0 {
		return nil, false
	}
	at := make(map[uint64]int32, c.old.Rows())
	for i := range c.old.Rows() {
		h := c.old.hash(i, was)
		if _, twice := at[h]; !twice {
			at[h] = int32(i)
		}
	}
	var pairs []pair
	for i := range c.now.Rows() {
		h := c.now.hash(i, is)
		if j, ok := at[h]; ok && j >= 0 {
			pairs = append(pairs, pair{j, int32(i)})
			at[h] = -1
		}
	}
	return pairs, true
}

// largerColumns merges the results of two comparisons. For each column, it returns the one of the
// two results that counts more moved values.
func largerColumns(a, b []Column) []Column {
	for _, c := range b {
		i := slices.IndexFunc(a, func(o Column) bool { return o.Name == c.Name })
		if i < 0 {
			a = append(a, c)
			continue
		}
		if c.Between.Count > a[i].Between.Count {
			a[i].Between, a[i].Rare, a[i].Changed = c.Between, c.Rare, c.Changed
		}
	}
	return a
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
