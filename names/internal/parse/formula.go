package parse

import (
	"strings"

	"bencao/names/internal/spelling"
)

// formula recognises a hybrid formula, "A b × c d", and reads the parents.
func (w *walker) formula() bool {
	at := w.formulaSign()
	if len(at) == 0 {
		return false
	}
	n := w.n
	start, genus := 0, w.genus
	for _, end := range append(at, len(w.words)) {
		part := w.words[start:end]
		start = end + 1
		if len(part) == 0 || bare(part[0]) == "?" || part[0] == "?" {
			continue
		}
		q := &Name{}
		v := &walker{p: w.p, n: q, words: part, genus: genus}
		if !v.walk() || q.Genus == "" {
			continue
		}
		if genus == "" && !q.Abbreviated {
			genus = q.Genus
		}
		q.finish()
		n.Parents = append(n.Parents, q)
	}
	if len(n.Parents) == 0 {
		return false
	}
	var parts []string
	for _, q := range n.Parents {
		parts = append(parts, q.Canonical)
	}
	n.Canonical = strings.Join(parts, " × ")
	if len(n.Parents) == 1 {
		n.Canonical += " ×"
	}
	n.Genus = n.Parents[0].Genus
	return true
}

// formulaSign returns where the signs between the parents stand: behind an
// epithet or an author, and before a genus, an abbreviated one, or an epithet
// of another species. The sign of a named hybrid stands behind the genus or
// before it.
func (w *walker) formulaSign() []int {
	var at []int
	words := 0 // since the last sign
	for i, s := range w.words {
		if !spelling.IsHybridSign(s) || s == "+" && i == 0 {
			if !(i == 1 && strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")")) {
				words++
			}
			continue
		}
		switch {
		case words == 0:
		case i+1 == len(w.words):
			if words >= 2 {
				at = append(at, i)
				words = 0
			}
		case words == 1 && len(at) == 0:
			// Genus × epithet, but Agrostis × Polypogon.
			if next := strings.TrimRight(w.words[i+1], ",."); spelling.ShapeOf(next) == spelling.Title && spelling.IsWord(next) && !w.p.isEpithet(strings.ToLower(next)) || spelling.ShapeOf(next) == spelling.Title && w.p.isGenus(next) {
				at = append(at, i)
				words = 0
			}
		case w.beforeInfraspecific(i):
		default:
			at = append(at, i)
			words = 0
		}
	}
	return at
}

// beforeInfraspecific says whether the sign at i belongs to the epithet that
// follows a rank word, or stands in "Genus species var. × epithet".
func (w *walker) beforeInfraspecific(i int) bool {
	if _, ok := spelling.RankWord(bare(w.words[i-1])); ok {
		return true
	}
	if qualifierWords[bare(w.words[i-1])] {
		return true
	}
	// × Genus × epithet: one word since the sign of the genus.
	words := 0
	for j := i - 1; j >= 0; j-- {
		if !spelling.IsHybridSign(w.words[j]) {
			words++
		}
	}
	return words == 1 || words == 2 && spelling.IsFamily(bare(w.words[0]))
}
