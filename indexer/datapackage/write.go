package datapackage

import (
	"encoding/csv"
	"io"
	"iter"
	"strings"

	"bencao/indexer/archive"
)

// Write writes a package that [Read] returned as a zip from which it reads the
// same again. Equal packages give equal bytes.
func Write(w io.Writer, p *Package) error { return archive.Pack(w, p.Entries()) }

// Entries are the files of the package: its description and a CSV for each
// table that is present, as RFC 4180 has it but for lines that end in LF.
// Every column is there, and cells are as [Read] understood them: missing GUIDs
// and ids have been made, rejected rows are gone.
func (p *Package) Entries() []archive.Entry {
	entries := []archive.Entry{{Name: descriptorFile, Write: func(w io.Writer) error { return p.describe(w) }}}
	for _, t := range tables {
		if p.Table(t.name).Present {
			entries = append(entries, archive.Entry{Name: fileOf(t.name), Write: func(w io.Writer) error { return t.write(w, p) }})
		}
	}
	return entries
}

// fileOf is the file that a table is written to.
func fileOf(table string) string { return table + ".csv" }

// write writes the table's CSV.
func (t table[R]) write(w io.Writer, p *Package) error {
	out := csv.NewWriter(w)
	out.Comma = t.delimiter(p)
	header := make([]string, len(t.columns))
	for i, c := range t.columns {
		header[i] = c.name
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for cells := range t.cells(p) {
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cells yields the rows of the table. A row is overwritten by the next.
func (t table[R]) cells(p *Package) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		cells := make([]string, len(t.columns))
		for r := range t.each(p) {
			for i, c := range t.columns {
				cells[i] = c.get(r)
			}
			if !yield(cells) {
				return
			}
		}
	}
}

// Rows yields the rows of a table as its CSV has them: a cell for each column
// of its schema, empty where nothing is known. A row is overwritten by the next.
func (p *Package) Rows(name string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, t := range tables {
			if t.name == name {
				t.cells(p)(yield)
			}
		}
	}
}

// delimiters are tried in this order. The last is the unit separator, which no
// text has.
var delimiters = []rune{',', '\t', '|', '\x1f'}

// delimiter is a comma unless a cell of several lines has so many that its
// lines look like rows: the reader would take them for rows that an open
// quotation mark swallowed.
func (t table[R]) delimiter(p *Package) rune {
	for _, d := range delimiters[:len(delimiters)-1] {
		if !t.looksLikeRows(p, string(d)) {
			return d
		}
	}
	return delimiters[len(delimiters)-1]
}

func (t table[R]) looksLikeRows(p *Package, delimiter string) bool {
	for r := range t.each(p) {
		for _, c := range t.columns {
			if c.typ != "" {
				continue
			}
			cell := c.get(r)
			if !strings.Contains(cell, "\n") {
				continue
			}
			for line := range strings.Lines(cell) {
				if strings.Count(line, delimiter) >= len(t.columns)-1 {
					return true
				}
			}
		}
	}
	return false
}
