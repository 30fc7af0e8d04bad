package han

import (
	"strings"
	"unicode"
)

// Numerals replaces the digits of numbers between Chinese characters by Chinese numerals: 7叶1枝花
// becomes 七叶一枝花, 10大功劳 becomes 十大功劳. A number next to a Latin letter, such as a tone or a dose,
// stays.
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

// numeral writes a number as names do: 10 is 十, 12 is 十二, 1000 is 千, 300 is 三百. Other numbers are
// written digit by digit.
func numeral(number []rune) string {
	value := make([]int, len(number))
	zeros := 0 // after the first digit
	for i, r := range number {
		value[i] = int(r-'0') % 0xFEE0 // the distance of full-width digits from ASCII
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
