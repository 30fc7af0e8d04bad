package mappings

import (
	"fmt"
	"slices"
)

// Field is one row of a search table: one thing that a record is found by.
type Field[R any] struct {
	// Name names the field in the index and in explanations.
	Name string
	// Analyzer makes terms of values and of queries.
	Analyzer Analyzer
	// Tiers says which ways of being found count, and how much.
	Tiers Tiers
	// Sounds names the field that holds the same names in characters, value for
	// value. Only rows of pinyin and of initials have it.
	Sounds string
	// In names the part of a record that the field is, such as "indications". Only
	// a query for that part asks it; empty is what all other queries ask.
	In string
	// Attested names the field that says where a record is attested. Records with
	// the same value of a field that has it are namesakes, and a query may ask for
	// one line of each, the most widely attested first.
	Attested string
	// Values returns what the record is found by; empty values are ignored.
	Values func(*R) []string
	// Compare returns how two records are compared, by their places in the list of
	// all, for rows of [Order] alone. What is equal stands by number.
	Compare func(records []R) func(a, b int) int
}

// Analyzer is a kind of text.
type Analyzer uint8

// The analyzers, and what the text of a field with them is.
const (
	Chinese   Analyzer = iota // a name in Chinese characters
	Pinyin                    // pinyin with tone marks, a space between syllables
	Initials                  // the same, found by the first letters of its syllables
	SciName                   // a scientific name without author
	Synonym                   // scientific names without author, of which any may fit
	Title                     // a title in any language; one field of a table
	DOI                       // a digital object identifier in any of its spellings
	Number                    // an identifier of digits
	Dynasty                   // a dynasty; it is filtered by, not searched
	Noun                      // a Chinese name that is found as a whole or by its end
	NounSound                 // the pinyin of one

	// What a record is filtered by and counted by, not searched. A value may have
	// several forms: see [Forms].
	Facet  // any of a set of values, such as a family
	Person // a person's name, in any order
	Year   // a year; negative before the common era

	Text  // a text in Chinese, of which any part is found
	Label // a name that is found as a whole alone
	Order // the record's place in another order than that of the table
)

// analyzerNames are the names under which [Schema] knows the analyzers.
var analyzerNames = [...]string{"zh", "pinyin", "initials", "sciname", "synonym", "title", "doi", "number", "dynasty", "noun", "nounsound", "facet", "person", "year", "text", "label", "order"}

func (a Analyzer) String() string { return analyzerNames[a] }

// Row is a [Field] without its record type.
type Row struct {
	Name     string
	Analyzer Analyzer
	Tiers    Tiers
	Beside   int    // the row of the same names in characters, or -1
	In       string // the part of a record that the row is
	Attested int    // the row that attests the values, or -1
}

// Rows returns the rows of a table. It panics if two fields are titles: records
// that are found by their titles are ranked by how long these are, and a record
// has one length.
func Rows[R any](fields []Field[R]) []Row {
	rows := make([]Row, len(fields))
	title := ""
	for i, f := range fields {
		if f.Analyzer == Title {
			if title != "" {
				panic(fmt.Sprintf("the fields %s and %s of a search table are both titles; there may be one", title, f.Name))
			}
			title = f.Name
		}
		rows[i] = Row{f.Name, f.Analyzer, f.Tiers, named(fields, f.Sounds), f.In, named(fields, f.Attested)}
	}
	return rows
}

// named returns the row of a name, or -1.
func named[R any](fields []Field[R], name string) int {
	return slices.IndexFunc(fields, func(f Field[R]) bool { return name != "" && f.Name == name })
}
