package datapackage

import (
	"io"
	"iter"
)

// anyTable is a table without its record type, so that one list can hold all tables.
type anyTable struct {
	name    string
	columns []string
	schema  TableSchema
	derived bool // the indexer derives the table if the package lacks it, so a missing table gives no warning
	scoped  bool // readable only with a scope
	open    func(*loader) (*reader, error)
	// delimiter and write produce the table's CSV.
	delimiter func(*Package) rune
	write     func(io.Writer, *Package) error
	// cells yields the table's rows as they appear in the CSV.
	cells func(*Package) iter.Seq[[]string]
}

// tables lists every table in the order of reading: a table comes after the tables to which it
// refers. To add a table, write its columns in one of the files beside this one and add it here.
var tables = []anyTable{
	erase(speciesTable),
	erase(synonymsTable),
	erase(aliasesTable),
	erase(floraTable),
	erase(papersTable),
	erase(speciesPapersTable),
	erase(formulasTable),
	scoped(erase(ingredientsTable)),
	scoped(erase(codesTable)),
	erase(herbSpeciesTable),
	scoped(derived(erase(speciesFormulasTable))),
	scoped(derived(erase(similarityTable))),
	scoped(erase(usesTable)),
	derived(erase(nameMatchesTable)),
}

func erase[R any](t table[R]) anyTable {
	a := anyTable{name: t.name, open: t.open, schema: t.schema(), delimiter: t.delimiter, write: t.write, cells: t.cells}
	for _, c := range t.columns {
		a.columns = append(a.columns, c.name)
	}
	return a
}

func derived(t anyTable) anyTable {
	t.derived = true
	return t
}

func scoped(t anyTable) anyTable {
	t.scoped = true
	return t
}

// Schema returns the schemas of all tables in the order of reading.
func Schema() []TableSchema {
	out := make([]TableSchema, len(tables))
	for i, t := range tables {
		out[i] = t.schema
		out[i].Derived = t.derived
	}
	return out
}

// ScopedTables lists the tables whose rows require a scope. A public snapshot is built without
// them.
func ScopedTables() []string {
	var names []string
	for _, t := range tables {
		if t.scoped {
			names = append(names, t.name)
		}
	}
	return names
}

// TableNames lists the tables that a data package may have, in the order of reading.
func TableNames() []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.name
	}
	return names
}
