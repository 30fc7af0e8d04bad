// Package explorer serves the web pages for people. The url of every record that the API returns is
// the address of a page. It calls the API in the same process, by the names of its operations, so a
// page shows what the API would show to a key with the same scopes. It does not know the snapshot's
// indexes and files.
//
//	request ─▶ visit ─▶ page function ─ asks ─▶ operations of the API
//	                         │
//	                       page ─ template, language ─▶ HTML
//
// A page is a row in [routes]: an address, and a function from a [visit] to a [page]. Texts are in
// package texts, pictures come from draw, references from cite, and cache keeps recent pages. All
// pages work without JavaScript; the scripts in assets add to them. Begin with [routes].
package explorer

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/cache"
	"bencao/api/problem"
)

// policy is the Content-Security-Policy of the pages. It lets a page load its own assets and
// nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Explorer serves the pages. It may be used from many goroutines.
type Explorer struct {
	*renderer
	pages *cache.Cache[rendered]
	caches
}

// Options changes the pages. The zero value is ready for use.
type Options struct {
	// NoMap leaves out the map of the regions in which a species grows.
	NoMap bool
}

// New returns the explorer with all pages.
func New(opt Options) *Explorer { return newExplorer(routes(), opt) }

// Sign returns the pages of a server that runs without the explorer. The page "/" then describes
// the server and links to the API.
func Sign() *Explorer { return newExplorer(signRoutes(), Options{}) }

// cachedPages is the number of cached pages. maxCachedPage is the largest size of a cached page in
// bytes. All cached pages together take at most 40 MiB. cachedFormulas is the number of formulas for
// comparisons, which take about 2 kB each, and cachedAnswers that of other answers of the API.
// cachedTables is the number of tables of all records of a kind, compressed: those of two snapshots.
const cachedPages, maxCachedPage, cachedFormulas, cachedAnswers, cachedTables = 256, 128 << 10, 2048, 64, 8

func newExplorer(rows []route, opt Options) *Explorer {
	return &Explorer{
		renderer: newRenderer(rows, opt),
		pages:    cache.New(cachedPages, func(r rendered) bool { return len(r.html) <= maxCachedPage && r.file == nil }),
		caches:   caches{cache.New[any](cachedFormulas, nil), cache.New[any](cachedAnswers, nil), cache.New[*file](cachedTables, nil)},
	}
}

// Routes returns the addresses of the pages.
func (e *Explorer) Routes() []api.PageRoute {
	var out []api.PageRoute
	for _, r := range e.routes {
		out = append(out, api.PageRoute{Path: r.path, Form: r.form, Long: r.long, Public: r.public})
	}
	return out
}

// Serve answers a request for a page.
func (e *Explorer) Serve(w http.ResponseWriter, r *http.Request, av *api.Visit) error {
	v := newVisit(r, av, &e.caches)
	row := e.routes[v.Path]
	headers(w, v)
	if row.serve != nil {
		return row.serve(w, v)
	}
	if row.record != nil && (v.AcceptsJSON(r) || v.query.Get("format") == "json") {
		return sendRecord(w, v, row.record(v))
	}
	if r.Method == http.MethodPost {
		return row.post(e.renderer, w, v)
	}
	tag := v.Tag(r.URL.RequestURI(), v.lang.Code)
	w.Header()["ETag"] = []string{tag}
	if v.Fresh(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	made, err := e.made(v, row, tag)
	if err != nil {
		delete(w.Header(), "ETag")
		return err
	}
	switch {
	case made.moved != "":
		http.Redirect(w, r, v.link(made.moved), http.StatusMovedPermanently)
		return nil
	case made.file != nil:
		return made.file.send(w, v)
	}
	return made.send(w, v, http.StatusOK)
}

// made returns the page that is cached under a tag, or makes it. It holds a turn meanwhile, because a
// page takes most of its time outside the operations of the API. It waits for the turn first:
// otherwise one caller that waits for its turn would keep all other callers waiting for the page.
func (e *Explorer) made(v *visit, row route, tag string) (rendered, error) {
	if r, ok := e.pages.Get(tag); ok {
		return r, nil
	}
	done, err := v.Turn(v.ctx)
	if err != nil {
		return rendered{}, err
	}
	defer done()
	return e.pages.GetOrMake(v.ctx, tag, func() (rendered, error) { return e.make(v, row) })
}

// make calls the function of a page and renders its result.
func (e *Explorer) make(v *visit, row route) (rendered, error) {
	if !v.may(row.scope) {
		return rendered{}, refusal(v, row.scope)
	}
	p, err := row.page(v)
	if err != nil {
		return rendered{}, err
	}
	if p.moved != "" || p.file != nil {
		return rendered{moved: p.moved, file: p.file}, nil
	}
	known := row.params
	if p.params != nil {
		known = p.params
	}
	for _, name := range slices.Sorted(maps.Keys(v.query)) {
		if known != nil && !slices.Contains(kept, name) && !slices.Contains(known, name) {
			p.Unknown = append(p.Unknown, strings.ToValidUTF8(name, "\uFFFD"))
		}
	}
	return e.render(v, p)
}

// headers sets the headers of every page.
func headers(w http.ResponseWriter, v *visit) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Language", v.lang.Tag)
}

// Explain answers with a page that explains a fault and what to do.
func (e *Explorer) Explain(w http.ResponseWriter, r *http.Request, f *problem.Fault, av *api.Visit) error {
	v := newVisit(r, av, &e.caches)
	headers(w, v)
	page := faultPage(v, f)
	html, err := e.fill(v, page.template, e.frame(v, page))
	if err != nil {
		return err
	}
	return rendered{html: html}.send(w, v, f.Kind.Status)
}

// none are the parameters of a page that has none.
var none = []string{}

// routes lists the pages of the explorer. To add a page, add a row here, a function and a template.
func routes() []route {
	return append(publicRoutes(), []route{
		{path: "/", page: startPage, params: none},
		{path: "/search", page: searchPage, params: searchParams()},
		{path: "/search.csv", page: searchCSV},
		{path: "/suggest", page: suggestions},
		{path: "/species/:guid", page: speciesPage, record: recordOf("species"), params: []string{"page", "sort", "format"}},
		{path: "/species/:guid/:file", page: speciesFile},
		{path: "/herbs/:guid", page: herbPage, record: recordOf("herbs"), params: []string{"format"}},
		{path: "/herbs/:guid/:file", page: citationOf("herbs", "herb")},
		{path: "/formulas/:guid", page: formulaPage, record: recordOf("formulas"), params: []string{"by", "format"}},
		{path: "/formulas/:guid/:file", page: citationOf("formulas", "formula")},
		{path: "/papers/*id", page: paperPage, record: paperRecord, params: []string{"as", "format"}},
		{path: "/compare", page: comparePage, scope: compositions, params: []string{"formulas", "add", "as"}},
		{path: "/patterns", page: patternsPage, scope: compositions, long: true},
		{path: "/patterns/:file", page: patternsPage, scope: compositions, long: true},
		{path: "/prescriptions", page: prescriptionsPage, post: (*renderer).readPrescriptions, form: mostForm, scope: compositions, params: none},
		{path: "/match", page: matchPage, post: (*renderer).matchList, form: mostForm, params: none},
		{path: "/match/table", page: matchPage, post: (*renderer).matchTable, form: mostForm, params: none},
		{path: "/stats", page: statsPage, params: none},
		{path: "/docs", page: docsPage, params: none},
		{path: "/species", serve: movedTo("/search", "kind", "species")},
		{path: "/herbs", serve: movedTo("/search", "kind", "herbs")},
		{path: "/formulas", serve: movedTo("/search", "kind", "formulas")},
		{path: "/papers", serve: movedTo("/search", "kind", "papers")},
		{path: "/sitemap/:file", page: sitemapOfRecords},
		{path: "/docs/:operation", page: operationPage},
	}...)
}

// publicRoutes lists the pages without records, which every server has.
func publicRoutes() []route {
	return []route{
		{path: "/about", page: aboutPage, public: true, params: []string{"as"}},
		{path: "/about/", serve: movedTo("/about"), public: true},
		{path: "/problems/:type", page: problemPage, public: true, params: none},
		{path: "/robots.txt", serve: robots, public: true},
		{path: "/sitemap.xml", serve: sitemap, public: true},
		{path: "/favicon.ico", serve: favicon, public: true},
		{path: "/llms.txt", serve: llms, public: true},
	}
}

// signRoutes lists the pages of a server that runs without the explorer. The address of each record
// says how to read the record.
func signRoutes() []route {
	signs := append(publicRoutes(), route{path: "/", page: signPage, public: true})
	for _, r := range routes() {
		if r.record != nil {
			signs = append(signs, route{path: r.path, page: signRecord(r.record), record: r.record, public: true})
		}
	}
	return signs
}

// movedTo redirects to another page.
func movedTo(path string, params ...string) func(http.ResponseWriter, *visit) error {
	return func(w http.ResponseWriter, v *visit) error {
		http.Redirect(w, v.r, v.link(path, params...), http.StatusMovedPermanently)
		return nil
	}
}
