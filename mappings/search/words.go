package search

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bencao/names/han"
)

//go:embed words.txt
var wordsText string

// asked is what a word of a question stands beside. words.txt lists the words.
type asked struct{ place, kind string }

// The places and the kinds in words.txt.
var (
	wordPlaces = []string{"before", "after", "any"}
	wordKinds  = []string{"record", "herb", "without", "complaint", "book", "formulas", "kind", "taxon", "or", "list", "link"}
)

// questionWords maps the words of questions, folded and in lower case, to what they
// stand beside. first has their first characters. longest is the largest number of characters of one.
var questionWords = sync.OnceValue(func() (q struct {
	words   map[string][]asked
	first   map[rune]bool
	longest int
}) {
	q.words, q.first = map[string][]asked{}, map[rune]bool{}
	for line := range strings.Lines(wordsText) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 || !slices.Contains(wordPlaces, cells[0]) || !slices.Contains(wordKinds, cells[1]) {
			panic(fmt.Sprintf("mappings/search/words.txt: %q is not a place, a kind and words", line)) // the file is embedded in the program, and a test reads it
		}
		for w := range strings.FieldsSeq(cells[2]) {
			if w = strings.ReplaceAll(w, "_", " "); han.Has(w) {
				w = han.Fold(w)
			}
			texts := []string{w}
			if cells[0] != "before" && han.Has(w) && !strings.HasPrefix(w, "的") {
				texts = append(texts, "的"+w)
			}
			for _, w := range texts {
				first, _ := utf8.DecodeRuneInString(w)
				q.first[first] = true
				q.words[w] = append(q.words[w], asked{cells[0], cells[1]})
				q.longest = max(q.longest, utf8.RuneCountInString(w))
			}
		}
	}
	return q
})
