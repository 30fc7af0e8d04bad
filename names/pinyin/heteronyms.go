package pinyin

import (
	"slices"
	"strings"
)

// WithAlternates returns the pinyin of a name without tones, with all readings of the characters
// that have several: "shen/can ling bai zhu/shu san". Such characters are heteronyms (多音字). value
// is the numbered pinyin of the name. WithAlternates returns "" if value does not have one syllable
// for each character. known caches the alternate readings.
func WithAlternates(name []rune, value string, known map[string][]string) string {
	letters, starts := Plain(value, nil)
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
			for _, other := range AlternateReadings(name[k], letters[start:end]) {
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

// AllInitials returns the initials of all readings in sound, a result of [WithAlternates]. The
// initials zh, ch and sh keep their h.
func AllInitials(sound string) string {
	var b strings.Builder
	for reading := range strings.FieldsFuncSeq(sound, func(r rune) bool { return r == ' ' || r == '/' }) {
		_, two := Initials(reading)
		b.WriteString(two)
	}
	return b.String()
}

// nextSyllable returns the position of the syllable after the one at i, or 0 if there is none.
func nextSyllable(sound string, i int) int {
	if n := strings.IndexByte(sound[i:], ' '); n >= 0 {
		return i + n + 1
	}
	return 0
}

// nextReading returns the position of the next reading of the syllable at i, or 0 if there is none.
func nextReading(sound string, i int) int {
	for ; i < len(sound) && sound[i] != ' '; i++ {
		if sound[i] == '/' {
			return i + 1
		}
	}
	return 0
}

// Fit says how well typed letters fit the syllables of a name. A higher value is a better fit.
type Fit int

// The grades, in ascending order.
const (
	noFit      Fit = iota
	PartialFit     // the letters end within a syllable
	AlignedFit     // the letters end at the end of a syllable
	WholeFit       // the letters are the whole name
)

// FitReadings returns how well the query fits the start of a name, which is a result of
// [WithAlternates].
func (q *Typed) FitReadings(name string) Fit { return q.lay(name, 0) }

// InsideReadings reports whether the query consists of complete syllables within a name, from the
// second syllable or a later one on. The name must be a result of [WithAlternates].
func (q *Typed) InsideReadings(name string) bool {
	for at := nextSyllable(name, 0); at > 0; at = nextSyllable(name, at) {
		if q.lay(name[at:], 0) >= AlignedFit {
			return true
		}
	}
	return false
}

// lay returns the best fit of the letters of q, from the letter p on, with the syllables of text.
// It tries all readings.
func (q *Typed) lay(text string, p int) Fit {
	best := noFit
	for i := 0; ; {
		n := 0
		for i+n < len(text) && p+n < len(q.Letters) && q.Letters[p+n] == text[i+n] && (n == 0 || !q.cut[p+n]) {
			n++
		}
		whole := i+n == len(text) || text[i+n] < 'a'
		next := nextSyllable(text, i+n)
		switch {
		case p+n < len(q.Letters):
			if whole && next > 0 {
				best = max(best, q.lay(text[next:], p+n))
			}
		case whole && next > 0:
			best = max(best, AlignedFit)
		case whole:
			best = WholeFit
		case n > 0 && !q.cut[p+n]:
			best = max(best, PartialFit)
		}
		if i = nextReading(text, i+n); i == 0 {
			return best
		}
	}
}

// FitInitials returns how well letters fit the initials of a name. text is a result of
// [WithAlternates] for the name.
func FitInitials(text, letters string) Fit {
	best := noFit
	next := nextSyllable(text, 0)
	fit := func(left string) {
		switch {
		case left != "" && next > 0:
			best = max(best, FitInitials(text[next:], left))
		case left == "" && next > 0:
			best = max(best, AlignedFit)
		case left == "":
			best = WholeFit
		}
	}
	// Try only one of the readings with the same initial. Otherwise each such character of a name
	// would double the time.
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
