package explorer

import (
	"html/template"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/typeset"
	"bencao/names/han"
	"bencao/store"
)

// why says by what a hit was found.
type why struct{ api.ItemExplanation }

// whole tells whether the whole of what was found answers the query.
func (w why) whole() bool {
	n := len([]rune(string(w.Text)))
	return n > 0 && !slices.Contains(w.hits(n), false)
}

// within tells which characters of a name answer the query, if it is the name
// that was found.
func (w why) within(name string) []bool {
	n := len([]rune(name))
	if !w.is(name) || n != len([]rune(string(w.Text))) {
		return nil
	}
	return w.hits(n)
}

// is tells whether a name is what was found. Names are compared in simplified
// characters and in the usual variant of each, so that a name of the record
// itself may look otherwise.
func (w why) is(name string) bool {
	return strings.EqualFold(string(w.Text), name) || w.Field == "name" || w.Field == "chineseName" || w.Field == "title"
}

// hits tells which of n characters answer the query.
func (w why) hits(n int) []bool {
	hit := make([]bool, n)
	for _, r := range w.Ranges {
		for i := max(0, int(r.Start)); i < min(n, int(r.End)); i++ {
			hit[i] = true
		}
	}
	return hit
}

// mark marks what answers the query in a text, if it is what was found.
func (w why) mark(text string) template.HTML { return typeset.Marked(text, w.within(text)) }

// latin marks what answers the query in a scientific name. Names are found as they
// are compared, in small letters.
func (w why) latin(name, author string) template.HTML {
	var hit []bool
	if strings.EqualFold(string(w.Text), name) {
		hit = w.hits(len([]rune(name)))
	}
	return typeset.MarkedLatin(name, author, hit)
}

// other says by which other name a record was found than those that are shown.
func (w why) other(v *visit, shown ...string) template.HTML {
	if w.Text == "" {
		return ""
	}
	for _, s := range shown {
		if w.is(s) {
			return ""
		}
	}
	by := template.HTML(typeset.Escape(v.say("search.by", v.lang.Known("field."+w.Field, w.Field))))
	if text := string(w.Text); han.Has(text) && len([]rune(text)) <= typeset.LongestRuby {
		return by + ` <span class="nw" lang="zh-Hans">` + template.HTML(typeset.Escape(text)) + `</span>`
	}
	return by + " " + typeset.Chinese(w.Text)
}

// read says how the query was understood, and what was forgiven.
func (r *results) read(v *visit) {
	ex := r.Found.explanation
	if r.Q == "" || ex == nil {
		return
	}
	way := ""
	if len(ex.Items) > 0 {
		way = ex.Items[0].Field
	}
	switch {
	case doiForm.MatchString(r.Q):
		r.Reading = "doi"
	case pubmedForm.MatchString(r.Q):
		r.Reading = "pubmed"
	case way == "drug" || way == "drugAlias":
		r.Reading = "drug"
	case han.Has(r.Q):
		r.Reading = "characters"
	case strings.Contains(way, "nitials"):
		r.Reading = "initials"
	case strings.Contains(strings.ToLower(way), "pinyin") && toned.MatchString(r.Q):
		r.Reading = "toned"
	case strings.Contains(strings.ToLower(way), "pinyin"):
		r.Reading = "pinyin"
	case way == "scientificName" || way == "synonym":
		r.Reading = "latin"
	case r.Found.Total == 0:
		return
	default:
		r.Reading = "words"
	}
	r.Reading = v.say("read." + r.Reading)
	switch {
	case ex.Group != "":
		r.Reading += v.say("read.group." + string(ex.Group))
	case ex.Part != "" && ex.Forgiven == "" && r.Found.Total > 0:
		r.Reading += v.say("read.part." + string(ex.Part))
	}
	if ex.Forgiven != "" && len(ex.Items) > 0 {
		r.Forgiven = v.lang.Known("forgiven."+string(ex.Forgiven), v.say("forgiven.other"))
		for _, name := range ex.DidYouMean {
			if slices.ContainsFunc(ex.Items, func(i api.ItemExplanation) bool { return strings.EqualFold(string(i.Text), name) }) {
				continue // it is what is shown
			}
			r.DidYouMean = append(r.DidYouMean, navLink{Text: name, Address: v.link("/search", "q", name)})
		}
	}
}

// suggest says where else there is something, and what is linked with the plant
// that the query names: papers and formulas are found by their own names alone.
func (r *results) suggest(v *visit, k *kind) error {
	if r.Nothing = v.say("search.empty"); r.Q != "" {
		r.Nothing = v.say("search.none."+k.name, r.Q)
	}
	for _, q := range []string{"人参", "guizhitang", "Panax"} {
		if q != r.Q && r.Found.Total == 0 && len(r.Elsewhere) == 0 {
			r.Examples = append(r.Examples, navLink{Text: q, Address: v.link("/search", "q", q)})
		}
	}
	if r.Q == "" || k.name != "papers" && k.name != "formulas" || v.query.Get("species") != "" {
		return nil
	}
	l, err := ask[list[store.SpeciesSummary]](v, "species.search", "", "q", r.Q, "pageSize", "1", "explain", "true")
	if err != nil || len(l.Items) == 0 || l.Explanation.Forgiven != "" || !(&found{explanation: l.Explanation}).why(0).whole() {
		return err
	}
	plant := l.Items[0]
	f, err := k.count(v, "species", plant.GUID)
	if refused(err) {
		return nil
	}
	if err == nil && f.Total > 0 {
		name := strings.TrimSpace(string(plant.ChineseName) + " " + string(plant.ScientificName))
		r.Linked = &navLink{Text: v.say("search.linked."+k.name, typeset.Thousands(f.Total), name), Address: v.link("/search", "kind", k.name, "species", plant.GUID)}
	}
	return err
}

// beside finds the address where formulas of a name stand side by side.
func (h *hit) beside(v *visit) {
	if len(h.Others) < 2 || !v.may(access.PrescriptionComposition) {
		return
	}
	var guids []string
	for _, o := range h.Others[:min(mostCompared, len(h.Others))] {
		guids = append(guids, o.GUID)
	}
	h.Compare = v.link("/compare", "formulas", strings.Join(guids, ","))
}
