package mappings

import (
	"cmp"
	"strings"

	"bencao/names/pinyin"
)

// FormSeparator stands between the forms of a value that records are filtered
// by.
const FormSeparator = "\x1f"

// forms is a value with the other names under which it is asked for; the first
// of them is its name in Chinese. It is empty if the value is.
func forms(value string, others ...string) string {
	if value == "" {
		return ""
	}
	for _, o := range others {
		if value += FormSeparator; o != "" {
			value += o
		}
	}
	return value
}

// ranksInChinese are the Chinese names of ranks.
var ranksInChinese = map[string]string{
	"species": "种", "subspecies": "亚种", "variety": "变种", "subvariety": "亚变种", "form": "变型", "subform": "亚变型", "cultivar": "栽培品种",
	"genus": "属", "family": "科",
}

// familiesAlso are the names that the Code (ICN, Art. 18.5 and 18.6) lets stand
// beside those of eight families.
var familiesAlso = map[string]string{
	"Apiaceae": "Umbelliferae", "Arecaceae": "Palmae", "Asteraceae": "Compositae", "Brassicaceae": "Cruciferae", "Clusiaceae": "Guttiferae",
	"Fabaceae": "Leguminosae", "Lamiaceae": "Labiatae", "Poaceae": "Gramineae",
}

// people cuts a list of authors at semicolons.
func people(authors string) []string {
	list := strings.FieldsFunc(authors, func(r rune) bool { return r == ';' || r == '；' })
	for i := range list {
		list[i] = strings.Join(strings.Fields(list[i]), " ")
	}
	return list
}

// byKeys compares records by a text of each; those whose text is empty stand
// last.
func byKeys[R any](all []R, key func(*R) string) func(a, b int) int {
	keys := make([]string, len(all))
	for i := range all {
		keys[i] = key(&all[i])
	}
	return func(a, b int) int {
		if (keys[a] == "") != (keys[b] == "") {
			return cmp.Compare(keys[b], keys[a])
		}
		return cmp.Compare(keys[a], keys[b])
	}
}

// aloud is what a Chinese name is sorted by: its syllables, those of one
// spelling by tone, then its characters. What has no such name stands by another
// behind all that have one.
func aloud(reading, name, otherwise string) string {
	switch {
	case name != "":
		return pinyin.Numbered(reading) + "\x00" + name
	case otherwise != "":
		return "\U0010FFFF" + otherwise
	}
	return ""
}
