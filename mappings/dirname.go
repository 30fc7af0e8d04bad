package mappings

// What the indexes are called in a snapshot.
const (
	SpeciesDir  = "species.bleve"
	FormulasDir = "formulas.bleve"
	PapersDir   = "papers.bleve"
)
