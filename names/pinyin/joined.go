package pinyin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// noPinyin are the signs of names with authors: a text with one is no pinyin.
const noPinyin = ".,()&×"

// Joined brings pinyin to lower case and composed letters, without
// separators: "Rén shēn" → "rénshēn". Tones written as digits become marks:
// "ren2 shen1" → "rénshēn"; 5, the neutral tone, has none.
func Joined(s string) string {
	if strings.ContainsAny(s, noPinyin) {
		return ""
	}
	out := make([]byte, 0, len(s)+8)
	syllable := 0 // where the last one begins in out
	for _, r := range norm.NFC.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r):
			out = utf8.AppendRune(out, r)
		case r == ' ' || r == '\'' || r == '’' || r == '-' || r == '5':
			syllable = len(out)
		case r >= '1' && r <= '4':
			toned, ok := setTone(string(out[syllable:]), int(r-'0'))
			if !ok {
				return "" // not pinyin
			}
			out = append(out[:syllable], toned...)
			syllable = len(out)
		default:
			return "" // not pinyin
		}
	}
	return string(out)
}

// setTone puts the mark of a tone from 1 to 4 over the letter of a syllable that
// carries it: a or e, the o of ou, else the last vowel. It reports false if there
// is no vowel.
func setTone(syllable string, tone int) (string, bool) {
	i := strings.LastIndexAny(syllable, "ae")
	if j := strings.LastIndex(syllable, "ou"); i < 0 && j >= 0 {
		i = j
	}
	if i < 0 {
		i = strings.LastIndexAny(syllable, "iouüv")
	}
	if i < 0 {
		return "", false
	}
	vowel, n := utf8.DecodeRuneInString(syllable[i:])
	if vowel == 'v' {
		vowel = 'ü'
	}
	return syllable[:i] + string([]rune(marks[vowel])[tone-1]) + syllable[i+n:], true
}

// WithoutTones takes the tone marks off folded pinyin; ü becomes v.
func WithoutTones(s string) string {
	plain, _ := splitTones(s)
	return plain
}

// splitTones parts folded pinyin into plain letters, ü being v, and the mark
// over each of them, 0 where there is none.
func splitTones(s string) (string, []rune) {
	letters, marks := make([]byte, 0, len(s)), make([]rune, 0, len(s))
	for _, r := range norm.NFD.String(s) {
		switch last := len(letters) - 1; {
		case r < utf8.RuneSelf:
			letters, marks = append(letters, byte(r)), append(marks, 0)
		case last < 0:
		case r == '\u0308': // the dots of ü
			letters[last] = 'v'
		default:
			marks[last] = r
		}
	}
	return string(letters), marks
}

// SameReading says whether known can be read as asked for: the same letters,
// and the same tones where some are asked for.
func SameReading(asked, known string) bool {
	letters, marks := splitTones(asked)
	others, otherMarks := splitTones(known)
	if letters != others {
		return false
	}
	for i, mark := range marks {
		if mark != 0 && mark != otherMarks[i] {
			return false
		}
	}
	return true
}
