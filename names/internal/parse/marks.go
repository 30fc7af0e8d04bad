package parse

import (
	"slices"
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
	s.marks.hybrid = s.at < len(s.words)
	return consumed
}

// qualifier reads a word such as cf., which says that the identification is doubtful.
func qualifier(s *sentence, w Token) outcome {
	if !w.kinds.Is(wordlist.Qualifier | wordlist.Near) {
		return other
	}
	s.n.Flags |= answer.Qualifier
	s.marks.doubt = true
	s.at++
	return consumed
}

// rankWord reads a rank word. It leaves f. to other productions if no epithet follows it: in "Hook.
// f. ex Benth.", it means filius.
func rankWord(s *sentence, w Token) outcome {
	rank, ok := ranks.Mark(w.bare)
	if !ok || len(s.n.Epithets) == 0 {
		return other
	}
	next := s.at + 1
	if s.bareAt(next) == "n" && next+1 < len(s.words) {
		next++ // skip the n. of var. n. (varietas nova)
	}
	if shortRanks[w.bare] && !(s.hasEpithet(next) && (len(s.author) == 0 || spelling.ShapeOf(s.words[next].Text) == spelling.Lower)) {
		return other
	}
	if w.bare == w.Text && len(s.author) == 0 && next < len(s.words) && !s.hasEpithet(next) {
		return other // the word is an epithet that is spelt like a rank word: proles
	}
	s.marks.rank = rank
	s.at = next
	return consumed
}

// numbering skips the number of a variety: α, β, or a single digit.
func numbering(s *sentence, w Token) outcome {
	r, size := utf8.DecodeRuneInString(w.bare)
	if size != len(w.bare) || !unicode.Is(unicode.Greek, r) && !unicode.IsDigit(r) || len(s.n.Epithets) == 0 {
		return other
	}
	s.at++
	return consumed
}

// missingEpithet ends a name at a rank word or cf. that no epithet follows.
func missingEpithet(s *sentence, _ Token) outcome {
	switch {
	case s.marks.rank != "":
		s.n.Flags |= answer.OpenNomenclature
	case s.marks.doubt && len(s.n.Epithets) == 0:
		s.n.OpenGenus = true
	default:
		return other
	}
	return end
}

// subgenus reads the name of a subgenus in parentheses after the genus. Before an epithet, the
// subgenus is skipped.
func subgenus(s *sentence, w Token) outcome {
	if !s.afterGenus() || !strings.HasPrefix(w.Text, "(") || !strings.HasSuffix(w.Text, ")") {
		return other
	}
	next := s.at + 1
	for next < len(s.words) && spelling.IsHybridSign(s.words[next].Text) {
		next++
	}
	if !s.hasEpithet(next) {
		inner := strings.Trim(w.Text, "()")
		if !endsLatin(inner) || next < len(s.words) && spelling.ShapeOf(s.words[next].Text) != spelling.Upper {
			return other // an author
		}
		s.n.Infragenus = "subgen. " + inner
	}
	s.at++
	return consumed
}

// endsLatin reports whether a word ends like a genus rather than an author.
func endsLatin(w string) bool {
	return slices.ContainsFunc([]string{"us", "a", "um", "is", "es", "on", "as", "ys", "ere"}, func(e string) bool { return strings.HasSuffix(w, e) })
}

// infrageneric reads a section or similar, "sect. Salimori", and ends the name.
func infrageneric(s *sentence, w Token) outcome {
	rank, ok := infragenericWords[w.bare]
	if !ok || len(s.n.Epithets) > 0 || s.at+1 == len(s.words) {
		return other
	}
	s.n.Infragenus = rank + " " + strings.Trim(s.words[s.at+1].Text, ",;.()")
	s.author = nil
	s.at += 2
	for i := s.at; i < len(s.words) && isAuthorText(s.words[i].Text); i++ {
		s.author = append(s.author, s.words[i].Text)
		s.words[i].Kind = AuthorWord
	}
	return end
}
