package explorer

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/mappings"
	"bencao/store"
)

// findFormulas searches for formulas. It returns one hit for each name, and each hit lists all
// formulas with that name.
func findFormulas(v *visit, k *kind, params []string) (*found, error) {
	l, err := ask[list[store.FormulaSummary]](v, k.op, "", append(params, "distinct", "name")...)
	if err != nil {
		return nil, err
	}
	f := &found{Total: l.Total, explanation: l.Explanation}
	asked := append(k.narrowed(v, mappings.Filter.Narrows), "q", v.query.Get("q"))
	for i, s := range l.Items {
		h := hit{Address: v.ours(s.URL), Others: []store.FormulaSummary{s}}
		why := f.explain(i)
		h.Name = typeset.MarkedRuby(string(s.Name), string(s.NamePinyin), why.within(string(s.Name)))
		h.By, h.Whole = why.foundBy(v, string(s.Name), ""), i == 0 && why.complete()
		if len(why.Lacks) > 0 {
			h.By = why.nearly(v)
		}
		if s.Namesakes != nil && *s.Namesakes > 0 {
			if h.Others, err = namesakes(v, string(s.Name), asked...); err != nil {
				return nil, err
			}
			h.Count = int(*s.Namesakes) + 1
		}
		for j, o := range h.Others {
			h.Others[j].URL = v.ours(o.URL)
		}
		if at := years(h.Others); len(at) > 0 {
			h.Span = span(at)
			h.When = draw.When(at, v.say("search.when", len(h.Others), h.Span))
		}
		f.Hits = append(f.Hits, h)
	}
	return f, nil
}

// mostNamesakes is the largest number of formulas with the same name that a page lists.
const mostNamesakes = 40

// namesakes returns formulas that have the given name and that a question finds, the oldest first.
func namesakes(v *visit, name string, question ...string) ([]store.FormulaSummary, error) {
	l, err := ask[list[store.FormulaSummary]](v, "formulas.search", "", append(question, "name", name, "group", "name", "pageSize", strconv.Itoa(mostNamesakes))...)
	return l.Items, err
}

// addComparison adds the address of a comparison of the formulas that have the hit's name.
func (h *hit) addComparison(v *visit) error {
	if len(h.Others) < 2 || !v.may(compositions) {
		return nil
	}
	var guids []string
	var first *brief
	h.Against = map[string]string{}
	for _, o := range h.Others {
		guids = append(guids, o.GUID)
		if !h.Whole {
			continue
		}
		f, err := v.briefly(o.GUID)
		if err != nil {
			return err
		}
		if first == nil {
			first = f
			continue
		}
		r := row(columnsOf(first), first.Unlisted, f)
		h.Against[o.GUID] = v.difference(&r, first, f)
	}
	h.Compare, h.Choose = v.sideBySide(guids, string(h.Others[0].Name)), len(guids) > 2
	return nil
}

// sideBySide returns a link to a comparison of formulas with the same name. If they are too many, the
// page shows the first and offers the others.
func (v *visit) sideBySide(guids []string, name string) navLink {
	if len(guids) <= mostCompared {
		return navLink{Text: v.say("formula.side"), Address: v.link("/compare", "formulas", strings.Join(guids, ","))}
	}
	return navLink{Text: v.say("compare.first", mostCompared), Address: v.link("/compare", "formulas", strings.Join(guids[:mostCompared], ","), "add", name)}
}

// years returns the years of formulas, in their order. Formulas without a year are left out.
func years(all []store.FormulaSummary) (out []int) {
	for _, f := range all {
		if f.Year != nil {
			out = append(out, int(*f.Year))
		}
	}
	return out
}

// span returns the first and the last of some years as text.
func span(years []int) string {
	if len(years) == 0 {
		return ""
	}
	first, last := slices.Min(years), slices.Max(years)
	if first == last {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "–" + strconv.Itoa(last)
}

// sameDoses reports whether two formulas have the same herbs in the same doses.
func sameDoses(a, b *brief) bool {
	doses := func(f *brief) map[column]string {
		out := map[column]string{}
		for _, p := range portions(f.Ingredients, f.Year) {
			out[p.column] = p.Dose
		}
		return out
	}
	return b != nil && maps.Equal(doses(a), doses(b))
}

// difference describes briefly which herbs formula b adds to formula a, and which herbs of a it
// leaves out. r is the row of b in a table whose columns are the herbs of a. A formula without
// ingredients differs from another in an unknown way.
func (v *visit) difference(r *heatRow, a, b *brief) string {
	alike := len(r.Added)+len(r.Left) == 0
	switch {
	case len(a.Ingredients) == 0 || len(b.Ingredients) == 0, alike && len(a.Unlisted)+len(b.Unlisted) > 0:
		return v.say("formula.notWhole")
	case sameDoses(a, b):
		return v.say("formula.nothingElse")
	case alike:
		return v.say("formula.dosesOnly")
	}
	signs := func(sign string, count int, first string) string {
		if count > 1 {
			return sign + strconv.Itoa(count)
		}
		return sign + first
	}
	var parts []string
	if len(r.Added) > 0 {
		parts = append(parts, signs("+", len(r.Added), r.Added[0].Name))
	}
	if len(r.Left) > 0 {
		parts = append(parts, signs("−", len(r.Left), r.Left[0].Name))
	}
	return strings.Join(parts, " ")
}

func formulaTitle(v *visit, f *store.FormulaDetail) string {
	title := string(f.Name)
	var parts []string
	if f.OriginalSource != "" {
		parts = append(parts, "《"+strings.Trim(string(f.OriginalSource), "《》")+"》")
	}
	if f.Year != nil {
		parts = append(parts, year(v.lang, f.Year))
	}
	if len(parts) > 0 {
		return v.say("formula.title", title, strings.Join(parts, v.say("cite.comma")))
	}
	return title
}
