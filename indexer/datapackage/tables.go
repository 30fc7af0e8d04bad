package datapackage

import (
	"io"
	"strconv"

	"bencao/indexer/finding"
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
	a := anyTable{name: t.name, open: t.open, schema: t.schema(), delimiter: t.delimiter, write: t.write}
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

// Vocabularies. Words are kept as they stand here, in whatever case they come.
var (
	rankWords = []string{
		"species", "subspecies", "variety", "subvariety", "form", "subform", "cultivar", "cultivar group",
		"hybrid", "nothospecies", "nothosubspecies", "nothovariety", "nothoform", "genus", "section", "series",
		"aggregate", "convariety", "unranked",
	}
	synonymWords    = []string{"synonym", "homotypic", "heterotypic", "orthographic", "misapplied", "pro parte"}
	aliasWords      = []string{"standard", "alias", "local", "ethnic", "drug", "pharmaceutical", "trade", "historical"}
	collectionWords = []string{"general", "economic_flora", "himalaya", "folk"}
	roleWords       = []string{"君", "臣", "佐", "使"}
	methodWords     = []string{"jaccard", "euclidean"}
	matchTypeWords  = []string{"exact", "variant", "fuzzy", "higherRank"}
)

// toSpecies is a reference to species.entry_id.
func toSpecies[R any](field func(*R) *int32) ref[R] {
	return ref[R]{column: "species_id", table: "species",
		found: func(l *loader, r *R) bool { _, ok := l.species[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// toFormula is a reference to formulas.entry_id.
func toFormula[R any](column string, field func(*R) *int32) ref[R] {
	return ref[R]{column: column, table: "formulas",
		found: func(l *loader, r *R) bool { _, ok := l.formulas[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// id is the key of a table that numbers its own rows.
func id[R any](field func(*R) int64) key[R] {
	return key[R]{"id", finding.PrimaryKey, func(r *R) any { return field(r) }}
}
