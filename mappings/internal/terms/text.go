package terms

import (
	"strings"
	"unicode"

	"bencao/mappings"
)

// textTerms adds the characters of a text and the pairs of neighbouring characters. Texts are too
// long for longer n-grams.
func textTerms(_ mappings.Tiers, value string, _ []rune, add adder) {
	runes := []rune(value)
	for i := range runes {
		add(mappings.Inside, string(runes[i]))
		if i > 0 {
			add(mappings.Inside, string(runes[i-1:i+1]))
		}
	}
}

// TextParts splits a query for texts at spaces and punctuation and normalizes the
// parts.
func TextParts(q string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(q, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("、，,;；。", r) }) {
		if key := textKey(part); key != "" {
			parts = append(parts, key)
		}
	}
	return parts
}

// TextTerms returns the terms of a part of a query. Every text that contains the part has all these
// terms.
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
