package wordlist

import (
	"strings"

	"bencao/names/internal/spelling"
)

// AboveGenus reports whether a word is the name of a family, an order or a higher taxon, or ends
// like one.
func AboveGenus(w string) bool {
	l := strings.ToLower(w)
	if spelling.IsFamily(l) || l == "plantae" {
		return true
	}
	for _, e := range []string{"ales", "opsida", "phyta"} {
		if len(l) > len(e)+2 && strings.HasSuffix(l, e) {
			return true
		}
	}
	return false
}
