package store

// Paper is one publication. The URL of its summary is the operator's own page, or "".
type Paper struct {
	Num Num
	PaperSummary

	Species  []Num    // the species that the paper is about, sorted
	Families []Family // the families of these species, sorted, without repetition
}

// Family is a family of plants.
type Family struct {
	Name    string // in Latin
	Chinese string // "" if the source has none
}
