package spelling

import (
	"bytes"
	_ "embed" // the places
	"strings"
	"sync"
)

//go:embed places.txt
var placesText string

// places lists places with several spellings. The key is the first three letters of a spelling. The
// value has an element for each place with a spelling that starts with these letters; the element
// lists all spellings of the place.
var places = sync.OnceValue(func() map[string][][]string {
	m := map[string][][]string{}
	for line := range strings.Lines(placesText) {
		group := strings.Fields(line)
		if len(group) < 2 || line[0] == '#' {
			continue
		}
		for _, stem := range group {
			if list := m[stem[:3]]; len(list) == 0 || &list[len(list)-1][0] != &group[0] {
				m[stem[:3]] = append(list, group)
			}
		}
	}
	return m
})

// PlaceVariants calls f with every other spelling of an epithet that starts with the name of a
// place, such as songarica. f must not keep its argument.
func PlaceVariants(epithet []byte, f func(other []byte)) {
	if len(epithet) < 6 {
		return
	}
	var buf [64]byte
	for _, group := range places()[string(epithet[:3])] {
		for _, stem := range group {
			ending, ok := bytes.CutPrefix(epithet, []byte(stem))
			if !ok || len(ending) > 4 {
				continue
			}
			for _, other := range group {
				if other != stem {
					f(append(append(buf[:0], other...), ending...))
				}
			}
		}
	}
}
