// Package rowdiff compares two versions of a table cell by cell. It counts what was removed, added,
// changed and emptied, and finds values that moved:
//
//	GUIDs    that belong to another record
//	rows     that were repeated under new ids, given to other records, or whose keys were recombined
//	cells    that have the value of another column or another record
//	numbers  that were all multiplied by the same factor, or increased by the same number
//
// [Compare] holds both versions in memory, so callers should compare one table at a time. The
// package does not judge the differences; package check does. Start with [Compare].
package rowdiff

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"slices"
	"strings"

	"bencao/indexer/profile"
)

// Table is a table in memory.
type Table struct {
	Columns []string
	// text has all cells, row by row. ends has the offset in text at which each cell ends.
	text  string
	ends  []uint32
	lines []int32 // physical line of each row in the source; 0 if it is unknown
}

// maxText is the maximum total size of a table's cells in bytes.
const maxText = 1 << 30

// ErrTooLarge is returned for a table of more than a gibibyte of text.
var ErrTooLarge = errors.New("the table has more than 1 GiB of text")

// Read reads a table.
func Read(ctx context.Context, r io.Reader, how profile.Table) (*Table, error) {
	t := &Table{}
	var text strings.Builder
	columns, err := profile.Rows(ctx, r, how, func(values []string, line int) {
		if text.Len() > maxText {
			return
		}
		for _, v := range values {
			text.WriteString(v)
			t.ends = append(t.ends, uint32(text.Len()))
		}
		t.lines = append(t.lines, int32(line))
	})
	if err == nil && text.Len() > maxText {
		err = ErrTooLarge
	}
	t.Columns, t.text = columns, text.String()
	return t, err
}

// New returns a table of rows. It returns [ErrTooLarge] as Read does.
func New(columns []string, made iter.Seq[[]string]) (*Table, error) {
	t := &Table{Columns: columns}
	var text strings.Builder
	for cells := range made {
		for _, v := range cells {
			text.WriteString(v)
			t.ends = append(t.ends, uint32(text.Len()))
		}
		t.lines = append(t.lines, 0)
		if text.Len() > maxText {
			return nil, ErrTooLarge
		}
	}
	t.text = text.String()
	return t, nil
}

// WithPlain returns the table with the cells of a column in the form that plain gives them.
func (t *Table) WithPlain(column string, plain func(string) string) (*Table, error) {
	at := t.Index(column)
	if at < 0 {
		return t, nil
	}
	out, err := New(t.Columns, func(yield func([]string) bool) {
		cells := make([]string, len(t.Columns))
		for row := range t.lines {
			for i := range cells {
				cells[i] = t.Cell(row, i)
			}
			if cells[at] = plain(cells[at]); !yield(cells) {
				return
			}
		}
	})
	out.lines = t.lines
	return out, err
}

// Locate sets the physical line of each row. line returns the line of a row by its cells in some
// columns, or 0.
func (t *Table) Locate(columns []string, line func(cells []string) int32) {
	at, all := t.indexes(columns)
	if !all {
		return
	}
	cells := make([]string, len(at))
	for row := range t.lines {
		for i, c := range at {
			cells[i] = t.Cell(row, c)
		}
		t.lines[row] = line(cells)
	}
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.lines) }

// Line returns the physical line of a row.
func (t *Table) Line(row int) int { return int(t.lines[row]) }

// Cell returns a cell, or "" if there is no such column.
func (t *Table) Cell(row, column int) string {
	if column < 0 {
		return ""
	}
	at := row*len(t.Columns) + column
	start := uint32(0)
	if at > 0 {
		start = t.ends[at-1]
	}
	return t.text[start:t.ends[at]]
}

// Index returns the position of a column, or -1.
func (t *Table) Index(column string) int { return slices.Index(t.Columns, column) }

// indexes returns the positions of columns, and reports whether all exist.
func (t *Table) indexes(columns []string) (at []int, all bool) {
	for _, name := range columns {
		at = append(at, t.Index(name))
	}
	return at, !slices.Contains(at, -1)
}

var seed = maphash.MakeSeed()

// hash returns the hash of several cells of a row.
func (t *Table) hash(row int, columns []int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, c := range columns {
		// Byte 0 separates the cells. Cells do not contain a byte 0, since files with one have been
		// refused.
		_, _ = h.WriteString(t.Cell(row, c))
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// label joins several cells of a row for messages.
func (t *Table) label(row int, columns []int) string {
	var parts []string
	for _, c := range columns {
		if v := t.Cell(row, c); v != "" {
			parts = append(parts, clip(v))
		}
	}
	return strings.Join(parts, " ")
}

// maxShown is the maximum number of characters of a value in messages.
const maxShown = 40

func clip(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}
