package pinyin

import (
	"strconv"
	"strings"
	"unicode"
)

// The signs of zhuyin (bopomofo), by which Taiwan writes sounds: initials, and the finals with what
// pinyin writes for them behind an initial and without one. Longer finals come first.
var (
	zhuyinInitials = strings.NewReplacer("ㄅ", "b", "ㄆ", "p", "ㄇ", "m", "ㄈ", "f", "ㄉ", "d", "ㄊ", "t", "ㄋ", "n", "ㄌ", "l", "ㄍ", "g", "ㄎ", "k", "ㄏ", "h",
		"ㄐ", "j", "ㄑ", "q", "ㄒ", "x", "ㄓ", "zh", "ㄔ", "ch", "ㄕ", "sh", "ㄖ", "r", "ㄗ", "z", "ㄘ", "c", "ㄙ", "s")
	zhuyinFinals = map[string][2]string{
		"ㄚ": {"a", "a"}, "ㄛ": {"o", "o"}, "ㄜ": {"e", "e"}, "ㄞ": {"ai", "ai"}, "ㄟ": {"ei", "ei"}, "ㄠ": {"ao", "ao"}, "ㄡ": {"ou", "ou"},
		"ㄢ": {"an", "an"}, "ㄣ": {"en", "en"}, "ㄤ": {"ang", "ang"}, "ㄥ": {"eng", "eng"}, "ㄦ": {"er", "er"},
		"ㄧ": {"i", "yi"}, "ㄧㄚ": {"ia", "ya"}, "ㄧㄛ": {"io", "yo"}, "ㄧㄝ": {"ie", "ye"}, "ㄧㄠ": {"iao", "yao"}, "ㄧㄡ": {"iu", "you"},
		"ㄧㄢ": {"ian", "yan"}, "ㄧㄣ": {"in", "yin"}, "ㄧㄤ": {"iang", "yang"}, "ㄧㄥ": {"ing", "ying"},
		"ㄨ": {"u", "wu"}, "ㄨㄚ": {"ua", "wa"}, "ㄨㄛ": {"uo", "wo"}, "ㄨㄞ": {"uai", "wai"}, "ㄨㄟ": {"ui", "wei"},
		"ㄨㄢ": {"uan", "wan"}, "ㄨㄣ": {"un", "wen"}, "ㄨㄤ": {"uang", "wang"}, "ㄨㄥ": {"ong", "weng"},
		"ㄩ": {"ü", "yu"}, "ㄩㄝ": {"üe", "yue"}, "ㄩㄢ": {"üan", "yuan"}, "ㄩㄣ": {"ün", "yun"}, "ㄩㄥ": {"iong", "yong"},
	}
)

const zhuyinTones = "ˉˊˇˋ˙" // the fifth is that of a light syllable

// OfZhuyin returns a text in zhuyin in pinyin, with the digits of its tones if it has any: ren2 shen1 for
// ㄖㄣˊ ㄕㄣ. It returns "" for any other text.
func OfZhuyin(text string) string {
	var syllables []string
	var tones []int // 0 if the syllable has no mark
	marked := false
	for rest := []rune(strings.TrimSpace(text)); len(rest) > 0; {
		if unicode.IsSpace(rest[0]) {
			rest = rest[1:]
			continue
		}
		tone := 0
		if rest[0] == '˙' { // stands before its syllable too
			tone, rest = 5, rest[1:]
		}
		syllable, n := zhuyinSyllable(rest)
		if n == 0 {
			return ""
		}
		if rest = rest[n:]; len(rest) > 0 {
			if i := strings.IndexRune(zhuyinTones, rest[0]); i >= 0 && (rest[0] != '˙' || len(rest) == 1 || unicode.IsSpace(rest[1])) {
				tone, rest = len([]rune(zhuyinTones[:i]))+1, rest[1:]
			}
		}
		marked = marked || tone > 0
		syllables, tones = append(syllables, syllable), append(tones, tone)
	}
	for i := range syllables {
		if marked {
			syllables[i] += strconv.Itoa(max(tones[i], 1)) // the first tone has no mark
		}
	}
	return strings.Join(syllables, " ")
}

// zhuyinSyllable returns the syllable at the beginning of signs and the number of its signs. n is 0 if
// there is none.
func zhuyinSyllable(signs []rune) (syllable string, n int) {
	initial := ""
	if len(signs) > 0 && 'ㄅ' <= signs[0] && signs[0] <= 'ㄙ' {
		initial, n = zhuyinInitials.Replace(string(signs[0])), 1
	}
	for length := 2; length > 0; length-- {
		if len(signs) < n+length {
			continue
		}
		final, ok := zhuyinFinals[string(signs[n:n+length])]
		switch {
		case !ok:
			continue
		case initial == "":
			return final[1], n + length
		case strings.Contains("jqx", initial):
			return initial + strings.Replace(final[0], "ü", "u", 1), n + length
		}
		return initial + final[0], n + length
	}
	if n == 1 && strings.Contains(" zh ch sh r z c s ", " "+initial+" ") {
		return initial + "i", 1
	}
	return "", 0
}
