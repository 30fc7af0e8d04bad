// Package profile reads a file as a table, and counts what its cells look like. Two versions of a
// table whose rows are not kept can be compared by their counts:
//
//	rows      their number, and which are the first and the last
//	columns   how many cells are filled, with which scripts, and how many cells differ
//	ending    whether the file is complete: its last row and its last line feed
//
// The package does not judge the differences; package check does. Start with [Scan].
package profile

import "slices"

// Profile has the counts of a table. The zero value is an empty table.
type Profile struct {
	// Rows is the number of rows of the table.
	Rows int `json:"rows"`
	// Columns are in the order of the file.
	Columns []Column `json:"columns"`
	// Newest is the latest day in the columns "created" and "modified", such as 2026-06-21. It is
	// "" if these columns have no date.
	Newest string `json:"newest,omitempty"`
	// First and Last have the hashes of the keys of some rows at each end.
	First []End `json:"first"`
	Last  []End `json:"last"`
}

// End is the key of a row near an end of the table.
type End struct {
	// Place is 1 for the first or the last row.
	Place int    `json:"place"`
	Key   uint64 `json:"key"`
}

// Column describes the cells of a column. Only its name is set unless the cells were counted.
type Column struct {
	Name string `json:"name"`
	// Filled counts the cells that are not empty. The next fields count the filled cells with
	// certain characters.
	Filled int `json:"filled,omitempty"`
	Marks  `json:"marks,omitzero"`
	// Buckets counts the cells by the hash of their key and value.
	Buckets Buckets `json:"buckets,omitempty"`
	// Earlier has the Buckets of the last version of the column with other cells; see [Column.Follow].
	Earlier Buckets `json:"earlier,omitempty"`
	// Words counts the cells with a word that stands for an empty cell, such as NULL. WordLine is the
	// physical line of the first such cell, and Word is its value.
	Words    int    `json:"-"`
	WordLine int    `json:"-"`
	Word     string `json:"-"`
	// Down and Up count the cells by the hash of their value and of the key of the row above or
	// below. If the column was shifted down by a row, Down is like the Buckets of the version before.
	Down Buckets `json:"-"`
	Up   Buckets `json:"-"`
}

// emptyWords lists the words that programs write for an empty cell.
var emptyWords = []string{"nan", "NaN", "NA", "N/A", "#N/A", "<NA>", "NULL", "null", "None", "-"}

// IsEmptyWord reports whether a cell has a word that programs write for an empty cell.
func IsEmptyWord(cell string) bool { return len(cell) <= 4 && slices.Contains(emptyWords, cell) }

// Buckets counts cells by a hash.
type Buckets []int32

func (b Buckets) add(key, value uint64) { b[mix(key+prime64*value)%buckets]++ }

// buckets is the number of buckets of a column. With 256, the standard error of [Buckets.Changed] is
// 9 %.
const buckets = 256

// dense is the number of rows at each end whose keys are all kept.
const dense = 64

// places returns the places near an end whose keys are kept: the first 64 of n rows, and then ever
// fewer.
func places(n int) []int {
	var all []int
	for p := 1; p <= n; {
		all = append(all, p)
		if p < dense {
			p++
		} else {
			p += p / 8
		}
	}
	return all
}

// Column returns a column by its name.
func (p *Profile) Column(name string) (Column, bool) {
	for _, c := range p.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}

// Has reports whether the table has a column.
func (p *Profile) Has(name string) bool {
	_, ok := p.Column(name)
	return ok
}

// Follow sets c.Earlier. was is the column in the previous version of the table.
func (c *Column) Follow(was Column) {
	c.Earlier = was.Earlier
	if !slices.Equal(c.Buckets, was.Buckets) {
		c.Earlier = was.Buckets
	}
}

// Back estimates how many cells of a column that changed since the previous version have the value
// again that they had in the version before that. Such a cell counts in the distances between
// adjacent versions, but not in the distance between the outer two. The estimate is 0 unless most
// changed cells are of this kind, since smaller numbers are within the error of the distances.
func (c Column) Back(was Column) int {
	if len(was.Earlier) == 0 {
		return 0
	}
	changed := c.Buckets.Changed(was.Buckets)
	back := (changed + was.Buckets.Changed(was.Earlier) - c.Buckets.Changed(was.Earlier)) / 2
	if 2*back <= changed {
		return 0
	}
	return min(back, changed)
}

// Changed estimates how many cells of a column differ from those in the previous version of the
// table. A changed cell moves from one random bucket to another, and an additional cell falls
// into a random one. So the sum of the squared differences of all buckets is about twice the number
// of changed cells, plus the number of additional or missing cells. (N. Alon, Y. Matias, M. Szegedy:
// The space complexity of approximating the frequency moments, 1999.)
func (b Buckets) Changed(was Buckets) int {
	if len(b) != len(was) {
		return 0
	}
	net := 0.0
	for i, n := range b {
		net += float64(n - was[i])
	}
	sum := 0.0
	for i, n := range b {
		d := float64(n-was[i]) - net/float64(len(b))
		sum += d * d
	}
	return max(0, int((sum-max(net, -net))/2))
}
