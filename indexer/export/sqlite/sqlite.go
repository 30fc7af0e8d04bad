// Package sqlite exports a data package as one SQLite database. The database has every table with
// its keys and indexes, and a table of all names with a full-text index (FTS5). A metadata.json for
// Datasette comes with it.
//
// The library costs 3.8 MB of the program, and 24 CPU seconds of a cold build. It stays because of
// the FTS5 index, which Datasette needs for its search field. Without the library, this program
// would have to write the internal format of FTS5, or the user would have to build the index with
// another program.
//
// Start with [Format].
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/export"
	"bencao/internal/durable"
)

const (
	databaseFile  = "bencao.sqlite"
	datasetteFile = "metadata.json"
)

// Format returns the export format "sqlite".
func Format() export.Format {
	return export.Format{
		Name: "sqlite", Entries: entries, Files: []string{databaseFile, datasetteFile},
		Extensions: []string{".sqlite", ".sqlite3", ".db"},
	}
}

// entries returns the database and the metadata for Datasette.
func entries(p *export.Content) []archive.Entry {
	return []archive.Entry{
		{Name: databaseFile, Write: func(w io.Writer) error { return writeDatabase(w, p) }},
		{Name: datasetteFile, Write: func(w io.Writer) error { return writeDatasette(w, p) }},
	}
}

// searched lists columns that get an index because people search them. Columns that refer to other
// tables also get an index, but are not in this list.
var searched = map[string][]string{
	"species":             {"guid", "chinese_name", "scientific_name", "genus", "family"},
	"synonyms":            {"name"},
	"aliases":             {"name"},
	"papers":              {"doi", "pubmed_id"},
	"formulas":            {"guid", "name", "dynasty"},
	"formula_codes":       {"code"},
	"formula_ingredients": {"herb"},
	"herb_species":        {"herb"},
	"herbs":               {"name"},
	"herb_names":          {"name"},
	"name_matches":        {"accepted_name", "wcvp_id", "ipni_id", "wfo_id"},
}

// writeDatabase builds the database in a temporary folder and copies it to w. Equal packages give
// equal bytes.
func writeDatabase(w io.Writer, p *export.Content) (err error) {
	dir, err := os.MkdirTemp("", "bencao-export-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name := filepath.Join(dir, databaseFile)
	if err := buildDatabase(name, p); err != nil {
		return durable.Explain(dir, fmt.Errorf("%s: %w", databaseFile, err))
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() // read-only: a read error fails the copy
	_, err = io.Copy(w, f)
	return err
}

func buildDatabase(name string, p *export.Content) (err error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// The file is temporary, so it needs no journal and no sync. PRAGMA and BEGIN apply to a single
	// connection, so allow only one connection.
	db.SetMaxOpenConns(1)
	for _, s := range []string{"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = ON", "BEGIN"} {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	if err := fillMetadata(db, p); err != nil {
		return err
	}
	for _, t := range p.Schemas() {
		if err := fillTable(db, p, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if err := fillNames(db, p); err != nil {
		return fmt.Errorf("table names: %w", err)
	}
	for _, v := range views {
		if _, err := db.Exec("CREATE VIEW " + v.name + " AS " + v.query); err != nil {
			return fmt.Errorf("view %s: %w", v.name, err)
		}
	}
	for _, s := range []string{"COMMIT", "VACUUM"} {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// fillTable creates a table with its indexes and rows. A table that the package lacks is created
// empty, so that the same queries run on every database.
func fillTable(db *sql.DB, p *export.Content, t datapackage.TableSchema) error {
	if _, err := db.Exec(declaration(t)); err != nil {
		return err
	}
	indexed := slices.Clone(searched[t.Name])
	for _, r := range t.References {
		indexed = append(indexed, r.Column)
	}
	for _, c := range indexed {
		if len(t.PrimaryKey) > 0 && t.PrimaryKey[0] == c {
			continue // the primary key is already an index
		}
		if _, err := db.Exec(fmt.Sprintf("CREATE INDEX %q ON %q (%q)", t.Name+"_"+c, t.Name, c)); err != nil {
			return err
		}
	}
	rows := func(yield func([]any) bool) {
		for cells := range p.Rows(t.Name) {
			values := make([]any, len(cells))
			for i, c := range cells {
				values[i] = value(t.Columns[i].Type, c)
			}
			if !yield(values) {
				return
			}
		}
	}
	return insert(db, t.Name, len(t.Columns), rows)
}

// insert inserts rows into a table.
func insert(db *sql.DB, table string, columns int, rows iter.Seq[[]any]) (err error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", columns), ", ")
	add, err := db.PrepareContext(context.Background(), fmt.Sprintf("INSERT INTO %q VALUES (%s)", table, marks))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, add.Close()) }()
	for values := range rows {
		if _, err := add.Exec(values...); err != nil {
			return fmt.Errorf("row %v: %w", values, err)
		}
	}
	return nil
}

// types maps types of the Table Schema to SQLite types.
var types = map[string]string{"string": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}

// declaration returns the CREATE TABLE statement of a table.
func declaration(t datapackage.TableSchema) string {
	var parts []string
	for _, c := range t.Columns {
		part := fmt.Sprintf("%q %s", c.Name, types[c.Type])
		if c.Required {
			part += " NOT NULL"
		}
		parts = append(parts, part)
	}
	if len(t.PrimaryKey) > 0 {
		parts = append(parts, "PRIMARY KEY "+columnList(t.PrimaryKey))
	}
	for _, u := range t.Unique {
		parts = append(parts, "UNIQUE "+columnList(u))
	}
	for _, r := range t.References {
		parts = append(parts, fmt.Sprintf("FOREIGN KEY (%q) REFERENCES %q (%q)", r.Column, r.Table, r.To))
	}
	return fmt.Sprintf("CREATE TABLE %q (\n  %s\n)", t.Name, strings.Join(parts, ",\n  "))
}

func columnList(columns []string) string { return `("` + strings.Join(columns, `", "`) + `")` }

// value converts a cell to its SQLite value. It does not check the type, which was checked when the
// package was read.
func value(typ, cell string) any {
	if cell == "" {
		return nil
	}
	switch typ {
	case "integer":
		if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
			return n
		}
	case "number":
		if x, err := strconv.ParseFloat(cell, 64); err == nil {
			return x
		}
	case "boolean":
		if cell == "true" {
			return int64(1)
		}
		return int64(0)
	}
	return cell
}

// fillMetadata creates a table with the package's metadata, so that the file describes itself.
func fillMetadata(db *sql.DB, p *export.Content) error {
	if _, err := db.Exec("CREATE TABLE metadata (\n  key TEXT NOT NULL PRIMARY KEY,\n  value TEXT NOT NULL\n)"); err != nil {
		return err
	}
	return insert(db, "metadata", 2, func(yield func([]any) bool) {
		for _, kv := range p.Metadata() {
			if !yield([]any{kv[0], kv[1]}) {
				return
			}
		}
	})
}

// writeDatasette writes the file for `datasette --metadata`.
func writeDatasette(w io.Writer, p *export.Content) error {
	license, address := p.License()
	type table struct {
		Description string `json:"description,omitempty"`
		Label       string `json:"label_column,omitempty"`
	}
	type database struct {
		Tables map[string]table `json:"tables"`
	}
	doc := struct {
		Title       string              `json:"title"`
		Description string              `json:"description"`
		License     string              `json:"license,omitempty"`
		LicenseURL  string              `json:"license_url,omitempty"`
		Databases   map[string]database `json:"databases"`
	}{
		Title: p.Title, Description: p.Abstract() + " " + p.Citation(), License: license, LicenseURL: address,
		Databases: map[string]database{strings.TrimSuffix(databaseFile, filepath.Ext(databaseFile)): {map[string]table{
			"species":  {Label: "scientific_name"},
			"formulas": {Label: "name"},
			"papers":   {Label: "title"},
			"herbs":    {Label: "name"},
			"names":    {Description: "Every name, found by characters, pinyin with or without tones, initials and Latin words"},
		}}},
	}
	tables := doc.Databases[strings.TrimSuffix(databaseFile, filepath.Ext(databaseFile))].Tables
	for _, v := range views {
		tables[v.name] = table{Description: v.about}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}
