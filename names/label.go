package names

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// labelKey is what a label is looked up by: pinyin without its tones, so that
// both toned and plain readings find it.
func labelKey(kind uint32, text string) string {
	if kind >= labelPinyin {
		return "~" + plainPinyin(text)
	}
	return text
}

// foldPinyin brings pinyin to lower case and composed letters, without
// separators: "Rén shēn" → "rénshēn". Tones written as digits are dropped:
// "ren2 shen1" → "renshen".
func foldPinyin(s string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r):
			b.WriteRune(r)
		case r == ' ' || r == '\'' || r == '’' || r == '-' || r >= '1' && r <= '5':
		default:
			return "" // not pinyin
		}
	}
	return b.String()
}

// plainPinyin takes the tone marks off folded pinyin; ü becomes v.
func plainPinyin(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.NewReplacer("ü", "v", "ǖ", "v", "ǘ", "v", "ǚ", "v", "ǜ", "v").Replace(s)) {
		if r < 0x80 {
			b.WriteRune(r)
		}
	}
	return b.String()
}
