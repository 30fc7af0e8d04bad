package search

import (
	"maps"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/terms"
	"bencao/names/pinyin"
)

// doseForms maps English words for dose forms to the Chinese ones at the end of the formulas' names,
// the commonest first.
var doseForms = map[string][]string{
	"decoction": {"汤", "饮", "煎", "饮子"}, "pill": {"丸", "丹", "圆"}, "powder": {"散"}, "granule": {"颗粒", "汤", "散", "丸"},
	"capsule": {"胶囊", "丸", "汤", "散"}, "injection": {"注射液", "散", "饮"}, "tablet": {"片", "丸", "汤", "散"},
	"elixir": {"丹"}, "drink": {"饮"}, "beverage": {"饮"}, "paste": {"膏"}, "ointment": {"膏"}, "plaster": {"膏"}, "wine": {"酒"},
	"syrup": {"糖浆"}, "mixture": {"合剂"}, "liquid": {"口服液", "汤"}, "formula": {"方", "汤", "散", "丸"},
}

// chineseForms has the Chinese words for dose forms.
var chineseForms = slices.Concat(slices.Collect(maps.Values(doseForms))...)

// formulaNames returns the names that a formula with an English word for its dose form may have, in
// pinyin or, if its English name lists herbs, in characters: guizhi tang for Guizhi decoction, chaihu
// tang for Bupleurum decoction, and 参苏饮 for Ginseng and Perilla decoction. The likeliest comes
// first.
func (c *lazyColumns) formulaNames(text string) (names []string, err error) {
	at := max(strings.LastIndexByte(text, ' '), 0)
	name, word := strings.TrimSpace(text[:at]), strings.ToLower(strings.TrimSpace(text[at:]))
	forms := doseForms[word]
	if forms == nil && word != "formulas" { // many formulas, as in ginseng formulas
		forms = doseForms[strings.TrimSuffix(word, "s")]
	}
	if forms == nil {
		return nil, nil
	}
	name = strings.TrimSuffix(strings.TrimSuffix(name, " oral"), " Oral")
	l, err := c.lexiconOf()
	if err != nil {
		return nil, err
	}
	if !isPinyin(name) {
		switch list := l.herbsIn(name); len(list) {
		case 0:
			return nil, nil
		case 1:
			name = l.romanized.sound(list[0])
		default:
			return c.calledAfter(list, forms)
		}
	}
	for _, f := range forms {
		names = append(names, name+" "+l.romanized.forms[f])
	}
	return append(names, name), nil // Guizhi Tang decoction, as some papers write
}

// herbsIn returns the herbs of a list in letters, in Chinese. It returns nil if anything else is in the
// text.
func (l *lexicon) herbsIn(text string) (herbs []string) {
	best := l.covers(text, atomsOf(text))
	if len(best) == 0 {
		return nil
	}
	for _, s := range best[0] {
		switch {
		case s.kind == mappings.HerbsField || s.kind == aFormula && s.chinese != "":
			herbs = append(herbs, s.chinese)
		case s.kind != aWord || s.asked.kind != "list":
			return nil
		}
	}
	return herbs
}

// mostStems is the maximum number of stems that [lazyColumns.calledAfter] tries.
const mostStems = 5_000

// calledAfter returns the names of formulas that consist of a part of the name of each herb and a dose
// form: 参苏饮 for 人参 and 紫苏叶.
func (c *lazyColumns) calledAfter(herbs, forms []string) (names []string, err error) {
	formulas, err := c.byName()
	if err != nil {
		return nil, err
	}
	stems := []string{""}
	for _, herb := range herbs {
		runes := []rune(terms.ChineseKey(herb))
		parts := []string{string(runes)}
		for _, r := range runes {
			parts = append(parts, string(r))
		}
		if len(stems)*len(parts) > mostStems {
			return nil, nil
		}
		var longer []string
		for _, stem := range stems {
			for _, part := range parts {
				longer = append(longer, stem+part)
			}
		}
		stems = longer
	}
	for _, form := range forms {
		for _, stem := range stems {
			if len(formulas.Named(stem+form)) > 0 {
				names = append(names, stem+form)
			}
		}
	}
	return names, nil
}

// isPinyin reports whether all words of a text consist of whole syllables.
func isPinyin(text string) bool {
	return text != "" && !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		typed, ok := pinyin.Parse(word)
		syllables := pinyin.Segment(typed.Letters)
		return !ok || len(syllables) == 0 || !pinyin.IsSyllable(syllables[len(syllables)-1])
	})
}
