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

// OtherSpellings calls f with every other spelling of an epithet: of the place that it is named for,
// such as songarica, or of one of its ends. place says which. f must not keep other.
func OtherSpellings(epithet []byte, f func(other []byte, place bool)) {
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
					f(append(append(buf[:0], other...), ending...), true)
				}
			}
		}
	}
	for _, pair := range otherEnds {
		for i, end := range pair {
			other := pair[1-i]
			if rest, ok := bytes.CutSuffix(epithet, []byte(end)); ok && len(rest) > 3 && !bytes.HasSuffix(epithet, []byte(other)) {
				f(append(append(buf[:0], rest...), other...), false)
			}
		}
	}
	for _, pair := range [][2]string{{"longi", "longe"}, {"longe", "longi"}} {
		if rest, ok := bytes.CutPrefix(epithet, []byte(pair[0])); ok && len(rest) > 3 {
			f(append(append(buf[:0], pair[1]...), rest...), false)
		}
	}
}

// otherEnds lists ends of epithets that authors spell in two ways, apart from what AppendOrtho makes
// equal.
var otherEnds = [...][2]string{
	{"uus", "ua"}, {"uum", "ua"}, {"uus", "uum"},
	{"iana", "oana"}, {"ianus", "oanus"}, {"ianum", "oanum"},
	{"oides", "odes"}, {"oideus", "odeus"},
	{"ensis", "iensis"}, {"ense", "iense"},
}
