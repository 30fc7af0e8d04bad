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
	erase(ingredientsTable),
	erase(codesTable),
	erase(herbSpeciesTable),
	derived(erase(speciesFormulasTable)),
	derived(erase(similarityTable)),
	erase(usesTable),
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

// TableNames lists the tables that a data package may have, in the order of
// reading.
func TableNames() []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.name
	}
	return names
}
