package terms

import (
	"strings"
	"unicode"

	"bencao/mappings"
)

// stop stands in the key of a text for the stops and commas between its clauses. No word and no term
// crosses it.
const stop = '。'

// isStop reports whether a character ends a clause of a text.
func isStop(r rune) bool { return strings.ContainsRune("。，、；：！？,;!?", r) }

// clausesKey returns the key of a text: [textKey] of each clause, with a stop between them.
func clausesKey(s string) string {
	var keys []string
	for clause := range strings.FieldsFuncSeq(s, isStop) {
		if key := textKey(clause); key != "" {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, string(stop))
}

// textTerms adds the characters of a text and the pairs of neighbouring characters. Texts are too
// long for longer n-grams.
func textTerms(_ mappings.Tiers, value string, _ []rune, add adder) {
	runes := []rune(value)
	for i := range runes {
		if runes[i] == stop {
			continue
		}
		add(mappings.Inside, string(runes[i]))
		if i > 0 && runes[i-1] != stop {
			add(mappings.Inside, string(runes[i-1:i+1]))
		}
	}
}

// TextParts splits a query for texts at spaces, stops and commas and normalizes the
// parts.
func TextParts(q string) []string {
	var parts []string
	for part := range strings.FieldsFuncSeq(q, func(r rune) bool { return unicode.IsSpace(r) || isStop(r) }) {
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
