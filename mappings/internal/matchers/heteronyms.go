package matchers

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/editdistance"
	"bencao/names/pinyin"
	"bencao/store"
)

// heteronymName is a name with heteronyms (多音字): characters that have several readings.
// sound lists them all: "shen/can ling bai zhu/shu san".
type heteronymName struct {
	at               store.Num
	sound            string
	letters, initial uint32 // bit sets of all letters and of the first letters of syllables
}

// heteronyms returns the names that contain heteronyms. names is the row of the names, and sounds
// is the row of their pinyin.
func heteronyms(l *lookup, names, sounds int) []heteronymName {
	list, err := l.lazy.heteronyms[names].Get(func() (list []heteronymName, err error) {
		known := make(map[string][]string) // a character and its syllable in the name → the other readings of the character
		for at := range store.Num(l.Len()) {
			names, values := l.Values(names, at), l.Values(sounds, at)
			for names != "" && values != "" {
				var name, value string
				name, names, _ = strings.Cut(names, terms.Separator)
				value, values, _ = strings.Cut(values, terms.Separator)
				if sound := pinyin.WithAlternates([]rune(name), value, known); strings.Contains(sound, "/") {
					list = append(list, heteronymName{at, sound, editdistance.Mask([]byte(sound)), editdistance.Mask([]byte(pinyin.AllInitials(sound)))})
				}
			}
		}
		return list, nil
	})
	if err != nil {
		l.err = err
	}
	return list
}

// heteronymNames finds names by their start or by syllables within them, in any reading of their
// characters. If the query matches the whole name, the tier is better by one than if it matches
// only the start.
func heteronymNames(l *lookup, rd *reading.Reading, why hits.Why) {
	q := &rd.Sound
	if len(q.Letters) < minFuzzy || pinyin.Segment(q.Letters) == nil {
		return
	}
	within := why.As(mappings.OtherInside, l.tier(why.Row, mappings.OtherInside))
	l.note(why)
	l.note(within)
	asked := editdistance.Mask([]byte(q.Letters))
	for k, name := range heteronyms(l, l.Rows[why.Row].Characters, why.Row) {
		if k%4096 == 0 && !l.inTime() {
			return
		}
		if asked&^name.letters != 0 {
			continue
		}
		switch q.FitReadings(name.sound) {
		case pinyin.WholeFit:
			l.hits.Add(name.at, why)
		case pinyin.AlignedFit, pinyin.PartialFit:
			l.hits.Add(name.at, why.Lower(1))
		default:
			if q.InsideReadings(name.sound) {
				l.hits.Add(name.at, within)
			}
		}
	}
}

// heteronymInitials finds names by initials, in any reading of their characters. The query has the
// initials of all syllables of a name or of its first syllables.
func heteronymInitials(l *lookup, rd *reading.Reading, why hits.Why) {
	letters := rd.Sound.Letters
	names := l.Rows[why.Row].Characters
	sounds := l.pinyinRow(names)
	if len(letters) < minFuzzy || sounds < 0 {
		return
	}
	l.note(why)
	asked := editdistance.Mask([]byte(letters))
	for k, name := range heteronyms(l, names, sounds) {
		if k%4096 == 0 && !l.inTime() {
			return
		}
		if asked&^name.initial != 0 {
			continue
		}
		switch pinyin.FitInitials(name.sound, letters) {
		case pinyin.WholeFit:
			l.hits.Add(name.at, why)
		case pinyin.AlignedFit:
			l.hits.Add(name.at, why.Lower(1))
		}
	}
}
