package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/names/han"
)

// MaxInside is the maximum length, in characters, of the parts of a Chinese name that
// are terms. Longer parts are found by several terms.
const MaxInside = 8

// ChineseKey normalizes a Chinese name or a query for one. It folds the text, changes it to lower
// case, removes punctuation, and replaces digits among characters by Chinese numerals.
func ChineseKey(s string) string { return textKey(han.Numerals(s)) }

// textKey works like ChineseKey but does not replace digits. In texts, digits are quantities.
func textKey(s string) string {
	if key, ok := asciiKey(s); ok {
		return key
	}
	return foldedKey(s)
}

// asciiKey returns the key of an ASCII text. ok is false for other texts.
func asciiKey(s string) (string, bool) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '[' { // a bracket may start the description of a character
			return "", false
		}
	}
	var room [64]byte
	key := room[:0]
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			key = append(key, c)
		case c >= 'A' && c <= 'Z':
			key = append(key, c+'a'-'A')
		}
	}
	return string(key), true
}

func foldedKey(s string) string {
	if han.IsFolded(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '〇' {
			return r
		}
		return -1
	}, strings.ToLower(han.Fold(s)))
}

// chineseTerms adds the terms of a Chinese name: its prefixes, suffixes and n-grams of up to
// [MaxInside] characters (https://en.wikipedia.org/wiki/N-gram). The n-grams find every part of a
// name without a dictionary of words.
func chineseTerms(t mappings.Tiers, value string, _ []rune, add adder) {
	runes := []rune(value)
	if len(runes) == 0 {
		return
	}
	if t[mappings.Whole] > 0 {
		add(mappings.Whole, value)
	}
	if t[mappings.Prefix] > 0 {
		for n := 1; n < len(runes); n++ {
			add(mappings.Prefix, string(runes[:n]))
		}
	}
	if t[mappings.Suffix] > 0 {
		for n := 1; n < len(runes); n++ {
			add(mappings.Suffix, string(runes[n:]))
		}
	}
	if t[mappings.Inside] == 0 {
		return
	}
	for i := range runes {
		for j := i + 1; j <= min(i+MaxInside, len(runes)); j++ {
			add(mappings.Inside, string(runes[i:j]))
		}
	}
}
