package matchers

import (
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/pinyin"
	"bencao/store"
)

// nearParts finds names whose near sound (fuzzy pinyin) contains that of the query. The match must
// begin at the start of a syllable.
func nearParts(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Sound.Letters) < minFuzzy {
		return
	}
	within := why.As(mappings.NearInside, l.tier(why.Row, mappings.NearInside))
	l.note(why)
	l.note(within)
	part, _ := rd.Sound.Near()
	near := nearSoundsOf(l, why.Row)
	if near == nil || !near.mayContain(part) {
		return
	}
	sounds := near.lines
	found := 0
	for at := 0; l.inTime() && found < maxNearSounds; found++ {
		k := strings.Index(sounds[at:], part)
		if k < 0 {
			return
		}
		at += k
		start := strings.LastIndexByte(sounds[:at], '\n') + 1
		end := at + strings.IndexByte(sounds[at:], '\n')
		p := l.postings(why.Row, mappings.NearSound, sounds[start:end])
		if at == start {
			l.collect(p, why, nil)
		} else {
			l.collect(p, within, func(at store.Num) bool {
				return l.Any(why.Row, at, func(v string) bool { return startsNear(v, part) })
			})
		}
		at = end
	}
}

// startsNear reports whether the near sound part occurs in a value from the start of a syllable.
func startsNear(value, part string) bool {
	sound, starts := pinyin.Near(value)
	return slices.ContainsFunc(starts, func(start int) bool { return strings.HasPrefix(sound[start:], part) })
}

// nearSoundIndex holds the near sounds of all names of a row for substring search.
type nearSoundIndex struct {
	lines string // one per line
	// trigrams is a bit set of all trigrams in lines, hashed to 15 bits. Most texts that no line
	// contains have a trigram that is not in the set.
	trigrams [1 << 15 / 64]uint64
}

func newNearSoundIndex(names []string) *nearSoundIndex {
	n := new(nearSoundIndex)
	var b strings.Builder
	for _, text := range names {
		b.WriteString(text)
		b.WriteByte('\n')
		for ; len(text) >= 3; text = text[1:] {
			k := trigram(text)
			n.trigrams[k/64] |= 1 << (k % 64)
		}
	}
	n.lines = b.String()
	return n
}

func trigram(s string) uint { return uint(s[0]&31)<<10 | uint(s[1]&31)<<5 | uint(s[2]&31) }

// mayContain reports whether a line may contain a text. If it returns false, no line contains the
// text.
func (n *nearSoundIndex) mayContain(text string) bool {
	for ; len(text) >= 3; text = text[1:] {
		if k := trigram(text); n.trigrams[k/64]&(1<<(k%64)) == 0 {
			return false
		}
	}
	return true
}

// nearSoundsOf returns the near sounds of a row, or nil if there was an error.
func nearSoundsOf(l *lookup, row int) *nearSoundIndex {
	near, err := l.lazy.nearSoundsOf[row].Get(func() (*nearSoundIndex, error) {
		var names []string
		err := l.reader.Terms(row, mappings.NearSound, "", func(text string) bool {
			names = append(names, text)
			return true
		})
		if err != nil {
			return nil, err
		}
		return newNearSoundIndex(names), nil
	})
	if err != nil {
		l.err = err
	}
	return near
}

// letterSets holds the letters in a record's pinyin and the first letters of its values, as bit
// sets. Comparing the sets first excludes most records that cannot match.
type letterSets struct{ letters, first uint32 }

// letterSetsOf returns the letter sets of the values of a record.
func letterSetsOf(values string) (s letterSets) {
	s.letters = letterBits(values)
	for v := range strings.SplitSeq(values, terms.Separator) {
		s.first |= letterBits(v[:min(1, len(v))])
	}
	return s
}

// has reports whether the record has all letters of the set letters and all first letters of the
// set first.
func (s letterSets) has(letters, first uint32) bool {
	return letters&^s.letters == 0 && first&^s.first == 0
}

// letterBits returns the bit set of the letters of a text. It counts v as u, as in
// typed pinyin.
func letterBits(text string) (bits uint32) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == 'v':
			bits |= 1 << ('u' - 'a')
		case c >= 'a' && c <= 'z':
			bits |= 1 << (c - 'a')
		}
	}
	return bits
}

// letterSetsOfRow returns the letter sets of a row, by record.
func letterSetsOfRow(l *lookup, row int) []letterSets {
	list, err := l.lazy.letterSets[row].Get(func() ([]letterSets, error) {
		list := make([]letterSets, l.Len())
		for at := range list {
			list[at] = letterSetsOf(l.Values(row, store.Num(at)))
		}
		return list, nil
	})
	if err != nil {
		l.err = err
	}
	return list
}

// shortened finds names by pinyin with shortened syllables. If the query matches only the start of
// a name, the tier is lower by one. It scans all names.
func shortened(l *lookup, rd *reading.Reading, why hits.Why) {
	q := &rd.Sound
	if len(q.Letters) < minFuzzy {
		return
	}
	l.note(why)
	letters, first := letterBits(q.Letters), letterBits(q.Letters[:1])
	for k, name := range letterSetsOfRow(l, why.Row) {
		if k%4096 == 0 && !l.inTime() {
			return
		}
		if !name.has(letters, first) {
			continue
		}
		at := store.Num(k)
		best := hits.Why{}
		for v := range strings.SplitSeq(l.Values(why.Row, at), terms.Separator) {
			if taken, ok := q.MatchAbbreviated(v); ok {
				found := why.Lower(1)
				if taken == strings.Count(v, " ")+1 {
					found = why
				}
				if found.Tier > best.Tier {
					best = found
				}
			}
		}
		if best.Tier > 0 {
			l.hits.Add(at, best)
		}
	}
}

// soundTypo finds names whose pinyin differs from the query by one or two letters. If the query
// looks like pinyin, these names are ranked before scientific names with wrong letters.
func soundTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Sound.Letters) < minTypo {
		return
	}
	if better := l.tier(why.Row, mappings.SoundTypo); better > 0 && rd.Sound.AlmostPinyin() {
		why = why.As(mappings.SoundTypo, better)
	}
	l.note(why.Lower(1))
	for _, m := range similarWords(l, why.Row, mappings.Whole, rd.Sound.Letters) {
		l.collectTerm(mappings.Whole, m.text, why.Lower(m.distance), nil)
	}
}
