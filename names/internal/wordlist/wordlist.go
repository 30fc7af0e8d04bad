// Package wordlist lists the words that occur beside names: on labels, in plots and drug lists, in
// books and in author citations. The parser and the splitting of cells share these lists.
//
// To add a word, add it to its kind in lists.go and an example to names/testdata/cells.txt.
package wordlist

import "strings"

// Kind is a set of roles that a word can have beside a name. Many words have several: "fl." is
// flower on a label and flora in a book.
type Kind uint32

// The roles of words.
const (
	// Particle is a connective or particle of author citations: ex, et, von.
	Particle Kind = 1 << iota
	// Author is a well-known abbreviation of an author that is often written in lower case.
	Author
	// Open marks an unnamed species: sp.
	Open
	// Nameless words may replace an epithet. They do not include the Open words.
	Nameless
	// Qualifier marks a doubtful identification: cf.
	Qualifier
	// Near marks a species near the one named after it: aff.
	Near
	// Doubt has the meaning of Qualifier on labels: probably.
	Doubt
	// Aggregate marks a species aggregate: agg.
	Aggregate
	// Note starts a remark on a name: sensu, non, nom.
	Note
	// Kept words follow a name and are read by the parser, like Note and Aggregate: sect., cv.
	Kept
	// Label starts text before a name: the collector or identifier, the kind of sheet, a caption.
	Label
	// Vernacular words are parts of common names and of products of plants. They precede a name,
	// often with "of".
	Vernacular
	// Remark starts text after a name about the plant, the sheet, the locality or the name.
	Remark
	// Firm words start a remark even with a capital, because no author has such a name.
	Firm
	// Work starts the title of a publication after an author, if a number follows.
	Work
	// Connective joins names: and.
	Connective
	// Ender starts a remark whose names are not alternatives: syn.
	Ender
	// Host precedes the host plant of another organism.
	Host
	// Closing words may end an author: bis, al.
	Closing
)

// Is reports whether k and some have a role in common.
func (k Kind) Is(some Kind) bool { return k&some != 0 }

// Of returns the roles of a word, which must be in lower case and without punctuation around it.
func Of(bare string) Kind { return kinds[bare] }

var kinds = func() map[string]Kind {
	m := make(map[string]Kind)
	for kind, list := range lists {
		for w := range strings.FieldsSeq(list) {
			m[w] |= kind
		}
	}
	return m
}()
