package mappings

import (
	"strings"
	"unicode/utf8"

	"bencao/names/han"
)

// chinese gathers what a row of Chinese names finds. Such names may hold
// letters and digits too, so that no script rules them out.
func (s *search) chinese(i int, rd *reading, stage int) {
	s.look(i, Whole, rd.key, s.tier(i, Whole, stage), nil)
	s.look(i, Prefix, rd.key, s.tier(i, Prefix, stage), nil)
	if t := s.tier(i, Inside, stage); t > 0 {
		s.inside(i, rd, t)
	}
	switch rd.script {
	case Characters:
	case Mixed:
		s.mixed(i, rd, stage)
		return
	default:
		return
	}
	s.longest(i, reason{s.tier(i, Begun, stage), i, Begun}, len(rd.runes), func(n int) []rune { return rd.runes[:n] })
	s.longest(i, reason{s.tier(i, Ended, stage), i, Ended}, len(rd.runes), func(n int) []rune { return rd.runes[len(rd.runes)-n:] })
	if t := s.tier(i, AnyOrder, stage); t > 0 {
		if runes := distinct(rd.runes); len(runes) > 1 {
			p := s.allOf(i, runes)
			s.hit(p, reason{t, i, AnyOrder}, nil)
			s.hit(p, reason{s.tier(i, Reordered, stage), i, Reordered}, func(at place) bool {
				return s.ix.any(i, at, func(v string) bool { return utf8.RuneCountInString(v) == len(rd.runes) })
			})
		}
	}
	if t := s.tier(i, OneWrong, stage); t > 0 && len(rd.runes) > 2 {
		s.oneWrong(i, rd, t)
	}
}

// longest finds the names that are the longest part of the query, of at least
// two of its n characters.
func (s *search) longest(i int, why reason, n int, part func(n int) []rune) {
	if why.tier == 0 {
		return
	}
	s.tried(why)
	for n--; n > 1; n-- {
		if p := s.find(i, Whole, string(part(n))); !p.empty() {
			s.hit(p, why, nil)
			return
		}
	}
}

// inside finds names that hold the query.
func (s *search) inside(i int, rd *reading, tier uint8) {
	if len(rd.runes) <= maxInside {
		s.look(i, Inside, rd.key, tier, nil)
		return
	}
	s.hit(s.part(i, rd.runes), reason{tier, i, Inside}, func(at place) bool {
		return s.ix.any(i, at, func(v string) bool { return strings.Contains(v, rd.key) })
	})
}

// part returns the records that may hold the characters side by side; up to
// maxInside of them it is exact.
func (s *search) part(i int, runes []rune) postings {
	p := s.find(i, Inside, string(runes[:min(maxInside, len(runes))]))
	for from := maxInside; from < len(runes) && !p.empty(); from += maxInside {
		from = min(from, len(runes)-maxInside)
		p = p.and(s.find(i, Inside, string(runes[from:from+maxInside])))
	}
	return p
}

// allOf returns the records that hold all the characters.
func (s *search) allOf(i int, runes []rune) postings {
	p := s.find(i, Inside, string(runes[0]))
	for _, r := range runes[1:] {
		if p.empty() {
			break
		}
		p = p.and(s.find(i, Inside, string(r)))
	}
	return p
}

func distinct(runes []rune) []rune {
	var out []rune
	for _, r := range runes {
		if !strings.ContainsRune(string(out), r) {
			out = append(out, r)
		}
	}
	return out
}

// oneWrong finds whole names of three characters and more with one character
// wrong, missing, too many, or two of them exchanged. Such a name begins with
// the first half of the query or ends with the second, or the fault lies where
// the halves meet and its ends are right.
func (s *search) oneWrong(i int, rd *reading, tier uint8) {
	n := len(rd.runes)
	if n > 40 {
		return
	}
	half := n / 2
	p := s.part(i, rd.runes[:half]).or(s.part(i, rd.runes[half:]))
	if half > 1 {
		p = p.or(s.part(i, rd.runes[:half-1]).and(s.part(i, rd.runes[half+1:])))
	}
	s.hit(p, reason{tier, i, OneWrong}, func(at place) bool {
		return s.ix.any(i, at, func(v string) bool {
			m := utf8.RuneCountInString(v)
			return m > 2 && m >= n-1 && m <= n+1 && distance(rd.runes, []rune(v), 1) <= 1
		})
	})
}

// piece is a character of a mixed query, or letters between characters. Letters
// that are no pinyin have the empty sound, which fits nothing.
type piece struct {
	char  rune
	sound sound
}

// cutPieces cuts a mixed query.
func cutPieces(text string) []piece {
	var pieces []piece
	var letters strings.Builder
	var characters []rune
	name := func() { // takes up a run of characters, without its note
		for _, c := range nameKey(string(characters)) {
			pieces = append(pieces, piece{char: c})
		}
		characters = characters[:0]
	}
	sounds := func() { // takes up the letters before a character
		if nameKey(letters.String()) != "" {
			name()
			q, _ := parseSound(letters.String())
			pieces = append(pieces, piece{sound: q})
		}
		letters.Reset()
	}
	for _, r := range text {
		if !han.Is(r) {
			letters.WriteRune(r)
			continue
		}
		sounds()
		characters = append(characters, r)
	}
	sounds()
	name()
	return pieces
}
