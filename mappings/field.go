package mappings

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
	// Values returns what the record is found by; empty values are ignored.
	Values func(*R) []string
}

// Analyzer is a kind of text.
type Analyzer uint8

// The analyzers, and what the text of a field with them is.
const (
	Chinese  Analyzer = iota // a name in Chinese characters
	Pinyin                   // pinyin with tone marks, a space between syllables
	Initials                 // the same, found by the first letters of its syllables
	SciName                  // a scientific name without author
	Synonym                  // scientific names without author, of which any may fit
	Title                    // a title in any language
	DOI                      // a digital object identifier in any of its spellings
	Number                   // an identifier of digits
	Dynasty                  // a dynasty; it is filtered by, not searched
)

// analyzerNames are the names under which the index knows the analyzers.
var analyzerNames = [...]string{"zh", "pinyin", "initials", "sciname", "synonym", "title", "doi", "number", "dynasty"}

func (a Analyzer) String() string { return analyzerNames[a] }

// Row is a [Field] without its record type.
type Row struct {
	Name     string
	Analyzer Analyzer
	Tiers    Tiers
	Beside   int // the row of the same names in characters, or -1
}

// Rows returns the rows of a table.
func Rows[R any](fields []Field[R]) []Row {
	rows := make([]Row, len(fields))
	for i, f := range fields {
		rows[i] = Row{f.Name, f.Analyzer, f.Tiers, -1}
		for j := range fields {
			if f.Sounds != "" && fields[j].Name == f.Sounds {
				rows[i].Beside = j
			}
		}
	}
	return rows
}
