package store

// Paper is one publication.
type Paper struct {
	Num      Num
	ID       string // the key in the source
	Title    string
	Authors  string
	Source   string // journal or book
	Year     string // as in the source
	DOI      string // as in the source
	PubMedID string
	URL      string

	Species []Num // the species that the paper is about, sorted
}
