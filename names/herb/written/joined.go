package written

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
)

//go:embed joined.txt
var joinedText string

// joinedWords is the content of joined.txt.
type joinedWords struct {
	drugs      map[string][]string // folded word → folded names of the drugs
	end, begin map[string]bool     // pairs of characters before a shared end, and behind a shared beginning
}

var loadedJoined = sync.OnceValue(func() *joinedWords {
	t := &joinedWords{map[string][]string{}, map[string]bool{}, map[string]bool{}}
	n := 0
	for line := range strings.Lines(joinedText) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, " | ")
		if len(fields) != 3 || fields[2] != "构词" && fields[2] != "处方并开" && herb.Edition(fields[2]) == "" {
			panic(fmt.Sprintf("names/herb/written/joined.txt:%d: want words, drugs and a source, which is 构词, 处方并开 or a book of books.txt", n)) // the file is embedded in the program, and a test reads it
		}
		for _, word := range strings.Fields(fields[0]) {
			word = han.Fold(word)
			switch fields[1] {
			case "end":
				t.end[word] = true
			case "begin":
				t.begin[word] = true
			default:
				for _, drug := range strings.Fields(fields[1]) {
					t.drugs[word] = append(t.drugs[word], han.Fold(drug))
				}
			}
		}
	}
	return t
})

// Joined returns the names of the drugs that one word joins, folded: 赤芍 and 白芍 for 赤白芍, and 龙骨
// and 牡蛎 for 煅龙牡. It returns nil for all other words, and for a word that the tables of package herb
// have as a name.
func Joined(word string) []string {
	word = han.Fold(word)
	if names := joined(word); names != nil {
		return names
	}
	for c := range herb.Cuts(word) {
		if names := joined(c.Rest); names != nil && either.removes(c) { // in this order for speed
			return names
		}
	}
	return nil
}

// joined does the same as Joined for a folded word without words for processing.
func joined(word string) []string {
	t := loadedJoined()
	if drugs := t.drugs[word]; drugs != nil {
		return slices.Clone(drugs)
	}
	runes := []rune(word)
	n := len(runes)
	if n < 3 {
		return nil
	}
	var a, b string
	switch {
	case t.end[string(runes[:2])]:
		a, b = string(runes[0])+string(runes[2:]), string(runes[1:])
	case t.begin[string(runes[n-2:])]:
		a, b = string(runes[:n-1]), string(runes[:n-2])+string(runes[n-1])
	}
	if a == "" || isName(word) || !isName(a) || !isName(b) {
		return nil
	}
	return []string{a, b}
}

// isName reports whether the tables of package herb have a folded word as a name of a herb that is
// more than a folk name.
func isName(word string) bool {
	if utf8.RuneCountInString(word) < 2 {
		return false
	}
	found := herb.LookupReading(herb.Reading{Base: word})
	return herb.HasRecord(word) || len(found) > 0 && found[0].By != herb.FolkName
}

// joined returns the plain names of the drugs that a text joins in one word, or nil. A row of the
// curated table for the whole word says what it is.
func (n *Names) joined(s string) (parts []string) {
	if n.HasPlain(s) || n.listed[s] || n.intact[s] {
		return nil
	}
	for _, name := range Joined(s) {
		if plain := n.plainOne(name); !slices.Contains(parts, plain) {
			parts = append(parts, plain)
		}
	}
	return parts
}
