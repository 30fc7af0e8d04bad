// Package pinyin converts Chinese names of plants and formulas to pinyin. It also parses pinyin as
// people type it and compares it with names.
//
//	name       重楼排草
//	toned      chóng lóu pái cǎo    one syllable per character
//	numbered   chong2 lou2 pai2 cao3
//	letters    chong lou pai cao
//	initials   c l p c, or ch l p c
//
// Many characters are heteronyms (多音字): 重 is zhòng or chóng. A [Model] learns from names with known
// pinyin how a character is read next to its neighbours. If it has not learned a character, it uses
// a table of herbs and formulas (phrases.txt), then the dictionary of go-pinyin.
//
// Start with [Train] and [Model.Read] for names, and with [Parse] and [Typed.Match] for queries.
// The package knows nothing of records or indexes.
package pinyin

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Pair is a name and its pinyin, with tone marks and a space between syllables.
type Pair struct{ Name, Pinyin string }

// Model converts names to pinyin. It is safe for concurrent use.
type Model struct {
	alone  map[rune]counts
	before map[[2]rune]counts // readings of a character after another: {the character before it, the character}
	after  map[[2]rune]counts // readings of a character before another: {the character, the one after it}
	both   map[[3]rune]counts

	learned, refused int
}

// counts maps a toned syllable to the sum of the weights of the training names that have it.
type counts map[string]float64

// phraseWeight is the weight of an entry of phrases.txt in training. A name of the training data
// has the weight 1. With a weight of 2, an entry outweighs a single error in the training data but
// not a frequent reading.
const phraseWeight = 2

// Train returns a model trained on pairs, which may be nil. It ignores a pair if one of its
// syllables is not a reading of the character in the dictionary. The model therefore does not learn
// wrong syllables.
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

// newModel returns a model trained on phrases.txt only.
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

// tableOnly returns a model trained on phrases.txt only. All callers share it.
var tableOnly = sync.OnceValue(newModel)

// pair trains the model on a pair. It returns false if it ignores the pair.
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

// Learned returns the number of pairs that the model was trained on, and the number of ignored
// pairs.
func (m *Model) Learned() (learned, refused int) { return m.learned, m.refused }

// accepted reports whether the first syllables are readings of the characters of w, either folded
// or as written. A reading may also have the neutral tone.
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

// learn counts the syllables of a name. part is true if chars may be only a part of a name, so that
// the characters before and after chars are unknown.
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

// around returns the neighbours of chars[i]. A neighbour is 0 at the end of the name.
func around(chars []rune, i int) (prev, next rune) {
	if i > 0 {
		prev = chars[i-1]
	}
	if i+1 < len(chars) {
		next = chars[i+1]
	}
	return prev, next
}

// Read returns the pinyin of a name, with tone marks and a space between syllables. Runs of letters
// and digits become separate words, unchanged. Brackets and punctuation are dropped. A character
// without a reading is copied.
func (m *Model) Read(name string) string {
	var out []string
	for _, w := range split(name) {
		if w.letters != "" {
			out = append(out, w.letters)
		} else {
			for i, r := range w.written {
				if r != w.chars[i] && (m.alone[r] != nil || phraseReadings()[r] != nil || oneReading(r, w.chars[i])) { // the model or a table has readings of the written character itself
					w.chars[i] = r
				}
			}
			out = append(out, m.syllables(w.chars)...)
		}
	}
	return strings.Join(out, " ")
}

// oneReading reports whether the written character has only one reading, although its folded form
// has several: 髮 is fà, 发 is fā or fà.
func oneReading(written, folded rune) bool {
	return len(Readings(written)) == 1 && len(Readings(folded)) > 1
}

// syllables returns the readings of a run of characters. A phrase has the reading of the tables,
// unless the training data has another habit. Characters outside phrases are read according to
// their neighbours.
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

// A reading is a habit of the training data if it occurs at least habitLeast times beside a
// neighbour, and at least habitTimes as often there as the reading of the table.
const (
	habitLeast = 6
	habitTimes = 4
)

// habit returns the reading of phrase[k] that is a habit of the training data beside one of its
// neighbours in the phrase. If there is none, it returns table, the reading of the table.
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

// best returns the most likely reading of chars[i]. It weighs the counts of the readings beside
// both neighbours most, then the counts beside one neighbour, then those of the character alone,
// then the order of the dictionary.
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
	for s := range alone { // consider neutral tones, which are not in the dictionary and depend on the previous syllable
		if !slices.Contains(readings, s) && (before[s] > 0 || Letters(s) != s) {
			score(s, len(readings))
		}
	}
	return best
}

// share returns the estimated probability of the syllable s. expected is the probability without
// any counts; it weighs as much as worth observations.
func (c counts) share(s string, expected, worth float64) float64 {
	total := worth
	for _, n := range c {
		total += n
	}
	return (c[s] + worth*expected) / total
}
