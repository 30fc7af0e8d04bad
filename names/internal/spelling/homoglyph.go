package spelling

import (
	"strings"
	"unicode"
)

// lookAlikes maps Cyrillic and Greek letters to the Latin letters that look like them.
var lookAlikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ё': 'ë', 'һ': 'h', 'і': 'i', 'ї': 'ï', 'ј': 'j', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'ѕ': 's', 'т': 't', 'у': 'y', 'х': 'x', 'ԛ': 'q', 'ԝ': 'w', 'г': 'r', 'п': 'n',
	'А': 'A', 'В': 'B', 'С': 'C', 'Е': 'E', 'Ё': 'Ë', 'Н': 'H', 'І': 'I', 'Ј': 'J', 'К': 'K', 'М': 'M', 'О': 'O', 'Р': 'P', 'Ѕ': 'S', 'Т': 'T', 'У': 'Y', 'Х': 'X',
	'α': 'a', 'ο': 'o', 'ν': 'v', 'ρ': 'p', 'ι': 'i', 'κ': 'k', 'υ': 'u', 'ε': 'e', 'τ': 't', 'χ': 'x', 'γ': 'y',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
}

// Latinise replaces Cyrillic and Greek letters that look like Latin letters. It does so in words
// that also have Latin letters, and in words that consist only of such look-alikes.
func Latinise(s string) string {
	if strings.IndexFunc(s, isForeign) < 0 {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		foreign, latin, strange := 0, 0, 0
		for _, r := range w {
			switch {
			case isForeign(r):
				foreign++
				if _, ok := lookAlikes[r]; !ok {
					strange++
				}
			case unicode.Is(unicode.Latin, r):
				latin++
			}
		}
		// A single Greek letter is the number of a variety.
		if foreign == 0 || strange > 0 || latin == 0 && foreign < 3 {
			continue
		}
		words[i] = strings.Map(func(r rune) rune {
			if l, ok := lookAlikes[r]; ok {
				return l
			}
			return r
		}, w)
	}
	return strings.Join(words, " ")
}

func isForeign(r rune) bool {
	return r > 0x36F && (unicode.Is(unicode.Cyrillic, r) || unicode.Is(unicode.Greek, r))
}
