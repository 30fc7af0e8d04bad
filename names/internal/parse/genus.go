package parse

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// genus reads hybrid signs and the genus. first is the genus of the first parent of a formula; a
// second parent without a genus gets this genus. genus returns false if the next word is not a
// genus.
func (s *sentence) genus(first string) bool {
	n := s.n
	for s.at < len(s.words)-1 && spelling.IsHybridSign(s.words[s.at].Text) {
		n.HybridGenus = true
		s.words[s.at].Kind = Sign
		s.at++
	}
	w := &s.words[s.at]
	g := strings.TrimRight(w.Text, ",;:?")
	if strings.HasSuffix(w.Text, "?") {
		n.Flags |= answer.Qualifier
	}
	if len(g) > 3 && (g[0] == 'x' || g[0] == 'X') && spelling.ShapeOf(g[1:]) == spelling.Title {
		g, n.HybridGenus = g[1:], true // xAgropogon: the x means the hybrid sign
	}
	if first != "" && spelling.ShapeOf(g) == spelling.Lower && spelling.IsWord(g) {
		n.Genus = first
		return true
	}
	if a := strings.TrimSuffix(g, "."); a != g || len(a) == 1 {
		return s.abbreviated(a, first)
	}
	hyphen := strings.IndexByte(g, '-')
	if !spelling.IsWord(g) || strings.Contains(g, "'") || strings.HasSuffix(w.Text, ":") || hyphen > 0 && hyphen < 3 || strings.Count(g, "-") > 2 || !s.genusCase(g) {
		return false
	}
	n.Genus = spelling.Capitalise(g)
	w.Kind = Genus
	s.at++
	return true
}

// genusCase reports whether the next word, g, may be a genus in spite of its capitals. If it is not
// written as usual, with one capital at the start, genusCase sets a flag.
func (s *sentence) genusCase(g string) bool {
	shape := spelling.ShapeOf(g)
	if shape == spelling.Title {
		return true
	}
	known := s.dict.IsGenus(g)
	switch shape {
	case spelling.Lower, spelling.Upper:
		last := s.at+1 == len(s.words)
		if !known && s.writing == usual && shape == spelling.Upper {
			return false
		}
		// Without this check, "medicinal plants" would be a name.
		if !known && s.writing == smallLetters && (last || !s.words[s.at+1].kinds.Is(wordlist.Open)) {
			return false
		}
	default:
		// Genera with a hyphen may have two capitals: Uva-Ursi.
		if !known && !strings.Contains(g, "-") {
			return false
		}
	}
	s.n.Flags |= answer.CaseFixed
	return true
}

// abbreviated reads an abbreviated genus, P. or Pan., if another word follows it. first is the
// genus of the first parent of a formula; if the word abbreviates it, the name gets this genus.
func (s *sentence) abbreviated(a, first string) bool {
	if !spelling.IsWord(a) || utf8.RuneCountInString(a) > 3 || s.at+1 >= len(s.words) {
		return false
	}
	n := s.n
	n.Genus = spelling.Capitalise(a)
	if strings.HasPrefix(first, n.Genus) {
		n.Genus = first
	} else {
		n.Abbreviated = true
	}
	s.words[s.at].Kind = Genus
	s.at++
	return true
}
