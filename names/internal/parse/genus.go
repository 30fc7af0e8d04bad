package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// familyBefore reads a family before the genus: Araliaceae Panax ginseng. If no genus follows the
// family, it reads nothing.
func (s *sentence) familyBefore() {
	if len(s.words) < 2 || !spelling.IsFamily(s.words[0].bare) {
		return
	}
	if !s.dict.IsGenus(s.words[1].bare) && !s.isBinomialAt(1) {
		return
	}
	s.n.Family = spelling.Capitalise(s.words[0].bare)
	s.n.Flags |= answer.FamilyHint
	s.words[0].Kind = Family
	s.at++
}

// isBinomialAt reports whether word i and the next word have the form of a genus and an epithet.
func (s *sentence) isBinomialAt(i int) bool {
	if i+1 >= len(s.words) {
		return false
	}
	genus, epithet := s.words[i], s.words[i+1]
	return spelling.IsWord(genus.bare) && spelling.ShapeOf(genus.Text) == spelling.Title &&
		spelling.IsWord(epithet.Text) && spelling.ShapeOf(epithet.Text) == spelling.Lower
}

// isNameAt reports whether the text from the next word on may be a name that gnparser can parse. It
// looks only at the first character.
func (s *sentence) isNameAt() bool {
	if s.at >= len(s.words) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.words[s.at].Text)
	return unicode.IsUpper(r) || r == '"' || r == '?'
}

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
	g := strings.TrimRight(w.Text, ",;:")
	if t, glued := cutGluedSign(g); glued {
		g, n.HybridGenus = t, true
	}
	if first != "" && spelling.ShapeOf(g) == spelling.Lower && spelling.IsWord(g) {
		n.Genus = first
		return true
	}
	if t := strings.TrimRight(g, "?"); t != g {
		g = t
		n.Flags |= answer.Qualifier
	}
	if a := strings.TrimSuffix(g, "."); a != g || len(a) == 1 {
		return s.abbreviated(a, first)
	}
	if !canBeGenus(g) || strings.HasSuffix(w.Text, ":") || !s.genusCase(g) {
		return false
	}
	n.Genus = g
	if spelling.ShapeOf(g) != spelling.Title || strings.Contains(g, "-") {
		n.Genus = spelling.Capitalise(g)
	}
	w.Kind = Genus
	s.at++
	return true
}

// cutGluedSign removes an x that means the hybrid sign from the start of a genus: xAgropogon. The
// sign × need not be removed, because it is already a separate token.
func cutGluedSign(g string) (string, bool) {
	glued := len(g) > 3 && (g[0] == 'x' || g[0] == 'X') && g[1] >= 'A' && g[1] <= 'Z' && spelling.ShapeOf(g[1:]) == spelling.Title
	if glued {
		return g[1:], true
	}
	return g, false
}

// canBeGenus reports whether a word is spelt like a genus, in upper or lower case.
func canBeGenus(g string) bool {
	return spelling.IsWord(g) && utf8.RuneCountInString(g) >= 2 && !strings.Contains(g, "'") && !oddHyphens(g)
}

// oddHyphens reports whether a word has hyphens in places where genera have none.
func oddHyphens(g string) bool {
	i := strings.IndexByte(g, '-')
	return i > 0 && (i < 3 || strings.Count(g, "-") > 2)
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
		if !known && s.writing == usual && (shape == spelling.Upper || len(s.words) == 1) {
			return false
		}
		if !known && s.writing == smallLetters && (last || !s.plausible(s.words[s.at+1].Text)) {
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

// plausible reports whether w may be the epithet after an unknown genus, if the whole text is in
// lower case. Without this check, "medicinal plants" would be a name.
func (s *sentence) plausible(w string) bool {
	w = strings.TrimRight(w, ".,;")
	return spelling.IsHybridSign(w) || wordlist.Of(w).Is(wordlist.Open) || spelling.IsWord(w) && s.dict.IsEpithet(w)
}

// abbreviated reads an abbreviated genus, P. or Pan., if another word follows it. first is the
// genus of the first parent of a formula; if the word abbreviates it, the name gets this genus.
func (s *sentence) abbreviated(a, first string) bool {
	if !spelling.IsWord(a) || utf8.RuneCountInString(a) > 3 || s.at+1 >= len(s.words) || spelling.ShapeOf(a) == spelling.Mixed {
		return false
	}
	n := s.n
	n.Genus = spelling.Capitalise(a)
	if first != "" && strings.HasPrefix(first, n.Genus) {
		n.Genus = first
	} else {
		n.Abbreviated = true
	}
	s.words[s.at].Kind = Genus
	s.at++
	return true
}
