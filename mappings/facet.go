package mappings

import (
	"cmp"
	"slices"
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

var establishedInChinese = map[string]string{"native": "原产", "introduced": "引入"}

// lifeFormWords maps the words for life forms in WCVP to Chinese, in the order in which Chinese has them.
var lifeFormWords = []struct{ word, chinese string }{
	{"succulent", "肉质"}, {"monocarpic", "一次结实"}, {"climbing", "攀援"}, {"scrambling", "蔓生"}, {"epiphytic", "附生"}, {"pseudobulbous", "假鳞茎"},
	{"hemiparasitic", "半寄生"}, {"holoparasitic", "全寄生"}, {"holomycotrophic", "菌类异养"}, {"hemimycotrophic", "半菌类异养"}, {"rhizomatous", "根状茎"},
	{"tuberous", "块茎"}, {"bulbous", "鳞茎"}, {"cormous", "球茎"}, {"caudex", "茎基膨大"}, {"herbaceous", "草本状"}, {"semisucculent", "半肉质"},
	{"annual", "一年生草本"}, {"biennial", "二年生草本"}, {"perennial", "多年生草本"}, {"subshrub", "亚灌木"}, {"shrub", "灌木"}, {"tree", "乔木"}, {"liana", "木质藤本"}, {"climber", "攀援植物"},
	{"epiphyte", "附生植物"}, {"lithophyte", "石生植物"}, {"geophyte", "地下芽植物"}, {"helophyte", "沼生植物"}, {"chamaephyte", "地上芽植物"}, {"bamboo", "竹类"}, {"holoparasite", "全寄生植物"},
	{"hydroannual", "一年生水生草本"}, {"hydroperennial", "多年生水生草本"}, {"hydrosubshrub", "水生亚灌木"}, {"hydrogeophyte", "水生地下芽植物"}, {"hydrophyte", "水生植物"}, {"hemiepiphyte", "半附生植物"}, {"hemiepiphytic", "半附生"},
}

// LifeFormInChinese returns the Chinese of a life form of one kind, such as climbing shrub. It returns ""
// if it does not know a word of it.
func LifeFormInChinese(form string) string {
	words := strings.Fields(form)
	chinese := ""
	for _, w := range lifeFormWords {
		if i := slices.Index(words, w.word); i >= 0 {
			words = slices.Delete(words, i, i+1)
			chinese += w.chinese
		}
	}
	if len(words) > 0 {
		return ""
	}
	return chinese
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
