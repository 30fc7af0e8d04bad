package explorer

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/mappings"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/store"
)

// searchParams lists the parameters of the search page.
func searchParams() []string {
	all := []string{"q", "kind", "page", typedFor}
	for _, filters := range mappings.Filters {
		for _, f := range filters {
			all = append(all, f.BesideKind())
		}
	}
	return all
}

func searchPage(v *visit) (*page, error) {
	r := &results{Q: strings.TrimSpace(v.query.Get("q")), Kind: v.query.Get("kind")}
	typed := cmp.Or(r.Q, strings.TrimSpace(v.query.Get(typedFor)))
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(v.query)) {
		for _, value := range v.query[name][min(1, len(v.query[name])):] { // only the first counts
			unknown = append(unknown, name+"="+strings.ToValidUTF8(value, "\uFFFD"))
		}
	}
	if r.Kind != "" && kindNamed(r.Kind) == nil {
		unknown, r.Kind = append(unknown, "kind="+r.Kind), ""
	}
	here, totals, err := r.choose(v, typed)
	if err != nil {
		return nil, err
	}
	r.Kind, r.Found = here.name, totals[here.name]
	if here.name == "formulas" && r.Found.wrong == nil { // the hits are names, but the page shows the number of formulas
		f, err := here.count(v, v.params(here)...)
		if err != nil {
			return nil, err
		}
		r.Formulas, r.Found.explanation.WithForms = f.Total, f.explanation.WithForms
	}
	if err := r.link(v, here); err != nil {
		return nil, err
	}
	if err := r.addPlaces(v, totals["formulas"]); err != nil {
		return nil, err
	}
	r.addTabs(v, typed, totals)
	if f := totals["formulas"]; f != nil && f.Total == 0 && inParts.MatchString(r.Q) && !v.may(access.PrescriptionComposition) {
		r.Lists = v.say("search.hidden.lists")
	}
	if err := r.complete(v, here); err != nil {
		return nil, err
	}
	p := &page{template: "search", Title: r.title(v), Data: r, Unknown: unknown, next: r.Next}
	if i := slices.IndexFunc(r.Where, func(w navLink) bool { return w.Here }); i > 0 {
		p.In = v.query.Get("in")
	}
	var counts []string
	for _, t := range r.Tabs {
		counts = append(counts, t.Text+" "+typeset.Thousands(t.Count))
	}
	p.Lead = strings.Join(counts, " · ")
	return p, nil
}

// title returns the title of the page: the query, or else the kind of records and the filters.
func (r *results) title(v *visit) string {
	if r.Q != "" {
		return v.say("search.title", r.Q)
	}
	if len(r.Filters) == 0 {
		return v.say("search.all", strings.ToLower(v.say("kind."+r.Kind)))
	}
	var parts []string
	for _, f := range r.Filters {
		parts = append(parts, f.Text)
	}
	return v.say("search.some", v.say("kind."+r.Kind), strings.Join(parts, " · "))
}

// choose searches for records of each kind that the visitor may see. It returns what was found, by
// kind, and the kind that the page shows: that in the address, or else the best.
func (r *results) choose(v *visit, typed string) (here *kind, totals map[string]*found, err error) {
	totals = map[string]*found{}
	for _, k := range kinds() {
		if !v.may(k.scope) {
			continue
		}
		var f *found
		var err error
		if settled := here != nil && totals[here.name].explanation.Forgiven == "" && !(k.name == "formulas" && inParts.MatchString(r.Q)); r.Kind == k.name || r.Kind == "" && !settled {
			f, err = k.search(v)
		} else {
			explain := "" // only searches for formulas count other texts of the records
			if k.name == "formulas" {
				explain = "true"
			}
			f, err = k.count(v, "q", typed, "explain", explain)
		}
		if err != nil {
			return nil, nil, err
		}
		totals[k.name] = f
		if k.name == r.Kind || r.Kind == "" && better(f, k, totals, here, r.Q) {
			here = k
		}
	}
	if k := kindNamed(r.Kind); k != nil && !v.may(k.scope) {
		return nil, nil, refusal(v, k.scope)
	}
	if f := totals["formulas"]; r.Kind == "" && f != nil {
		if words := f.complaint(r.Q, here, totals); words != "" {
			here = kindNamed("formulas")
			v.query.Set("in", "indications") // the links on the page repeat these
			if words != typed {
				v.query.Set("q", words)
				v.query.Set(typedFor, typed)
			}
			f, err := here.search(v)
			if err != nil {
				return nil, nil, err
			}
			if r.Q != words {
				f.explanation.ReadAs, f.explanation.In = store.Text(words), "indications"
			}
			r.Q, totals[here.name] = words, f
		}
	}
	if here == nil { // nothing was found
		here = kinds()[0]
		if f := totals["formulas"]; f != nil && len(f.explanation.Recognised)+len(f.explanation.Parts) > 0 { // which the page says
			here = kindNamed("formulas")
		}
	}
	if f := totals[here.name]; f == nil || f.Total > 0 && f.Hits == nil { // only counted so far
		totals[here.name], err = here.search(v)
	}
	return here, totals, err
}

// addTabs adds a tab for each kind of records that the visitor may see.
func (r *results) addTabs(v *visit, typed string, totals map[string]*found) {
	for _, k := range kinds() {
		f := totals[k.name]
		if f == nil {
			continue
		}
		t := tab{v.say("kind." + k.name), v.link("/search", "q", typed, "kind", k.name), f.Total, k.name == r.Kind}
		if t.Here { // with its filters
			t.Address = v.again("kind", k.name, "page", "")
		}
		if k.name == "papers" && !t.Here && r.Papers != "" {
			t.Address, t.Count = r.Papers, r.About
		}
		if t.Here && k.name == "formulas" {
			t.Count = r.Formulas
		}
		if r.Tabs = append(r.Tabs, t); t.Count > 0 && !t.Here && typed != "" {
			r.Elsewhere = append(r.Elsewhere, t)
		}
	}
}

// complaint returns the words for a complaint that q means, if q is rather a complaint than a name:
// no formula has it in its name, more formulas have it in their indications than records of the kind
// here have it as a part of their names, and none has it as its name. Otherwise it returns "". f are the
// formulas with that name, and here may be nil.
func (f *found) complaint(q string, here *kind, all map[string]*found) (words string) {
	if f.Total > 0 && f.explanation.Forgiven == "" { // these are what the API answers
		return ""
	}
	most := 0
	if here != nil && all[here.name].explanation.Forgiven == "" {
		if most = all[here.name].Total; all[here.name].explanation.Part == "" {
			return ""
		}
	}
	for _, p := range f.explanation.Elsewhere {
		if p.In == "indications" && int(p.Total) > most && utf8.RuneCountInString(q) > 1 {
			words, most = p.Text, int(p.Total)
		}
	}
	if older := complaint.Older(q); words == "" && most == 0 && len(older) > 0 {
		return q // the page names the old words for it
	}
	return words
}

// better reports whether the page should show f, the results of kind k, instead of the results of
// the kind before. Formulas that were found by recognised parts of q, such as herbs, are better
// than all other results. Results that match q exactly are better than results that match q
// approximately, formulas called q are better than records with q as a part of their names, and
// formulas whose names begin with q are better than records with q inside their names.
func better(f *found, k *kind, all map[string]*found, before *kind, q string) bool {
	if before == nil {
		return f.Total > 0 || k.name == "papers" && (doiForm.MatchString(q) || pubmedForm.MatchString(q))
	}
	if f.Total > 0 && f.explanation != nil && len(f.explanation.Recognised) > 0 {
		return true
	}
	if f.Total == 0 || f.explanation == nil || f.explanation.Forgiven != "" {
		return false
	}
	other := all[before.name].explanation
	part := f.explanation.Part
	return other.Forgiven != "" || k.name == "formulas" && (other.Part != "" && part == "" || other.Part == "inside" && part == "beginning")
}

// complete adds the parts of the page that are around the hits.
func (r *results) complete(v *visit, k *kind) error {
	at, err := strconv.Atoi(v.query.Get("page"))
	if err != nil { // the API has checked the number, so there is none
		at = 1
	}
	r.pager = v.pager(at, pageSize, r.Found.Total, len(r.Found.Hits), "")
	r.describeQuery(v)
	if err := r.suggest(v, k); err != nil {
		return err
	}
	for _, f := range k.filters() {
		name := f.BesideKind()
		if value := v.query.Get(name); value != "" && f.Narrows() && f.Kind != mappings.InPart {
			without := []string{name, "", "page", ""}
			if typed := v.query.Get(typedFor); typed != "" {
				without = append(without, typedFor, "", "q", typed)
			}
			r.Filters = append(r.Filters, navLink{Text: v.say("filter."+name) + " " + v.shown(name, value) + r.readings(v, f.Name), Address: v.again(without...)})
		}
	}
	if asked := r.asked(v, k); r.Found.Total == 0 && len(asked) > 1 {
		r.Nothing = v.say("search.none.all", strings.Join(asked, v.say("search.none.and")))
	}
	if err := r.explainFilters(v, k); err != nil {
		return err
	}
	if r.Found.wrong != nil {
		return nil
	}
	if err := r.addFacets(v, k, append(k.narrowed(v, mappings.Filter.Narrows), "q", r.Q)); err != nil {
		return err
	}
	for _, f := range k.filters() {
		switch {
		case f.Kind == mappings.InPart:
			r.Where = v.options(k, f)
		case f.Kind == mappings.InOrder && r.Found.Total > 1:
			r.Sorts = v.options(k, f)
		}
	}
	shown := maps.Clone(v.query)
	shown.Del("page")
	shown.Del("lang")
	shown.Del(typedFor)
	shown.Set("kind", k.name)
	r.CSV = v.file(max(r.Found.Total, r.Formulas), shown)
	if k.name == "formulas" {
		r.Axis = draw.Axis(v.dynastyName)
		var guids, names []string
		for _, h := range r.Found.Hits[:min(mostCompared, len(r.Found.Hits))] {
			guids, names = append(guids, h.Others[0].GUID), append(names, string(h.Others[0].Name))
		}
		for i := range r.Found.Hits {
			h := &r.Found.Hits[i]
			if err := h.addComparison(v); err != nil {
				return err
			}
			if h.Count > len(h.Others) {
				shown.Set("name", string(h.Others[0].Name))
				h.Rest = v.file(h.Count, shown)
			}
		}
		if len(guids) > 1 && v.may(access.PrescriptionComposition) {
			r.Compare = navLink{Text: v.say("search.compare", strings.Join(names, v.say("cite.comma"))), Address: v.link("/compare", "formulas", strings.Join(guids, ","))}
		}
	}
	return nil
}

// asked describes all that a search asks for: the parts of its text, and its filters.
func (r *results) asked(v *visit, k *kind) (all []string) {
	ex := r.Found.explanation
	switch {
	case ex != nil && len(ex.Recognised)+len(ex.Parts) > 0:
		all = partsOf(v, ex)
	case r.Q != "":
		in := cmp.Or(v.query.Get("in"), "name")
		if k.name == "papers" {
			in = "title"
		}
		all = append(all, v.say("search.asked."+in, r.Q))
	}
	for _, f := range r.Filters {
		all = append(all, f.Text)
	}
	return all
}

// suggest adds proposals for the user if kind k has few or no results. If the query names a plant,
// it links to the papers or formulas about that plant, since a search for papers or formulas does
// not find the names of plants.
func (r *results) suggest(v *visit, k *kind) error {
	switch r.Nothing = v.say("search.empty"); {
	case r.Found.Total > 0 && len(r.Found.Hits) == 0:
		r.Nothing, r.Last = v.say("search.past", r.Pages), v.again("page", strconv.Itoa(r.Pages))
		return nil
	case r.Q == "" && v.query.Get("species") != "" && (k.name == "papers" || k.name == "formulas"):
		r.Nothing = v.say("search.unlinked."+k.name, v.shown("species", v.query.Get("species")))
	case r.Q != "":
		r.Nothing = v.say("search.none."+k.name, r.Q)
		switch {
		case k.name == "papers" && (doiForm.MatchString(r.Q) || pubmedForm.MatchString(r.Q)):
			r.Nothing = v.say("search.none.identifier", r.Q)
		case v.query.Get("in") == "indications":
			r.Nothing = v.say("patterns.unknown.indication", r.Q)
		}
	}
	for _, q := range []string{"人参", "guizhitang", "Panax"} {
		if q == "guizhitang" && !v.may(access.Prescriptions) {
			continue
		}
		if q != r.Q && r.Found.Total == 0 && len(r.Elsewhere)+len(r.Places)+len(r.Older) == 0 {
			r.Examples = append(r.Examples, navLink{Text: q, Address: v.link("/search", "q", q)})
		}
	}
	r.Try = v.say("search.try")
	if r.Q != "" && !han.Has(r.Q) {
		r.Try = v.say("search.try.letters")
	}
	r.Hidden = r.Q != "" && !v.may(access.Prescriptions) && (r.Found.Total == 0 || r.Forgiven != "")
	return nil
}

// addPlaces adds links to the formulas that have the query in another text than the searched one,
// such as their indications. If the query is a complaint, it also adds links to the formulas for the
// names that old books have for it.
func (r *results) addPlaces(v *visit, formulas *found) (err error) {
	if formulas == nil || formulas.explanation == nil || r.Q == "" {
		return nil
	}
	ex := formulas.explanation
	to := v.again // with the filters, which count for the formulas
	if r.Kind != "formulas" {
		to = func(params ...string) string { return v.link("/search", params...) }
	}
	for _, p := range ex.Elsewhere {
		r.Places = append(r.Places, navLink{Text: v.say("search.in."+p.In, typeset.Thousands(int(p.Total)), p.Text), Address: to("q", p.Text, "kind", "formulas", "in", p.In, "page", "", typedFor, "")})
	}
	q := cmp.Or(string(ex.ReadAs), r.Q)
	if typed := cmp.Or(v.query.Get(typedFor), r.Q); len(complaint.Older(typed)) > 0 {
		q = typed
	} else if chinese := complaint.Chinese(typed); chinese != nil {
		q = chinese[0]
	}
	r.Older, err = v.olderNames(q, func(old string) string { return v.link("/search", "q", old, "kind", "formulas", "in", "indications") })
	return err
}

// mostLinked is the largest number of plants whose records a page links to.
const mostLinked = 5

// link links to the papers about the plants that parts of the query name, since a search for papers
// does not find the names of plants. If here is the kind of formulas, it links to formulas too.
func (r *results) link(v *visit, here *kind) error {
	if r.Q == "" || v.query.Get("species") != "" {
		return nil
	}
	parts := []string{r.Q}
	if inParts.MatchString(r.Q) {
		parts = strings.FieldsFunc(r.Q, separates)
	}
	for _, k := range kinds() {
		if k.name != "papers" && (k.name != "formulas" || here.name != k.name) {
			continue
		}
		for _, part := range parts[:min(mostLinked, len(parts))] {
			if err := r.linkTo(v, k, part); err != nil {
				return err
			}
		}
	}
	if !v.may(access.Prescriptions|access.PrescriptionComposition) || len(r.Found.explanation.Recognised) > 0 {
		return nil
	}
	for _, part := range parts[:min(mostLinked, len(parts))] {
		l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "q", part, "pageSize", "1", "explain", "true")
		if err != nil {
			return err
		}
		if len(l.Items) == 1 && l.Items[0].Formulas > 0 && exact(l.Explanation) {
			h := &l.Items[0]
			r.Linked = append(r.Linked, navLink{Text: v.say("search.linked.herb", typeset.Thousands(int(h.Formulas)), h.Name), Address: v.link("/search", "kind", "formulas", "herbs", h.Name, typedFor, r.Q)})
		}
	}
	return nil
}

// linkTo links to the records of kind k about the species, genus or family with a name.
func (r *results) linkTo(v *visit, k *kind, name string) error {
	l, err := ask[list[store.SpeciesSummary]](v, "species.search", "", "q", name, "pageSize", "1", "explain", "true")
	if err != nil || len(l.Items) == 0 || l.Explanation.Forgiven != "" {
		return err
	}
	plant, filter, value := &l.Items[0], "species", l.Items[0].GUID
	title := strings.TrimSpace(string(plant.ChineseName) + " " + string(plant.ScientificName))
	switch group := string(l.Explanation.Group); {
	case group != "" && k.name == "papers":
		filter, value, title = group, name, name
	case !exact(l.Explanation):
		return nil
	case plant.ChineseName != "":
		title = v.say("formula.title", plant.ChineseName, plant.ScientificName)
	}
	f, err := k.count(v, filter, value)
	if refused(err) {
		return nil
	}
	if err == nil && f.Total > 0 {
		to := navLink{Text: v.say("search.linked."+k.name, typeset.Thousands(f.Total), title), Address: v.link("/search", "kind", k.name, filter, value, typedFor, r.Q)}
		if k.name == "papers" && r.Papers == "" {
			r.Papers, r.About = to.Address, f.Total
		}
		if !slices.Contains(r.Linked, to) { // two parts of the query may name one plant
			r.Linked = append(r.Linked, to)
		}
	}
	return err
}
