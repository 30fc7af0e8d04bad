package parse

import (
	"strings"
	"unicode"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// The following productions read annotations and words that end a name.

// doubtful ends a name at a question mark in the place of the epithet, or at a word such as aff.,
// which means that the plant is another species that resembles the named one.
func doubtful(s *sentence, w Token) outcome {
	if w.bare != "?" && !w.kinds.Is(wordlist.Near) || !s.afterGenus() {
		return other
	}
	return s.openAtGenus(answer.Qualifier)
}

// unnamed ends a name at sp., sp.2 or indet., which mean that the species has no name. So does a word
// for a rank or for plants of gardens, if it is the last word.
func unnamed(s *sentence, w Token) outcome {
	if len(s.n.Epithets) > 0 {
		return other
	}
	_, rank := ranks.Mark(w.bare)
	last := s.at == len(s.words)-1 && (gardenWords[w.bare] || rank && !shortRanks[w.bare])
	if !last && !s.isOpen(w.bare) {
		return other
	}
	return s.openAtGenus(0)
}

// openAtGenus ends a name that is identified only to the genus. also has further flags to set.
func (s *sentence) openAtGenus(also answer.Flags) outcome {
	s.n.Flags |= answer.OpenNomenclature | also
	s.n.OpenGenus = true
	s.author = nil
	return end
}

// isOpen reports whether b means an unnamed species.
func (s *sentence) isOpen(b string) bool {
	return wordlist.Of(b).Is(wordlist.Open) && !s.dict.IsEpithet(b)
}

// severalSpecies reads spp. after an epithet. The word is often an error for ssp. It is read as a
// rank if the dictionary has the resulting name.
func severalSpecies(s *sentence, w Token) outcome {
	if w.bare != "spp" || len(s.n.Epithets) == 0 {
		return other
	}
	if s.at++; s.at == len(s.words) || !s.joins(s.words[s.at].Text) {
		s.n.Flags |= answer.OpenNomenclature
		return end
	}
	s.marks.rank = "subsp."
	return consumed
}

// genusAgain ends a name where the genus is repeated.
func genusAgain(s *sentence, w Token) outcome {
	if len(s.n.Epithets) == 0 || strings.Trim(w.Text, ",.;") != s.n.Genus {
		return other
	}
	s.n.Flags |= answer.AnnotationIgnored
	return end
}

// aggregate reads a word such as agg., which means that the name is that of a species aggregate.
func aggregate(s *sentence, w Token) outcome {
	if !w.kinds.Is(wordlist.Aggregate) {
		return other
	}
	s.n.Flags |= answer.Aggregate
	s.at++
	return consumed
}

// group ends a name at "group" or "species" after an epithet.
func group(s *sentence, w Token) outcome {
	if w.bare != "species" && w.bare != "group" || len(s.author) > 0 {
		return other
	}
	s.n.Flags |= answer.Aggregate
	return end
}

// familyAfter reads a family after the genus.
func familyAfter(s *sentence, w Token) outcome {
	f := strings.Trim(w.bare, "()")
	if !spelling.IsFamily(f) || s.afterGenus() && spelling.ShapeOf(w.Text) == spelling.Lower {
		return other // an epithet, misspelt: Portulaca oleraceae is P. oleracea
	}
	s.n.Family = spelling.Capitalise(f)
	s.n.Flags |= answer.FamilyHint
	s.at++
	return consumed
}

// cultivar ends a name at cv. or Group. The words after it are the name of the cultivar.
func cultivar(s *sentence, w Token) outcome {
	switch w.bare {
	case "cv", "cultivar", "group", "grex", "gx":
	default:
		return other
	}
	if s.at+1 == len(s.words) {
		return other
	}
	s.n.Cultivar = strings.Trim(joinTokens(s.words[s.at+1:]), "'\". ")
	s.at = len(s.words)
	return end
}

// joinTokens joins words with spaces.
func joinTokens(words []Token) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// remark ends a name at a remark such as sensu or auct., and records its meaning.
func remark(s *sentence, w Token) outcome {
	if !s.isRemark(w) {
		return other
	}
	next := s.bareAt(s.at + 1)
	s.n.Flags |= answer.AnnotationIgnored
	if strings.HasPrefix(w.bare, "auct") || w.bare == "sensu" && (len(s.author) == 0 || strings.HasPrefix(next, "auct")) {
		s.n.Misapplied = author.IsMisapplied(joinTokens(s.words[s.at:]))
	}
	if w.bare == "sensu" && next == "lato" || isSense(strings.Trim(w.bare, "().")) && (next == "l" || next == "lat") {
		s.n.Flags |= answer.Aggregate
	}
	s.at = len(s.words)
	return end
}

// isSense reports whether b abbreviates sensu.
func isSense(b string) bool { return b == "s" || b == "sens" }

// isRemark reports whether a remark starts at the word w.
func (s *sentence) isRemark(w Token) bool {
	b, next := strings.Trim(w.bare, "()."), s.bareAt(s.at+1)
	lower := spelling.ShapeOf(w.Text) == spelling.Lower
	return isSense(b) && senses[next] || w.Text == "=" || strings.HasPrefix(b, "auct") && len(b) <= 10 || lower && (wordlist.Of(b).Is(wordlist.Note) || next == "nov")
}

// authorWord adds a word to the author.
func authorWord(s *sentence, w Token) outcome {
	if !isAuthorText(w.Text) {
		return other
	}
	s.author = append(s.author, w.Text)
	s.at++
	return consumed
}

// isAuthorText reports whether w may be a word of an author citation. It must have only letters,
// brackets and the punctuation of names, or be a year.
func isAuthorText(w string) bool {
	digits, letters := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune(".,&'()-:;?", r):
		default:
			return false
		}
	}
	return digits == 0 || letters <= 1 && digits >= 4
}

// oddWord ends a name at a word that is neither an epithet nor an author. After an author, the rest
// of the text is ignored, for example a number or a reference. Without an author, the text is left
// to gnparser.
func oddWord(s *sentence, w Token) outcome {
	if len(s.n.Epithets) == 0 || len(s.author) == 0 {
		return foreign
	}
	s.n.Flags |= answer.AnnotationIgnored
	if spelling.IsDigit(w.Text[0]) {
		s.author = cutReference(s.author)
	}
	return end
}

// cutReference removes the title of a publication from the end of the words of an author. A volume
// or page number follows the title: S.Moore, J. Bot. 13.
func cutReference(author []string) []string {
	for i := len(author) - 2; i >= 0; i-- {
		if strings.HasSuffix(author[i], ",") {
			return author[:i+1]
		}
	}
	return author
}
