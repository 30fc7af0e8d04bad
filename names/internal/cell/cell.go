package cell

import (
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/family"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// Cell is the content of a table cell, a label or a line of text, split into names.
type Cell struct {
	// Names lists the names in the order of the text, in a form that the parser can read. It is
	// empty if nothing in the text can be a name.
	Names []string
	// Family is a hint: the family before the first name. It is empty if there is none.
	Family string
	// Unread has the words that are neither part of a name nor a known remark. It is empty if there
	// are none.
	Unread string
	// Flags tell which kinds of words were ignored.
	Flags answer.Flags

	keys []string // the keys of the names in Names, in their order
}

// addName adds a name with its key. If the cell already has a name with this key, addName keeps the
// longer of the two names.
func (c *Cell) addName(name, key string) {
	name = strings.TrimSpace(name)
	if !strings.ContainsFunc(name, isLetter) {
		return
	}
	for i, k := range c.keys {
		if k == key && key != "" {
			if len(c.Names[i]) < len(name) {
				c.Names[i] = name
			}
			return
		}
	}
	c.keys = append(c.keys, key)
	c.Names = append(c.Names, name)
}

// addUnread adds words to Unread.
func (c *Cell) addUnread(s string) {
	s = strings.Trim(s, " ,;:/|&+-=<>()[]{}.\"")
	if !strings.ContainsFunc(s, isLetter) {
		return
	}
	if c.Unread != "" {
		s = c.Unread + " … " + s
	}
	c.Unread = s
}

// remark sets the flag for an ignored remark.
func (c *Cell) remark() { c.Flags |= answer.AnnotationIgnored }

// family sets the family if w is the name of a family.
func (c *Cell) family(w string) {
	if family.IsOfAnimals(w) {
		c.Family = spelling.Capitalise(w)
	}
	if spelling.IsFamily(w) {
		c.Family = spelling.Capitalise(w)
		c.Flags |= answer.FamilyHint
	}
}

// Reader splits cells into names. It must not be used concurrently.
type Reader struct {
	dict  *lexicon
	words []word
}

// New returns a reader that knows the names of d.
func New(d Dictionary) *Reader { return &Reader{dict: newLexicon(d)} }

// Read splits the text of a cell.
func (r *Reader) Read(text string) Cell {
	if r.isName(text) {
		return Cell{Names: []string{text}}
	}
	s, flags := parse.Clean(repairText(text))
	c := Cell{Flags: flags}
	if parse.IsPhrase(s) {
		c.Names = []string{s}
		return c
	}
	s = r.dict.restoreLetters(s)
	s, foreign := cutScripts(s)
	s, numbered := cutIdentifiers(s)
	if foreign || numbered {
		c.remark()
	}
	r.words = appendWords(r.words[:0], s)
	readNames(&sentence{dict: r.dict, raw: s, words: r.words}, &c)
	return c
}

// isName reports whether a text is only a genus and an epithet in plain letters, which need no
// further reading. It returns false if one of the words can occur beside names, or is two words
// written as one. It only saves time.
func (r *Reader) isName(text string) bool {
	if !parse.IsBinomial(text) {
		return false
	}
	r.words = appendWords(r.words[:0], text)
	genus, epithet := r.words[0], r.words[1]
	if genus.kinds|epithet.kinds != 0 || epithet.text[0] == 'x' {
		return false
	}
	s := sentence{dict: r.dict, raw: text, words: r.words}
	_, glued := s.unglued(span{})
	return !glued
}

// readNames reads the text before the first name, then each name.
func readNames(s *sentence, c *Cell) {
	p := preface{s, c}
	at := p.read()
	if at >= len(s.words) {
		return
	}
	n := s.corrected(s.nameAt(at, ""))
	for {
		next, end, more := s.nextName(n)
		// In "Rosa > Rosa alba", the genus alone is not a further name. In "Rosa ignota, Rosa alba",
		// it has an epithet that the checklists lack.
		if !more || !n.alone || n.genus != next.genus || s.likeEpithet(s.words[n.to]) {
			readName(s, c, n, end)
		}
		if !more {
			return
		}
		n = next
	}
}
