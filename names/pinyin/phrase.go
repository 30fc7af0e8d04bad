package pinyin

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
)

// phraseTable is the table of herbs and formulas: a name a line, then the
// syllables, toned. A name that begins with … stands at the end only. It
// is learned what they say of their characters.
//
//go:embed phrases.txt
var phraseTable string

// wordTable is the table of words: it says nothing of their characters in other
// words.
//
//go:embed words.txt
var wordTable string

type phrase struct {
	chars     []rune
	syllables []string
	last      bool // stands at the end only
	word      bool // is a word of its own, from which nothing is learned
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

// asRead are the characters of a phrase, folded but where only the one that was
// written is read so: 显著 keeps its 著, which folds to 着.
func asRead(w word, syllables []string) []rune {
	for i, r := range w.chars {
		if r != w.written[i] && i < len(syllables) && !slices.Contains(Readings(r), syllables[i]) && slices.Contains(Readings(w.written[i]), syllables[i]) {
			w.chars[i] = w.written[i]
		}
	}
	return w.chars
}

// byFirst holds the phrases by their first character, the longest first.
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

// phraseReadings holds the readings that characters have in phrases, of which
// the dictionary lacks a few.
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

// longest returns the syllables of the longest phrase that chars begins with,
// or nil.
func longest(chars []rune) []string {
	for _, p := range byFirst()[chars[0]] {
		n := len(p.chars)
		if n <= len(chars) && slices.Equal(p.chars, chars[:n]) && (!p.last || n == len(chars)) {
			return p.syllables
		}
	}
	return nil
}

// Phrase is an entry of the table of herbs and formulas.
type Phrase struct {
	Pair
	Last bool // holds at the end of a name only
}

// Phrases yields the table of herbs and formulas.
func Phrases() iter.Seq[Phrase] {
	return func(yield func(Phrase) bool) {
		for _, p := range phrases() {
			if !yield(Phrase{Pair{string(p.chars), strings.Join(p.syllables, " ")}, p.last}) {
				return
			}
		}
	}
}
