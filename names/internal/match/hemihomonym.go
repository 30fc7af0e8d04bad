package match

import (
	_ "embed" // the genera
	"strings"

	"bencao/names/internal/vocabulary"
)

//go:embed hemihomonyms.txt
var hemihomonymsText string

// hemihomonyms are the folded genera that are names of animals too.
var hemihomonyms = func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(hemihomonymsText) {
		if genus, _, ok := strings.Cut(line, "="); ok && line[0] != '#' {
			m[strings.ToLower(strings.TrimSpace(genus))] = true
		}
	}
	return m
}()

// hemihomonym reports whether the query is a genus alone that animals have too, and neither its
// author nor its family shows that the plant is meant.
func (w *weigher) hemihomonym(c *candidate) bool {
	if c.like != exact || !w.uninomial() || c.author.Agrees() {
		return false
	}
	plant := c.flags.Has(vocabulary.FamilyHint) && !c.flags.Has(vocabulary.FamilyDiffers)
	return !plant && hemihomonyms[string(w.name.Keys[0].Text)]
}
