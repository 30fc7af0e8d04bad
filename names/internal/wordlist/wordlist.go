// Package wordlist lists the words that occur beside names: on labels, in plots and herb lists, in
// books and in author citations. Package parse, which parses names, and package cell, which splits
// cells, share these lists.
//
// To add a word, add it to its kind in lists.go. TestWords then asks whether the kind's uses are read
// otherwise without it; an example from a real list belongs into names/testdata/cells.txt.
package wordlist

import "strings"

// Kind is a set of roles that a word can have beside a name. Many words have several roles: "fl."
// means flower on a label and flora in a book.
type Kind uint32

// The roles of words.
const (
	// Particle is a connective or particle of author citations: ex, et, von.
	Particle Kind = 1 << iota
	// Open marks an unnamed species: sp.
	Open
	// Nameless words may be in the place of an epithet. They do not include the Open words.
	Nameless
	// Qualifier marks a doubtful identification: cf.
	Qualifier
	// Near means that the plant is another species that resembles the named one: aff.
	Near
	// Doubt means the same as Qualifier, in words on labels: probably.
	Doubt
	// Aggregate marks a species aggregate: agg.
	Aggregate
	// Note starts a remark about a name: sensu, non, nom.
	Note
	// Kept words follow a name. The parser reads them, as it reads Note and Aggregate words: sect.,
	// cv.
	Kept
	// Label starts a text before a name. The text gives the collector, the identifier, the kind of
	// sheet or a caption.
	Label
	// Vernacular words are parts of common names and of products of plants. They precede a name,
	// often with "of".
	Vernacular
	// Remark starts a text after a name. The text concerns the plant, the sheet, the locality or
	// the name.
	Remark
	// Firm words start a remark even if they are capitalised, because they are not names of
	// authors.
	Firm
	// Work starts the title of a publication after an author, if a number follows the title.
	Work
	// Connective words join two names: and.
	Connective
	// Ender starts a remark that may contain names, such as synonyms. Names in the remark do not
	// count as names of the cell: syn.
	Ender
	// Host precedes the name of the host plant of another organism.
	Host
)

// Is reports whether k has one of the roles in the argument some.
func (k Kind) Is(some Kind) bool { return k&some != 0 }

// Of returns the roles of a word, which must be in lower case and without punctuation around it.
// An unnamed species may have a number: sp.2, sp2.
func Of(bare string) Kind {
	if k := kinds[bare]; k != 0 {
		return k
	}
	return kinds[strings.TrimRight(bare, "0123456789.")] & Open
}

var kinds = func() map[string]Kind {
	m := make(map[string]Kind)
	for kind, list := range lists {
		for w := range strings.FieldsSeq(list) {
			m[w] |= kind
		}
	}
	return m
}()
