package explorer

import (
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"

	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/names/herb/dose"
	"bencao/store"
)

// formulaView is the data of the page of a formula.
type formulaView struct {
	store.FormulaDetail
	Rows                []ingredientRow
	HasDose, HasNote    bool
	HasRole, HasSpecies bool
	Liang               string // number of grams in a 两, if doses are shown in grams
	HasOther            bool   // at least one dose is not a weight
	ByDose              bool
	Other               navLink // link to this page with the other measure of similarity
	Similar             *heat
	Network             template.HTML
	Same                *heat
	SameCount           int
	SimilarCount        int
	SameSpan            string
	Compare             navLink
	NoHerbs, NoSimilar  bool
	JSON, Base          string
	Cite                citation
	SpeciesCount        int
	// Words lists the ingredients that are probably not herbs but other words.
	Words   []string
	Descent *descentView // nil if pages may not show compositions
}

// ingredientRow is an ingredient of the formula.
type ingredientRow struct {
	store.FormulaIngredient
	Share float64
	Grams string // approximate grams of the dose; empty if unknown
	Find  string // address of a search for the herb
	// Pinyin is the reading of the herb, for users who do not read Chinese.
	Pinyin string
}

// similarShown is the number of similar formulas that the page shows. sameShown is the number of
// formulas with the same name that it shows.
const similarShown, sameShown = 12, 24

func formulaPage(v *visit) (*page, error) {
	f, err := ask[store.FormulaDetail](v, "formulas.detail", v.Param("guid"))
	if err != nil {
		return nil, err
	}
	var words []string
	herbs := f.Ingredients[:0]
	for _, in := range f.Ingredients {
		if prose(in.Herb, in.Dose, len(in.Species)+len(in.Herbs)) {
			words = append(words, in.Herb)
		} else {
			herbs = append(herbs, in)
		}
	}
	f.Ingredients = herbs
	base := "/formulas/" + url.PathEscape(f.GUID)
	view := &formulaView{
		FormulaDetail: f, Words: words, ByDose: v.query.Get("by") == "dose", Base: base, JSON: v.asJSON(),
		NoHerbs: f.Ingredients == nil, NoSimilar: f.SimilarJaccard == nil,
	}
	index, err := allHerbs(v)
	if err != nil {
		return nil, err
	}
	view.addIngredients(v, index)
	if err := view.addSimilar(v); err != nil {
		return nil, err
	}
	if err := view.addSame(v); err != nil {
		return nil, err
	}
	if !view.NoHerbs {
		if view.Descent, err = descentOf(v, &f, index); err != nil {
			return nil, err
		}
	}
	title := formulaTitle(v, &f)
	view.Cite = citeRecord(v, typeset.Chinese(title), f.URL, base)
	return &page{template: "formula", Title: title, Lead: title, Data: view}, nil
}

// addIngredients adds the table of herbs. It omits columns that are empty in all rows.
func (view *formulaView) addIngredients(v *visit, herbs herbIndex) {
	shares := doses(briefOf(&view.FormulaDetail).Ingredients, view.Year)
	species := map[string]bool{}
	for i, in := range view.Ingredients {
		for j, s := range in.Species {
			in.Species[j].URL = v.ours(s.URL)
			species[s.GUID] = true
		}
		in.Note = withoutDose(in.Note, in.Dose)
		r := ingredientRow{FormulaIngredient: in, Share: shares[i], Grams: view.grams(in.Dose), Find: v.link("/search", "kind", "herbs", "q", in.Herb), Pinyin: herbs.sound(in.Herb)}
		if len(in.Herbs) > 0 {
			r.Find = v.ours(in.Herbs[0].URL)
		}
		view.HasOther = view.HasOther || r.Share == otherUnit
		view.Rows = append(view.Rows, r)
		view.HasDose = view.HasDose || in.Dose != ""
		view.HasNote = view.HasNote || in.Note != ""
		view.HasRole = view.HasRole || in.Role != ""
		view.HasSpecies = view.HasSpecies || len(in.Species) > 0
	}
	view.SpeciesCount = len(species)
}

// grams returns the weight of a dose in grams, with two significant digits. It uses the units of
// the time from which the formula comes.
func (view *formulaView) grams(text store.Text) string {
	g, ok := dose.Grams(string(text), view.Year)
	if !ok || dose.IsMetric(string(text)) {
		return ""
	}
	view.Liang = strconv.FormatFloat(dose.Liang(*view.Year), 'g', 4, 64)
	return twoDigits(g)
}

// twoDigits returns a number with two significant digits.
func twoDigits(g float64) string {
	if g >= 100 {
		g = 10 * math.Round(g/10)
	}
	if g >= 10 {
		return strconv.FormatFloat(g, 'f', 0, 64)
	}
	return strconv.FormatFloat(g, 'g', 2, 64)
}

// withoutDose removes the dose from the end of a remark or from the part before its first comma,
// because some sources repeat the dose there. For example, the remark 去皮，三两 with the dose 三两
// becomes 去皮. It also removes the word 各 ("of each"), which precedes a dose that several herbs
// share.
func withoutDose(note, dose store.Text) store.Text {
	const marks = "，,、；; "
	rest := strings.TrimSuffix(string(note), string(dose))
	if first, after, ok := strings.Cut(rest, "，"); ok && strings.TrimPrefix(first, "各") == string(dose) {
		rest = after
	}
	return store.Text(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(rest, marks), "各"), marks))
}

// addSimilar adds the heat map and the network of similar formulas.
func (view *formulaView) addSimilar(v *visit) error {
	list := view.SimilarJaccard
	view.Other = navLink{Text: v.say("formula.byDose"), Address: v.again("by", "dose") + "#like"}
	if view.ByDose {
		list = view.SimilarEuclidean
		view.Other = navLink{Text: v.say("formula.byHerbs"), Address: v.again("by", "") + "#like"}
	}
	if len(list) == 0 {
		return nil
	}
	same := briefOf(&view.FormulaDetail)
	columns := columnsOf(same)
	view.Similar = &heat{Columns: columns}
	if !view.NoHerbs {
		self := row(columns, nil, same)
		self.Self = true
		view.Similar.Rows = append(view.Similar.Rows, self)
	}
	var nodes []draw.Node
	view.SimilarCount = min(similarShown, len(list))
	for _, s := range list[:view.SimilarCount] {
		r := heatRow{Name: string(s.Name), Dynasty: string(s.Dynasty), Source: string(s.OriginalSource)}
		var other *brief
		if !view.NoHerbs {
			var err error
			if other, err = v.briefly(s.GUID); err != nil {
				return err
			}
			r = row(columns, same.Unlisted, other)
		}
		r.Address, r.Value, r.Distance = v.ours(s.URL), s.Value, strconv.FormatFloat(s.Value, 'f', 2, 64)
		if view.ByDose { // the values are distances: a smaller value means more similar
			r.Value = 1 - min(1, s.Value/farthest)
		}
		view.Similar.Rows = append(view.Similar.Rows, r)
		note := r.Distance
		if !view.NoHerbs {
			note = v.difference(&r, same, other)
		}
		if r.Year != nil {
			note = year(v.lang, r.Year) + " " + note
		}
		nodes = append(nodes, draw.Node{Name: r.Name, Note: note, Near: r.Value})
	}
	view.Network = draw.Network(string(view.Name), nodes, view.rings(nodes), v.say("formula.network", len(nodes), view.Name))
	view.Similar.cut()
	return nil
}

// rings returns the circles of the network, at most three, with the similarity that each
// represents. The similarities decrease from 1 to about that of the least similar node.
func (view *formulaView) rings(nodes []draw.Node) []draw.Ring {
	least := 1.0
	for _, n := range nodes {
		least = min(least, n.Near)
	}
	far := 1 - least
	if view.ByDose {
		far *= farthest
	}
	step := .1
	for far/step > 2.01 {
		step += .1
	}
	var rings []draw.Ring
	for i := range 3 {
		at := float64(i) * step
		if view.ByDose {
			rings = append(rings, draw.Ring{Near: 1 - at/farthest, Text: strconv.FormatFloat(at, 'f', 1, 64)})
		} else if at <= 1 {
			rings = append(rings, draw.Ring{Near: 1 - at, Text: strconv.FormatFloat(1-at, 'f', 1, 64)})
		}
	}
	return rings
}

// farthest is the largest possible distance between the doses of two formulas, √2.
const farthest = 1.4143

// addSame adds all formulas with the name of this formula, including this one.
func (view *formulaView) addSame(v *visit) error {
	if view.Name == "" {
		return nil
	}
	all, err := namesakes(v, string(view.Name))
	if err != nil {
		return err
	}
	view.SameCount, view.SameSpan = len(all), span(years(all))
	if len(all) < 2 || view.NoHerbs {
		return nil
	}
	self := briefOf(&view.FormulaDetail)
	columns := columnsOf(self)
	view.Same = &heat{Columns: columns}
	guids := []string{view.GUID}
	for _, s := range all[:min(sameShown, len(all))] {
		f := self
		if s.GUID != view.GUID {
			if f, err = v.briefly(s.GUID); err != nil {
				return err
			}
			guids = append(guids, s.GUID)
		}
		r := row(columns, self.Unlisted, f)
		r.Self, r.Address = f == self, v.ours(s.URL)
		view.Same.Rows = append(view.Same.Rows, r)
	}
	view.Same.cut()
	view.Compare = v.sideBySide(guids, string(view.Name))
	return nil
}
