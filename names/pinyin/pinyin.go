// Package pinyin reads Chinese names of plants and formulas aloud.
//
//	name       重楼排草
//	toned      chóng lóu pái cǎo    one syllable to a character
//	numbered   chong2 lou2 pai2 cao3
//	letters    chong lou pai cao
//	initials   c l p c, or ch l p c
//
// Many characters have several readings (重 zhòng, chóng). A [Model] learns from
// names whose pinyin is known which reading a character has beside which
// neighbours. What it has not learned it takes from a table of herbs and
// formulas, and at last from go-pinyin's dictionary.
package pinyin

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Pair is a name and its pinyin with tone marks, a space between syllables.
type Pair struct{ Name, Pinyin string }

// Model reads names. It is safe for use by many goroutines.
type Model struct {
	alone  map[rune]counts
	before map[[2]rune]counts // the character with the one before it
	after  map[[2]rune]counts // the character with the one behind it
	both   map[[3]rune]counts

	learned, refused int
}

// counts says how often each toned syllable was seen.
type counts map[string]float64

// phraseWeight is how many names of the training data an entry of the table
// of herbs and formulas is worth. Two is enough to win over a lone slip in the
// data, and too little to win over its habit.
const phraseWeight = 2

// Train learns from pairs, which may be none. A pair counts only when every
// syllable is a reading of its character in the dictionary, so that a slip in
// the data is not learned.
func Train(pairs iter.Seq[Pair]) *Model {
	m := newModel()
	if pairs == nil {
		return m
	}
	for p := range pairs {
		if m.pair(p) {
			m.learned++
		} else {
			m.refused++
		}
	}
	return m
}

// newModel returns a model that knows the table of herbs and formulas.
func newModel() *Model {
	m := &Model{
		alone:  make(map[rune]counts),
		before: make(map[[2]rune]counts),
		after:  make(map[[2]rune]counts),
		both:   make(map[[3]rune]counts),
	}
	for _, p := range phrases() {
		if !p.last && !p.word {
			m.learn(p.chars, p.syllables, phraseWeight, true)
		}
	}
	return m
}

// tableOnly tells what a model learned from the table of herbs and formulas.
var tableOnly = sync.OnceValue(newModel)

// pair learns a pair, or returns false if it is not to be trusted.
func (m *Model) pair(p Pair) bool {
	words, syllables := split(p.Name), strings.Fields(strings.ToLower(p.Pinyin))
	rest := syllables
	for _, w := range words {
		if w.letters != "" || !accepted(w, rest) {
			return false
		}
		rest = rest[len(w.chars):]
	}
	if len(words) == 0 || len(rest) > 0 {
		return false
	}
	for _, w := range words {
		for i, r := range w.chars {
			if !isReading(r, syllables[i]) {
				w.chars[i] = w.written[i]
			}
		}
		m.learn(w.chars, syllables, 1, false)
		syllables = syllables[len(w.chars):]
	}
	return true
}

// Learned says how many pairs the model was trained with, and how many were
// refused because a syllable is no reading of its character.
func (m *Model) Learned() (learned, refused int) { return m.learned, m.refused }

// accepted says whether the first syllables are readings of the characters,
// folded or as written, or readings that lost their tone.
func accepted(w word, syllables []string) bool {
	if len(w.chars) > len(syllables) {
		return false
	}
	for i, r := range w.chars {
		if !isReading(r, syllables[i]) && !isReading(w.written[i], syllables[i]) {
			return false
		}
	}
	return true
}

// learn counts the syllables of a name. Part says that it may stand anywhere in
// a name, so that its edges are none of the name's.
func (m *Model) learn(chars []rune, syllables []string, weight float64, part bool) {
	for i, r := range chars {
		prev, next := around(chars, i)
		add(m.alone, r, syllables[i], weight)
		if !part || prev != 0 {
			add(m.before, [2]rune{prev, r}, syllables[i], weight)
		}
		if !part || next != 0 {
			add(m.after, [2]rune{r, next}, syllables[i], weight)
		}
		if !part || prev != 0 && next != 0 {
			add(m.both, [3]rune{prev, r, next}, syllables[i], weight)
		}
	}
}

func add[K comparable](m map[K]counts, key K, syllable string, weight float64) {
	c := m[key]
	if c == nil {
		c = make(counts, 1)
		m[key] = c
	}
	c[syllable] += weight
}

// around returns the characters beside chars[i]; 0 is the edge of the name.
func around(chars []rune, i int) (prev, next rune) {
	if i > 0 {
		prev = chars[i-1]
	}
	if i+1 < len(chars) {
		next = chars[i+1]
	}
	return prev, next
}

// Read returns the pinyin of a name, with tone marks and a space between
// syllables. Runs of letters and digits stand as they are, as words of their
// own; brackets and punctuation are left out; a character that the dictionary
// lacks stands for itself.
func (m *Model) Read(name string) string {
	var out []string
	for _, w := range split(name) {
		if w.letters != "" {
			out = append(out, w.letters)
		} else {
			for i, r := range w.written {
				if r != w.chars[i] && (m.alone[r] != nil || phraseReadings()[r] != nil || oneReading(r, w.chars[i])) { // it is known by itself, or says more
					w.chars[i] = r
				}
			}
			out = append(out, m.syllables(w.chars)...)
		}
	}
	return strings.Join(out, " ")
}

// oneReading says whether a character has one reading, and what it is folded to
// has several: 髮 is fà, and 发 is fā or fà.
func oneReading(written, folded rune) bool {
	return len(Readings(written)) == 1 && len(Readings(folded)) > 1
}

// syllables reads a run of characters: what the table of herbs and formulas
// holds as it is there, unless the training data have another habit, the rest
// by its neighbours.
func (m *Model) syllables(chars []rune) []string {
	out := make([]string, len(chars))
	for i := 0; i < len(chars); {
		if p := longest(chars[i:]); p != nil {
			for k, s := range p {
				out[i+k] = m.habit(chars[i:i+len(p)], k, s)
			}
			i += len(p)
			continue
		}
		out[i] = m.best(chars, i)
		i++
	}
	return out
}

// A habit of the training data is a reading that a character has at least so
// often beside a neighbour, and so many times as often as the table's.
const (
	habitLeast = 6
	habitTimes = 4
)

// habit returns the reading that the training data habitually have for
// phrase[k] beside one of its neighbours in the phrase, or that of the table.
func (m *Model) habit(phrase []rune, k int, table string) string {
	prev, next := around(phrase, k)
	seen := func(learned, fromTable counts) string {
		least := habitTimes * (learned[table] - fromTable[table])
		best, most := "", 0.0
		for s, n := range learned {
			n -= fromTable[s]
			if s != table && n >= habitLeast && n >= least && (n > most || n == most && s < best) {
				best, most = s, n
			}
		}
		return best
	}
	if key := [2]rune{prev, phrase[k]}; prev != 0 {
		if s := seen(m.before[key], tableOnly().before[key]); s != "" {
			return s
		}
	}
	if key := [2]rune{phrase[k], next}; next != 0 {
		if s := seen(m.after[key], tableOnly().after[key]); s != "" {
			return s
		}
	}
	return table
}

// best returns the likeliest reading of chars[i]. What was seen with both
// neighbours counts most, then what was seen with one, then the character
// alone, then the order of the dictionary.
func (m *Model) best(chars []rune, i int) string {
	readings := Readings(chars[i])
	alone := m.alone[chars[i]]
	if len(readings) == 0 {
		return string(chars[i])
	}
	if len(readings) == 1 && len(alone) == 0 {
		return readings[0]
	}
	prev, next := around(chars, i)
	before, after := m.before[[2]rune{prev, chars[i]}], m.after[[2]rune{chars[i], next}]
	both := m.both[[3]rune{prev, chars[i], next}]

	best, bestScore := "", -1.0
	score := func(s string, rank int) {
		p := alone.share(s, 1/float64(1+rank*rank), 0.5)
		pb, pa := before.share(s, p, 1), after.share(s, p, 1)
		if q := both.share(s, pb*pa/p, 0.5); q > bestScore {
			best, bestScore = s, q
		}
	}
	for rank, s := range readings {
		score(s, rank)
	}
	for s := range alone { // readings without tone, which no dictionary lists: they hang on the syllable before
		if !slices.Contains(readings, s) && (before[s] > 0 || Letters(s) != s) {
			score(s, len(readings))
		}
	}
	return best
}

// share estimates how likely s is, given what was expected before anything
// was seen and how many observations that expectation is worth.
func (c counts) share(s string, expected, worth float64) float64 {
	total := worth
	for _, n := range c {
		total += n
	}
	return (c[s] + worth*expected) / total
}
