package han

import (
	"strings"
	"unicode"
)

// Numerals replaces numbers next to Chinese characters by Chinese numerals: 7叶1枝花 becomes 七叶一枝花,
// 10大功劳 becomes 十大功劳. It keeps a number next to a Latin letter, such as a tone or a dose.
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

// isDigit reports whether r is a digit, of half or full width.
func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

// amongCharacters reports whether the number s[from:to] is next to a Chinese character and not next
// to another letter.
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

// numeral returns a number in Chinese numerals as names write it: 10 is 十, 12 is 十二, 1000 is 千, 300
// is 三百. It writes other numbers digit by digit.
func numeral(number []rune) string {
	value := make([]int, len(number))
	zeros := 0 // number of zeros after the first digit
	for i, r := range number {
		value[i] = int(r-'0') % 0xFEE0 // also maps full-width digits, which are 0xFEE0 above ASCII
		if value[i] == 0 && zeros == i-1 {
			zeros++
		}
	}
	var out []rune
	switch n := len(number); {
	case n > 1 && n <= len(powers)+1 && value[0] > 0 && zeros == n-1: // a digit and zeros: 10, 300, 1000
		if value[0] > 1 {
			out = append(out, digits[value[0]])
		}
		out = append(out, powers[n-2])
	case n == 2 && value[0] > 0: // two digits: 12, 24
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
