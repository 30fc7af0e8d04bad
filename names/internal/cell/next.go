package cell

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// next looks for the name that follows n, behind a sign or a word that parts
// names. end is the word at which n's own words end.
func (s *sentence) next(n span) (next span, end int, ok bool) {
	depth, parted, joined := 0, -1, -1
	for i := n.to; i < len(s.words); i++ {
		w := s.words[i]
		switch {
		case w.is("(") && joined >= 0 && i-joined <= 4 && s.begins(i+1):
			parted = joined // rice (Oryza sativa) and wheat (Triticum aestivum)
			continue
		case w.is("([") && !s.offers(i):
			depth++
			continue
		case w.is(")]"):
			depth = max(0, depth-1)
			continue
		case depth > 0:
			continue
		case s.parts(i):
			if parted < 0 {
				parted = i
			}
			joined = i
			continue
		case parted >= 0 && w.isNumber() && i+1 < len(s.words), w.text == "-" && parted < 0:
			if parted < 0 {
				parted = i
			}
			continue
		case w.is("+="), w.of(wordlist.Ender), w.of(wordlist.Host) && s.begins(i+1), spelling.IsHybridSign(w.text):
			return span{}, len(s.words), false
		}
		if next, ok = s.another(n, i, parted >= 0); ok {
			if parted < 0 {
				parted = i
			}
			return next, parted, true
		}
		parted = -1
		if !beginsSmall(w.text) {
			joined = -1
		}
	}
	return span{}, len(s.words), false
}

// parts says whether a word parts two names.
func (s *sentence) parts(i int) bool {
	w := s.words[i]
	return w.is(",;/|&>") || w.is("(") || w.of(wordlist.Connective) && !strings.HasSuffix(w.text, ".") && beginsSmall(w.text)
}

// offers says whether a parenthesis offers another name: (or alba).
func (s *sentence) offers(i int) bool {
	if i+1 >= len(s.words) {
		return false
	}
	switch s.words[i+1].bare {
	case "or", "oder", "vel", "ou":
		return true
	}
	return false
}

// another reads the name that may begin at a word behind n; parted says that
// something stands between them.
func (s *sentence) another(n span, at int, parted bool) (span, bool) {
	w := s.words[at]
	if w.sign {
		return span{}, false
	}
	if great := beginsGreat(w.text); great || parted && !beginsSmall(w.text) {
		next := s.nameAt(at, n.genus)
		if next.known && (parted || next.to < len(s.words) || strings.TrimRight(w.text, ".") == w.text) {
			return next, true
		}
		if parted && great && s.dict.IsGenus(w.plain()) {
			if n.alone && next.alone && (n.to == len(s.words) || !beginsSmall(s.words[n.to].text) || s.parts(n.to)) && (at+1 == len(s.words) || s.words[at+1].sign || s.words[at+1].of(wordlist.Connective)) {
				return next, true
			}
			// A name that the checklists lack, or that is misspelt.
			if !n.alone && at+1 < len(s.words) && s.likeEpithet(s.words[at+1]) {
				return next, true
			}
		}
		return span{}, false
	}
	if !parted || n.alone {
		return span{}, false
	}
	// The epithet alone: robur/petraea.
	e := w.plain()
	if usage, ok := s.dict.Find(n.genus + " " + e); ok && spelling.IsWord(e) && len(e) > 2 && !w.of(wordlist.Particle) {
		plain := n.genus + " " + e
		return span{from: at, to: at + 1, genus: n.genus, text: plain, plain: plain, usage: usage, known: true}, true
	}
	return span{}, false
}

// likeEpithet says whether a word behind a known genus is surely an epithet.
func (s *sentence) likeEpithet(w word) bool {
	return !w.sign && beginsSmall(w.text) && spelling.IsWord(w.plain()) && len(w.bare) > 3 && !w.of(wordlist.Particle) && !w.of(wordlist.Remark) &&
		(s.dict.IsEpithet(w.bare) || endsLikeEpithet(w.bare))
}

// begins says whether a name that is known begins at a word.
func (s *sentence) begins(i int) bool {
	return i < len(s.words) && !s.words[i].sign && s.nameAt(i, "").known
}
