package parse

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
)

// sentence is the state of the grammar: the words, the name read so far, and the marks of the next
// epithet.
type sentence struct {
	dict    *Lexicon
	words   []Token
	writing writing
	n       *Name

	at     int      // index of the next word
	author []string // words of the author after the last epithet
	marks  marks    // meaning of the words since the last epithet
}

// marks holds the meaning of words that precede an epithet and belong to it, such as a rank or cf.
type marks struct {
	rank   string // mark of the rank, in canonical form
	hybrid bool
	doubt  bool // cf. or a similar word precedes the epithet
}

// writing is the case of the letters of a whole name.
type writing uint8

const (
	usual writing = iota
	capitals
	smallLetters
)

// writingOf returns the case of the letters of a name.
func writingOf(words []Token) writing {
	caps, smalls, titles := 0, 0, 0
	for _, w := range words {
		if !strings.ContainsFunc(w.Text, unicode.IsLetter) || spelling.IsHybridSign(w.Text) {
			continue
		}
		switch spelling.ShapeOf(w.Text) {
		case spelling.Upper, spelling.Single:
			caps++
		case spelling.Lower:
			smalls++
		default:
			titles++
		}
	}
	switch {
	case titles == 0 && caps == 0:
		return smallLetters
	case titles == 0 && smalls == 0:
		return capitals
	}
	return usual
}

// afterGenus reports whether only a genus has been read so far, without epithet and author.
func (s *sentence) afterGenus() bool { return len(s.n.Epithets) == 0 && len(s.author) == 0 }

// bareAt returns the bare form of word i, or "" if there are fewer words.
func (s *sentence) bareAt(i int) string {
	if i < len(s.words) {
		return s.words[i].bare
	}
	return ""
}

// joins reports whether the dictionary has the name that consists of the name read so far and the
// epithet.
func (s *sentence) joins(epithet string) bool { return s.dict.isName(s.with(epithet)) }

// joinsNearly works like joins, but also accepts another orthography.
func (s *sentence) joinsNearly(epithet string) bool {
	key, _ := spelling.AppendKey(nil, s.with(epithet))
	return s.dict.HasVariant(key)
}

// with returns the name read so far, followed by the epithet.
func (s *sentence) with(epithet string) string {
	var b strings.Builder
	b.WriteString(s.n.Genus)
	for _, e := range s.n.Epithets {
		b.WriteString(" " + e.Word)
	}
	b.WriteString(" " + epithet)
	return b.String()
}
