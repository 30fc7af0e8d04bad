package pinyin

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// phraseTable is the table of herbs and formulas: a name a line, then the
// syllables, toned.
//
//go:embed phrases.txt
var phraseTable string

type phrase struct {
	chars     []rune
	syllables []string
}

var phrases = sync.OnceValue(func() []phrase {
	var out []phrase
	for line := range strings.Lines(phraseTable) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "#" {
			out = append(out, phrase{split(fields[0])[0].chars, fields[1:]})
		}
	}
	return out
})

// byFirst holds the phrases by their first character, the longest first.
var byFirst = sync.OnceValue(func() map[rune][]phrase {
	m := make(map[rune][]phrase)
	for _, p := range phrases() {
		m[p.chars[0]] = append(m[p.chars[0]], p)
	}
	for _, list := range m {
		slices.SortFunc(list, func(a, b phrase) int { return len(b.chars) - len(a.chars) })
	}
	return m
})

// longest returns the syllables of the longest phrase that chars begins with,
// or nil.
func longest(chars []rune) []string {
	for _, p := range byFirst()[chars[0]] {
		if len(p.chars) <= len(chars) && slices.Equal(p.chars, chars[:len(p.chars)]) {
			return p.syllables
		}
	}
	return nil
}
