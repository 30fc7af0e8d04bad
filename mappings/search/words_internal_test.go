package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/names/han"
	"bencao/store"
)

// around has the texts that a word of a question stands in, by its place and what it stands beside, in
// characters and in letters. The sign ~ stands for the word.
var around = map[string][2][]string{
	"before record":    {{"~人参", "~桂枝汤"}, {"~ licorice", "~ guizhi tang", "~ balloon flower"}},
	"after record":     {{"人参~", "人参的~", "桂枝汤~"}, {"licorice ~", "guizhi tang ~", "what is licorice ~"}},
	"before link":      {{"~人参", "~治咳嗽的方", "~含桂枝的方剂"}, {"~ formulas for cough", "~ licorice", "formula for ~ cough", "~ formulas contain cinnamon twig"}},
	"after link":       {{"人参~", "含桂枝的方剂~", "治咳嗽的方~", "人参功效~"}, {"licorice ~"}},
	"any link":         {{"桂枝~麻黄", "含桂枝~方剂", "含桂枝~", "人参~功效", "桂枝和麻黄~的方", "治咳嗽~方", "伤寒论~桂枝汤", "张仲景~桂枝汤", "桂枝麻黄~"}, {"cinnamon twig ~ ephedra", "formulas with cinnamon twig ~ without ephedra", "guizhi tang ~ composition"}},
	"any list":         {{"桂枝~麻黄"}, {"cinnamon twig ~ ephedra"}},
	"any formulas":     {{"桂枝~", "桂枝的~", "治咳嗽的~", "张仲景的~", "桂枝麻黄的~"}, {"cinnamon twig ~", "cough ~", "~ for cough"}},
	"after formulas":   {{"桂枝~"}, {"cinnamon twig ~", "cough ~", "guizhi tang ~"}},
	"before herb":      {{"~桂枝的方剂", "~桂枝", "伤寒论~桂枝"}, {"~ cinnamon twig", "formulas ~ cinnamon twig"}},
	"before without":   {{"桂枝汤~麻黄", "桂枝~麻黄", "~麻黄"}, {"cinnamon twig ~ ephedra", "formulas ~ ephedra"}},
	"before complaint": {{"~咳嗽的方", "~咳嗽", "桂枝~咳嗽"}, {"~ cough", "formulas ~ cough", "cinnamon twig ~ cough"}},
	"after complaint":  {{"咳嗽~", "咳嗽的~"}, {"cough ~"}},
	"before book":      {{"桂枝汤~伤寒论", "~伤寒论的方", "桂枝~伤寒论"}, {"guizhi tang ~ shanghan lun", "formulas ~ shanghan lun", "formulas ~ zhang zhongjing"}},
	"any or":           {{"不含桂枝~麻黄", "桂枝~麻黄"}, {"formulas without cinnamon twig ~ ephedra", "cinnamon twig ~ ephedra"}},
	"any taxon":        {{"豆科的~", "豆科有哪些~"}, {"~ of Fabaceae", "Fabaceae ~"}},
	"after kind":       {{}, {"licorice ~", "balloon ~"}},
}

// inPlants lists words that only a larger index needs: what is balloon flower, in testdata/species.txt.
var inPlants = []string{"what is", "what is the", "what is in", "what are"}

// TestWords asks about each word of words.txt what it stands beside, with the word and without. Each
// must change an answer. If other words mean together what a word means, it is not in the list.
func TestWords(t *testing.T) {
	formula := func(name, indications string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{Name: store.Text(name), OriginalSource: "伤寒论", OriginalAuthor: "张仲景", Dynasty: "东汉", Indications: store.Text(indications)}}
		for _, h := range herbs {
			f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: h, Plain: []string{h}})
		}
		return f
	}
	other := formula("人参汤", "治头痛", "人参", "甘草")
	other.OriginalSource, other.OriginalAuthor, other.Dynasty = "千金方", "孙思邈", "唐"
	formulas := opened(t, mappings.Formulas, []store.Formula{formula("桂枝汤", "治咳嗽", "桂枝", "甘草"), formula("麻黄汤", "治咳嗽", "麻黄", "桂枝"), formula("甘草汤", "治腹痛", "甘草"), other})
	species := opened(t, mappings.Species, []store.Species{
		{SpeciesDetail: store.SpeciesDetail{ChineseName: "人参", ScientificName: "Panax ginseng", Family: "Araliaceae", FamilyChinese: "五加科"}},
		{SpeciesDetail: store.SpeciesDetail{ChineseName: "甘草", ScientificName: "Glycyrrhiza uralensis", Family: "Fabaceae", FamilyChinese: "豆科"}},
		{SpeciesDetail: store.SpeciesDetail{ChineseName: "桔梗", ScientificName: "Platycodon grandiflorus", Family: "Campanulaceae", FamilyChinese: "桔梗科"}},
	})
	answers := func(texts []string, word string) (out string) {
		for _, text := range texts {
			for _, s := range []*Searcher{formulas, species} {
				page, err := s.Search(t.Context(), Query{Text: strings.Replace(text, "~", word, 1), Size: 10})
				if err != nil {
					t.Fatal(err)
				}
				out += fmt.Sprintln(page.Total, page.Nums, page.Verdict, page.Recognised, page.Parts, page.In)
			}
		}
		return out
	}
	type listed struct {
		word string
		asked
	}
	var all []listed
	for line := range strings.Lines(wordsText) {
		if cells := strings.Split(strings.TrimSpace(line), "\t"); len(cells) == 3 && line[0] != '#' {
			for w := range strings.FieldsSeq(cells[2]) {
				all = append(all, listed{strings.ReplaceAll(w, "_", " "), asked{cells[0], cells[1]}})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b listed) int { return utf8.RuneCountInString(b.word) - utf8.RuneCountInString(a.word) }) // the longest may consist of others
	words := questionWords().words
	var needless []string
	for _, l := range all {
		texts := around[l.place+" "+l.kind]
		if texts[0] == nil {
			t.Fatalf("no texts for %s %s", l.place, l.kind)
		}
		script, keys := texts[1], []string{l.word}
		if han.Has(l.word) {
			script, keys = texts[0], []string{han.Fold(l.word), "的" + han.Fold(l.word)}
		}
		before := answers(script, l.word)
		kept := map[string][]asked{}
		for _, key := range keys {
			kept[key] = words[key]
			words[key] = slices.DeleteFunc(slices.Clone(words[key]), func(a asked) bool { return a == l.asked })
		}
		if answers(script, l.word) == before && !slices.Contains(inPlants, l.word) {
			needless = append(needless, l.place+" "+l.kind+" "+l.word)
			continue
		}
		for key, list := range kept {
			words[key] = list
		}
	}
	if len(needless) > 0 {
		t.Errorf("%d of %d words change no answer: %s", len(needless), len(all), strings.Join(needless, ", "))
	}
}
