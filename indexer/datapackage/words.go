package datapackage

// The words that columns may have. They are stored in this spelling. Reading them ignores case.
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
