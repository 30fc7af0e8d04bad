package mappings

// Rewrite tells how a query was read if its text was not searched as typed: a question
// (人参的功效与作用), a name with its other name in brackets (Dang Gui (Angelica sinensis)), or a formula
// with an English word for its dose form (Guizhi decoction). All its fields are empty for other
// queries.
type Rewrite struct {
	// ReadAs is the text that was searched instead of the query.
	ReadAs string
	// In is the part of the records in which it was searched, such as "indications". "" means the
	// names.
	In string
	// Question means that words of the query were left out.
	Question bool
}

// Place is a part of the records, beside the one that was searched, that contains the text of a query.
type Place struct {
	In    string // "name", "indications" or "composition"
	Text  string // the text, in Chinese if the query is an English name of a complaint
	Total int    // number of records
}
