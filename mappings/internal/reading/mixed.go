package reading

import (
	"strings"

	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// Piece is a part of a mixed query: a character, or the letters between two characters. Letters
// that are not pinyin have an empty sound, which matches nothing.
type Piece struct {
	Char  rune
	Sound pinyin.Typed
}

// cutPieces splits a mixed query into pieces.
func cutPieces(text string) []Piece {
	var pieces []Piece
	var letters strings.Builder
	var characters []rune
	name := func() { // adds the collected characters, without a note such as 原变种
		for _, c := range terms.ChineseKey(string(characters)) {
			pieces = append(pieces, Piece{Char: c})
		}
		characters = characters[:0]
	}
	sounds := func() { // adds the collected letters
		if terms.ChineseKey(letters.String()) != "" {
			name()
			q, _ := pinyin.Parse(letters.String())
			pieces = append(pieces, Piece{Sound: q})
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

// MixedFit describes how the pieces of a mixed query match a name: whether they match at all, at
// its start, at its end, and only with shortened syllables.
type MixedFit struct{ OK, Start, End, Short bool }

// better reports whether f is a closer match than g.
func (f MixedFit) better(g MixedFit) bool {
	score := func(f MixedFit) int {
		n := 0
		for i, b := range []bool{f.End, !f.Short, f.Start, f.OK} {
			if b {
				n += 1 << i
			}
		}
		return n
	}
	return f.OK && score(f) > score(g)
}

// FitMixed compares pieces with a name starting at each character of the name and returns the best
// match. value is the numbered pinyin of the name.
func FitMixed(name []rune, value string, pieces []Piece) MixedFit {
	starts := make([]int, 0, len(name)+1)
	for i := 0; i < len(value); {
		starts = append(starts, i)
		_, _, i = pinyin.Syllable(value, i)
	}
	if len(starts) != len(name) {
		return MixedFit{}
	}
	starts = append(starts, len(value))
	m := mixedName{name, value, starts}
	var best MixedFit
	for at := range name {
		if end, short, ok := m.fit(at, pieces); ok {
			if f := (MixedFit{true, at == 0, end == len(name), short}); f.better(best) {
				best = f
			}
		}
	}
	return best
}

// mixedName is a name with its numbered pinyin. starts has the offset of each syllable in value,
// and the length of value.
type mixedName struct {
	name   []rune
	value  string
	starts []int
}

// fit compares pieces with the characters m.name[at:]. end is the index after the last character
// that matched, or -1 if only the start of its syllable matched. short is true if the query
// shortens syllables.
func (m *mixedName) fit(at int, pieces []Piece) (end int, short, ok bool) {
	for k, p := range pieces {
		if p.Char != 0 {
			if at >= len(m.name) || m.name[at] != p.Char {
				return 0, false, false
			}
			at++
			continue
		}
		next, aligned, ok := p.Sound.Match(m.value, m.starts[at])
		last := k == len(pieces)-1
		if ok && (aligned || last) {
			if !aligned { // the last syllable of the query is incomplete, so the match does not reach the end of the name
				return -1, short, true
			}
			for m.starts[at] != next {
				at++
			}
			continue
		}
		n, ok := p.Sound.MatchAbbreviated(m.value[m.starts[at]:])
		if !ok {
			return 0, false, false
		}
		at, short = at+n, true
	}
	return at, short, true
}
