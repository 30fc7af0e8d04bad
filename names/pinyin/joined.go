package pinyin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// noPinyin lists characters of scientific names and authors that never occur in pinyin.
const noPinyin = ".,()&×"

// Joined returns pinyin in lower case, with composed letters and without separators: for "Rén shēn"
// or "ren2 shen1", it returns "rénshēn". Digits become tone marks; 5, the neutral tone, becomes no
// mark. Joined returns "" if s is not pinyin.
func Joined(s string) string {
	if strings.ContainsAny(s, noPinyin) {
		return ""
	}
	out := make([]byte, 0, len(s)+8)
	syllable := 0 // position of the last syllable in out
	for _, r := range norm.NFC.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r):
			out = utf8.AppendRune(out, r)
		case r == ' ' || r == '\'' || r == '’' || r == '-' || r == '5':
			syllable = len(out)
		case r >= '1' && r <= '4':
			toned, ok := setTone(string(out[syllable:]), int(r-'0'))
			if !ok {
				return ""
			}
			out = append(out[:syllable], toned...)
			syllable = len(out)
		default:
			return ""
		}
	}
	return string(out)
}

// setTone adds the mark of a tone, 1 to 4, to a syllable. The mark goes on the a or e. If there is
// none, it goes on the o of ou, otherwise on the last vowel. setTone returns false if there is no
// vowel.
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

// WithoutTones removes the tone marks from pinyin and replaces ü by v.
func WithoutTones(s string) string {
	plain, _ := splitTones(s)
	return plain
}

// splitTones splits pinyin into its letters, without tone marks and with v for ü, and the tone
// marks of the letters. The mark of a letter without a tone mark is 0.
func splitTones(s string) (string, []rune) {
	letters, marks := make([]byte, 0, len(s)), make([]rune, 0, len(s))
	for _, r := range norm.NFD.String(s) {
		switch last := len(letters) - 1; {
		case r < utf8.RuneSelf:
			letters, marks = append(letters, byte(r)), append(marks, 0)
		case last < 0:
		case r == '\u0308': // the diaeresis of ü
			letters[last] = 'v'
		default:
			marks[last] = r
		}
	}
	return string(letters), marks
}

// SameReading reports whether the pinyin of a name, known, agrees with the pinyin of a query,
// asked. Their letters must be equal, and known must have every tone that asked has.
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
