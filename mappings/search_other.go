package mappings

import (
	"slices"
	"strings"
	"sync"

	"bencao/names/pinyin"
)

// otherSounds holds the names of a row that hold characters of several
// readings, with all of these: "shen/can ling bai zhu/shu san". They are
// gathered when they are first needed.
type otherSounds struct {
	once  sync.Once
	names []otherName
}

// otherName is such a name. Most are ruled out by a letter that they lack.
type otherName struct {
	at               place
	sound            string
	letters, initial uint32 // bits of all letters, and of those that begin a syllable
}

// otherReadings returns the names of row i, whose pinyin is in row j, that can
// be read otherwise.
func (ix *Index) otherReadings(i, j int) []otherName {
	o := &ix.others[i]
	o.once.Do(func() {
		known := make(map[string][]string) // what else a character with its syllable can be read
		for at := range place(ix.total) {
			names, values := ix.columns[i].of(at), ix.columns[j].of(at)
			for names != "" && values != "" {
				var name, value string
				name, names, _ = strings.Cut(names, valueSeparator)
				value, values, _ = strings.Cut(values, valueSeparator)
				if sound := readOtherwise([]rune(name), value, known); strings.Contains(sound, "/") {
					o.names = append(o.names, otherName{at, sound, letterBits(sound), letterBits(begins(sound))})
				}
			}
		}
	})
	return o.names
}

// readOtherwise writes a sound value with all readings of its characters.
func readOtherwise(name []rune, value string, known map[string][]string) string {
	letters, starts := plain(value, nil)
	if len(starts) != len(name) {
		return ""
	}
	var b strings.Builder
	for k, start := range starts {
		end := len(letters)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(letters[start:end])
		key := string(name[k]) + letters[start:end]
		others, ok := known[key]
		if !ok {
			for _, other := range pinyin.Others(name[k], letters[start:end]) {
				if other = strings.ReplaceAll(other, "ü", "u"); other != letters[start:end] && !slices.Contains(others, other) {
					others = append(others, other)
				}
			}
			known[key] = others
		}
		for _, other := range others {
			b.WriteByte('/')
			b.WriteString(other)
		}
	}
	return b.String()
}

// begins returns the first letters of all readings, with the h of zh, ch and sh.
func begins(sound string) string {
	var b strings.Builder
	for reading := range strings.FieldsFuncSeq(sound, func(r rune) bool { return r == ' ' || r == '/' }) {
		_, two := pinyin.Initials(reading)
		b.WriteString(two)
	}
	return b.String()
}

// otherSounds finds names by their beginning, or some of their syllables, in
// any readings of their characters. Whole names stand a tier above beginnings.
func (s *search) otherSounds(i int, q *sound, prefix, inside uint8) {
	if pinyin.Segment(q.letters) == nil {
		return
	}
	s.tried(reason{prefix, i, OtherPrefix})
	s.tried(reason{inside, i, OtherInside})
	asked := letterBits(q.letters)
	for k, name := range s.ix.otherReadings(s.ix.rows[i].beside, i) {
		if k%4096 == 0 && !s.alive() {
			return
		}
		if asked&^name.letters != 0 {
			continue
		}
		switch q.fitReadings(name.sound, 0) {
		case wholeFit:
			s.collector.add(name.at, reason{prefix, i, OtherPrefix})
			continue
		case alignedFit, partialFit:
			s.collector.add(name.at, reason{lower(prefix, 1), i, OtherPrefix})
			continue
		}
		for at := nextSyllable(name.sound, 0); at > 0; at = nextSyllable(name.sound, at) {
			if q.fitReadings(name.sound[at:], 0) >= alignedFit {
				s.collector.add(name.at, reason{inside, i, OtherInside})
				break
			}
		}
	}
}

// nextSyllable returns where the syllable behind the one at i begins, or 0.
func nextSyllable(sound string, i int) int {
	if n := strings.IndexByte(sound[i:], ' '); n >= 0 {
		return i + n + 1
	}
	return 0
}

// nextReading returns where the next reading of the syllable at i begins, or 0.
func nextReading(sound string, i int) int {
	for ; i < len(sound) && sound[i] != ' '; i++ {
		if sound[i] == '/' {
			return i + 1
		}
	}
	return 0
}

// How letters fit syllables, the better the higher.
const (
	noFit      = iota
	partialFit // the last syllable is unfinished
	alignedFit // all syllables are whole
	wholeFit   // and they are all of the name
)

// fitReadings lays the letters from p on upon syllables of several readings.
func (q *sound) fitReadings(text string, p int) int {
	best := noFit
	for i := 0; ; {
		n := 0
		for i+n < len(text) && p+n < len(q.letters) && q.letters[p+n] == text[i+n] && (n == 0 || !q.cut[p+n]) {
			n++
		}
		whole := i+n == len(text) || text[i+n] < 'a'
		next := nextSyllable(text, i+n)
		switch {
		case p+n < len(q.letters):
			if whole && next > 0 {
				best = max(best, q.fitReadings(text[next:], p+n))
			}
		case whole && next > 0:
			best = max(best, alignedFit)
		case whole:
			best = wholeFit
		case n > 0 && !q.cut[p+n]:
			best = max(best, partialFit)
		}
		if i = nextReading(text, i+n); i == 0 {
			return best
		}
	}
}

// otherInitials finds names by the first letters of their syllables, all or
// those at the beginning, in any readings of their characters.
func (s *search) otherInitials(i int, letters string, tier uint8) {
	names := s.ix.rows[i].beside
	sounds := slices.IndexFunc(s.ix.rows, func(r row) bool { return r.analyzer == Pinyin && r.beside == names })
	if sounds < 0 {
		return
	}
	s.tried(reason{tier, i, OtherPrefix})
	asked := letterBits(letters)
	for k, name := range s.ix.otherReadings(names, sounds) {
		if k%4096 == 0 && !s.alive() {
			return
		}
		if asked&^name.initial != 0 {
			continue
		}
		switch fitInitials(name.sound, letters) {
		case wholeFit:
			s.collector.add(name.at, reason{tier, i, OtherPrefix})
		case alignedFit:
			s.collector.add(name.at, reason{lower(tier, 1), i, OtherPrefix})
		}
	}
}

// fitInitials lays initials upon syllables of several readings.
func fitInitials(text, letters string) int {
	best := noFit
	next := nextSyllable(text, 0)
	fit := func(left string) {
		switch {
		case left != "" && next > 0:
			best = max(best, fitInitials(text[next:], left))
		case left == "" && next > 0:
			best = max(best, alignedFit)
		case left == "":
			best = wholeFit
		}
	}
	// Readings that begin alike are tried once: in a long name of many such
	// characters they would double the work at each.
	one, two := false, false
	for i, more := 0, true; more; more = i > 0 {
		if text[i] == letters[0] {
			one = true
			two = two || len(letters) > 1 && letters[1] == 'h' && i+1 < len(text) && text[i+1] == 'h'
		}
		i = nextReading(text, i)
	}
	if one {
		fit(letters[1:])
	}
	if two {
		fit(letters[2:])
	}
	return best
}
