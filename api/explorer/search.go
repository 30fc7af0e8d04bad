package explorer

import (
	"cmp"
	"errors"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/mappings"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/store"
)

// kind is a kind of record that can be searched.
type kind struct {
	name, op string
	// counts is the operation that counts the results of a search. It counts by the fields in by.
	// If the kind has no facets, counts and by are empty.
	counts, by string
	scope      access.Scopes
	find       func(v *visit, k *kind, params []string) (*found, error)
}

// filters returns the filters and orders of the kind.
func (k *kind) filters() []mappings.Filter { return mappings.Filters[k.name] }

// narrowed returns those filters and orders that pass, as parameters of the API with the values in the
// address of the page: alternating names and values.
func (k *kind) narrowed(v *visit, passes func(mappings.Filter) bool) (params []string) {
	for _, f := range k.filters() {
		if passes(f) {
			params = append(params, f.Name, v.query.Get(f.BesideKind()))
		}
	}
	return params
}

// ofRecords reports whether a filter chooses or orders records. The page itself decides whether
// formulas are listed once for each name.
func ofRecords(f mappings.Filter) bool {
	return f.Kind != mappings.OncePerName && f.Kind != mappings.NamesTogether
}

// kinds returns the kinds of records in the order in which a search tries them.
func kinds() []*kind {
	return []*kind{
		{"species", "species.search", "species.facets", "family,genus,rank", access.Open, findSpecies},
		{"herbs", "herbs.search", "", "", access.Prescriptions, findHerbs},
		{"formulas", "formulas.search", "formulas.facets", "dynasty,source", access.Prescriptions, findFormulas},
		{"papers", "papers.search", "papers.facets", "family,year", access.Open, findPapers},
	}
}

// found is one page of search results.
type found struct {
	Total       int
	Hits        []hit
	explanation *api.Explanation
	wrong       error // why a filter cannot be used
}

// explain returns the explanation of the hit with index i, or the zero value if the search was not
// explained.
func (f *found) explain(i int) explanation {
	if f.explanation == nil || i >= len(f.explanation.Items) {
		return explanation{}
	}
	w := explanation{f.explanation.Items[i]}
	if forgiven := f.explanation.Forgiven; forgiven == "letters" || forgiven == "endings" {
		w.Ranges = []api.TextRange{{End: int32(len([]rune(string(w.Text))))}} // the search corrected a word, so the whole word counts as matched
	}
	return w
}

// hit is one search result.
type hit struct {
	Address     string
	Name, Latin template.HTML
	Notes       []template.HTML
	// By is the alternative name of the record that matched the query, if it is not shown
	// elsewhere.
	By template.HTML
	// Others lists the formulas with this name that were found, including the hit itself, or the
	// first of them. Count is the number of all of them; 0 if there is one. When is a picture of the
	// years of the listed formulas.
	Others []store.FormulaSummary
	Count  int
	Rest   navLink // the file with all of them, if Others has not all
	When   template.HTML
	Span   string
	// Whole reports that the query matches the whole name. Compare is the address of a comparison
	// of the formulas in Others.
	Whole   bool
	Compare navLink
	// Choose reports that a comparison of two of these formulas has to be chosen: they are several.
	// Against tells, by guid, how the others differ from the first if the list is unfolded.
	Choose  bool
	Against map[string]string
}

// results is the data of the search page.
type results struct {
	Q, Kind   string
	Tabs      []tab
	Found     *found
	Formulas  int    // number of formulas whose names were found
	Nothing   string // the message if nothing was found
	Elsewhere []tab  // other kinds with results, if this kind has none
	Linked    []navLink
	// Papers leads to the papers about the plant that the query names, and About is their number.
	Papers     string
	About      int
	Places     []navLink // formulas that have the query in another text
	Older      []navLink // formulas that have an old name of the complaint in their indications
	Examples   []navLink
	Reading    string // tells how the query was understood
	Forgiven   string // tells how the results deviate from the query
	Hidden     bool   // whether pages may not show herbs and formulas, and nothing else fits the query
	DidYouMean []navLink
	Unknown    []unknownView
	// WithForms leads to the same search with processed forms and parts of herbs. Broader has, for
	// each herb whose name also covers other herbs, links to the same search for those.
	WithForms navLink
	Named     navLink // tells how many formulas were found by their names alone; leads to the others
	Broader   []unknownView
	Filters   []navLink // active filters; each links to the same search without that filter
	Facets    []facetView
	Sorts     []navLink
	Where     []navLink // the texts of formulas that can be searched
	Last      string    // address of the last page, on a page after it
	CSV       navLink
	Axis      template.HTML
	Compare   navLink
	pager
}

// unknownView says something about a value, such as that no record has it. Close links to the same
// search with other values.
type unknownView struct {
	Text  string
	Close []navLink
}

type tab struct {
	Text, Address string
	Count         int
	Here          bool
}

// pageSize is the number of hits on a page. mostFacets is the number of values that a facet has.
// The user sees the first shownFacets values, and the others after unfolding the list.
const pageSize, mostFacets, shownFacets = 20, 30, 6

var (
	doiForm    = regexp.MustCompile(`^(?i)(https?://(dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S+$`)
	pubmedForm = regexp.MustCompile(`^(?i)(pmid:?\s*)?\d{5,9}$`)
	inParts    = regexp.MustCompile(`\p{Han}[\s、，,;；《》·]+\p{Han}`)
	toned      = regexp.MustCompile(`[a-zA-Zü]+[1-5]`)
)

// separates reports whether a character separates the parts of a query.
func separates(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("、，,;；《》·", r)
}

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
	if r.Kind != "" && kindNamed(r.Kind) == nil {
		unknown, r.Kind = []string{"kind=" + r.Kind}, ""
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

// kindNamed returns the kind with a name, or nil.
func kindNamed(name string) *kind {
	for _, k := range kinds() {
		if k.name == name {
			return k
		}
	}
	return nil
}

// search searches for records of the kind with the filters in the page's address. If a filter has a
// value that cannot be used, nothing is found, and the result says why.
func (k *kind) search(v *visit) (*found, error) {
	f, err := k.find(v, k, v.params(k))
	if !wrongText(err) || len(values(k.narrowed(v, ofRecords))) == 0 {
		return f, err
	}
	if _, other := ask[list[struct{}]](v, k.op, "", "q", v.query.Get("q"), "pageSize", "1", "page", v.query.Get("page")); other != nil {
		return nil, err // the filters are not to blame
	}
	return &found{explanation: &api.Explanation{}, wrong: err}, nil
}

// complaint returns the words for a complaint that q means, if q is rather a complaint than a name:
// more formulas have it in their indications than records of the kind here have it as a part of their
// names, and none has it as its name. Otherwise it returns "". f are the formulas with that name, and
// here may be nil.
func (f *found) complaint(q string, here *kind, all map[string]*found) (words string) {
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

// params returns the parameters for a search for kind k: those in the page's address that such a
// search accepts. They are alternating names and values.
func (v *visit) params(k *kind) []string {
	out := []string{"q", v.query.Get("q"), "explain", "true", "pageSize", strconv.Itoa(pageSize), "page", v.query.Get("page")}
	return append(out, k.narrowed(v, ofRecords)...)
}

// count returns the number of results of a search, without the hits.
func (k *kind) count(v *visit, params ...string) (*found, error) {
	l, err := ask[list[struct{}]](v, k.op, "", append(params, "pageSize", "1", "page", "1")...)
	return &found{Total: l.Total, explanation: l.Explanation}, err
}

// better reports whether the page should show f, the results of kind k, instead of the results of
// the kind before. Formulas that were found by recognised parts of q, such as herbs, are better
// than all other results. Results that match q exactly are better than results that match q
// approximately, and formulas called q are better than records with q as a part of their names.
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
	return other.Forgiven != "" || k.name == "formulas" && other.Part != "" && f.explanation.Part == ""
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
		var guids []string
		for _, h := range r.Found.Hits[:min(mostCompared, len(r.Found.Hits))] {
			guids = append(guids, h.Others[0].GUID)
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
			r.Compare = navLink{Text: v.say("search.compare", len(guids)), Address: v.link("/compare", "formulas", strings.Join(guids, ","))}
		}
	}
	return nil
}

// options returns links to the page with each value of a filter or an order.
func (v *visit) options(k *kind, f mappings.Filter) (links []navLink) {
	for _, word := range f.Words {
		text := v.lang.Known(f.Name+"."+word+"."+k.name, v.lang.Known(f.Name+"."+word, word))
		links = append(links, navLink{Text: text, Address: v.again("kind", k.name, f.Name, strings.TrimPrefix(word, f.Standard), "page", ""), Here: word == cmp.Or(v.query.Get(f.Name), f.Standard)})
	}
	return links
}

// readings tells how names in a filter were read.
func (r *results) readings(v *visit, filter string) string {
	text := ""
	for _, read := range r.Found.explanation.Readings {
		if read.Parameter == filter {
			text += v.say("search.read", read.Value, strings.Join(read.Means, v.say("list.comma")))
		}
	}
	return text
}

// explainFilters tells which values of filters no record has, and what the herbs in the query and in
// filters do not include.
func (r *results) explainFilters(v *visit, k *kind) error {
	ex := r.Found.explanation
	for _, u := range ex.Unknown {
		if err := r.addUnknown(v, k, u); err != nil {
			return err
		}
	}
	var fault *problem.Fault
	switch {
	case errors.As(r.Found.wrong, &fault) && fault.Parameter != "":
		r.Unknown = append(r.Unknown, unknownView{v.say("patterns.unknown.herb", fault.Value), v.instead(fault.Parameter, fault.Value, fault.Close, "kind", k.name, "page", "")})
	case r.Found.wrong != nil:
		r.Unknown = append(r.Unknown, unknownView{Text: v.lang.Tell(r.Found.wrong)})
	}
	if n := ex.WithForms; n != nil {
		r.WithForms = navLink{Text: v.say("search.forms", typeset.Thousands(int(*n))), Address: v.again("kind", k.name, "forms", "together", "page", "")}
	}
	r.addNamed(v)
	for _, b := range ex.Broader {
		r.Broader = append(r.Broader, unknownView{v.say("search.broader", b.Value), v.instead(b.Parameter, b.Value, b.Means, "kind", k.name, "page", "")})
	}
	return nil
}

// addNamed tells how many formulas were found by their names alone, not by the herbs, the book or the
// author that the query names.
func (r *results) addNamed(v *visit) {
	ex := r.Found.explanation
	if ex.Named == 0 {
		return
	}
	also := []string{"kind", "formulas", "q", "", "page", "", typedFor, r.Q}
	key := ""
	var herbs []string
	if filter := v.query.Get("herbs"); filter != "" {
		for _, read := range ex.Readings { // beside names in characters, spaces would cut those in letters
			if read.Parameter == "herbs" {
				filter = strings.Replace(filter, read.Value, read.Means[0], 1)
			}
		}
		herbs = []string{filter}
	}
	replaces := false // whether the link would replace a filter, since the query names another value
	for _, p := range ex.Recognised {
		if filter := v.query.Get(p.As); filter != "" && filter != p.Text {
			replaces = true
		}
		switch p.As {
		case "herb":
			key, herbs = p.As, append(herbs, p.Text)
		case "dynasty":
			also = append(also, p.As, p.Text)
		default:
			key, also = p.As, append(also, p.As, p.Text)
		}
	}
	if len(herbs) > 0 {
		also = append(also, "herbs", strings.Join(herbs, "、"))
	}
	r.Named = navLink{Text: v.say("search.named."+key, typeset.Thousands(r.Formulas-int(ex.Named)), typeset.Thousands(ex.Named))}
	if !replaces {
		r.Named.Address = v.again(also...)
	}
}

// instead returns links to the same page with other values in place of a part of the text of a
// parameter. also has further parameters of the links.
func (v *visit) instead(parameter, part string, values []string, also ...string) (links []navLink) {
	for _, value := range values {
		text := strings.Replace(v.query.Get(parameter), part, value, 1)
		links = append(links, navLink{Text: v.shown(strings.TrimPrefix(parameter, otherPrefix), value), Address: v.again(slices.Concat(also, []string{parameter, text})...)})
	}
	return links
}

// addUnknown tells that no record has the value of a filter. If no other value is like it, it offers
// the most frequent ones.
func (r *results) addUnknown(v *visit, k *kind, u api.UnknownValue) error {
	name := u.Filter
	for _, f := range k.filters() {
		if f.Name == u.Filter {
			name = f.BesideKind()
		}
	}
	view, offered := unknownView{Text: v.say("search.unknown", v.say("filter."+name), u.Value)}, u.Close
	if len(offered) == 0 && slices.Contains(strings.Split(k.by, ","), name) {
		others := k.narrowed(v, func(f mappings.Filter) bool { return f.Narrows() && f.Name != u.Filter })
		counted, err := facets(v, k.counts, name, shownFacets, append(others, "q", r.Q)...)
		if err != nil {
			return err
		}
		for _, c := range counted[name].Counts {
			offered = append(offered, c.Value)
		}
	}
	view.Close = v.instead(name, u.Value, offered, "kind", k.name, "page", "")
	r.Unknown = append(r.Unknown, view)
	return nil
}

// addFacets adds the facets. The user can filter the hits by their values.
func (r *results) addFacets(v *visit, k *kind, params []string) error {
	if k.counts == "" {
		return nil
	}
	counted, err := facets(v, k.counts, k.by, mostFacets, params...)
	if err != nil {
		return err
	}
	for _, by := range strings.Split(k.by, ",") {
		if len(counted[by].Counts) < 2 || v.query.Get(by) != "" { // a link would replace the filter, and find other records than are counted
			continue
		}
		r.Facets = append(r.Facets, v.facet(counted[by], func(value string) string {
			if by == "year" {
				return v.again("kind", k.name, "fromYear", value, "toYear", value, "page", "")
			}
			return v.again("kind", k.name, by, value, "page", "")
		}))
	}
	return nil
}

// facet returns a facet by whose values a list can be filtered. address returns the address for a value.
func (v *visit) facet(f api.Facet, address func(value string) string) facetView {
	values := barsOf(f, mostFacets, func(c api.ValueCount) string { return address(c.Value) })
	for i, row := range values.Rows {
		if values.Rows[i].Value = v.shown(f.By, row.Value); f.By == "rank" {
			values.Rows[i].Chinese = ""
		}
	}
	view := facetView{Title: v.say("filter." + f.By), bars: values, Latin: f.By == "genus"}
	if len(values.Rows) > shownFacets {
		view.Rows, view.Rest = values.Rows[:shownFacets], values.Rows[shownFacets:]
	}
	return view
}

// shown returns the value of a filter as the page shows it. name is the name of the filter beside the
// choice of a kind.
func (v *visit) shown(name, value string) string {
	switch name {
	case "rank", "dynasty":
		return v.lang.Known(name+"."+value, value)
	case "herbKind":
		return v.lang.Known("herb."+value, value)
	case "species": // the value is a guid or a name
		if s, err := ask[store.SpeciesDetail](v, "species.detail", value); err == nil {
			return speciesTitle(&s)
		}
	}
	for _, filters := range mappings.Filters {
		for _, f := range filters {
			if f.BesideKind() == name && f.Words != nil {
				return v.lang.Known(name+"."+value, value)
			}
		}
	}
	return value
}

// foundOf searches for records of kind k. of returns the hit of a record; why tells why it was found.
func foundOf[T any](v *visit, k *kind, params []string, of func(record T, why explanation) hit) (*found, error) {
	l, err := ask[list[T]](v, k.op, "", params...)
	f := &found{Total: l.Total, explanation: l.Explanation}
	for i, record := range l.Items {
		f.Hits = append(f.Hits, of(record, f.explain(i)))
	}
	return f, err
}

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

// explanation tells which text of a record, such as a name, matched the query.
type explanation struct{ api.ItemExplanation }

// complete reports whether the query matches the whole text of the explanation. Spaces never match.
func (w explanation) complete() bool {
	text := []rune(string(w.Text))
	for i, hit := range w.hits(len(text)) {
		if !hit && !unicode.IsSpace(text[i]) {
			return false
		}
	}
	return len(text) > 0
}

// within reports for each character of a shown name whether it matches the query. If the shown name
// is not the text that matched, it returns nil.
func (w explanation) within(name string) []bool {
	n := len([]rune(name))
	if !w.matches(name) || n != len([]rune(string(w.Text))) {
		return nil
	}
	return w.hits(n)
}

// matches reports whether a shown name is the text that matched. If the name or title of the record
// matched, it returns true even if the shown text differs, because the search compares normalised
// forms of Chinese characters.
func (w explanation) matches(name string) bool {
	return strings.EqualFold(string(w.Text), name) || w.Field == "name" || w.Field == "chineseName" || w.Field == "title"
}

// hits reports for each of the n characters of the matched text whether it matches the query.
func (w explanation) hits(n int) []bool {
	hit := make([]bool, n)
	for _, r := range w.Ranges {
		for i := max(0, int(r.Start)); i < min(n, int(r.End)); i++ {
			hit[i] = true
		}
	}
	return hit
}

// latin marks the matching characters in a scientific name. The case of letters does not matter,
// because the search compares names in lower case.
func (w explanation) latin(name, author string) template.HTML {
	var hit []bool
	if strings.EqualFold(string(w.Text), name) {
		hit = w.hits(len([]rune(name)))
	}
	return typeset.MarkedLatin(name, author, hit)
}

// foundBy returns a note with the text that matched, or "" if the page already shows this text as
// one of the names in shown, or as the scientific name, which may have a word for a rank there.
func (w explanation) foundBy(v *visit, shown ...string) template.HTML {
	if w.Text == "" || w.Field == "scientificName" {
		return ""
	}
	for _, s := range shown {
		if w.matches(s) {
			return ""
		}
	}
	by := template.HTML(typeset.Escape(v.say("search.by", v.lang.Known("field."+w.Field, w.Field))))
	if text := string(w.Text); han.Has(text) && len([]rune(text)) <= typeset.LongestRuby {
		return by + ` <span class="nw" lang="zh-Hans">` + template.HTML(typeset.Escape(text)) + `</span>`
	}
	return by + " " + typeset.Chinese(w.Text)
}

// describeQuery describes in words how the query was understood and how the results deviate from
// it.
func (r *results) describeQuery(v *visit) {
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
	case way == "englishName" || way == "englishNoun" || way == "otherName":
		r.Reading = "everyday"
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
	if len(ex.Recognised) > 0 {
		r.Reading = describeParts(v, ex.Recognised)
	}
	if ex.ReadAs != "" {
		read := v.say("read.as."+ex.In, string(ex.ReadAs))
		switch {
		case len(ex.Recognised) == 0 || ex.In != "indications":
			r.Reading = read
		case v.Code() == "zh":
			r.Reading += "；" + read
		default:
			r.Reading += ". " + read
		}
	}
	if len(ex.Recognised) == 1 && ex.Recognised[0].As == "source" && way == mappings.HerbsField && v.query.Get("sort") == "" {
		r.Reading += v.say("read.order")
	}
	switch {
	case ex.Group != "":
		r.Reading += v.say("read.group." + string(ex.Group))
	case ex.Part != "" && ex.Forgiven == "" && len(ex.Recognised) == 0 && r.Found.Total > 0: // or else the names need not have it
		r.Reading += v.say("read.part." + string(ex.Part))
	}
	if ex.Forgiven != "" && len(ex.Items) > 0 {
		if r.Forgiven = v.lang.Known("forgiven."+string(ex.Forgiven), v.say("forgiven.other")); ex.ReadAs != "" {
			r.Forgiven = v.say("read.as."+ex.In, string(ex.ReadAs)) + v.say("read.end")
		}
		for _, name := range ex.DidYouMean {
			if slices.ContainsFunc(ex.Items, func(i api.ItemExplanation) bool { return strings.EqualFold(string(i.Text), name) }) {
				continue // the page already shows this name
			}
			r.DidYouMean = append(r.DidYouMean, navLink{Text: name, Address: v.link("/search", "q", name)})
		}
	}
}

// describeParts tells which parts of a query were recognised as herbs, books, authors and
// dynasties.
func describeParts(v *visit, parts []api.Recognition) string {
	var list []string
	for _, p := range parts {
		text := p.Text
		if len(p.Values) == 1 && p.As != "dynasty" {
			text = p.Values[0]
		}
		list = append(list, v.say("read."+p.As, text))
	}
	return v.say("read.parts", strings.Join(list, v.say("cite.comma")))
}

// suggest adds proposals for the user if kind k has few or no results. If the query names a plant,
// it links to the papers or formulas about that plant, since a search for papers or formulas does
// not find the names of plants.
func (r *results) suggest(v *visit, k *kind) error {
	switch r.Nothing = v.say("search.empty"); {
	case r.Found.Total > 0 && len(r.Found.Hits) == 0:
		r.Nothing, r.Last = v.say("search.past", r.Pages), v.again("page", strconv.Itoa(r.Pages))
		return nil
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
	case group != "" || !(&found{explanation: l.Explanation}).explain(0).complete():
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
		r.Linked = append(r.Linked, to)
	}
	return err
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

// exact reports whether a search found its first item by a whole name, without forgiving a mistake.
func exact(ex *api.Explanation) bool {
	return ex.Forgiven == "" && ex.Part == "" && ex.Group == "" && len(ex.Items) > 0
}
