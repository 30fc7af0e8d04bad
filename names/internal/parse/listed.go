package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/ranks"
)

// listed recognises whole names: most are written as the checklists have them,
// and need no look at their parts one by one. It keeps the last one.
type listed struct {
	dict *Lexicon
	name Name
	key  []byte
}

// asWritten recognises a name of the index, written like one, with or without
// author.
func (l *listed) asWritten(s string) (*Name, bool) {
	at := authorStart(s)
	if at < 0 || !spelling.IsLetter(s[0]) || l.inNames(s[at:]) {
		if n, ok := l.asListed(s); ok {
			return n, true
		}
	}
	if at >= 0 {
		return l.asCited(s, at)
	}
	return nil, false
}

// asPlain recognises a name of the index in plain letters, as almost all are.
// What it answers is what asWritten would, without a look at each character for
// each thing that the text has none of.
func (l *listed) asPlain(s string) (*Name, bool) {
	genus, two := plain(s)
	switch {
	case genus == 0:
		return nil, false
	case !two:
		return l.asListed(s)
	}
	l.key = append(l.key[:0], s...)
	l.key[0] |= 0x20
	usage, ok := l.dict.FindName(s, l.key)
	if !ok {
		return nil, false
	}
	l.name = Name{Canonical: s, Genus: s[:genus]}
	return l.name.withKey(Key{Text: l.key, Genus: genus, Usage: usage, Known: true}), true
}

// IsBinomial says whether a text is two words of two plain letters or more, of
// which the first alone is a capital.
func IsBinomial(s string) bool { _, two := plain(s); return two }

// plain returns the length of the first word of a text that is clean, and made
// of words of small letters but for the capital at its beginning, with hyphens
// and full stops; 0 for another text. two says that it is two words of letters.
func plain(s string) (genus int, two bool) {
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return 0, false
	}
	two = true
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
		case c == '-' || c == '.':
			two = false
		case c != ' ' || s[i-1] == ' ' || i == len(s)-1:
			return 0, false
		case genus == 0:
			genus = i
		default:
			two = false
		}
	}
	return genus, two && genus > 1 && len(s)-genus > 2 // one letter may be a sign
}

// withKey gives a name its only key.
func (n *Name) withKey(k Key) *Name {
	n.oneKey[0] = k
	n.Keys = n.oneKey[:]
	return n
}

// asListed recognises a name of the index, written like one.
func (l *listed) asListed(s string) (*Name, bool) {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) && r != spelling.HybridSign && r != '+' {
		return nil, false
	}
	if strings.Contains(s, " '") {
		return nil, false // a cultivar
	}
	key, genus := spelling.AppendKey(l.key[:0], s)
	l.key = key
	if genus < 2 || genus == len(key) && strings.ContainsRune(s, ' ') {
		return nil, false
	}
	usage, ok := l.dict.FindName(s, key)
	if !ok {
		return nil, false
	}
	l.name = Name{Canonical: s}
	n := &l.name
	if !n.readListed(s) {
		return nil, false
	}
	return n.withKey(Key{Text: key, Genus: genus, Usage: usage, Known: true}), true
}

// readListed notes the parts of a name whose key is in the index. It reports
// false if the name is not written as lists write it.
func (n *Name) readListed(s string) bool {
	signs := strings.ContainsRune(s, spelling.HybridSign)
	words := 0
	for rest := s; rest != ""; words++ {
		var w string
		w, rest = spelling.NextWord(rest)
		if spelling.IsHybridSign(w) {
			if w != "×" && w != "+" {
				return false // the long way writes ×
			}
			n.Hybrid = true
			words--
			continue
		}
		if signs && strings.ContainsRune(w, spelling.HybridSign) {
			return false
		}
		sh := spelling.ShapeOf(w)
		if words == 0 {
			if sh != spelling.Title && strings.TrimFunc(w, unicode.IsLetter) == "" {
				return false
			}
			n.Genus = w
			continue
		}
		if sh == spelling.Upper || words == 1 && sh != spelling.Lower && spelling.IsWord(w) {
			return false
		}
		if words == 1 || rest == "" {
			continue
		}
		if r, ok := ranks.Mark(w); ok {
			if r != w {
				return false
			}
			next, _ := spelling.NextWord(rest)
			if _, again := ranks.Mark(next); again {
				return false // var. var.
			}
			n.Rank = r
			n.Hybrid = n.Hybrid || strings.HasPrefix(r, "notho")
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
func (l *listed) inNames(s string) bool {
	w, _ := spelling.NextWord(s)
	return l.dict.isEpithetOrInitial(w)
}

// asCited recognises a name of the index, written like one, with the author
// that begins at at behind it.
func (l *listed) asCited(s string, at int) (*Name, bool) {
	if !author.IsCitation(s[at:]) {
		return nil, false
	}
	n, ok := l.asListed(s[:at-1])
	if !ok || n.Keys[0].Genus == len(n.Keys[0].Text) {
		return nil, false
	}
	n.Author = s[at:]
	return n, true
}
