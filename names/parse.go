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
	// findName takes a whole name with its key and returns the first usage of
	// the key.
	findName(name string, key []byte) (usage uint32, ok bool)
	// hasVariant takes the key of a whole name, which may be spelt otherwise.
	hasVariant(key []byte) bool
}

// parser takes verbatim names apart. It is for one goroutine.
type parser struct {
	dict dictionary
	gn   fallback
	buf  []byte

	// The last name that asListed recognised.
	listed    parsedName
	listedKey []byte
}

func newParser(d dictionary) *parser { return &parser{dict: d} }

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
	_, ok := p.dict.findName(name, p.buf)
	return genus > 0 && ok
}

// parse takes a verbatim name apart. A text that is not a name has no
// canonical form. The result holds until the next call.
func (p *parser) parse(verbatim string) *parsedName {
	s, f := clean(verbatim)
	// A name as the checklists write it needs no more.
	n, ok := p.asWritten(s)
	if !ok {
		if t, g := p.unframe(s); t != s {
			s, f = t, f|g
			n, ok = p.asWritten(s)
		}
	}
	if ok {
		n.flags |= f
		n.cleaned = s
		return n
	}
	n = p.read(s, "")
	n.cleaned = s
	n.flags |= f
	if len(n.epithets) > 0 && p.offersAnother(s) {
		n.oneOf = true
		n.flags |= fAmbiguous
	}
	if len(n.parents) == 0 {
		p.settleGenus(n, s)
		n.finish()
		if len(n.epithets) == 0 && isAboveGenus(n.genus) && !p.isGenus(n.genus) {
			n.keys = nil
		}
	}
	return n
}

// settleGenus marks a name of which no more than the genus was read although
// it says more, so that the genus does not pass for the name.
func (p *parser) settleGenus(n *parsedName, s string) {
	if n.genus == "" || len(n.epithets) > 0 || n.openGenus || n.infragenus != "" || n.phrase != "" || n.cultivar != "" {
		return
	}
	_, rest, _ := strings.Cut(strings.TrimLeft(s, "×+ "), " ")
	for _, w := range strings.Fields(rest) {
		b := strings.Trim(bare(w), "()[]?")
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case noteWords[b], strings.HasPrefix(b, "auct"):
			return
		case unicode.IsLower(first) && !authorParticles[b] && utf8.RuneCountInString(b) > 3:
			n.openGenus = true
			n.flags |= fOpenNomenclature
			return
		}
	}
}

// offersAnother says whether s is two names to choose from or more: "A b / A.
// c", "A b or A c", "A b; A c". What stands behind "=" is the same name again.
func (p *parser) offersAnother(s string) bool {
	words := strings.Fields(s)
	for i := 2; i+1 < len(words); i++ {
		if before := words[i-1]; before != "/" && before != "or" && (len(before) < 2 || before[len(before)-1] != ';') {
			continue
		}
		genus, epithet := words[i], strings.TrimRight(words[i+1], ",;.")
		short := strings.HasSuffix(genus, ".") && len(genus) <= 4 && genus[0] == words[0][0]
		if (short || shapeOf(genus) == title && p.isGenus(genus)) && shapeOf(epithet) == lower && p.isEpithet(epithet) {
			return true
		}
	}
	return false
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
