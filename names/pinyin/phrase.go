package pinyin

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// phraseTable lists herbs and formulas with their toned syllables, one on each line. An entry that
// begins with … applies only at the end of a name. [Model] is trained on the other entries.
//
//go:embed phrases.txt
var phraseTable string

// wordTable lists other words in the same form as phraseTable. [Model] is not trained on them,
// because the same characters may be read differently in other words.
//
//go:embed words.txt
var wordTable string

type phrase struct {
	chars     []rune
	syllables []string
	last      bool // the entry applies only at the end of a name
	word      bool // the entry is from wordTable and not used for training
}

var phrases = sync.OnceValue(func() []phrase {
	var out []phrase
	for _, table := range []string{phraseTable, wordTable} {
		for line := range strings.Lines(table) {
			fields := strings.Fields(line)
			if len(fields) < 2 || fields[0] == "#" {
				continue
			}
			name, last := strings.CutPrefix(fields[0], "…")
			out = append(out, phrase{asRead(split(name)[0], fields[1:]), fields[1:], last, table == wordTable})
		}
	}
	return out
})

// asRead returns the folded characters of a phrase. A character stays as written if only its
// written form has the reading: 显著 keeps 著, which folds to 着.
func asRead(w word, syllables []string) []rune {
	for i, r := range w.chars {
		if r != w.written[i] && i < len(syllables) && !slices.Contains(Readings(r), syllables[i]) && slices.Contains(Readings(w.written[i]), syllables[i]) {
			w.chars[i] = w.written[i]
		}
	}
	return w.chars
}

// byFirst maps a character to the phrases that start with it, the longest first.
var byFirst = sync.OnceValue(func() map[rune][]phrase {
	m := make(map[rune][]phrase)
	for _, p := range phrases() {
		m[p.chars[0]] = append(m[p.chars[0]], p)
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.chars) - len(a.chars) })
	}
	return m
})

// phraseReadings maps characters to their readings in phrases. A few of these readings are not in
// the dictionary.
var phraseReadings = sync.OnceValue(func() map[rune][]string {
	m := make(map[rune][]string)
	for _, p := range phrases() {
		for i, r := range p.chars {
			if !slices.Contains(m[r], p.syllables[i]) {
				m[r] = append(m[r], p.syllables[i])
			}
		}
	}
	return m
})

// longest returns the syllables of the longest phrase at the start of chars. It returns nil if
// there is none.
func longest(chars []rune) []string {
	for _, p := range byFirst()[chars[0]] {
		n := len(p.chars)
		if n <= len(chars) && slices.Equal(p.chars, chars[:n]) && (!p.last || n == len(chars)) {
			return p.syllables
		}
	}
	return nil
}
