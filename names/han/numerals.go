package han

import (
	"strings"
	"unicode"
)

// Numerals writes numbers among characters in characters: 7叶1枝花 is 七叶一枝花,
// 10大功劳 is 十大功劳. A number beside a letter stays, so that tones and doses are
// left alone.
func Numerals(s string) string {
	if !strings.ContainsFunc(s, isDigit) || !Has(s) {
		return s
	}
	in := []rune(s)
	var out strings.Builder
	for i := 0; i < len(in); {
		end := i
		for end < len(in) && isDigit(in[end]) {
			end++
		}
		switch {
		case end == i:
			out.WriteRune(in[i])
			i++
			continue
		case amongCharacters(in, i, end):
			out.WriteString(numeral(in[i:end]))
		default:
			out.WriteString(string(in[i:end]))
		}
		i = end
	}
	return out.String()
}

// isDigit says whether r is a digit, of half or full width.
func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

// amongCharacters says whether a number touches a character and no other letter.
func amongCharacters(s []rune, from, to int) bool {
	touches := false
	for _, i := range []int{from - 1, to} {
		if i < 0 || i >= len(s) {
			continue
		}
		if !Is(s[i]) && (unicode.IsLetter(s[i]) || s[i] == '.') {
			return false
		}
		touches = touches || Is(s[i])
	}
	return touches
}

var (
	digits = []rune("〇一二三四五六七八九")
	powers = []rune("十百千万")
)

// numeral writes a number in characters as names have it: 10 is 十, 12 is 十二, 1000
// is 千, 300 is 三百. Others are written digit by digit.
func numeral(number []rune) string {
	value := make([]int, len(number))
	zeros := 0 // behind the first digit
	for i, r := range number {
		value[i] = int(r-'0') % 0xFEE0 // as far as full-width digits are from the others
		if value[i] == 0 && zeros == i-1 {
			zeros++
		}
	}
	var out []rune
	switch n := len(number); {
	case n > 1 && n <= len(powers)+1 && value[0] > 0 && zeros == n-1: // 10, 300, 1000
		if value[0] > 1 {
			out = append(out, digits[value[0]])
		}
		out = append(out, powers[n-2])
	case n == 2 && value[0] > 0: // 12, 24
		if value[0] > 1 {
			out = append(out, digits[value[0]])
		}
		out = append(out, '十', digits[value[1]])
	default:
		for _, v := range value {
			out = append(out, digits[v])
		}
	}
	return string(out)
}
