package datapackage

import (
	"strconv"

	"bencao/indexer/finding"
)

// These are the vocabularies. Words are stored in this spelling. Reading them ignores case.
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

// toSpecies returns a reference to species.entry_id.
func toSpecies[R any](field func(*R) *int32) ref[R] {
	return ref[R]{column: "species_id", table: "species",
		found: func(l *loader, r *R) bool { _, ok := l.species[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// toFormula returns a reference to formulas.entry_id.
func toFormula[R any](column string, field func(*R) *int32) ref[R] {
	return ref[R]{column: column, table: "formulas",
		found: func(l *loader, r *R) bool { _, ok := l.formulas[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// id returns the key of a table that has its own id column.
func id[R any](field func(*R) int64) key[R] {
	return key[R]{"id", finding.PrimaryKey, func(r *R) any { return field(r) }}
}
