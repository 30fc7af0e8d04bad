package store

// Paper is one publication. The URL of its summary is the operator's own page, or "".
type Paper struct {
	Num Num
	PaperSummary

	Species []Num // the species that the paper is about, sorted
}
