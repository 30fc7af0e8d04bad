package names

import "strings"

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
		q := &parsedName{}
		v := &walker{p: w.p, n: q, words: part, genus: genus}
		if !v.walk() || q.genus == "" {
			continue
		}
		if genus == "" && !q.expanded {
			genus = q.genus
		}
		q.finish()
		n.parents = append(n.parents, q)
	}
	if len(n.parents) == 0 {
		return false
	}
	var parts []string
	for _, q := range n.parents {
		parts = append(parts, q.canonical)
	}
	n.canonical = strings.Join(parts, " × ")
	if len(n.parents) == 1 {
		n.canonical += " ×"
	}
	n.genus = n.parents[0].genus
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
		if !isHybridSign(s) || s == "+" && i == 0 {
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
			if next := strings.TrimRight(w.words[i+1], ",."); shapeOf(next) == title && isWord(next) && !w.p.isEpithet(strings.ToLower(next)) || shapeOf(next) == title && w.p.isGenus(next) {
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
	if _, ok := rankWord(bare(w.words[i-1])); ok {
		return true
	}
	if qualifierWords[bare(w.words[i-1])] {
		return true
	}
	// × Genus × epithet: one word since the sign of the genus.
	words := 0
	for j := i - 1; j >= 0; j-- {
		if !isHybridSign(w.words[j]) {
			words++
		}
	}
	return words == 1 || words == 2 && isFamily(bare(w.words[0]))
}
