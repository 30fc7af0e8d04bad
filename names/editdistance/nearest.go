package editdistance

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the name that want most likely misspells. It returns "" if no name in among is
// similar. It ignores case, spaces, hyphens and underscores, and up to a third of the letters may
// differ.
func Nearest(want string, among []string) string {
	best, least := "", 1+utf8.RuneCountInString(want)/3
	for _, n := range among {
		if d := Distance(plain(want), plain(n), least-1); n != "" && d < least {
			best, least = n, d
		}
	}
	return best
}

func plain(s string) []rune {
	return []rune(strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(s)))
}
