package matchers

import (
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/names/editdistance"
	"bencao/names/pinyin"
	"bencao/store"
)

// soundOf finds names by their pinyin or by a part of it, in the way of why. If tones or spaces were
// typed, a name must agree with them.
func soundOf(l *lookup, rd *reading.Reading, why hits.Why) {
	l.collectTerm(why.Way, rd.Sound.Letters, why, agrees(l, why.Row, why.Way, &rd.Sound))
}

// agrees returns a check for records. A record passes if the pinyin of one of its names agrees with
// the tones, spaces and ü of the query. If the query has none of these, agrees returns nil, which
// means no check.
func agrees(l *lookup, row int, w mappings.Way, q *pinyin.Typed) func(store.Num) bool {
	switch {
	case !q.Marked:
		return nil
	case q.Impossible:
		return func(store.Num) bool { return false }
	}
	return func(at store.Num) bool {
		return l.Any(row, at, func(v string) bool { return fits(q, v, w) })
	}
}

// fits reports whether the typed pinyin matches the pinyin of a name in the given way.
func fits(q *pinyin.Typed, value string, w mappings.Way) bool {
	for i := 0; i < len(value); {
		next, aligned, ok := q.Match(value, i)
		switch {
		case !ok:
		case w == mappings.Whole && aligned && next == len(value):
			return true
		case w == mappings.Aligned && aligned, w == mappings.Prefix, w == mappings.Inside:
			return true
		case w == mappings.AlignedInside && aligned:
			return true
		}
		if w == mappings.Whole || w == mappings.Aligned || w == mappings.Prefix {
			return false
		}
		_, _, i = pinyin.Syllable(value, i)
	}
	return false
}

// nearSound finds names by their near sound (fuzzy pinyin).
func nearSound(l *lookup, rd *reading.Reading, why hits.Why) {
	n := l.nearOf(rd)
	lookNear(l, n.sound, &rd.Sound, n.cuts, why)
	if n.other != "" {
		lookNear(l, n.other, &rd.Sound, n.cuts, why)
	}
}

// nearSounds caches the near sounds of a query for all rows.
type nearSounds struct {
	known        bool // the other fields are set
	sound, other string
	cuts         []int
}

// nearOf returns the near sounds of the query.
func (l *lookup) nearOf(rd *reading.Reading) *nearSounds {
	n := &l.near
	if !n.known {
		n.known = true
		n.sound, n.cuts = rd.Sound.Near()
		n.other = rd.Sound.NearAlternate()
	}
	return n
}

// lookNear finds names by a near sound. Where the query separates syllables, a syllable of the name
// must start. Names that differ from the query by more than one letter have a tier that is lower by
// one.
func lookNear(l *lookup, near string, typed *pinyin.Typed, cuts []int, why hits.Why) {
	if why.Tier == 0 {
		return
	}
	l.note(why)
	letters := []byte(typed.Letters)
	var sound []byte
	var starts []int
	l.each(l.postings(why.Row, mappings.NearSound, near), func(at store.Num) {
		found := hits.Why{}
		l.Any(why.Row, at, func(v string) bool {
			sound, starts = pinyin.AppendNear(sound[:0], starts[:0], v)
			if string(sound) != near || len(cuts) > 1 && !pinyin.FitsNear(starts, cuts) {
				return false
			}
			if plain, _ := pinyin.Plain(v, nil); editdistance.Distance(letters, []byte(plain), 1) <= 1 {
				found = why
			} else if found.Tier == 0 {
				found = why.Lower(1)
			}
			return found.Tier == why.Tier
		})
		if found.Tier > 0 {
			l.hits.Add(at, found)
		}
	})
}

// doseFormSounds lists the sounds of the usual dose forms, at the end of the names of formulas.
var doseFormSounds = []string{"tang", "san", "wan", "dan", "yin", "yinzi", "gao", "jian", "yuan", "jiu", "fang"}

// typedFormSounds adds dose forms of the trade, which hardly any formula in books has.
var typedFormSounds = slices.Concat(doseFormSounds, []string{"keli", "jiaonang", "pian", "koufuye"})

// otherFormSound finds formulas whose names in pinyin differ from the query only in the dose form, as
// otherForm does in characters.
func otherFormSound(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.hits.Best() >= int(l.tier(why.Row, mappings.Whole)) {
		return
	}
	for _, typed := range typedFormSounds {
		stem, ok := strings.CutSuffix(rd.Sound.Letters, typed)
		if syllables := pinyin.Segment(stem); !ok || len(syllables) < 2 || !pinyin.IsSyllable(syllables[len(syllables)-1]) {
			continue
		}
		for _, form := range doseFormSounds {
			l.collectTerm(mappings.Whole, stem+form, why, nil)
		}
		return
	}
}

// leastSyllables is the minimum number of syllables of a query for names with further syllables.
const leastSyllables = 4

// anyOrderSound finds names that have all syllables of the query and further ones, and begin and end as
// it does: gegen huangqin huanglian tang for gegen qinlian tang.
func anyOrderSound(l *lookup, rd *reading.Reading, why hits.Why) {
	typed := rd.Sound.Syllables()
	last := len(typed) - 1
	if len(typed) < leastSyllables || !rd.Sound.IsPinyin() || !pinyin.IsSyllable(typed[last]) {
		return
	}
	for i, s := range typed {
		typed[i] = strings.ReplaceAll(s, "ü", "u")
	}
	p := l.postings(why.Row, mappings.Aligned, typed[0]).And(intersection(typed[1:], func(s string) index.Postings { return l.postings(why.Row, mappings.AlignedInside, s) }))
	l.collect(p, why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return contracts(typed, v) })
	})
}

// contracts reports whether numbered pinyin has the syllables, in any order but for the first and the
// last.
func contracts(typed []string, value string) bool {
	letters, starts := pinyin.Plain(value, nil)
	var left []string
	for i, start := range starts {
		end := len(letters)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		left = append(left, letters[start:end])
	}
	if len(left) <= len(typed) || left[0] != typed[0] || left[len(left)-1] != typed[len(typed)-1] {
		return false
	}
	for _, s := range typed {
		i := slices.Index(left, s)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// otherSound finds names by pinyin in which one character has another of its readings.
func otherSound(l *lookup, rd *reading.Reading, why hits.Why) {
	if !rd.Sound.Separated {
		l.collectTerm(mappings.OtherSound, rd.Sound.Letters, why, nil)
	}
}

// untoned finds names by their pinyin, ignoring the tones and spaces of the query.
func untoned(l *lookup, rd *reading.Reading, why hits.Why) {
	if !rd.Sound.Marked {
		return
	}
	letters := rd.Sound.Letters
	near, _ := rd.Sound.Near()
	for _, kind := range []struct {
		w     mappings.Way
		text  string
		lower int
	}{
		{mappings.Whole, letters, 0}, {mappings.Aligned, letters, 1}, {mappings.Prefix, letters, 2},
		{mappings.NearSound, near, 3}, {mappings.OtherSound, letters, 3}, {mappings.AlignedInside, letters, 4},
	} {
		l.collectTerm(kind.w, kind.text, why.Lower(kind.lower), nil)
	}
}

// sameSound finds names that sound like the query's characters: 白及 for 白芨. Names with another tone
// are one tier lower. Names without any character of the query in the same place are two tiers
// lower.
func sameSound(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) > maxRunes {
		return
	}
	sameReadings(l, rd, why, reading.PinyinReadings(rd.Runes))
}

// rareSound is sameSound with the readings that few people know. It runs after the matchers for wrong
// characters: 黄苓汤 is a slip for 黄芩汤, not for 黄连汤, though 苓 is also read lián.
func rareSound(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) <= maxRunes {
		sameReadings(l, rd, why.Lower(1), reading.AllReadings(rd.Runes))
	}
}

// sameReadings finds names with one of the readings, of which the first is the likeliest.
func sameReadings(l *lookup, rd *reading.Reading, why hits.Why, readings []string) {
	l.note(why)
	for k, value := range readings {
		letters, _ := pinyin.Plain(value, nil)
		l.reader.Each(l.postings(why.Row, mappings.Whole, letters), func(at store.Num) {
			found := why
			if k > 0 || !l.Any(why.Row, at, func(v string) bool { return v == value }) {
				found = found.Lower(1)
			}
			if !l.Any(l.Rows[why.Row].Characters, at, func(name string) bool { return sharesPlace(name, rd.Runes) }) {
				found = found.Lower(2)
			}
			l.hits.Add(at, found)
		})
	}
}

// sharesPlace reports whether a name has one of the query's characters at the same position as in
// the query.
func sharesPlace(name string, runes []rune) bool {
	i := 0
	for _, r := range name {
		if i < len(runes) && runes[i] == r {
			return true
		}
		i++
	}
	return false
}

// sameSoundPart finds names that sound like the query's characters at their start or, one tier
// lower, in a later part.
func sameSoundPart(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) < 2 || len(rd.Runes) > maxRunes {
		return
	}
	if values := reading.PinyinReadings(rd.Runes); len(values) > 0 {
		letters, _ := pinyin.Plain(values[0], nil)
		l.collectTerm(mappings.Aligned, letters, why, nil)
		l.collectTerm(mappings.AlignedInside, letters, why.Lower(1), nil)
	}
}

// initials returns the letters of the query. They are looked up as the initials of a name.
func initials(rd *reading.Reading) string { return rd.Sound.Letters }

// noteInitials lists the initials of notes on autonyms, such as 原变种. The normalized names do not
// contain these notes.
var noteInitials = []string{"ybz", "ybzh", "yyz", "yyzh", "ybx"}

// withoutNote finds names by the initials of all their syllables if the query ends with the
// initials of a note.
func withoutNote(l *lookup, rd *reading.Reading, why hits.Why) {
	for _, note := range noteInitials {
		if name, ok := strings.CutSuffix(rd.Sound.Letters, note); ok && len(name) > 1 {
			l.collectTerm(mappings.Whole, name, why.Lower(1), nil)
		}
	}
}
