package mappings

import (
	"fmt"
	"slices"
)

// Field is one row of a search table: one property by which records are found, filtered
// or sorted.
type Field[R any] struct {
	// Name is the name of the field in the index, in explanations and in filters.
	Name string
	// Analyzer turns values and queries into terms.
	Analyzer Analyzer
	// Tiers holds the tier of each way in which the field can match.
	Tiers Tiers
	// Characters is set only in fields of pinyin and initials. It is the name of the field that has
	// the same names in Chinese characters, in the same order.
	Characters string
	// Part is the part of a record that the field holds, such as "indications". A field with a Part
	// is searched only by queries that ask for that part. A field with an empty Part is searched by
	// all other queries.
	Part string
	// Facet means that the values of a searched field also serve as filters and facets. See
	// [Expand].
	Facet bool
	// Numbers means that the values are record numbers, or others that mean nothing to users. Such a
	// field is a filter, but [Facets] omits it.
	Numbers bool
	// A query may ask for one line per name. Attested is set only in the field that has these
	// names. It is the name of another field, which has the book of each record. The name that is
	// attested in the most books comes first.
	Attested string
	// Values returns the values of a record. Empty values are ignored.
	Values func(*R) []string
	// Compare returns a comparison of two records, which are given by their indexes in records.
	// Only fields with the analyzer [Order] have Compare. Equal records keep their answer order.
	Compare func(records []R) func(a, b int) int
}

// Analyzer is a kind of text. The analyzer of a field determines the terms that the index holds for
// its values.
type Analyzer uint8

// The analyzers. The comment of each describes the texts in a field with this analyzer.
const (
	Chinese   Analyzer = iota // a name in Chinese characters
	Pinyin                    // pinyin with tone marks, a space between syllables
	Initials                  // pinyin like [Pinyin], but found by the first letters of its syllables
	SciName                   // a scientific name without author
	Synonym                   // several scientific names without author; a query may match any of them
	Title                     // a title in any language; a table has at most one
	DOI                       // a digital object identifier in any of its spellings
	Number                    // an identifier that consists of digits
	Dynasty                   // a dynasty; for filters only
	Noun                      // a Chinese name that matches a query for the whole name or for its end
	NounSound                 // the pinyin of a [Noun]

	// The next analyzers are for filters and facets, whose values are not searched. A value may
	// have several forms: see [FormSeparator].
	Facet  // one of a set of values, such as a family
	Person // a person's name; words and initials match in any order
	Year   // a year; negative before the common era

	Text  // a Chinese text that matches a query for any part of it
	Label // a name that matches only a query for the whole name
	Order // the place of the record in a sort order other than the answer order
)

// analyzerNames are the names of the analyzers in [Schema].
var analyzerNames = [...]string{"zh", "pinyin", "initials", "sciname", "synonym", "title", "doi", "number", "dynasty", "noun", "nounsound", "facet", "person", "year", "text", "label", "order"}

func (a Analyzer) String() string { return analyzerNames[a] }

// Row is a [Field] without the record type.
type Row struct {
	Name       string
	Analyzer   Analyzer
	Tiers      Tiers
	Characters int    // the row that Field.Characters names, or -1
	Part       string // Field.Part
	Attested   int    // the row that Field.Attested names, or -1
}

// Rows returns the rows of a table. It panics if two fields are titles: hits in titles are ranked
// by the length of the title, and the index stores only one such length per record.
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
		rows[i] = Row{f.Name, f.Analyzer, f.Tiers, named(fields, f.Characters), f.Part, named(fields, f.Attested)}
	}
	return rows
}

// Expand returns the fields as they are indexed. After each searched field with Facet set, it
// inserts a field of the same name with the analyzer [Facet].
func Expand[R any](fields []Field[R]) (out []Field[R]) {
	for _, f := range fields {
		out = append(out, f)
		if f.Facet {
			out = append(out, Field[R]{Name: f.Name, Analyzer: Facet, Values: f.Values})
		}
	}
	return out
}

// IsFacet reports whether the row's values are for filters and facets.
func (r Row) IsFacet() bool {
	return r.Analyzer == Facet || r.Analyzer == Person || r.Analyzer == Year || r.Analyzer == Dynasty
}

// Facets returns the names of the facets of a table in the order of its fields.
func Facets[R any](fields []Field[R]) (names []string) {
	fields = Expand(fields)
	for i, r := range Rows(fields) {
		if r.IsFacet() && !fields[i].Numbers {
			names = append(names, r.Name)
		}
	}
	return names
}

// named returns the row of the field with the given name, or -1.
func named[R any](fields []Field[R], name string) int {
	return slices.IndexFunc(fields, func(f Field[R]) bool { return name != "" && f.Name == name })
}
