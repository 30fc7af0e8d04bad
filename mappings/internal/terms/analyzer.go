// Package terms says what the indexes hold of a record: which terms an analyzer
// makes of a text.
//
//	text         人參            Panax ginseng C.A.Mey.
//	  │ Value
//	value        人参            panax ginseng             as values are compared
//	  │ terms
//	terms        whole 人参      whole panax_ginseng       as they are looked up
//	             prefix 人       word panax, word ginseng
//	             inside 参 …     prefix pa, pan, pana …
//
// Queries go through the same functions as values.
package terms

import (
	"fmt"

	"bencao/mappings"
	"bencao/names/pinyin"
)

// adder takes up a term: that a value is found by text in some way.
type adder func(w mappings.Way, text string)

// analyzers say what each kind of text is made to.
var analyzers = [...]struct {
	value func(string) string // brings a text to the form that the index compares
	// terms makes the terms of a value. Name is, for pinyin, the same name in
	// characters, or empty if the two do not run side by side.
	terms func(tiers mappings.Tiers, value string, name []rune, add adder)
	keeps bool // the index keeps the values, so that a hit can be looked at closely
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
	mappings.Text:      {textKey, textTerms, true},
	mappings.Order:     {asGiven, noTerms, true},
	mappings.Label:     {ChineseKey, labelTerm, false},
	mappings.Noun:      {ChineseKey, chineseTerms, false},
	mappings.NounSound: {pinyin.Numbered, letterTerm, true},
}

// labelTerm is the one term of a name that is found as a whole alone.
func labelTerm(_ mappings.Tiers, value string, _ []rune, add adder) { add(mappings.Whole, value) }

// letterTerm is the one term of pinyin that is found as a whole.
func letterTerm(_ mappings.Tiers, value string, _ []rune, add adder) {
	letters, _ := pinyin.Plain(value, nil)
	add(mappings.Whole, letters)
}

func asGiven(s string) string { return s }

// noTerms are those of what is not looked up in the index.
func noTerms(mappings.Tiers, string, []rune, adder) {}

// Value brings a text to the form that an index compares.
func Value(a mappings.Analyzer, text string) string { return analyzers[a].value(text) }

// Keeps says whether the index keeps the values of fields with this analyzer.
func Keeps(a mappings.Analyzer) bool { return analyzers[a].keeps }

// AppendTerm appends how the index writes that a value is found by text in some
// way. It has terms of the ways up to [mappings.Words] alone.
func AppendTerm(term []byte, w mappings.Way, text string) []byte {
	if w > mappings.Words {
		panic(fmt.Sprintf("the index has no terms of the way %q", w)) // its row in package matchers asks for them: a bug of ours
	}
	return append(append(term, 'A'+byte(w)), text...)
}
