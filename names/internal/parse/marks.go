package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// The following productions read words that belong to the next epithet.

// sign reads a hybrid sign.
func sign(s *sentence, w Token) outcome {
	if !spelling.IsHybridSign(w.Text) {
		return other
	}
	s.at++
	s.marks.hybrid = s.marks.hybrid || s.at < len(s.words)
	return consumed
}

// qualifier reads a word such as cf., which says that the identification is doubtful.
func qualifier(s *sentence, w Token) outcome {
	if !w.kinds.Is(wordlist.Qualifier|wordlist.Near) || placeWords[w.bare] && len(s.author) > 0 || s.dict.IsEpithet(w.bare) {
		return other
	}
	s.n.Flags |= answer.Qualifier
	s.marks.doubt = true
	s.at++
	return consumed
}

// rankWord reads a rank word. It leaves two words to other productions: f. if it may mean filius,
// and an epithet that is spelt like a rank word.
func rankWord(s *sentence, w Token) outcome {
	rank, ok := ranks.Mark(w.bare)
	if !ok || len(s.n.Epithets) == 0 {
		return other
	}
	next := s.at + 1
	for next < len(s.words) && (spelling.IsHybridSign(s.words[next].Text) || s.words[next].kinds.Is(wordlist.Qualifier|wordlist.Near) || s.words[next].Text == "n.") {
		next++
	}
	epithet := s.epithetAt(next, true)
	if shortRanks[w.bare] && !s.isForma(next, epithet) {
		return other
	}
	if epithet == "" && len(w.bare) > 4 && w.bare == w.Text && len(s.author) == 0 && next < len(s.words) {
		return other // the word is an epithet that is spelt like a rank word: proles
	}
	s.marks.rank = rank
	s.at++
	if s.at+1 < len(s.words) && s.words[s.at].Text == "n." {
		s.at++ // skip the n. of var. n. (varietas nova)
	}
	return consumed
}

// isForma reports whether a short word such as f. is a rank word. epithet is the epithet that word
// next may be, or "". Without an epithet, f. is not a rank word. In "Hook. f. ex Benth.", f. means
// filius.
func (s *sentence) isForma(next int, epithet string) bool {
	if epithet == "" || wordlist.Of(epithet).Is(wordlist.Particle|wordlist.Note) {
		return false
	}
	return len(s.author) == 0 || spelling.ShapeOf(s.words[next].Text) == spelling.Lower || s.dict.IsEpithet(epithet)
}

// numbering skips the number of a variety: α, β, or a single digit.
func numbering(s *sentence, w Token) outcome {
	r, size := utf8.DecodeRuneInString(w.bare)
	if size != len(w.bare) || !unicode.Is(unicode.Greek, r) && !unicode.IsDigit(r) || len(s.n.Epithets) == 0 || s.at+1 == len(s.words) {
		return other
	}
	s.at++
	return consumed
}

// missingEpithet ends a name at a rank word or cf. that no epithet follows.
func missingEpithet(s *sentence, _ Token) outcome {
	if s.marks.rank == "" && !(s.marks.doubt && s.afterGenus()) {
		return other
	}
	if len(s.n.Epithets) > 0 {
		s.n.Flags |= answer.OpenNomenclature
	} else {
		s.n.OpenGenus = true
	}
	return end
}

// subgenus reads the name of a subgenus in parentheses after the genus. If an epithet follows it,
// the subgenus is skipped.
func subgenus(s *sentence, w Token) outcome {
	inner := strings.Trim(w.Text, "()")
	if !s.afterGenus() || !strings.HasPrefix(w.Text, "(") || !strings.HasSuffix(w.Text, ")") ||
		!spelling.IsWord(strings.TrimSuffix(inner, ".")) || spelling.ShapeOf(inner) != spelling.Title && !strings.HasSuffix(inner, ".") {
		return other
	}
	next := s.at + 1
	if next == len(s.words) || spelling.ShapeOf(s.words[next].Text) == spelling.Upper && s.writing != capitals {
		// If no epithet follows, the word in parentheses is the name of the subgenus or an author.
		if !endsLatin(inner) && (next < len(s.words) || !strings.HasSuffix(inner, "e")) {
			return other
		}
		s.n.Infragenus = "subgen. " + inner
		s.at++
		return consumed
	}
	for next < len(s.words) && spelling.IsHybridSign(s.words[next].Text) {
		next++
	}
	if s.epithetAt(next, true) == "" {
		return other
	}
	s.at++
	return consumed
}

// endsLatin reports whether a capitalised word ends like a genus rather than an author.
func endsLatin(w string) bool {
	for _, e := range []string{"us", "a", "um", "is", "es", "on", "as", "ys"} {
		if strings.HasSuffix(w, e) {
			return bare(w) != "linnaeus" && len(w) > 4
		}
	}
	return false
}

// infrageneric reads a section or similar, "sect. Salimori", and ends the name.
func infrageneric(s *sentence, w Token) outcome {
	rank, ok := infragenericWords[w.bare]
	if !ok || len(s.n.Epithets) > 0 || s.at+1 == len(s.words) {
		return other
	}
	name := strings.Trim(s.words[s.at+1].Text, ",;.()")
	if !spelling.IsWord(name) || spelling.ShapeOf(name) != spelling.Title {
		return other
	}
	next := s.at + 2
	s.n.Infragenus = rank + " " + name
	s.author = nil
	s.at = next
	for i := next; i < len(s.words) && isAuthorText(s.words[i].Text); i++ {
		s.author = append(s.author, s.words[i].Text)
		s.words[i].Kind = AuthorWord
	}
	return end
}
