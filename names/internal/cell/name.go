package cell

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// sentence is the text of a cell and its words.
type sentence struct {
	dict  *lexicon
	raw   string
	words []word
}

// rest returns the text of the words from i up to, but not including, end.
func (s *sentence) rest(i, end int) string { return s.raw[s.words[i].from:s.words[end-1].to] }

// span is a name within the words of a cell, without its author.
type span struct {
	from, to int    // index of the name's first word, and of the word after its last
	genus    string // the genus as written, or the genus of the previous name if this name abbreviates or omits it
	text     string // the name in the form that the parser reads
	plain    string // genus and epithet
	usage    uint32 // a usage of the name, if known is true
	known    bool
	alone    bool // the name has only a genus
	doubted  bool // the name has a question mark
}

// nameAt reads the name that starts at word at, up to its epithet. genus is the genus of the
// previous name; this name may abbreviate it.
func (s *sentence) nameAt(at int, genus string) span {
	n, more := s.genusAt(at, genus)
	if !more {
		return n
	}
	i := n.to
	text := n.text
	for ; i < len(s.words); i++ {
		v := s.words[i]
		switch {
		case spelling.IsHybridSign(v.text) && i+1 < len(s.words):
			text += " " + v.text
		case v.text == "?":
			n.doubted = true
		case v.qualifies():
			text += " cf."
		case v.isSign("\"") && i+2 < len(s.words) && s.words[i+2].isSign("\""):
			n.text = text
			return s.withEpithet(n, i+1, s.words[i+1].text, n.genus)
		case v.isSign(",;|:") && i == n.to:
		case v.isSign("(") && s.isEpithetOf(n.genus, i+1):
		case s.isEpithetOf(n.genus, s.afterTitle(i)):
			i = s.afterTitle(i) - 1
		case v.isSign("(") && i+2 < len(s.words) && s.words[i+2].isSign(")"):
			if s.words[i+1].qualifies() {
				text += " " + s.words[i+1].text
			} else {
				text += " (" + s.words[i+1].text + ")"
			}
			i += 2
		default:
			n.text = text
			return s.withEpithet(n, i, v.text, n.genus)
		}
	}
	return n
}

// genusAt reads the genus at word at. The word may abbreviate genus, the genus of the previous
// name. more is true if an epithet may follow.
func (s *sentence) genusAt(at int, genus string) (n span, more bool) {
	w := s.words[at]
	n = span{from: at, to: at + 1, genus: w.plain(), text: w.text, alone: true}
	short := isInitial(w.text)
	if short && strings.HasPrefix(genus, n.genus) {
		n.genus, n.text = genus, genus
		return n, true
	}
	return n, spelling.IsWord(n.genus) && !short
}

// isEpithetOf reports whether the checklists have a species with the given genus and word i as its
// epithet.
func (s *sentence) isEpithetOf(genus string, i int) bool {
	if i >= len(s.words) || !startsLower(s.words[i].text) {
		return false
	}
	_, ok := s.dict.Find(genus + " " + s.words[i].plain())
	return ok
}

// afterTitle returns the index of the word after word i and the signs behind it, if word i is the
// title "species". Otherwise it returns the number of words.
func (s *sentence) afterTitle(i int) int {
	if s.words[i].bare != "species" {
		return len(s.words)
	}
	for i++; i < len(s.words) && s.words[i].isSign(":="); i++ {
	}
	return i
}

// isInitial reports whether a word abbreviates a genus.
func isInitial(w string) bool {
	return strings.HasSuffix(w, ".") && startsUpper(w) && utf8.RuneCountInString(w) <= 4
}

// withEpithet returns n with the epithet at word i, if the checklists have the name. w is the text
// of the epithet.
func (s *sentence) withEpithet(n span, i int, w, genus string) span {
	e := strings.TrimLeft(strings.TrimRight(w, ".,?!*"), "?")
	if spelling.ShapeOf(e) == spelling.Upper && spelling.ShapeOf(genus) != spelling.Upper {
		e = strings.ToLower(e)
	}
	if i > 0 && spelling.IsHybridSign(s.words[i-1].text) && !s.dict.IsGenus(e) {
		e = strings.ToLower(e) // Mentha X Piperita
	}
	if !spelling.IsWord(e) {
		return n
	}
	plain := genus + " " + e
	usage, ok := s.dict.Find(plain)
	if !ok {
		return n
	}
	n.usage, n.known, n.alone = usage, true, false
	if strings.Contains(w, "?") {
		n.doubted = true
	}
	n.plain, n.text, n.to = plain, n.text+" "+e, i+1
	return n
}
