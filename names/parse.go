package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dictionary knows the words of the checklists' names. It settles what the
// spelling alone cannot: whether a word is an epithet or an author.
type dictionary interface {
	// hasGenus and hasEpithet take folded words.
	hasGenus(w []byte) bool
	hasEpithet(w []byte) bool
	// hasKey takes the key of a whole name.
	hasKey(key []byte, genus int) bool
}

// parser takes verbatim names apart. It is for one goroutine.
type parser struct {
	dict dictionary
	gn   fallback
	buf  []byte
}

func newParser(d dictionary) *parser { return &parser{dict: d} }

func (ix *Index) hasGenus(w []byte) bool { _, ok := ix.findGenus(w); return ok }

func (ix *Index) hasEpithet(w []byte) bool { return ix.isEpithet(w) }

func (ix *Index) hasKey(key []byte, genus int) bool { _, ok := ix.findKey(key, genus); return ok }

func (p *parser) isGenus(w string) bool {
	p.buf = appendFolded(p.buf[:0], w)
	return p.dict.hasGenus(p.buf)
}

func (p *parser) isEpithet(w string) bool {
	p.buf = appendFolded(p.buf[:0], w)
	return p.dict.hasEpithet(p.buf)
}

func (p *parser) isName(name string) bool {
	var genus int
	p.buf, genus = appendKey(p.buf[:0], name)
	return genus > 0 && p.dict.hasKey(p.buf, genus)
}

// parse takes a verbatim name apart. A text that is not a name has no
// canonical form.
func (p *parser) parse(verbatim string) *parsedName {
	s, f := clean(verbatim)
	// A name as the checklists write it needs no more.
	if n, ok := p.asListed(s); ok {
		n.flags |= f
		n.cleaned = s
		return n
	}
	n := p.read(s, "")
	n.cleaned = s
	n.flags |= f
	if len(n.parents) == 0 {
		n.finish()
	}
	return n
}

// asListed recognises a name of the index, written like one.
func (p *parser) asListed(s string) (*parsedName, bool) {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) && r != hybridSign && r != '+' {
		return nil, false
	}
	var buf [128]byte
	key, genus := appendKey(buf[:0], s)
	if genus < 2 || genus == len(key) && strings.ContainsRune(s, ' ') || !p.dict.hasKey(key, genus) {
		return nil, false
	}
	n := &parsedName{canonical: s}
	words := 0
	for rest := s; rest != ""; {
		var w string
		w, rest = nextWord(rest)
		switch {
		case isHybridSign(w):
			if w != "×" && w != "+" {
				return nil, false // the long way writes ×
			}
			n.hybrid = true
			continue
		case words == 0:
			if shapeOf(w) != title && strings.TrimFunc(w, unicode.IsLetter) == "" {
				return nil, false
			}
			n.genus = w
		default:
			if shapeOf(w) == upper || words == 1 && shapeOf(w) != lower && isWord(w) {
				return nil, false
			}
			if r, ok := rankWord(w); ok && words > 1 && rest != "" {
				if r != w {
					return nil, false
				}
				n.rank = r
				n.hybrid = n.hybrid || strings.HasPrefix(r, "notho")
				continue
			}
			n.epithets = append(n.epithets, epithet{n.rank, w, false})
		}
		words++
	}
	n.keys = []nameKey{{append([]byte(nil), key...), genus, 0}}
	return n, true
}

// read takes a cleaned name apart. A genus may be given for the second part
// of a hybrid formula, which can leave it out.
func (p *parser) read(s, genus string) *parsedName {
	n := &parsedName{}
	if p.phrase(n, s) {
		return n
	}
	s = p.strip(n, s)
	w := &walker{p: p, n: n, words: splitWords(s), genus: genus}
	if w.formula() {
		return n
	}
	if !w.walk() {
		if g := p.fallBack(s); g != nil {
			g.flags |= n.flags
			g.family, g.cultivar, g.misapplied = n.family, n.cultivar, n.misapplied
			return g
		}
		n.genus = ""
	}
	return n
}

// splitWords splits at spaces, and sets a hybrid sign, or a bracket that
// opens, apart from the word that it is glued to.
func splitWords(s string) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		for {
			i := strings.IndexRune(w, hybridSign)
			if i < 0 {
				break
			}
			if i > 0 {
				words = append(words, w[:i])
			}
			words = append(words, "×")
			w = w[i+len("×"):]
		}
		if head, tail := gluedRank(w); head != "" {
			words = append(words, head)
			w = tail
		}
		if len(words) > 1 && (w == "null" || w == "NULL" || w == "NA") {
			continue // an empty cell of somebody's table
		}
		if i := strings.IndexByte(w, '('); i > 0 {
			words = append(words, w[:i])
			w = w[i:]
		}
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

// gluedRank parts var.aurantiaca, and takes the Greek letter that numbers a
// variety off its epithet.
func gluedRank(w string) (head, tail string) {
	i := strings.IndexByte(w, '.')
	if i > 0 && i+1 < len(w) {
		if r, ok := rankWord(w[:i]); ok && i > 1 && (r == "var." || r == "subsp." || r == "subvar." || strings.HasPrefix(r, "notho")) {
			tail = strings.TrimLeftFunc(w[i+1:], func(r rune) bool { return r == '.' || unicode.Is(unicode.Greek, r) })
			if isWord(tail) && shapeOf(tail) == lower {
				return w[:i+1], tail
			}
		}
	}
	return "", w
}
