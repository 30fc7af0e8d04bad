package store

// Paper is one publication. The URL of its summary is the operator's own page, or "".
type Paper struct {
	Num Num
	PaperSummary

	Species []Num // the species that the paper is about, sorted
	// Families and Genera are those of these species, sorted, without repetition.
	Families, Genera []Taxon
}

// Taxon is a family or a genus of plants.
type Taxon struct {
	Name    string // in Latin
	Chinese string // "" if the source has none
}
