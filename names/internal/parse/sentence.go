package parse

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
)

// sentence is a name on its way through the grammar: its words, what they
// gave so far, and what those since the last epithet say of the next one.
type sentence struct {
	dict    *Lexicon
	words   []Token
	writing writing
	n       *Name

	at     int      // the next word
	author []string // words of the author behind the last epithet
	marks  marks    // of the next epithet
}

// marks are what stands before an epithet and belongs to it.
type marks struct {
	rank   string // canonical
	hybrid bool
	doubt  bool // cf.
}

// writing is the case in which a whole name is written.
type writing uint8

const (
	usual writing = iota
	capitals
	smallLetters
)

// writingOf returns the case in which a whole name is written.
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

// behindGenus says that neither an epithet nor an author was read yet.
func (s *sentence) behindGenus() bool { return len(s.n.Epithets) == 0 && len(s.author) == 0 }

// bareAt is the bare form of word i, or "" behind the last.
func (s *sentence) bareAt(i int) string {
	if i < len(s.words) {
		return s.words[i].bare
	}
	return ""
}

// joins says whether the name so far, with one more epithet, is in the
// dictionary.
func (s *sentence) joins(epithet string) bool { return s.dict.isName(s.with(epithet)) }

// joinsNearly says whether it is there in another orthography.
func (s *sentence) joinsNearly(epithet string) bool {
	key, _ := spelling.AppendKey(nil, s.with(epithet))
	return s.dict.HasVariant(key)
}

// with is the name so far, with one more epithet.
func (s *sentence) with(epithet string) string {
	var b strings.Builder
	b.WriteString(s.n.Genus)
	for _, e := range s.n.Epithets {
		b.WriteString(" " + e.Word)
	}
	b.WriteString(" " + epithet)
	return b.String()
}
