package spelling

import (
	"bytes"
	_ "embed" // the pairs of stems
	"strings"
	"sync"
)

//go:embed confused.txt
var confusedText string

// confused lists pairs of stems that look alike and are two words.
var confused = sync.OnceValue(func() (pairs [][2]string) {
	for line := range strings.Lines(confusedText) {
		if stems := strings.Fields(line); line[0] != '#' && len(stems) == 2 {
			pairs = append(pairs, [2]string{stems[0], stems[1]})
		}
	}
	return pairs
})

// Confused reports whether two epithets look like two spellings of one word, but are two words:
// virgiliana and virginiana.
func Confused(x, y []byte) bool {
	for _, p := range confused() {
		if hasStem(x, p[0]) && hasStem(y, p[1]) || hasStem(x, p[1]) && hasStem(y, p[0]) {
			return true
		}
	}
	return false
}

func hasStem(w []byte, stem string) bool {
	return len(w) <= len(stem)+4 && bytes.HasPrefix(w, []byte(stem))
}

// IsGenitive reports whether an epithet has the ending of a genitive, which is how most epithets
// are formed from the names of persons: davidii, gracilium. Such an ending is no gender ending.
func IsGenitive(w []byte) bool {
	for _, e := range []string{"orum", "arum", "ae", "i"} {
		if bytes.HasSuffix(w, []byte(e)) {
			var buf [64]byte
			return len(e) < 4 || !isAdjective(AppendSound(buf[:0], w))
		}
	}
	return false
}

// Gender is a set of grammatical genders.
type Gender uint8

const (
	masculine Gender = 1 << iota
	feminine
	neuter
)

// GenderOf returns the genders that an adjective with the ending of w has. It returns 0 if the
// ending tells no gender.
func GenderOf(w []byte) Gender {
	if IsGenitive(w) {
		return 0
	}
	for _, row := range []struct {
		ending string
		gender Gender
	}{
		{"us", masculine}, {"er", masculine}, {"um", neuter}, {"is", masculine | feminine}, {"e", neuter}, {"a", feminine},
	} {
		if bytes.HasSuffix(w, []byte(row.ending)) {
			return row.gender
		}
	}
	return 0
}
