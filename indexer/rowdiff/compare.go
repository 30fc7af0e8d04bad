package rowdiff

import (
	"slices"
)

// Spec says how a table is compared.
type Spec struct {
	// Key are the columns that tell rows apart.
	Key []string
	// GUID is the column that links lead to for ever, or "".
	GUID string
	// IDs are the columns that name a record and say nothing about it, such as
	// entry_id and url. If there are none, rows are not searched for repetitions.
	IDs []string
	// Identity are the columns by which people recognise a record, also when others
	// were corrected.
	Identity []string
	// Group is the column of the record whose rows are numbered, such as formula_id:
	// inserting a row moves those after it. Within a group, rows are told apart by
	// GroupKey.
	Group    string
	GroupKey []string
	// Book, if not nil, returns the source of a row, such as the book of a formula.
	Book func(now *Table, row int) string
}

// Diff is what became of a table.
type Diff struct {
	// Before is how many rows there were, Common how many of them are still there,
	// by their key.
	Before, Common int
	// MovedGUIDs belong to another record than before. That record still exists.
	MovedGUIDs []MovedGUID
	// Repeated are new rows with the content of another row.
	Repeated Found
	// Recombined are new rows whose key columns hold the values of removed rows,
	// each paired with another's.
	Recombined Found
	// Permuted are new rows that hold the cells of a removed row in other columns, of
	// which one belongs to the key.
	Permuted Found
	// Columns are those in which something happened.
	Columns []Column
}

// MovedGUID is a GUID that belongs to another record than before.
type MovedGUID struct {
	GUID string
	Line int
	// Was and Is are the records, as people recognise them.
	Was, Is string
}

// Found counts rows or cells and lists the first.
type Found struct {
	Count int
	First []Change
}

// Change is a row or a cell, with its values for people.
type Change struct {
	Line    int
	Was, Is string
}

// maxListed is how many rows or cells are listed.
const maxListed = 5

func (f *Found) add(line int, was, is string) {
	f.Count++
	if len(f.First) < maxListed {
		f.First = append(f.First, Change{line, clip(was), clip(is)})
	}
}

// Lines returns the lines of the first ones.
func (f *Found) Lines() []int {
	var lines []int
	for _, c := range f.First {
		lines = append(lines, c.Line)
	}
	return lines
}

// Column is what became of the cells of a column, in common rows.
type Column struct {
	Name string
	// Filled cells are not empty, or were not before.
	Filled int
	// Changed cells have another value than before.
	Changed int
	// Across are cells that hold what another column of their row held, and From is
	// the column that most of them have it from.
	Across Found
	From   string
	// Between are cells that hold what another row held, which holds it no more.
	// Rare is how many of them hold a value that stood in one or two rows.
	Between Found
	Rare    int
	// Scaled are cells whose numbers were multiplied by the same factor, the most
	// frequent one first.
	Scaled []Scaled
}

// Scaled are the cells of a column whose number became another by one factor.
type Scaled struct {
	Found
	// How says what happened, such as "× 0.1".
	How string
	// Books counts the cells by their source, if that is known.
	Books map[string]int
}

// Compare compares a table with its version of yesterday.
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
			d.Columns = merged(d.Columns, c.columns(within, ""))
		}
	}
	d.Repeated = c.repeated(pairs)
	d.Recombined = c.recombined(pairs)
	d.Permuted = c.permuted(pairs)
	return d
}

// comparison is one in progress. was and is are the places of the columns names
// in old and now.
type comparison struct {
	old, now *Table
	spec     Spec
	names    []string
	was, is  []int
}

// pair is a row of both versions.
type pair struct{ old, now int32 }

// pair finds the rows of both versions by a key. The first row of a key counts.
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

// merged takes, of two comparisons of the columns, the one that found more.
func merged(a, b []Column) []Column {
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

// content returns the places, in both versions, of the columns that say
// something about a record.
func (c *comparison) content() (was, is []int) {
	for i, name := range c.names {
		if !slices.Contains(c.spec.IDs, name) {
			was, is = append(was, c.was[i]), append(is, c.is[i])
		}
	}
	return was, is
}
