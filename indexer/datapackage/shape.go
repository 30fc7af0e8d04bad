package datapackage

import (
	"io"
	"strconv"

	"bencao/indexer/archive"
	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// File is the file of a table: how its shape is taken, and what the package
// says of its bytes.
type File struct {
	Table string // species …
	Name  string // in the archive
	Shape profile.Table
	// Bytes is the size that the package states, Hash the digest; nil and ""
	// when it states none. A digest is MD5, or another with its name before it:
	// sha256:….
	Bytes *int64
	Hash  string
}

// Files lists the tables' files of a data package, in the order of reading. A
// table of which something is wrong with its description is passed over: [Read]
// says what.
func Files(src *archive.Archive, opt Options) []File {
	d, err := readDescriptor(src)
	if err != nil {
		return nil
	}
	d.leaveOut(opt.Without)
	var out []File
	for _, t := range tables {
		for i := range d.Resources {
			r := &d.Resources[i]
			if foldName(r.Name) != t.name {
				continue
			}
			name, err := d.file(src, r)
			csv, _, _ := r.Dialect.csv()
			if err != nil {
				continue
			}
			out = append(out, File{Table: t.name, Name: name, Bytes: r.Bytes, Hash: r.Hash, Shape: profile.Table{
				Open:   func(in io.Reader) *rows.Reader { return rows.NewCSV(in, name, csv) },
				Rename: opt.Columns[t.name], Columns: t.columns, Key: t.key(), Null: r.Schema.MissingValues, Complete: made(t.name),
			}})
		}
	}
	return out
}

// key are the columns that tell a table's rows apart.
func (t anyTable) key() []string {
	if t.schema.PrimaryKey != nil {
		return t.schema.PrimaryKey
	}
	return t.schema.Unique[0]
}

// made gives the GUIDs that are made for rows without one.
func made(table string) map[string]func(func(string) string) string {
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
