package pinyin

import (
	"strings"
	"unicode"

	"bencao/names/han"
)

// word is either a run of characters, both folded (chars) and as written, or a run of letters and
// digits.
type word struct {
	chars   []rune
	written []rune
	letters string
}

// split splits a name into words at brackets, spaces and punctuation.
func split(name string) []word {
	if strings.ContainsAny(name, "[/") { // a character may be described by its components
		name = han.Fold(name)
	}
	var words []word
	var last rune
	for _, r := range name {
		isHan := isCharacter(r)
		isLetter := !isHan && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
		switch n := len(words) - 1; {
		case isHan && last == 'h':
			words[n].chars, words[n].written = append(words[n].chars, han.Rune(r)), append(words[n].written, r)
		case isHan:
			words = append(words, word{chars: []rune{han.Rune(r)}, written: []rune{r}})
		case isLetter && last == 'l':
			words[n].letters += string(r)
		case isLetter:
			words = append(words, word{letters: string(r)})
		}
		last = 0
		if isHan {
			last = 'h'
		} else if isLetter {
			last = 'l'
		}
	}
	return words
}

func isCharacter(r rune) bool { return han.Is(r) || r == '〇' }
