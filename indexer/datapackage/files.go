package datapackage

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// File is the file of a table. It describes how to read the file, and has the size and the
// digest that the package states.
type File struct {
	Table string // such as species
	Name  string // path in the archive
	Shape profile.Table
	// Bytes is the stated size, or nil if the package states none. Hash is the stated digest, or
	// "". A digest without a prefix such as sha256: is MD5.
	Bytes *int64
	Hash  string
}

// Files lists the files of a data package's tables, in the order of reading. The error joins the
// errors of tables whose description is wrong, which the list lacks. [Read] reports them.
func Files(src *archive.Archive, opt Options) (out []File, err error) {
	d, err := readDescriptor(src)
	if err != nil {
		return nil, err
	}
	d.exclude(opt.Exclude)
	var wrong []error
	for _, t := range tables {
		for i := range d.Resources {
			r := &d.Resources[i]
			if foldName(r.Name) != t.name {
				continue
			}
			name, err := d.file(src, r)
			csv, _, _ := r.Dialect.csv()
			if err != nil {
				wrong = append(wrong, err)
				continue
			}
			out = append(out, File{Table: t.name, Name: name, Bytes: r.Bytes, Hash: r.Hash, Shape: profile.Table{
				Open:   func(in io.Reader) *rows.Reader { return rows.NewCSV(in, name, csv) },
				Rename: labels(t.columns, opt.Columns[t.name]), Columns: t.columns, Key: t.key(), Null: r.Schema.MissingValues, Defaults: derivedGUIDs(t.name),
			}})
		}
	}
	return out, errors.Join(wrong...)
}

// Written lists the files of a snapshot's package, with those in [DerivedFolder].
func Written(src *archive.Archive) []File {
	d, err := readDescriptor(src)
	if err != nil {
		return nil
	}
	var out []File
	for i := range d.Resources {
		r := &d.Resources[i]
		name, err := d.file(src, r)
		csv, _, _ := r.Dialect.csv()
		if err == nil {
			out = append(out, File{Table: r.Name, Name: name, Shape: profile.Table{
				Open: func(in io.Reader) *rows.Reader { return rows.NewCSV(in, name, csv) },
			}})
		}
	}
	for _, name := range src.Files() {
		if table, derived := strings.CutPrefix(name, DerivedFolder); derived {
			out = append(out, File{Table: strings.TrimSuffix(table, ".csv"), Name: name, Shape: profile.Table{
				Open: func(in io.Reader) *rows.Reader { return rows.NewCSV(in, name, rows.CSV{}) },
			}})
		}
	}
	return out
}

// key returns the columns that identify a table's rows.
func (t anyTable) key() []string {
	if t.schema.PrimaryKey != nil {
		return t.schema.PrimaryKey
	}
	return t.schema.Unique[0]
}

// derivedGUIDs returns, by column, the function that derives the GUID of a row whose GUID is empty.
func derivedGUIDs(table string) map[string]func(func(string) string) string {
	if table != "species" && table != "formulas" {
		return nil
	}
	return map[string]func(func(string) string) string{"guid": func(cell func(string) string) string {
		id, err := strconv.ParseInt(cell("entry_id"), 10, 32)
		if err != nil {
			return ""
		}
		return GUID(table, int32(id))
	}}
}
