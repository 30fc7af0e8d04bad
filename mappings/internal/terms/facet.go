package terms

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bencao/mappings"
)

// Forms splits a value for filters into its forms: first the text that users see, then its other
// names.
func Forms(value string) []string { return strings.Split(value, mappings.FormSeparator) }

// FacetKeys returns the keys by which a filter finds a value in a field with the given analyzer.
func FacetKeys(a mappings.Analyzer, value string) []string {
	if a == mappings.Dynasty {
		return mappings.DynastyGroups(value)
	}
	keys := Forms(value)
	for i := range keys {
		keys[i] = FacetKey(a, keys[i])
	}
	return keys
}

// FacetKey returns the key for the text of a filter. The filter finds the values for which
// [FacetKeys] returns this key.
func FacetKey(a mappings.Analyzer, text string) string {
	if a == mappings.Dynasty {
		return mappings.DynastyKey(text)
	}
	return ChineseKey(text)
}

// PersonWords returns the words and initials of a person's name.
func PersonWords(name string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		words = append(words, plainLetters(strings.ToLower(w)))
	}
	return words
}

// plainLetters returns a word in lower case without diacritics.
func plainLetters(word string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(ligatures.Replace(word)) {
		if !unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}
