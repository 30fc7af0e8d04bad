// Package rowdiff compares two versions of a table cell by cell and finds where
// values went:
//
//	GUIDs    that now belong to another record
//	rows     that are repeated under new ids, or whose keys were combined anew
//	cells    that took the value of another column or of another record
//	numbers  that were all multiplied by the same factor
//
// [Compare] holds both versions in memory, so whoever calls it reads one table
// after the other. The package judges nothing: what is too much is for the gates
// to say.
package rowdiff

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"bencao/indexer/profile"
)

// Table is a table that was read.
type Table struct {
	Columns []string
	// text holds all cells, ends their ends in it, row by row.
	text  string
	ends  []uint32
	lines []int32 // the rows' physical lines
}

// maxText is how many bytes the cells of a table may have.
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

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.lines) }

// line returns the physical line of a row.
func (t *Table) line(row int) int { return int(t.lines[row]) }

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

// Index returns the place of a column, or -1.
func (t *Table) Index(column string) int { return slices.Index(t.Columns, column) }

// indexes returns the places of columns, and whether all are there.
func (t *Table) indexes(columns []string) (at []int, all bool) {
	for _, name := range columns {
		at = append(at, t.Index(name))
	}
	return at, !slices.Contains(at, -1)
}

var seed = maphash.MakeSeed()

// hash returns the hash of some cells of a row.
func (t *Table) hash(row int, columns []int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, c := range columns {
		// No cell holds a byte 0: a file with one is refused before.
		_, _ = h.WriteString(t.Cell(row, c))
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// text of some cells of a row, for people.
func (t *Table) label(row int, columns []int) string {
	var parts []string
	for _, c := range columns {
		if v := t.Cell(row, c); v != "" {
			parts = append(parts, clip(v))
		}
	}
	return strings.Join(parts, " ")
}

// maxShown is how many characters of a value are shown to people.
const maxShown = 40

func clip(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}
