package matchers

import (
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// plants is a word that often follows the name of a family or a genus: 五加科植物.
const plants = "植物"

// ofGroup returns a function that reports whether a query ends like the name of a group, such as a
// family. chinese and latin are the endings of such names; latin may be "".
func ofGroup(chinese, latin string) func(*reading.Reading) bool {
	return func(rd *reading.Reading) bool {
		switch {
		case rd.Literal:
		case rd.Script == reading.Characters:
			return strings.HasSuffix(strings.TrimSuffix(rd.Key, plants), chinese)
		case rd.Script == reading.Letters:
			return latin != "" && len(rd.Words) == 1 && strings.HasSuffix(rd.Words[0].Text, latin)
		}
		return false
	}
}

// group finds the records of a family or a genus by its name.
func group(l *lookup, rd *reading.Reading, why hits.Why) {
	name := strings.TrimSuffix(rd.Key, plants)
	if rd.Script == reading.Letters {
		name = rd.Words[0].Text
	}
	l.collectTerm(mappings.Whole, name, why, nil)
}
