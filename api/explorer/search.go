package explorer

import (
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/store"
)

// kind is a kind of record that is searched.
type kind struct {
	name, op string
	// counts counts by the fields of by; empty if nothing does.
	counts, by string
	scope      access.Scopes
	filters    []string
	find       func(v *visit, k *kind, params []string) (*found, error)
}

// kinds are searched in this order.
func kinds() []*kind {
	return []*kind{
		{"species", "species.search", "species.facets", "family,genus,rank", access.Open, []string{"family", "genus", "rank", "hasFormulas"}, findSpecies},
		{"herbs", "herbs.search", "", "", access.Prescriptions, []string{"part", "species"}, findHerbs},
		{"formulas", "formulas.search", "formulas.facets", "dynasty,source", access.Prescriptions, []string{"in", "dynasty", "source", "author", "fromYear", "toYear", "herbs", "without", "species"}, findFormulas},
		{"papers", "papers.search", "papers.facets", "year", access.Open, []string{"author", "fromYear", "toYear", "species"}, findPapers},
	}
}

// found is a page of what a search found.
type found struct {
	Total       int
	Hits        []hit
	explanation *api.Explanation
}

// why is the explanation of a hit, if the search was explained.
func (f *found) why(i int) why {
	if f.explanation == nil || i >= len(f.explanation.Items) {
		return why{}
	}
	w := why{f.explanation.Items[i]}
	if forgiven := f.explanation.Forgiven; forgiven == "letters" || forgiven == "endings" {
		w.Ranges = []api.TextRange{{End: int32(len([]rune(string(w.Text))))}} // a word that was mended is an answer too
	}
	return w
}

// hit is a line of results.
type hit struct {
	Address     string
	Name, Latin template.HTML
	Notes       []template.HTML
	// By says by which other name it was found.
	By template.HTML
	// Others are the formulas of the same name, the first one among them, and
	// When draws their years.
	Others []store.FormulaSummary
	When   template.HTML
	Span   string
	// Whole says that the whole name answers the query; Compare is the address where
	// Others stand side by side.
	Whole   bool
	Compare string
}

// results is what the page of a search shows.
type results struct {
	Q, Kind     string
	Tabs        []tab
	Found       *found
	Formulas    int    // of the names that were found
	Nothing     string // what is said if nothing was found
	Elsewhere   []tab  // kinds of which something was found, if here is nothing
	Linked      *navLink
	Examples    []navLink
	Reading     string // how q was read
	Forgiven    string // what was forgiven, in words
	DidYouMean  []navLink
	Filters     []navLink // in force, each with the address without it
	Facets      []facetView
	Sorts       []navLink
	From, To    int
	First       string
	Prev, Next  string
	CSV         string
	Axis        template.HTML
	Compare     string
	Page, Pages int
}

type tab struct {
	Text, Address string
	Count         int
	Here          bool
}

// mostFacets is how many values of a facet there are to choose from, of which the
// first shownFacets show unasked.
const pageSize, mostFacets, shownFacets = 20, 30, 6

var (
	doiForm    = regexp.MustCompile(`^(?i)(https?://(dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S+$`)
	pubmedForm = regexp.MustCompile(`^(?i)(pmid:?\s*)?\d{5,9}$`)
	toned      = regexp.MustCompile(`[a-zA-Zü]+[1-5]`)
)

func searchPage(v *visit) (*page, error) {
	r := &results{Q: strings.TrimSpace(v.query.Get("q")), Kind: v.query.Get("kind")}
	all := kinds()
	var here *kind
	totals := map[string]*found{}
	for _, k := range all {
		if !v.may(k.scope) {
			continue
		}
		var f *found
		var err error
		if settled := here != nil && totals[here.name].explanation.Forgiven == ""; r.Kind == k.name || r.Kind == "" && !settled {
			f, err = k.find(v, k, v.params(k))
		} else {
			f, err = k.count(v, "q", r.Q)
		}
		if err != nil {
			return nil, err
		}
		totals[k.name] = f
		if k.name == r.Kind || r.Kind == "" && better(f, k, totals, here, r.Q) {
			here = k
		}
	}
	if here == nil { // a kind that there is not, or that pages may not show
		here = all[0]
		f, err := here.find(v, here, v.params(here))
		if err != nil {
			return nil, err
		}
		totals[here.name] = f
	}
	r.Kind, r.Found = here.name, totals[here.name]
	if here.name == "formulas" { // names are listed, and formulas counted
		f, err := here.count(v, v.params(here)...)
		if err != nil {
			return nil, err
		}
		r.Formulas = f.Total
	}
	for _, k := range all {
		f := totals[k.name]
		if f == nil {
			continue
		}
		t := tab{v.say("kind." + k.name), v.link("/search", "q", r.Q, "kind", k.name), f.Total, k == here}
		if t.Here && k.name == "formulas" {
			t.Count = r.Formulas
		}
		if r.Tabs = append(r.Tabs, t); t.Count > 0 && !t.Here {
			r.Elsewhere = append(r.Elsewhere, t)
		}
	}
	if err := r.complete(v, here); err != nil {
		return nil, err
	}
	p := &page{template: "search", Title: v.say("search.title", r.Q), Data: r}
	if r.Q == "" {
		p.Title = v.say("search.all", strings.ToLower(v.say("kind."+r.Kind)))
	}
	var counts []string
	for _, t := range r.Tabs {
		counts = append(counts, t.Text+" "+typeset.Thousands(t.Count))
	}
	p.Lead = strings.Join(counts, " · ")
	p.next = r.Next
	return p, nil
}

// params are those of the address that a kind of search takes.
func (v *visit) params(k *kind) []string {
	out := []string{"q", v.query.Get("q"), "explain", "true", "pageSize", strconv.Itoa(pageSize), "page", v.query.Get("page"), "sort", v.query.Get("sort")}
	for _, name := range k.filters {
		out = append(out, name, v.query.Get(name))
	}
	return out
}

// count only counts what a query finds of a kind.
func (k *kind) count(v *visit, params ...string) (*found, error) {
	l, err := ask[list[struct{}]](v, k.op, "", append(params, "pageSize", "1", "page", "1")...)
	return &found{Total: l.Total}, err
}

// better tells whether a search is the one to show rather than that of the kind
// that was so far: what was typed counts before what was forgiven.
func better(f *found, k *kind, all map[string]*found, before *kind, q string) bool {
	if before == nil {
		return f.Total > 0 || k.name == "papers" && (doiForm.MatchString(q) || pubmedForm.MatchString(q))
	}
	return f.Total > 0 && f.explanation != nil && f.explanation.Forgiven == "" && all[before.name].explanation.Forgiven != ""
}

// complete adds what stands round the hits.
func (r *results) complete(v *visit, k *kind) error {
	r.Page = 1
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 {
		r.Page = n
	}
	r.Pages = max(1, (r.Found.Total+pageSize-1)/pageSize)
	r.From, r.To = (r.Page-1)*pageSize+1, (r.Page-1)*pageSize+len(r.Found.Hits)
	if r.Page > 1 {
		r.First, r.Prev = v.again("page", ""), v.again("page", strconv.Itoa(min(r.Page-1, r.Pages)))
	}
	if r.Page < r.Pages {
		r.Next = v.again("page", strconv.Itoa(r.Page+1))
	}
	r.read(v)
	if err := r.suggest(v, k); err != nil {
		return err
	}
	var filters []string
	for _, name := range k.filters {
		value := v.query.Get(name)
		filters = append(filters, name, value)
		if value != "" {
			r.Filters = append(r.Filters, navLink{Text: v.say("filter."+name) + " " + v.shown(name, value), Address: v.again(name, "", "page", "")})
		}
	}
	if err := r.addFacets(v, k, append(filters, "q", r.Q)); err != nil {
		return err
	}
	for _, sort := range []string{"relevance", "name", "year", "prominence"} {
		if r.Found.Total < 2 {
			break
		}
		if sort == "year" && (k.name == "species" || k.name == "herbs") {
			continue
		}
		now := v.query.Get("sort")
		r.Sorts = append(r.Sorts, navLink{Text: v.say("sort." + sort), Address: v.again("kind", k.name, "sort", strings.TrimPrefix(sort, "relevance"), "page", ""), Here: sort == now || now == "" && sort == "relevance"})
	}
	r.CSV = "/search.csv?" + strings.TrimPrefix(v.again("kind", k.name, "page", "", "lang", ""), v.r.URL.EscapedPath()+"?")
	if k.name == "formulas" {
		r.Axis = draw.Axis(func(d string) string { return v.lang.Known("dynasty."+d, d) })
		var guids []string
		for _, h := range r.Found.Hits[:min(mostCompared, len(r.Found.Hits))] {
			guids = append(guids, h.Others[0].GUID)
		}
		for i := range r.Found.Hits {
			r.Found.Hits[i].beside(v)
		}
		if len(guids) > 1 && v.may(access.PrescriptionComposition) {
			r.Compare = v.link("/compare", "formulas", strings.Join(guids, ","))
		}
	}
	return nil
}

// addFacets adds the counts by which the hits can be narrowed down.
func (r *results) addFacets(v *visit, k *kind, params []string) error {
	if k.counts == "" {
		return nil
	}
	counted, err := facets(v, k.counts, k.by, mostFacets, params...)
	if err != nil {
		return err
	}
	for _, by := range strings.Split(k.by, ",") {
		f := counted[by]
		if len(f.Counts) < 2 && v.query.Get(by) == "" {
			continue
		}
		values := barsOf(f, mostFacets, func(c api.ValueCount) string {
			if by == "year" {
				return v.again("kind", k.name, "fromYear", c.Value, "toYear", c.Value, "page", "")
			}
			return v.again("kind", k.name, by, c.Value, "page", "")
		})
		for i, row := range values.Rows {
			if values.Rows[i].Value = v.shown(by, row.Value); by == "rank" {
				values.Rows[i].Chinese = ""
			}
		}
		view := facetView{Title: v.say("filter." + by), bars: values, Latin: by == "genus"}
		if n := len(values.Rows); n > shownFacets {
			view.Rows, view.Rest = values.Rows[:shownFacets], values.Rows[shownFacets:]
		}
		r.Facets = append(r.Facets, view)
	}
	return nil
}

// shown is the value of a filter in words.
func (v *visit) shown(name, value string) string {
	switch name {
	case "rank", "dynasty", "in", "hasFormulas":
		return v.lang.Known(name+"."+value, value)
	case "species": // by its guid, or by a name
		if s, err := ask[store.SpeciesDetail](v, "species.detail", value); err == nil {
			return speciesTitle(&s)
		}
	}
	return value
}

// findFormulas shows one line a name, with the formulas that share it.
func findFormulas(v *visit, k *kind, params []string) (*found, error) {
	l, err := ask[list[store.FormulaSummary]](v, k.op, "", append(params, "distinct", "name")...)
	if err != nil {
		return nil, err
	}
	f := &found{Total: l.Total, explanation: l.Explanation}
	filters := []string{"in", "name"}
	for _, name := range k.filters {
		if name != "in" {
			filters = append(filters, name, v.query.Get(name))
		}
	}
	for i, s := range l.Items {
		h := hit{Address: v.ours(s.URL), Others: []store.FormulaSummary{s}}
		why := f.why(i)
		h.Name = typeset.MarkedRuby(string(s.Name), string(s.NamePinyin), why.within(string(s.Name)))
		h.By, h.Whole = why.other(v, string(s.Name), ""), i == 0 && why.whole()
		if s.Namesakes != nil && *s.Namesakes > 0 {
			if h.Others, err = namesakes(v, string(s.Name), int(*s.Namesakes)+1, filters...); err != nil {
				return nil, err
			}
		}
		var years []int
		for j, o := range h.Others {
			h.Others[j].URL = v.ours(o.URL)
			if o.Year != nil {
				years = append(years, int(*o.Year))
			}
		}
		h.Span = span(h.Others)
		if len(years) > 0 {
			h.When = draw.When(years, v.say("search.when", len(h.Others), h.Span))
		}
		f.Hits = append(f.Hits, h)
	}
	return f, nil
}

// mostNamesakes is how many formulas of one name are listed.
const mostNamesakes = 40

// namesakes are the formulas of a name that pass the filters, the oldest first.
func namesakes(v *visit, name string, most int, filters ...string) ([]store.FormulaSummary, error) {
	l, err := ask[list[store.FormulaSummary]](v, "formulas.search", "", append(filters, "q", name, "pageSize", strconv.Itoa(min(most, mostNamesakes)))...)
	if err != nil {
		return nil, err
	}
	var out []store.FormulaSummary
	for _, f := range l.Items {
		if string(f.Name) == name {
			out = append(out, f)
		}
	}
	return out, nil
}

// span is the first and the last year of formulas that stand in order of years.
func span(all []store.FormulaSummary) string {
	var first, last *int32
	for _, f := range all {
		if f.Year != nil && (first == nil || *f.Year < *first) {
			first = f.Year
		}
		if f.Year != nil && (last == nil || *f.Year > *last) {
			last = f.Year
		}
	}
	switch {
	case first == nil:
		return ""
	case *first == *last:
		return strconv.Itoa(int(*first))
	}
	return strconv.Itoa(int(*first)) + "–" + strconv.Itoa(int(*last))
}
