package parse

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// readFormula reads a hybrid formula, "A b × c d", and its parents into n. It returns false if the
// text is not a formula.
func readFormula(dict *Lexicon, n *Name, words []Token) bool {
	signs := formulaSigns(words)
	if len(signs) == 0 {
		return false
	}
	start, genus := 0, ""
	for _, end := range append(signs, len(words)) {
		part := words[start:end]
		start = end + 1
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
			words[i].Kind = Unread // this is not a formula, so undo the reading of the parents
		}
		return false
	}
	for _, i := range signs {
		words[i].Kind = Sign
	}
	if p := n.Parents[0]; len(n.Parents) == 1 {
		p.Unread, p.OpenGenus = true, len(p.Epithets) == 0 // the second parent has no scientific name: Columnea × Alladin's
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

// formulaSigns returns the positions of the hybrid signs between parents. Such a sign follows an
// epithet or an author. A genus, an abbreviated genus, or an epithet of another species follows it.
// The sign of a named hybrid, in contrast, is before or directly after the genus.
func formulaSigns(words []Token) []int {
	var signs []int
	since := 0 // number of words since the last sign between parents
	for i, w := range words {
		if !spelling.IsHybridSign(w.Text) {
			if !(i == 1 && strings.HasPrefix(w.Text, "(")) {
				since++
			}
			continue
		}
		if betweenParents(words, i, since, len(signs) == 0) {
			signs = append(signs, i)
			since = 0
		}
	}
	return signs
}

// betweenParents reports whether the sign at i separates two parents. since is the number of words
// since the last such sign. first is true if there is no such sign before i.
func betweenParents(words []Token, i, since int, first bool) bool {
	switch {
	case since == 0:
		return false
	case i+1 == len(words):
		return since >= 2
	case since == 1 && first:
		// If a capitalised word follows the sign, as in Agrostis × Polypogon, this is a formula. A
		// genus, the sign and an epithet are a named hybrid.
		return spelling.ShapeOf(strings.TrimRight(words[i+1].Text, ",.")) == spelling.Title
	}
	// After a rank word or cf., the sign belongs to the epithet.
	_, rank := ranks.Mark(words[i-1].bare)
	return !rank && !words[i-1].kinds.Is(wordlist.Qualifier)
}
