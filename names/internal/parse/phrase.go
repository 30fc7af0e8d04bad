package parse

import (
	"regexp"
	"strings"

	"bencao/names/internal/answer"
)

// phrasePattern matches phrase names, which Australian herbaria use for unnamed taxa: Acacia sp.
// Mount Hilditch (M.E. Trudgen 19134). phraseForm matches phrase names of forms: Asparagus
// asparagoides f. Western Cape (R. Taplin 1133). phraseForm is stricter than phrasePattern, because
// f. more often belongs to an author.
var (
	phrasePattern = regexp.MustCompile(`^([A-Z][a-z-]+)( [a-z-]+)?(?: [A-Z(][^ ]*)*? (sp|subsp|ssp|var)\. ([A-Z][A-Za-z' -]*) (\([^()]*[0-9][^()]*\))`)
	phraseForm    = regexp.MustCompile(`^([A-Z][a-z-]+)( [a-z-]+) (f|forma|variant)\.? ([A-Z][A-Za-z' -]*) (\([^()]*[A-Za-z][^()]* [0-9]+\))`)
)

// IsPhrase reports whether a text is a phrase name.
func IsPhrase(s string) bool { return matchPhrase(s) != nil }

// matchPhrase returns the parts of a phrase name: genus, epithet, rank, words and voucher. It
// returns nil if the text is not a phrase name.
func matchPhrase(s string) []string {
	if !strings.HasSuffix(s, ")") && !strings.Contains(s, ") ") || !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	if m := phrasePattern.FindStringSubmatch(s); m != nil {
		return m[1:]
	}
	if m := phraseForm.FindStringSubmatch(s); m != nil {
		return m[1:]
	}
	return nil
}

// readPhrase reads a phrase name into n. It returns false if the text is not a phrase name.
func readPhrase(n *Name, s string) bool {
	m := matchPhrase(s)
	if m == nil {
		return false
	}
	rank := m[2]
	switch rank {
	case "ssp":
		rank = "subsp"
	case "forma":
		rank = "f"
	case "variant":
		rank = "var"
	}
	n.Genus = m[0]
	if sp := strings.TrimSpace(m[1]); sp != "" {
		n.Epithets = append(n.Epithets, Epithet{Word: sp})
	}
	n.Phrase = rank + ". " + m[3] + " " + m[4]
	n.Flags |= answer.OpenNomenclature
	return true
}
