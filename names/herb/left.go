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

// left is a herb that left the pharmacopoeia.
type left struct {
	year int32
	by   string
}

// leftHerbs reads left.txt once. It panics if a line cannot be read, because the file is part of the
// program.
var leftHerbs = sync.OnceValue(func() map[string]left {
	all := map[string]left{}
	for line := range strings.Lines(leftText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, " | ")
		year, err := strconv.Atoi(c[min(1, len(c)-1)])
		if len(c) != 3 || err != nil {
			panic(fmt.Sprintf("names/herb/left.txt: %q: want a name, a year and an edition or order", line))
		}
		all[c[0]] = left{int32(year), c[2]}
	}
	return all
})

// LeftPharmacopoeia returns the year in which a herb left the Chinese Pharmacopoeia or lost its official
// standard, and the edition or the order. The year is 0 if the herb did not, or if this is not known.
func LeftPharmacopoeia(name string) (year int32, by string) {
	l := leftHerbs()[name]
	return l.year, l.by
}
