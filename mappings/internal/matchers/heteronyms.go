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

// heteronymName is a name that holds characters of several readings, with all of
// these: "shen/can ling bai zhu/shu san". Most are ruled out by a letter that
// they lack.
type heteronymName struct {
	at               store.Num
	sound            string
	letters, initial uint32 // bits of all letters, and of those that begin a syllable
}

// heteronyms returns the names of a row, whose pinyin is in the row sounds, that
// can be read otherwise.
func heteronyms(l *lookup, names, sounds int) []heteronymName {
	list, err := l.lazy.heteronyms[names].Get(func() (list []heteronymName, err error) {
		known := make(map[string][]string) // what else a character with its syllable can be read
		for at := range store.Num(l.Len()) {
			names, values := l.Values(names, at), l.Values(sounds, at)
			for names != "" && values != "" {
				var name, value string
				name, names, _ = strings.Cut(names, terms.Separator)
				value, values, _ = strings.Cut(values, terms.Separator)
				if sound := pinyin.Otherwise([]rune(name), value, known); strings.Contains(sound, "/") {
					list = append(list, heteronymName{at, sound, editdistance.Mask([]byte(sound)), editdistance.Mask([]byte(pinyin.Begins(sound)))})
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

// heteronymNames finds names by their beginning, or some of their syllables, in
// any readings of their characters. Whole names stand a tier above beginnings.
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
		switch q.FitOtherwise(name.sound) {
		case pinyin.WholeFit:
			l.hits.Add(name.at, why)
		case pinyin.AlignedFit, pinyin.PartialFit:
			l.hits.Add(name.at, why.Lower(1))
		default:
			if q.InsideOtherwise(name.sound) {
				l.hits.Add(name.at, within)
			}
		}
	}
}

// heteronymInitials finds names by the first letters of their syllables, all or
// those at the beginning, in any readings of their characters.
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
