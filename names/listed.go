package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most names are written as the checklists have them: those are recognised
// whole, without looking at their parts one by one.

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
	if !n.readListed(s) {
		return nil, false
	}
	n.oneKey[0] = nameKey{key: key, genus: genus, usage: usage, known: true}
	n.keys = n.oneKey[:]
	return n, true
}

// readListed notes the parts of a name whose key is in the index. It reports
// false if the name is not written as lists write it.
func (n *parsedName) readListed(s string) bool {
	signs := strings.ContainsRune(s, hybridSign)
	words := 0
	for rest := s; rest != ""; words++ {
		var w string
		w, rest = nextWord(rest)
		if isHybridSign(w) {
			if w != "×" && w != "+" {
				return false // the long way writes ×
			}
			n.hybrid = true
			words--
			continue
		}
		if signs && strings.ContainsRune(w, hybridSign) {
			return false
		}
		sh := shapeOf(w)
		if words == 0 {
			if sh != title && strings.TrimFunc(w, unicode.IsLetter) == "" {
				return false
			}
			n.genus = w
			continue
		}
		if sh == upper || words == 1 && sh != lower && isWord(w) {
			return false
		}
		if words == 1 || rest == "" {
			continue
		}
		if r, ok := rankWord(w); ok {
			if r != w {
				return false
			}
			next, _ := nextWord(rest)
			if _, again := rankWord(next); again {
				return false // var. var.
			}
			n.rank = r
			n.hybrid = n.hybrid || strings.HasPrefix(r, "notho")
			words--
		}
	}
	return true
}

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
