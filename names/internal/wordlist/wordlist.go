// Package wordlist knows the words that stand beside names: on labels, in plots
// and drug lists, in books and in citations of authors. The parser and the
// reader of cells go by the same lists.
//
// To teach both another word, add it to its kind in lists.go and its cell to
// names/testdata/cells.txt.
package wordlist

import "strings"

// Kind is what a word may be beside a name. Many words are of several kinds:
// "fl." is a flower on a label and a flora in a book.
type Kind uint32

// The kinds of words.
const (
	// Particle is a small word of author citations: ex, et, von.
	Particle Kind = 1 << iota
	// Author is the abbreviation of an author that all know and that is often
	// written in small letters.
	Author
	// Open ends a name whose species nobody named: sp.
	Open
	// Nameless may stand where the epithet should and is none; Open words are
	// not among them.
	Nameless
	// Qualifier says that the identification is in doubt: cf.
	Qualifier
	// Near says that the species is another one than the one behind it: aff.
	Near
	// Doubt may stand for a Qualifier on a label: probably.
	Doubt
	// Aggregate says that a group of species is meant: agg.
	Aggregate
	// Note begins what is said about a name: sensu, non, nom.
	Note
	// Kept words stand behind a name and are read by the parser, as a Note and
	// an Aggregate are: sect., cv.
	Kept
	// Label begins what stands before a name: who found or named the plant, what
	// the sheet is, what follows.
	Label
	// Vernacular words are those of common names and of what is made of plants,
	// which stand before a name, often with "of".
	Vernacular
	// Remark begins what is said behind a name about the plant, the sheet, the
	// find or the name.
	Remark
	// Firm words begin a remark even with a capital: they are no author's.
	Firm
	// Work begins the title of a book or a journal behind an author, if a
	// number follows.
	Work
	// Connective stands between names: and.
	Connective
	// Ender begins a remark in which other names are no answer: syn.
	Ender
	// Host stands before a plant on which something else was found.
	Host
	// Closing may end an author: bis, al.
	Closing
)

// Is says whether a word is of one of some kinds.
func (k Kind) Is(some Kind) bool { return k&some != 0 }

// Of returns the kinds of a word, which is in small letters and without the
// punctuation around it.
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
