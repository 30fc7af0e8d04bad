package terms

import (
	"strings"
	"unicode"

	"bencao/mappings"
)

// textTerms are the characters of a text and its pairs of neighbouring ones:
// texts are too long for all their parts to be terms.
func textTerms(_ mappings.Tiers, value string, _ []rune, add adder) {
	runes := []rune(value)
	for i := range runes {
		add(mappings.Inside, string(runes[i]))
		if i > 0 {
			add(mappings.Inside, string(runes[i-1:i+1]))
		}
	}
}

// TextParts are the parts of a query for texts, as texts are compared: what
// stands between its spaces and commas.
func TextParts(q string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(q, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("、，,;；。", r) }) {
		if key := textKey(part); key != "" {
			parts = append(parts, key)
		}
	}
	return parts
}

// TextTerms are the terms that a text with a part has.
func TextTerms(part string) []string {
	runes := []rune(part)
	if len(runes) == 1 {
		return []string{part}
	}
	terms := make([]string, 0, len(runes)-1)
	for i := 1; i < len(runes); i++ {
		terms = append(terms, string(runes[i-1:i+1]))
	}
	return terms
}
