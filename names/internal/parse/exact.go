package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/ranks"
)

// exactNames recognises whole names that are in the dictionary as written. Most names are in the
// dictionary and need no further parsing. name and key are reused for each result.
type exactNames struct {
	dict *Lexicon
	name Name
	key  []byte
}

// find recognises a name in the dictionary, with or without author.
func (l *exactNames) find(s string) (*Name, bool) {
	at := authorStart(s)
	if at < 0 || l.inNames(s[at:]) {
		if n, ok := l.withoutAuthor(s); ok {
			return n, true
		}
	}
	if at >= 0 {
		return l.withAuthor(s, at)
	}
	return nil, false
}

// findPlain recognises a name without author in plain letters, the most frequent kind of text. It
// gives the same result as find in less time.
func (l *exactNames) findPlain(s string) (*Name, bool) {
	genus, two := plain(s)
	switch {
	case genus == 0:
		return nil, false
	case !two:
		return l.withoutAuthor(s)
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

// IsBinomial reports whether a text consists of two words in the letters a to z, each of two or
// more letters. Only the first letter of the text may be a capital.
func IsBinomial(s string) bool { _, two := plain(s); return two }

// plain returns the length of the first word of a text in plain letters. Such a text has only
// letters a to z, hyphens, full stops and single spaces, and only its first letter is a capital.
// plain returns 0 for other texts. two is true if the text consists of two words of letters.
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
	return genus, two && genus > 1 && len(s)-genus > 2 // a single letter may be a hybrid sign
}

// withKey sets the only key of a name.
func (n *Name) withKey(k Key) *Name {
	n.oneKey[0] = k
	n.Keys = n.oneKey[:]
	return n
}

// withoutAuthor recognises a name in the dictionary, without author.
func (l *exactNames) withoutAuthor(s string) (*Name, bool) {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) && r != spelling.HybridSign && r != '+' {
		return nil, false
	}
	if strings.Contains(s, " '") {
		return nil, false // the name is a cultivar's
	}
	key, genus := spelling.AppendKey(l.key[:0], s)
	l.key = key
	if genus == 0 {
		return nil, false
	}
	usage, ok := l.dict.FindName(s, key)
	if !ok {
		return nil, false
	}
	l.name = Name{Canonical: s}
	n := &l.name
	if !n.readExact(s) {
		return nil, false
	}
	return n.withKey(Key{Text: key, Genus: genus, Usage: usage, Known: true}), true
}

// readExact reads the parts of a name that is in the dictionary. It returns false if the name must
// be parsed word by word.
func (n *Name) readExact(s string) bool {
	words := 0
	for rest := s; rest != ""; words++ {
		var w string
		w, rest = spelling.NextWord(rest)
		if spelling.IsHybridSign(w) {
			if w != "×" {
				return false // the grammar replaces this sign by ×
			}
			n.Hybrid = true
			words--
			continue
		}
		if strings.ContainsRune(w, spelling.HybridSign) {
			return false
		}
		sh := spelling.ShapeOf(w)
		if words == 0 {
			if sh != spelling.Title {
				return false
			}
			n.Genus = w
			continue
		}
		if words == 1 && sh != spelling.Lower {
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
				return false // there are two ranks in sequence: var. var.
			}
			n.Rank = r
			words--
		}
	}
	return true
}

// authorStart returns the position at which the author starts. This is the first word from the
// third on that starts with a character with which no epithet starts. authorStart returns -1 if
// there is none.
func authorStart(s string) int {
	for i, words := 0, 0; i+1 < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		words++
		if c := s[i+1]; words >= 2 && (c >= 'A' && c <= 'Z' || c == '(' || c >= utf8.RuneSelf) {
			return i + 1
		}
	}
	return -1
}

// inNames reports whether the first word of s may belong to a name: it is an epithet of the
// dictionary or a single letter.
func (l *exactNames) inNames(s string) bool {
	w, _ := spelling.NextWord(s)
	return l.dict.isEpithetOrInitial(w)
}

// withAuthor recognises a name in the dictionary that is followed by an author. at is the position
// of the author in s.
func (l *exactNames) withAuthor(s string, at int) (*Name, bool) {
	if !author.IsCitation(s[at:]) {
		return nil, false
	}
	n, ok := l.withoutAuthor(s[:at-1])
	if !ok {
		return nil, false
	}
	n.Author = s[at:]
	return n, true
}
