package datapackage

import (
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strings"

	"bencao/indexer/archive"
)

// Entries returns the files of the package: its description, and a CSV for each table that is
// present. Reading them with [Read] gives the same package. The CSV follows RFC 4180, except that
// lines end in LF. Each has all columns with the values that [Read] returned: missing GUIDs and ids
// are filled in, rejected rows are left out. The description marks the tables that the indexer
// computed, and [Read] skips them.
func (p *Package) Entries() []archive.Entry {
	entries := []archive.Entry{{Name: descriptorFile, Write: func(w io.Writer) error { return p.describe(w) }}}
	for _, t := range tables {
		if p.Table(t.name).Present {
			entries = append(entries, archive.Entry{Name: fileOf(t.name), Write: func(w io.Writer) error { return t.write(w, p) }})
		}
	}
	for _, t := range p.Computed {
		entries = append(entries, archive.Entry{Name: fileOf(t.Name), Write: t.write})
	}
	return entries
}

// DerivedFolder is the folder of a snapshot's package with the tables that the indexer derived from
// it. They are not part of the package, so [Read] does not know them.
const DerivedFolder = "derived/"

// Writer writes a package in two steps, so that tables can be added that are derived from it.
type Writer struct{ zip *archive.Packer }

// NewWriter writes the files of a package to w.
func NewWriter(w io.Writer, p *Package) (Writer, error) {
	z := archive.NewPacker(w)
	return Writer{z}, z.Add(p.Entries()...)
}

// Close adds derived tables and completes the package.
func (w Writer) Close(derived []Computed) error {
	for _, t := range derived {
		if err := w.zip.Add(archive.Entry{Name: DerivedFolder + fileOf(t.Name), Write: t.write}); err != nil {
			return err
		}
	}
	return w.zip.Close()
}

// write writes the table's CSV.
func (t Computed) write(w io.Writer) error {
	out := csv.NewWriter(w)
	header := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = c.Name
	}
	if err := out.Write(header); err != nil {
		return err
	}
	return out.WriteAll(t.Rows)
}

// Schemas returns the schemas of all tables. Those of [Package.Computed] come last.
func (p *Package) Schemas() []TableSchema {
	all := Schema()
	for _, t := range p.Computed {
		all = append(all, t.TableSchema)
	}
	return all
}

// fileOf returns the name of a table's file.
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

// cells yields the rows of the table. The slice of a row is valid only until the next row is
// yielded.
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

// Rows yields the rows of a table as they appear in its CSV: a cell for each column of the schema,
// or "" if the record has no value. The slice of a row is valid only until the next row is yielded.
func (p *Package) Rows(name string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, t := range tables {
			if t.name == name {
				t.cells(p)(yield)
			}
		}
		for _, t := range p.Computed {
			if t.Name == name {
				slices.Values(t.Rows)(yield)
			}
		}
	}
}

// delimiters lists the separators of cells that Write tries, in this order. The last one is the
// unit separator, which does not occur in text.
var delimiters = []rune{',', '\t', '|', '\x1f'}

// delimiter returns the first character in delimiters with which the table can be read again. With
// commas, the lines of a cell with line breaks may contain so many commas that they look like rows.
// The reader would then report an unclosed quotation mark.
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
