// Package terms makes the terms by which the indexes find a record.
//
//	text         人參            Panax ginseng C.A.Mey.
//	  │ Value
//	value        人参            panax ginseng             as values are compared
//	  │ terms
//	terms        whole 人参      whole panax_ginseng       as they are looked up
//	             prefix 人       word panax, word ginseng
//	             inside 参 …     prefix pa, pan, pana …
//
// The same functions are applied to queries and to values. The package does not know how terms are
// stored or ranked. Start with the table of analyzers.
package terms

import (
	"fmt"

	"bencao/mappings"
	"bencao/names/pinyin"
)

// adder adds a term by which a value is found in the way w.
type adder func(w mappings.Way, text string)

// analyzers holds the functions of each analyzer.
var analyzers = [...]struct {
	value func(string) string // normalizes a text for comparison
	// terms adds the terms of a value. For pinyin, name is the same name in characters. name is
	// empty if the record does not have exactly one name in characters for each pinyin.
	terms func(tiers mappings.Tiers, value string, name []rune, add adder)
	keeps bool // the index stores the values, for checks that are not possible with terms
}{
	mappings.Chinese:   {ChineseKey, chineseTerms, true},
	mappings.Pinyin:    {pinyin.Numbered, soundTerms, true},
	mappings.Initials:  {pinyin.Numbered, initialTerms, false},
	mappings.SciName:   {latinValue, latinTerms, true},
	mappings.Synonym:   {latinValue, latinTerms, true},
	mappings.Title:     {asGiven, titleTerms, false},
	mappings.DOI:       {DOIKey, doiTerms, false},
	mappings.Number:    {NumberKey, numberTerms, false},
	mappings.Dynasty:   {asGiven, noTerms, true},
	mappings.Facet:     {asGiven, noTerms, true},
	mappings.Person:    {asGiven, noTerms, true},
	mappings.Year:      {asGiven, noTerms, true},
	mappings.Text:      {clausesKey, textTerms, true},
	mappings.Order:     {asGiven, noTerms, true},
	mappings.Label:     {ChineseKey, labelTerm, false},
	mappings.Noun:      {ChineseKey, chineseTerms, false},
	mappings.NounSound: {pinyin.Numbered, letterTerm, true},
}

// labelTerm adds the single term of a name that is found only as a whole.
func labelTerm(_ mappings.Tiers, value string, _ []rune, add adder) { add(mappings.Whole, value) }

// letterTerm adds the single term of pinyin that is found only as a whole.
func letterTerm(_ mappings.Tiers, value string, _ []rune, add adder) {
	letters, _ := pinyin.Plain(value, nil)
	add(mappings.Whole, letters)
}

func asGiven(s string) string { return s }

// noTerms adds no terms. It is for values that are not searched.
func noTerms(mappings.Tiers, string, []rune, adder) {}

// Value normalizes a text for comparison.
func Value(a mappings.Analyzer, text string) string { return analyzers[a].value(text) }

// Keeps reports whether the index stores the values of fields with this analyzer.
func Keeps(a mappings.Analyzer) bool { return analyzers[a].keeps }

// AppendTerm appends the stored form of a term. Only the ways up to [mappings.Words] have terms;
// AppendTerm panics for others.
func AppendTerm(term []byte, w mappings.Way, text string) []byte {
	if w > mappings.Words {
		panic(fmt.Sprintf("the index has no terms of the way %q", w)) // an error in the table of package matchers
	}
	return append(append(term, 'A'+byte(w)), text...)
}
