package parse

import (
	"regexp"
	"strings"

	"bencao/names/internal/vocabulary"
)

// phrasePattern matches phrase names, by which Australian herbaria refer to unnamed species: Acacia
// sp. Mount Hilditch (M.E. Trudgen 19134).
var phrasePattern = regexp.MustCompile(`^([A-Z][a-z-]+)( [a-z-]+)?( [A-Z(][^ ]*)*? (sp|subsp|ssp|var)\. ([A-Z][A-Za-z' -]*) (\([^()]*[0-9][^()]*\))`)

// IsPhrase reports whether a text is a phrase name.
func IsPhrase(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsRune(s, ')') && phrasePattern.MatchString(s)
}

// readPhrase reads a phrase name into n. Its only key is the genus, unless a checklist has the
// phrase name.
func readPhrase(n *Name, s string) bool {
	if !strings.HasSuffix(s, ")") && !strings.Contains(s, ") ") || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	m := phrasePattern.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	rank := m[4]
	if rank == "ssp" {
		rank = "subsp"
	}
	n.Genus = m[1]
	if sp := strings.TrimSpace(m[2]); sp != "" {
		n.Epithets = append(n.Epithets, Epithet{Word: sp})
	}
	n.Phrase = rank + ". " + m[5] + " " + m[6]
	n.Flags |= vocabulary.OpenNomenclature
	return true
}
