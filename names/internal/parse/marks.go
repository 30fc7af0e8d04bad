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
// f. ex Benth.", it means filius. After an epithet, spp. is an error for ssp.
func rankWord(s *sentence, w Token) outcome {
	rank, ok := ranks.Mark(w.bare)
	if w.bare == "spp" {
		rank, ok = "subsp.", true
	}
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

// subgenus skips the name of a subgenus in parentheses between the genus and an epithet.
func subgenus(s *sentence, w Token) outcome {
	if !s.afterGenus() || !strings.HasPrefix(w.Text, "(") || !strings.HasSuffix(w.Text, ")") || !s.hasEpithet(s.at+1) {
		return other
	}
	s.at++
	return consumed
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
