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

func (ix *Index) hasGenus(w []byte) bool { _, ok := ix.findGenus(w); return ok }

func (ix *Index) hasEpithet(w []byte) bool { return ix.isEpithet(w) }

func (ix *Index) hasVariant(key []byte) bool {
	sought := appendOrtho(nil, key)
	h := hash(sought)
	for _, e := range ix.tables[tabOrtho].bucket(h) {
		if e.Tag == uint32(h>>32) && string(appendOrtho(nil, ix.appendKeyOf(nil, e.Value))) == string(sought) {
			return true
		}
	}
	return false
}

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
	if len(n.parents) == 0 {
		p.settleGenus(n, s)
		n.finish()
		if len(n.epithets) == 0 && isAboveGenus(n.genus) && !p.isGenus(n.genus) {
			n.keys = nil
		}
	}
	return n
}

// asWritten recognises a name of the index, written like one, with or without
// author.
func (p *parser) asWritten(s string) (*parsedName, bool) {
	author := authorStart(s)
	if author < 0 || !isLetter(s[0]) || p.inNames(s[author:]) {
		if n, ok := p.asListed(s); ok {
			return n, true
		}
	}
	if author >= 0 {
		return p.asCited(s, author)
	}
	return nil, false
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

// asListed recognises a name of the index, written like one.
func (p *parser) asListed(s string) (*parsedName, bool) {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) && r != hybridSign && r != '+' {
		return nil, false
	}
	if strings.Contains(s, " '") {
		return nil, false // a cultivar
	}
	key, genus := appendKey(p.listedKey[:0], s)
	p.listedKey = key
	if genus < 2 || genus == len(key) && strings.ContainsRune(s, ' ') {
		return nil, false
	}
	usage, ok := p.dict.findName(s, key)
	if !ok {
		return nil, false
	}
	p.listed = parsedName{canonical: s}
	n := &p.listed
	words := 0
	for rest := s; rest != ""; words++ {
		var w string
		w, rest = nextWord(rest)
		if isHybridSign(w) {
			if w != "×" && w != "+" {
				return nil, false // the long way writes ×
			}
			n.hybrid = true
			words--
			continue
		}
		if words == 0 {
			if strings.ContainsRune(w, hybridSign) || shapeOf(w) != title && strings.TrimFunc(w, unicode.IsLetter) == "" {
				return nil, false
			}
			n.genus = w
			continue
		}
		if strings.ContainsRune(w, hybridSign) {
			return nil, false
		}
		if sh := shapeOf(w); sh == upper || words == 1 && sh != lower && isWord(w) {
			return nil, false
		}
		if words > 1 && rest != "" {
			r, ok := rankWord(w)
			if ok && r != w {
				return nil, false
			}
			if ok {
				if next, _ := nextWord(rest); ranks[strings.TrimSuffix(next, ".")] != "" {
					return nil, false // var. var.
				}
				n.rank = r
				n.hybrid = n.hybrid || strings.HasPrefix(r, "notho")
				words--
			}
		}
	}
	n.oneKey[0] = nameKey{key: key, genus: genus, usage: usage, known: true}
	n.keys = n.oneKey[:]
	return n, true
}

// citedWords are the small-letter words of an author citation that leave no
// doubt.
var citedWords = wordSet("ex in et f. fil. de von van der den du da do dos la le zu y bis al.")

// authorStart returns where in s the author may begin: at the first word, but
// for two, that is no epithet by its first letter; -1 without one.
func authorStart(s string) int {
	for i, words := 0, 0; i+1 < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		words++
		if c := s[i+1]; words >= 2 && (c >= 'A' && c <= 'Z' || c == '(' || c >= utf8.RuneSelf && s[i+1:i+3] != "×") {
			return i + 1
		}
	}
	return -1
}

// inNames says whether the first word of s may stand in some name of the
// index.
func (p *parser) inNames(s string) bool {
	w, _ := nextWord(s)
	p.buf = appendFolded(p.buf[:0], w)
	return len(p.buf) < 2 || p.dict.hasEpithet(p.buf)
}

// asCited recognises a name of the index, written like one, with the author
// that begins at author behind it.
func (p *parser) asCited(s string, author int) (*parsedName, bool) {
	if !isCitation(s[author:]) {
		return nil, false
	}
	n, ok := p.asListed(s[:author-1])
	if !ok || n.keys[0].genus == len(n.keys[0].key) {
		return nil, false
	}
	n.author = s[author:]
	return n, true
}

// isCitation says whether s can be nothing but authors.
func isCitation(s string) bool {
	for rest := s; rest != ""; {
		var w string
		w, rest = nextWord(rest)
		inner := strings.Trim(w, "(),")
		if r, _ := utf8.DecodeRuneInString(inner); unicode.IsLower(r) && !citedWords[inner] || w == "X" || w == "-" || inner == "Group" || isFamily(inner) {
			return false
		}
		for i := 0; i < len(w); i++ {
			switch c := w[i]; {
			case isLetter(c), c == '.', c == ',', c == '&', c == '(', c == ')', c == '-':
			case c >= utf8.RuneSelf && !strings.Contains(w, "×"):
			default:
				return false
			}
		}
	}
	return true
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
