package spelling

import (
	"strings"

	"bencao/names/ranks"
)

// RankOf returns the last rank word of a canonical name, or "".
func RankOf(name string) string {
	if strings.Count(name, " ") < 3 {
		return "" // almost all names have fewer than four words and so no rank
	}
	last := ""
	for i, rest := 0, name; rest != ""; i++ {
		var w string
		w, rest = NextWord(rest)
		if i < 2 {
			continue
		}
		if r, ok := ranks.Mark(w); ok {
			last = r
		}
	}
	return last
}

// PlainRank returns a rank word without notho-.
func PlainRank(rank string) string { return strings.TrimPrefix(rank, "notho") }
