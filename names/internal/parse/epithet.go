package parse

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// epithet reads an epithet, and applies the marks before it, such as a rank, to it.
func epithet(s *sentence, w Token) outcome {
	text, hybrid := w.Text, s.marks.hybrid
	switch {
	case strings.HasPrefix(text, "st.-"), strings.HasPrefix(text, "St.-"):
		text = "st" + text[3:]
	case !hybrid && s.gluedSign(text):
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
	t := strings.TrimPrefix(w, "x")
	return t != w && spelling.IsWord(t) && !s.dict.IsEpithet(w) && s.joins(t)
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
		return utf8.RuneCountInString(word) >= 3 || s.dict.IsEpithet(word)
	}
	// After an author, a word is an epithet only if it is in the dictionary or repeats the last
	// epithet.
	last := s.author[len(s.author)-1]
	if s.writing != usual || wordlist.Of(bare(last)).Is(wordlist.Particle) || strings.HasSuffix(last, "&") {
		return s.joins(word)
	}
	return s.dict.IsEpithet(word) || word == n.Epithets[len(n.Epithets)-1].Word
}

// epithetAt returns the epithet that word i may be, or "". sure has the same meaning as in
// epithetIn.
func (s *sentence) epithetAt(i int, sure bool) string {
	if i >= len(s.words) {
		return ""
	}
	return s.epithetIn(i, s.words[i].Text, sure)
}

// epithetIn returns the epithet that word i may be, or "". text is the text of the word. sure is
// true if only an epithet is possible there, that is, after the genus or a rank word.
func (s *sentence) epithetIn(i int, text string, sure bool) string {
	w := strings.TrimRight(text, ",;:?")
	if isNumbered(w) {
		return w
	}
	if !spelling.IsWord(w) || utf8.RuneCountInString(w) < 2 {
		return ""
	}
	l := strings.ToLower(w)
	if neverEpithets[l] || i > 1 && strings.HasSuffix(s.words[i-1].Text, ",") {
		return ""
	}
	known := s.dict.IsEpithet(l)
	kinds := wordlist.Of(l)
	if !known && kinds.Is(wordlist.Particle|wordlist.Note) {
		return ""
	}
	switch spelling.ShapeOf(w) {
	case spelling.Lower:
		if sure || !kinds.Is(wordlist.Particle) && (known || s.writing != smallLetters) {
			return w
		}
	case spelling.Upper:
		if s.writing == capitals && (sure || known) {
			return l
		}
	case spelling.Title, spelling.Mixed:
		if i == s.at && w == text && s.beforeRank(i) || s.capitalised(l, known) {
			return l
		}
	}
	return ""
}

// isNumbered reports whether an epithet starts with a number: 11-punctata.
func isNumbered(w string) bool {
	h := strings.IndexByte(w, '-')
	return h > 0 && strings.Trim(w[:h], "0123456789") == "" && spelling.IsWord(w[h+1:]) && spelling.ShapeOf(w[h+1:]) == spelling.Lower
}

// beforeRank reports whether word i, which is capitalised, must be an epithet because a rank word
// and another epithet follow it. It cannot be a genus, since a genus has no varieties.
func (s *sentence) beforeRank(i int) bool {
	if len(s.n.Epithets) > 0 || i+2 >= len(s.words) {
		return false
	}
	r, ok := ranks.Mark(s.words[i+1].bare)
	return ok && r != "f." && spelling.ShapeOf(s.words[i+2].Text) == spelling.Lower
}

// capitalised reports whether a capitalised word is an epithet. l is its folded form. In old
// spelling, epithets from the names of persons have a capital: Rosa Banksiae.
func (s *sentence) capitalised(l string, known bool) bool {
	if s.n.Genus == "" {
		return false
	}
	genitive := strings.HasSuffix(l, "i") || strings.HasSuffix(l, "ae")
	return known && s.joins(l) || genitive && s.joinsNearly(l)
}
