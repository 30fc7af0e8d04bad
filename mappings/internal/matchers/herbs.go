package matchers

import (
	"slices"
	"strings"
	"sync"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/herb"
	"bencao/names/pinyin"
	"bencao/store"
)

// processed finds a herb if the query names a processed form or a part of this herb. The name of
// the herb is the longest name of a record that the query contains. If the query is itself a name,
// processed finds nothing.
func processed(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) < 2 || len(rd.Runes) > maxRunes {
		return
	}
	readings := l.asHerb(rd)
	if len(readings) < 2 || l.isName(rd) {
		return
	}
	l.note(why)
	for _, r := range readings {
		if p := l.postings(why.Row, mappings.Whole, terms.ChineseKey(r.Base)); !r.Uncut() && !p.Empty() {
			l.collect(p, why, nil)
			return
		}
	}
}

// processedSound finds a herb by the pinyin of a processed form: zhi gancao finds gancao. It finds
// nothing if the query is itself the pinyin of a name or the herb has only one syllable.
func processedSound(l *lookup, rd *reading.Reading, why hits.Why) {
	words := processingSounds()
	for n := min(len(rd.Sound.Letters)-1, words.longest); n > 1; n-- {
		if !words.letters[rd.Sound.Letters[:n]] {
			continue
		}
		base := rd.Sound.From(n)
		if l.postings(why.Row, mappings.Whole, base.Letters).Empty() || l.isSound(rd) {
			continue
		}
		l.collectTerm(mappings.Whole, base.Letters, why, func(at store.Num) bool {
			return l.Any(why.Row, at, func(v string) bool { return strings.Contains(v, " ") && fits(&base, v, mappings.Whole) })
		})
	}
}

// isSound reports whether the query is the pinyin of a name.
func (l *lookup) isSound(rd *reading.Reading) bool {
	return slices.ContainsFunc(l.rows.sounds, func(row int) bool { return !l.postings(row, mappings.Whole, rd.Sound.Letters).Empty() })
}

// soundSet is a set of words in pinyin without tones. longest is the length of the longest word.
type soundSet struct {
	letters map[string]bool
	longest int
}

// processingSounds is the pinyin of the words for processing that precede names.
var processingSounds = sync.OnceValue(func() soundSet {
	s := soundSet{letters: map[string]bool{}}
	for w := range herb.Words("before") {
		aloud := reading.PinyinReadings([]rune(w))
		if len(aloud) == 0 {
			continue
		}
		letters, _ := pinyin.Plain(aloud[0], nil)
		s.letters[letters] = true
		s.longest = max(s.longest, len(letters))
	}
	return s
})

// herbName caches the readings of a query as the name of a herb.
type herbName struct {
	read     bool // readings is set
	readings []herb.Reading
	asked    bool // name is set
	name     bool
}

// asHerb returns the readings of a query in characters as the name of a herb.
func (l *lookup) asHerb(rd *reading.Reading) []herb.Reading {
	d := &l.herbName
	if !d.read {
		d.read, d.readings = true, herb.Readings(rd.Key)
	}
	return d.readings
}

// isName reports whether the whole query is a name of a record.
func (l *lookup) isName(rd *reading.Reading) bool {
	d := &l.herbName
	if !d.asked {
		d.asked, d.name = true, l.anyNamed(l.rows.names, rd.Key)
	}
	return d.name
}

// anyNamed reports whether a record has the name in one of the rows.
func (l *lookup) anyNamed(rows []int, name string) bool {
	return slices.ContainsFunc(rows, func(row int) bool { return !l.postings(row, mappings.Whole, name).Empty() })
}

// herbLatin finds herbs by their pharmaceutical Latin name.
func herbLatin(l *lookup, rd *reading.Reading, why hits.Why) {
	found := herb.LookupLatin(rd.Text)
	if len(found) == 0 {
		return
	}
	l.note(why)
	for _, f := range found {
		l.collectTerm(mappings.Whole, terms.ChineseKey(f.Name), why, nil)
	}
}

// latinStem finds the records of the genus or the species that a pharmaceutical Latin name
// contains. It applies to names that are not in the table of herbs.
func latinStem(l *lookup, rd *reading.Reading, why hits.Why) {
	if !herb.HasPart(rd.Text) || len(herb.LookupLatin(rd.Text)) > 0 {
		return
	}
	n, ok := herb.ParseLatin(rd.Text)
	if !ok {
		return
	}
	l.note(why)
	of := func(name string) index.Postings {
		if words := strings.Fields(name); len(words) > 1 {
			return l.postings(why.Row, mappings.Whole, strings.Join(words, "_"))
		}
		return l.postings(why.Row, mappings.Genus, name)
	}
	for _, name := range n.Nominatives(func(name string) bool { return !of(name).Empty() }) {
		l.collect(of(name), why, nil)
	}
}

// noPlant reports whether the query names a herb that is not a plant and no species or plant herb
// has this name.
func (l *lookup) noPlant(rd *reading.Reading) bool {
	if l.rows.noPlant < 0 || rd.Literal || len(rd.Runes) > maxRunes {
		return false
	}
	switch {
	case rd.Script == reading.Letters && len(rd.Words) > 0:
		return noPlants(herb.LookupLatin(rd.Text))
	case rd.Script == reading.Characters && len(rd.Runes) > 1:
		return !l.anyNamed(l.rows.own, rd.Key) && l.knownNoPlant(rd)
	}
	return false
}

// knownNoPlant reports whether the operator's table or the table of herbs says that the query is
// not a plant. For a processed form, it looks up the herb that is processed. It returns false for
// parts such as 草 or 花, which belong to plants.
func (l *lookup) knownNoPlant(rd *reading.Reading) bool {
	for _, r := range l.asHerb(rd) {
		if len(r.Parts) > 0 {
			continue
		}
		if !l.postings(l.rows.noPlant, mappings.Whole, terms.ChineseKey(r.Base)).Empty() {
			return true
		}
		if found := herb.LookupReading(r); len(found) > 0 {
			return noPlants(found)
		}
	}
	return false
}

// noPlants reports whether all herbs found are certainly not plants.
func noPlants(found []herb.Match) bool {
	return len(found) > 0 && !slices.ContainsFunc(found, func(f herb.Match) bool { return f.IsPlant() || f.Unsure })
}
