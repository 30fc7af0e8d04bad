package mappings

import (
	"strings"
	"unicode"

	"bencao/names/han"
)

// maxInside is the longest part of a Chinese name, in characters, that is a
// term of its own. Longer parts are found by several terms.
const maxInside = 8

// nameKey is a Chinese name, or a query for one, as the index compares it:
// folded, in lower case, without punctuation.
func nameKey(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '〇' {
			return r
		}
		return -1
	}, strings.ToLower(han.Fold(s)))
}

// chineseTerms are the terms of a Chinese name.
func chineseTerms(t Tiers, value string, add func(Way, string)) {
	runes := []rune(value)
	if len(runes) == 0 {
		return
	}
	add(Whole, value)
	if t[Prefix] > 0 {
		for n := 1; n < len(runes); n++ {
			add(Prefix, string(runes[:n]))
		}
	}
	for i := range runes {
		for j := i + 1; j <= min(i+maxInside, len(runes)); j++ {
			add(Inside, string(runes[i:j]))
		}
	}
}
