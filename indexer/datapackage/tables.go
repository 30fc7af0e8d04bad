package datapackage

import (
	"io"
	"iter"
)

// anyTable is a table of any record, so that all of them stand in one list.
type anyTable struct {
	name    string
	columns []string
	schema  TableSchema
	derived bool // made by the indexer when absent, so nobody misses it
	guarded bool // read only by whom the operator has given a scope for it
	open    func(*loader) (*reader, error)
	// delimiter and write are those of the table's CSV.
	delimiter func(*Package) rune
	write     func(io.Writer, *Package) error
	// cells yields the table's rows, as the CSV has them.
	cells func(*Package) iter.Seq[[]string]
}

// tables lists every table in the order of reading: a table comes after those
// that it refers to. To add a table, write its columns below and add it here.
var tables = []anyTable{
	erase(speciesTable),
	erase(synonymsTable),
	erase(aliasesTable),
	erase(floraTable),
	erase(papersTable),
	erase(speciesPapersTable),
	erase(formulasTable),
	guarded(erase(ingredientsTable)),
	guarded(erase(codesTable)),
	erase(herbSpeciesTable),
	guarded(derived(erase(speciesFormulasTable))),
	guarded(derived(erase(similarityTable))),
	guarded(erase(usesTable)),
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

func guarded(t anyTable) anyTable {
	t.guarded = true
	return t
}

// Guarded lists the tables whose rows the API shows only to keys with a scope
// for them, and which a public snapshot is built without.
func Guarded() []string {
	var names []string
	for _, t := range tables {
		if t.guarded {
			names = append(names, t.name)
		}
	}
	return names
}

// TableNames lists the tables that a data package may have, in the order of
// reading.
func TableNames() []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.name
	}
	return names
}
