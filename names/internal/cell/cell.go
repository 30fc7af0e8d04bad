package cell

import (
	"strings"

	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Cell is a text taken apart.
type Cell struct {
	// Names are the names in it, in order, as the parser can read them. There
	// are none if nothing in the text can be a name.
	Names []string
	// Family is the family that stands before the first name, a hint.
	Family string
	// Unread is what is no part of a name, nor a remark that is known: words
	// of the text, or empty.
	Unread string
	// Flags say what was set aside.
	Flags vocabulary.Flags

	seen []string // keys of the names so far
}

// keep adds a name, unless the cell has it already; then the one that says
// more is kept.
func (c *Cell) keep(name, key string) {
	name = strings.TrimSpace(name)
	if !strings.ContainsFunc(name, isLetter) {
		return
	}
	for i, k := range c.seen {
		if abbreviates(c.Names[i], key) {
			c.Names[i], c.seen[i] = name, key
			return
		}
		if k == key && key != "" {
			if len(c.Names[i]) < len(name) {
				c.Names[i] = name
			}
			return
		}
	}
	c.seen = append(c.seen, key)
	c.Names = append(c.Names, name)
}

// abbreviates says whether a name is another one with its genus shortened. full
// is in small letters.
func abbreviates(short, full string) bool {
	genus, epithet, _ := strings.Cut(short, " ")
	head, dotted := strings.CutSuffix(genus, ".")
	other, rest, _ := strings.Cut(full, " ")
	return dotted && epithet != "" && epithet == rest && strings.HasPrefix(other, strings.ToLower(head))
}

// leave adds words to those that were not read.
func (c *Cell) leave(s string) {
	s = strings.Trim(s, " ,;:/|&+-=<>()[]{}.\"")
	if !strings.ContainsFunc(s, isLetter) {
		return
	}
	if c.Unread != "" {
		s = c.Unread + " … " + s
	}
	c.Unread = s
}

// remark notes that something was set aside.
func (c *Cell) remark() { c.Flags |= vocabulary.AnnotationIgnored }

// family keeps the family as a hint.
func (c *Cell) family(w string) {
	if spelling.IsFamily(w) {
		c.Family = spelling.Capitalise(w)
		c.Flags |= vocabulary.FamilyHint
	}
}

// Reader takes cells apart. It is for one goroutine.
type Reader struct {
	dict  *lexicon
	words []word
}

// New returns a reader that knows the names of d.
func New(d Dictionary) *Reader { return &Reader{dict: newLexicon(d)} }

// Read takes a cell apart.
func (r *Reader) Read(text string) Cell {
	if r.isName(text) {
		return Cell{Names: []string{text}}
	}
	s, flags := parse.Clean(mend(text))
	c := Cell{Flags: flags}
	if parse.IsPhrase(s) {
		c.Names = []string{s}
		return c
	}
	s = r.dict.mendLetters(s)
	s, foreign := cutScripts(s)
	s, numbered := cutIdentifiers(s)
	if foreign || numbered {
		c.remark()
	}
	if s == "" {
		return c
	}
	r.words = appendWords(r.words[:0], s)
	readNames(&sentence{dict: r.dict, raw: s, words: r.words}, &c)
	return c
}

// isName says whether a text is genus and epithet and nothing else: in plain
// letters, neither of them a word that may stand beside names, nor two words
// written as one. The checklists do not have it, or who asks would not.
func (r *Reader) isName(text string) bool {
	if !parse.IsBinomial(text) {
		return false
	}
	r.words = appendWords(r.words[:0], text)
	genus, epithet := r.words[0], r.words[1]
	if genus.kinds|epithet.kinds != 0 || genus.isAbove() || epithet.text[0] == 'x' {
		return false
	}
	s := sentence{dict: r.dict, raw: text, words: r.words}
	if n := s.nameAt(0, ""); n.known {
		return false
	}
	_, glued := s.unglued(span{})
	return !glued
}

// readNames reads what stands before the names, then each of them.
func readNames(s *sentence, c *Cell) {
	p := preface{s, c}
	at := p.read()
	if at >= len(s.words) {
		return
	}
	n := s.mended(s.nameAt(at, ""))
	for {
		next, end, more := s.next(n)
		// Rosa > Rosa alba: the genus is the name's.
		if !more || !n.alone || next.alone || n.genus != next.genus {
			readName(s, c, n, end)
		}
		if !more {
			return
		}
		n = next
	}
}
