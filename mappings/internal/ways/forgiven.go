package ways

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

// nearParts finds names that hold the query in near sounds: at their beginning,
// or from the start of a later syllable.
func nearParts(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Sound.Letters) < minForgiven {
		return
	}
	within := why.As(mappings.NearInside, l.tier(why.Row, mappings.NearInside))
	l.tried(why)
	l.tried(within)
	sounds := nearLines(l, why.Row)
	part, _ := rd.Sound.Near()
	found := 0
	for at := 0; l.alive() && found < maxNear; found++ {
		k := strings.Index(sounds[at:], part)
		if k < 0 {
			return
		}
		at += k
		start := strings.LastIndexByte(sounds[:at], '\n') + 1
		end := at + strings.IndexByte(sounds[at:], '\n')
		p := l.find(why.Row, mappings.NearSound, sounds[start:end])
		if at == start {
			l.take(p, why, nil)
		} else {
			l.take(p, within, func(at store.Num) bool {
				return l.Any(why.Row, at, func(v string) bool { return startsNear(v, part) })
			})
		}
		at = end
	}
}

// startsNear says whether a syllable of a name begins the near sounds.
func startsNear(value, part string) bool {
	sound, starts := pinyin.Near(value)
	return slices.ContainsFunc(starts, func(start int) bool { return strings.HasPrefix(sound[start:], part) })
}

// nearLines returns the near sounds of all names of a row, each in a line.
func nearLines(l *lookup, row int) string {
	lines, err := l.made.nearLines[row].Get(func() (string, error) {
		var b strings.Builder
		err := l.reader.Terms(row, mappings.NearSound, "", func(text string) bool {
			b.WriteString(text)
			b.WriteByte('\n')
			return true
		})
		return b.String(), err
	})
	if err != nil {
		l.err = err
	}
	return lines
}

// shortened finds names by syllables cut short: the whole name, or its beginning
// one tier lower. It looks at every name.
func shortened(l *lookup, rd *reading.Reading, why hits.Why) {
	q := &rd.Sound
	if len(q.Letters) < minForgiven {
		return
	}
	l.tried(why)
	for at := range store.Num(l.Len()) {
		if at%4096 == 0 && !l.alive() {
			return
		}
		text := l.Values(why.Row, at)
		if text == "" || text[0] != q.Letters[0] && !strings.Contains(text, terms.Separator) {
			continue
		}
		best := hits.Why{}
		for v := range strings.SplitSeq(text, terms.Separator) {
			if taken, ok := q.MatchShort(v); ok {
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

// soundTypo finds names whose pinyin is a letter or two away. When the query reads
// as pinyin they stand above scientific names that are.
func soundTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Sound.Letters) < minTypo {
		return
	}
	if rd.Sound.AlmostPinyin() {
		why = why.As(mappings.SoundTypo, l.tier(why.Row, mappings.SoundTypo))
	}
	l.tried(why.Lower(1))
	for _, m := range similar(l, why.Row, mappings.Whole, rd.Sound.Letters) {
		l.look(mappings.Whole, m.text, why.Lower(m.distance), nil)
	}
}
