package pinyin

import (
	"iter"
	"strings"
)

// Phrase is an entry of phrases.txt or words.txt.
type Phrase struct {
	Pair
	Last bool // the entry applies only at the end of a name
}

// Phrases yields the entries of phrases.txt and words.txt.
func Phrases() iter.Seq[Phrase] {
	return func(yield func(Phrase) bool) {
		for _, p := range phrases() {
			if !yield(Phrase{Pair{string(p.chars), strings.Join(p.syllables, " ")}, p.last}) {
				return
			}
		}
	}
}
