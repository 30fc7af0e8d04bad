package parse

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// epithet reads an epithet, and applies the marks before it, such as a rank, to it.
func epithet(s *sentence, w Token) outcome {
	text, hybrid := w.Text, s.marks.hybrid
	if strings.HasPrefix(text, "st.-") {
		text = "st" + text[3:]
	}
	if s.gluedSign(text) {
		text, hybrid = text[1:], true
	}
	word := s.epithetIn(s.at, text, s.marks.rank != "" || s.afterGenus())
	if word == "" || !s.takes(word) {
		return other
	}
	n := s.n
	if strings.ToLower(text) != text {
		n.Flags |= answer.CaseFixed
	}
	n.Epithets = append(n.Epithets, Epithet{s.marks.rank, strings.ToLower(word), hybrid, s.marks.doubt})
	s.author, s.marks = nil, marks{}
	s.at++
	return consumed
}

// gluedSign reports whether a word is an x that means the hybrid sign, written together with an
// epithet: Mentha xpiperita.
func (s *sentence) gluedSign(w string) bool {
	t, glued := strings.CutPrefix(w, "x")
	return glued && !s.dict.IsEpithet(w) && s.joins(t)
}

// takes reports whether a word that looks like an epithet is one. Otherwise it may be an author.
func (s *sentence) takes(word string) bool {
	n := s.n
	switch {
	case s.marks.rank != "":
		return true
	case len(n.Epithets) == 0:
		// An author of the genus may precede the epithet: Panax L. ginseng.
		return len(s.author) == 0 || s.joins(word)
	case len(n.Epithets) >= 3, n.Epithets[0].doubt:
		return false // after a doubtful species (cf.), no further epithet can follow
	case len(s.author) == 0:
		return utf8.RuneCountInString(word) >= 3
	}
	// After an author, a word is an epithet only if it is in the dictionary. After a word such as and,
	// the resulting name must be there.
	if wordlist.Of(bare(s.author[len(s.author)-1])).Is(wordlist.Particle) {
		return s.joins(word)
	}
	return s.dict.IsEpithet(word)
}

// hasEpithet reports whether word i may be an epithet, after the genus or a rank word.
func (s *sentence) hasEpithet(i int) bool {
	return i < len(s.words) && s.epithetIn(i, s.words[i].Text, true) != ""
}

// epithetIn returns the epithet that word i may be, or "". text is the text of the word. sure is
// true if only an epithet is possible there, that is, after the genus or a rank word.
func (s *sentence) epithetIn(i int, text string, sure bool) string {
	w := strings.TrimRight(text, ",;:?")
	if !spelling.IsWord(w) || utf8.RuneCountInString(w) < 2 {
		return ""
	}
	l := strings.ToLower(w)
	if i > 1 && strings.HasSuffix(s.words[i-1].Text, ",") {
		return ""
	}
	known := s.dict.IsEpithet(l)
	if wordlist.Of(l).Is(wordlist.Particle|wordlist.Note) || l == "of" || l == "mihi" {
		return ""
	}
	switch spelling.ShapeOf(w) {
	case spelling.Lower:
		if sure || known || s.writing != smallLetters {
			return w
		}
	case spelling.Upper:
		if s.writing == capitals && (sure || known) || s.joins(l) {
			return l
		}
	case spelling.Title, spelling.Mixed:
		// In old spelling, epithets from the names of persons have a capital: Rosa Banksiae.
		if s.joins(l) || strings.HasSuffix(l, "i") && s.joinsNearly(l) {
			return l
		}
	}
	return ""
}
