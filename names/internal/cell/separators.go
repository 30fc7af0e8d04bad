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
	// or else -1. recent is the index of the last separator.
	depth, separator, recent := 0, -1, -1
	for i := n.to; i < len(s.words); i++ {
		w := s.words[i]
		switch {
		case w.isSign("(") && recent >= 0 && s.startsName(i+1):
			separator = recent // a scientific name in brackets after a common name: rice (Oryza sativa) and wheat (Triticum aestivum)
			continue
		case w.isSign("([") && !(i+1 < len(s.words) && s.words[i+1].hasKind(wordlist.Connective)): // Quercus alba (or robur)
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
		case separator >= 0 && w.isNumber():
			continue
		case w.text == "-":
			separator = i
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
	}
	return span{}, len(s.words), false
}

// isSeparator reports whether word i is a sign or a conjunction that may separate two names.
func (s *sentence) isSeparator(i int) bool {
	w := s.words[i]
	return w.isSign(",;/|&>") || w.isSign("(") || w.hasKind(wordlist.Connective) && !strings.HasSuffix(w.text, ".") && startsLower(w.text)
}

// nameAfter reads the name that may start at word at, after the name n. separated is true if there
// is a separator between n and the word.
func (s *sentence) nameAfter(n span, at int, separated bool) (span, bool) {
	w := s.words[at]
	if startsUpper(w.text) {
		next := s.nameAt(at, n.genus)
		if next.known {
			return next, true
		}
		last := at+1 == len(s.words)
		switch {
		case !separated, !s.dict.IsGenus(w.plain()) && !(isInitial(w.text) && strings.HasPrefix(n.genus, w.plain())): // Q. alba / Q. rubra
			return span{}, false
		case n.alone && (last || s.words[at+1].sign):
			return next, n.to == len(s.words) || !startsLower(s.words[n.to].text) || s.isSeparator(n.to)
		}
		// The next name is misspelt, or the checklists lack it.
		return next, !last && (!n.alone || isInitial(w.text)) && s.likeEpithet(s.words[at+1])
	}
	if !separated {
		return span{}, false
	}
	// The word may be an epithet without its genus: robur/petraea.
	plain := n.genus + " " + w.plain()
	usage, ok := s.dict.Find(plain)
	return span{from: at, to: at + 1, genus: n.genus, text: plain, plain: plain, usage: usage, known: true}, ok
}

// likeEpithet reports whether a word after a known genus is an epithet by its form.
func (s *sentence) likeEpithet(w word) bool {
	return startsLower(w.text) && !w.hasKind(wordlist.Particle) && (s.dict.IsEpithet(w.bare) || endsLikeEpithet(w.bare))
}

// startsName reports whether a name of the checklists starts at word i.
func (s *sentence) startsName(i int) bool {
	return i < len(s.words) && s.nameAt(i, "").known
}
