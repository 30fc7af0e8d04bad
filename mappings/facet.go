package mappings

import (
	"cmp"
	"strings"

	"bencao/names/pinyin"
)

// FormSeparator separates the forms of a value. Only values for filters have several forms.
const FormSeparator = "\x1f"

// NotedMark begins a form that is no name of the value but of what a note says of it: 炙甘草 for 甘草（炙）.
// A filter by that name finds the record too. Counts and facets do not.
const NotedMark = "\x1e"

// forms joins a value and its other names to one text. The first of others is the Chinese name of
// the value. It returns "" for an empty value.
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

// ranksInChinese maps ranks to their Chinese names.
var ranksInChinese = map[string]string{
	"species": "种", "subspecies": "亚种", "variety": "变种", "subvariety": "亚变种", "form": "变型", "subform": "亚变型", "cultivar": "栽培品种",
	"genus": "属", "family": "科",
}

// familiesAlso maps families to the alternative names that the ICN allows (Art. 18.5 and 18.6).
var familiesAlso = map[string]string{
	"Apiaceae": "Umbelliferae", "Arecaceae": "Palmae", "Asteraceae": "Compositae", "Brassicaceae": "Cruciferae", "Clusiaceae": "Guttiferae",
	"Fabaceae": "Leguminosae", "Lamiaceae": "Labiatae", "Poaceae": "Gramineae",
}

// familyForms joins the Latin name of a family to its other names.
func familyForms(name, chinese string) string { return forms(name, chinese, familiesAlso[name]) }

// people splits a list of authors at semicolons.
func people(authors string) []string {
	list := strings.FieldsFunc(authors, func(r rune) bool { return r == ';' || r == '；' })
	for i := range list {
		list[i] = strings.Join(strings.Fields(list[i]), " ")
	}
	return list
}

// byKeys returns a function that compares two records, given by index, by their keys. Records with
// an empty key come last.
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

// sortKey returns the key by which Chinese names are sorted: first the syllables, then the tones,
// then the characters. Records without a Chinese name come after all others, in the order of
// fallback.
func sortKey(reading, name, fallback string) string {
	switch {
	case name != "":
		return pinyin.Numbered(reading) + "\x00" + name
	case fallback != "":
		return "\U0010FFFF" + fallback
	}
	return ""
}
