package mappings

import (
	"slices"
	"strings"
)

// shortenedLess is by how much a mixed query whose pinyin is cut short stands
// below one with whole syllables.
const shortenedLess = 5

// mixed finds names by characters and pinyin together: 人shen, 北chai胡. The
// records that hold the characters are followed character by character and
// syllable by syllable.
func (s *search) mixed(i int, rd *reading, stage int) {
	sounds := -1
	for j, r := range s.ix.rows {
		if r.analyzer == Pinyin && r.beside == i {
			sounds = j
		}
	}
	whole, prefix, inside := s.tier(i, MixedWhole, stage), s.tier(i, MixedPrefix, stage), s.tier(i, MixedInside, stage)
	if whole == 0 || sounds < 0 {
		return
	}
	s.mixedLatin(i, rd, inside)
	if slices.ContainsFunc(rd.pieces, func(p piece) bool { return p.char == 0 && p.sound.letters == "" }) {
		return
	}
	s.tried(reason{whole, i, MixedWhole})
	s.tried(reason{prefix, i, MixedPrefix})
	s.tried(reason{inside, i, MixedInside})
	looked := 0
	s.reader.each(s.runs(i, rd.pieces), func(at place) {
		if looked++; looked%1024 == 0 && s.err == nil {
			s.err = s.ctx.Err()
		}
		if s.err != nil {
			return
		}
		best := reason{}
		names, values := s.ix.columns[i].of(at), s.ix.columns[sounds].of(at)
		for names != "" && values != "" {
			var name, value string
			name, names, _ = strings.Cut(names, valueSeparator)
			value, values, _ = strings.Cut(values, valueSeparator)
			fit := fitMixed([]rune(name), value, rd.pieces)
			why := reason{}
			switch {
			case !fit.ok:
			case fit.start && fit.end && !fit.short:
				why = reason{whole, i, MixedWhole}
			case fit.start && !fit.short:
				why = reason{prefix, i, MixedPrefix}
			default:
				why = reason{inside, i, MixedInside}
				if fit.short {
					why.tier = lower(why.tier, shortenedLess)
				}
			}
			if why.tier > best.tier {
				best = why
			}
		}
		if best.tier > 0 {
			s.collector.add(at, best)
		}
	})
}

// mixedLatin finds records by a Chinese and a scientific name together.
func (s *search) mixedLatin(i int, rd *reading, tier uint8) {
	if len(rd.words) == 0 || slices.ContainsFunc(rd.words, func(w latinWord) bool { return len(w.text) < minLatinPrefix }) {
		return
	}
	names := s.runs(i, rd.pieces)
	for j, r := range s.ix.rows {
		if r.analyzer == SciName && !names.empty() {
			s.hit(s.latinPrefixes(j, rd.words).and(names), reason{tier, i, MixedLatin}, nil)
		}
	}
}

// runs returns the records that hold every run of characters.
func (s *search) runs(i int, pieces []piece) postings {
	all, first := nothing, true
	var run []rune
	flush := func() {
		if len(run) > 0 {
			if p := s.part(i, run); first {
				all, first = p, false
			} else {
				all = all.and(p)
			}
		}
		run = nil
	}
	for _, p := range pieces {
		if p.char != 0 {
			run = append(run, p.char)
		} else {
			flush()
		}
	}
	flush()
	return all
}

// mixedFit is how pieces fit a name.
type mixedFit struct{ ok, start, end, short bool }

// better says whether f is the better fit.
func (f mixedFit) better(g mixedFit) bool {
	score := func(f mixedFit) int {
		n := 0
		for i, b := range []bool{f.end, !f.short, f.start, f.ok} {
			if b {
				n += 1 << i
			}
		}
		return n
	}
	return f.ok && score(f) > score(g)
}

// fitMixed lays pieces on a name and its sound value at every place and
// returns the best fit.
func fitMixed(name []rune, value string, pieces []piece) mixedFit {
	starts := make([]int, 0, len(name)+1)
	for i := 0; i < len(value); {
		starts = append(starts, i)
		_, _, i = syllable(value, i)
	}
	if len(starts) != len(name) {
		return mixedFit{}
	}
	starts = append(starts, len(value))
	m := mixedName{name, value, starts}
	var best mixedFit
	for at := range name {
		if end, short, ok := m.fit(at, pieces); ok {
			if f := (mixedFit{true, at == 0, end == len(name), short}); f.better(best) {
				best = f
			}
		}
	}
	return best
}

// mixedName is a name with its syllables; starts says where each begins.
type mixedName struct {
	name   []rune
	value  string
	starts []int
}

// fit follows pieces from a place in the name. It returns the place behind
// them, and whether syllables were cut short.
func (m *mixedName) fit(at int, pieces []piece) (end int, short, ok bool) {
	for k, p := range pieces {
		if p.char != 0 {
			if at >= len(m.name) || m.name[at] != p.char {
				return 0, false, false
			}
			at++
			continue
		}
		next, aligned, ok := p.sound.match(m.value, m.starts[at])
		last := k == len(pieces)-1
		if ok && (aligned || last) {
			if !aligned { // a partial end is a beginning of the name, never the whole
				return -1, short, true
			}
			for m.starts[at] != next {
				at++
			}
			continue
		}
		n, ok := p.sound.matchShort(m.value[m.starts[at]:])
		if !ok {
			return 0, false, false
		}
		at, short = at+n, true
	}
	return at, short, true
}

// matchShort follows the sound through syllables of which each may be cut
// short after any letter, from the start of a sound value. It returns how many
// syllables it took.
func (q *sound) matchShort(value string) (syllables int, ok bool) {
	return q.short(value, 0, 0, new(int))
}

// maxTries bounds how often matchShort goes back; names of syllables like
// "a" and "an" would let it go back for ever.
const maxTries = 400

func (q *sound) short(value string, p, taken int, tries *int) (int, bool) {
	if p == len(q.letters) {
		return taken, true
	}
	if *tries++; *tries > maxTries || value == "" {
		return 0, false
	}
	letters, tone, next := syllable(value, 0)
	n := 0
	for n < len(letters) && p+n < len(q.letters) && (n == 0 || !q.cut[p+n]) {
		c := letters[n]
		if c == 'v' {
			c = 'u'
		}
		if c != q.letters[p+n] || q.tone[p+n] >= 0 && q.tone[p+n] != tone {
			break
		}
		n++
	}
	for ; n > 0; n-- {
		if got, ok := q.short(value[next:], p+n, taken+1, tries); ok {
			return got, true
		}
	}
	return 0, false
}
