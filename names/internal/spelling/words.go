package spelling

import "strings"

// WordSet returns the set of the space-separated words of s.
func WordSet(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// NextWord splits s after its first word. It ignores spaces at the start of s.
func NextWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	s = s[i:]
	i = strings.IndexByte(s, ' ')
	if i < 0 {
		return s, ""
	}
	word, rest = s[:i], s[i:]
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return word, rest
}

func WordEnd(s []byte) int {
	for i, c := range s {
		if c == ' ' {
			return i
		}
	}
	return len(s)
}

// Tidy replaces runs of spaces by one space and removes spaces at the ends.
func Tidy(s string) string {
	if strings.Contains(s, "  ") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") || strings.ContainsAny(s, "\t\n\u00a0") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}
