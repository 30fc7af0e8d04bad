package cell

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// nextName returns the name that follows n after a separator or a conjunction. end is the index of
// the word after n and the author of n. ok is false if no name follows.
func (s *sentence) nextName(n span) (next span, end int, ok bool) {
	// If there are separators directly before word i, separator is the index of the first of them,
	// or else -1. recent is the index of the last separator, or -1 if a capitalised word has
	// followed it.
	depth, separator, recent := 0, -1, -1
	for i := n.to; i < len(s.words); i++ {
		w := s.words[i]
		switch {
		case w.isSign("(") && recent >= 0 && i-recent <= 4 && s.startsName(i+1):
			separator = recent // a scientific name in brackets after a common name: rice (Oryza sativa) and wheat (Triticum aestivum)
			continue
		case w.isSign("([") && !s.startsAlternative(i):
			depth++
			continue
		case w.isSign(")]"):
			depth = max(0, depth-1)
			continue
		case depth > 0:
			continue
		case s.isSeparator(i):
			if separator < 0 {
				separator = i
			}
			recent = i
			continue
		case separator >= 0 && w.isNumber() && i+1 < len(s.words), w.text == "-" && separator < 0:
			if separator < 0 {
				separator = i
			}
			continue
		case w.isSign("+="), w.hasKind(wordlist.Ender), w.hasKind(wordlist.Host) && s.startsName(i+1), spelling.IsHybridSign(w.text):
			return span{}, len(s.words), false
		}
		if next, ok = s.nameAfter(n, i, separator >= 0); ok {
			if separator < 0 {
				separator = i
			}
			return next, separator, true
		}
		separator = -1
		if !startsLower(w.text) {
			recent = -1
		}
	}
	return span{}, len(s.words), false
}

// isSeparator reports whether word i is a sign or a conjunction that may separate two names.
func (s *sentence) isSeparator(i int) bool {
	w := s.words[i]
	return w.isSign(",;/|&>") || w.isSign("(") || w.hasKind(wordlist.Connective) && !strings.HasSuffix(w.text, ".") && startsLower(w.text)
}

// startsAlternative reports whether the bracket at word i contains an alternative name of the same
// plant: (or alba).
func (s *sentence) startsAlternative(i int) bool {
	if i+1 >= len(s.words) {
		return false
	}
	switch s.words[i+1].bare {
	case "or", "oder", "vel", "ou":
		return true
	}
	return false
}

// nameAfter reads the name that may start at word at, after the name n. separated is true if there
// is a separator between n and the word.
func (s *sentence) nameAfter(n span, at int, separated bool) (span, bool) {
	w := s.words[at]
	if w.sign {
		return span{}, false
	}
	if upper := startsUpper(w.text); upper || separated && !startsLower(w.text) {
		next := s.nameAt(at, n.genus)
		if next.known && (separated || next.to < len(s.words) || strings.TrimRight(w.text, ".") == w.text) {
			return next, true
		}
		if separated && n.alone && next.alone && isInitial(s.words[n.from].text) && isInitial(w.text) && at+1 < len(s.words) && s.likeEpithet(s.words[at+1]) {
			return next, true // Q. alba / Q. rubra
		}
		if separated && upper && s.dict.IsGenus(w.plain()) {
			if n.alone && next.alone && (n.to == len(s.words) || !startsLower(s.words[n.to].text) || s.isSeparator(n.to)) && (at+1 == len(s.words) || s.words[at+1].sign || s.words[at+1].hasKind(wordlist.Connective)) {
				return next, true
			}
			// The next name is misspelt, or the checklists lack it.
			if !n.alone && at+1 < len(s.words) && s.likeEpithet(s.words[at+1]) {
				return next, true
			}
		}
		return span{}, false
	}
	if !separated || n.alone {
		return span{}, false
	}
	// The word may be an epithet without its genus: robur/petraea.
	e := w.plain()
	if usage, ok := s.dict.Find(n.genus + " " + e); ok && spelling.IsWord(e) && len(e) > 2 && !w.hasKind(wordlist.Particle) {
		plain := n.genus + " " + e
		return span{from: at, to: at + 1, genus: n.genus, text: plain, plain: plain, usage: usage, known: true}, true
	}
	return span{}, false
}

// isInitial reports whether a word abbreviates a genus.
func isInitial(w string) bool {
	short, rest, _ := shortened(w, "")
	return short && rest == ""
}

// likeEpithet reports whether a word after a known genus is an epithet by its form.
func (s *sentence) likeEpithet(w word) bool {
	return !w.sign && startsLower(w.text) && spelling.IsWord(w.plain()) && len(w.bare) > 3 && !w.hasKind(wordlist.Particle) && !w.hasKind(wordlist.Remark) &&
		(s.dict.IsEpithet(w.bare) || endsLikeEpithet(w.bare))
}

// startsName reports whether a name of the checklists starts at word i.
func (s *sentence) startsName(i int) bool {
	return i < len(s.words) && !s.words[i].sign && s.nameAt(i, "").known
}
