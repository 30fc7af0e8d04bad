package parse

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// readFormula reads a hybrid formula, "A b × c d", with its parents into n. It
// reports false for a text that is none.
func readFormula(dict *Lexicon, n *Name, words []Token) bool {
	signs := formulaSigns(dict, words)
	if len(signs) == 0 {
		return false
	}
	start, genus := 0, ""
	for _, end := range append(signs, len(words)) {
		part := words[start:end]
		start = end + 1
		if len(part) == 0 || part[0].bare == "?" {
			continue
		}
		parent := &Name{}
		if !readWords(dict, parent, part, genus) || parent.Genus == "" {
			continue
		}
		if genus == "" && !parent.Abbreviated {
			genus = parent.Genus
		}
		parent.finish()
		n.Parents = append(n.Parents, parent)
	}
	if len(n.Parents) == 0 {
		for i := range words {
			words[i].Kind = Unread // what was tried does not count
		}
		return false
	}
	for _, i := range signs {
		words[i].Kind = Sign
	}
	parts := make([]string, len(n.Parents))
	for i, parent := range n.Parents {
		parts[i] = parent.Canonical
	}
	n.Canonical = strings.Join(parts, " × ")
	if len(parts) == 1 {
		n.Canonical += " ×"
	}
	n.Genus, n.Tokens = n.Parents[0].Genus, words
	return true
}

// formulaSigns returns where the signs between the parents stand: behind an
// epithet or an author, and before a genus, an abbreviated one, or an epithet
// of another species. The sign of a named hybrid stands behind the genus or
// before it.
func formulaSigns(dict *Lexicon, words []Token) []int {
	var signs []int
	since := 0 // words since the last sign
	for i, w := range words {
		if !spelling.IsHybridSign(w.Text) || w.Text == "+" && i == 0 {
			if !(i == 1 && strings.HasPrefix(w.Text, "(") && strings.HasSuffix(w.Text, ")")) {
				since++
			}
			continue
		}
		if betweenParents(dict, words, i, since, len(signs) == 0) {
			signs = append(signs, i)
			since = 0
		}
	}
	return signs
}

// betweenParents decides on the sign at i, since words behind the last one.
func betweenParents(dict *Lexicon, words []Token, i, since int, first bool) bool {
	switch {
	case since == 0:
		return false
	case i+1 == len(words):
		return since >= 2
	case since == 1 && first:
		// Genus × epithet, but Agrostis × Polypogon.
		next := strings.TrimRight(words[i+1].Text, ",.")
		return spelling.ShapeOf(next) == spelling.Title &&
			(dict.IsGenus(next) || spelling.IsWord(next) && !dict.IsEpithet(strings.ToLower(next)))
	}
	return !ofEpithet(words, i)
}

// ofEpithet says whether the sign at i belongs to the epithet that follows a
// rank word, or stands in "Genus species var. × epithet".
func ofEpithet(words []Token, i int) bool {
	before := words[i-1]
	if _, ok := ranks.Mark(before.bare); ok || before.kinds.Is(wordlist.Qualifier|wordlist.Near) {
		return true
	}
	// × Genus × epithet: one word since the sign of the genus.
	n := 0
	for _, w := range words[:i] {
		if !spelling.IsHybridSign(w.Text) {
			n++
		}
	}
	return n == 1 || n == 2 && spelling.IsFamily(words[0].bare)
}
