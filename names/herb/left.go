package herb

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed left.txt
var leftText string

// left is a herb that left the pharmacopoeia. last is the year of the last edition that has it, or "".
type left struct {
	year     int32
	last, by string
}

// leftHerbs reads left.txt once. It panics if a line cannot be read, because the file is part of the
// program.
var leftHerbs = sync.OnceValue(func() map[string]left {
	all := map[string]left{}
	for line := range strings.Lines(leftText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, "|")
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		year, err := strconv.Atoi(c[min(1, len(c)-1)])
		if len(c) != 4 || err != nil {
			panic(fmt.Sprintf("names/herb/left.txt: %q: want a name, a year, the last edition or nothing, and an edition or order", line))
		}
		all[c[0]] = left{int32(year), c[2], c[3]}
	}
	return all
})

// LeftPharmacopoeia returns the year in which a herb left the Chinese Pharmacopoeia or lost its official
// standard, and the edition or the order. The year is 0 if the herb did not, or if this is not known.
func LeftPharmacopoeia(name string) (year int32, by string) {
	l := leftHerbs()[name]
	return l.year, l.by
}

// editionOf returns the author and the year of the edition of a book that has a herb, in Chinese: of the
// pharmacopoeia the last one, if the herb left it.
func editionOf(book, name string) string {
	edition := Edition(book)
	if last := leftHerbs()[name].last; book == Pharmacopoeia && last != "" {
		author, _, _ := strings.Cut(edition, "，")
		return author + "，" + last
	}
	return edition
}
