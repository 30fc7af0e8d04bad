// Package explorer is what people see: a page for every address that the API
// gives. It stands above the API and asks it, in the same process, by the names of
// its operations; what a page shows, the API would have shown to a key of the same
// scopes. It knows no index and no file.
//
//	request ─▶ visit ─▶ page function ─ asks ─▶ operations of the API
//	                         │
//	                       page ─ template, language ─▶ HTML
//
// A page is a row in routes: an address, and a function from a [visit] to a
// [page]. Texts stand in the catalogues of texts, pictures come from draw and
// references from cite. All works without JavaScript; the script in assets only
// adds.
package explorer

import (
	"net/http"

	"bencao/api"
	"bencao/api/explorer/assets"
	"bencao/api/explorer/cache"
	"bencao/api/problem"
)

// policy lets a page load what is ours, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Explorer serves the pages. It may be used from many goroutines.
type Explorer struct {
	routes map[string]route
	*renderer
	pages *cache.Cache[rendered]
	caches
}

// New returns the explorer, whose pages show the data.
func New() *Explorer { return newExplorer(routes()) }

// Sign returns what a server shows that has no explorer: at / it says what this
// is, and where the API.
func Sign() *Explorer { return newExplorer(signRoutes()) }

// cachedPages and cachedAnswers are how many pages are kept, and how many answers
// about the whole of the data. maxCachedPage is how large a page may be that is
// kept, in bytes: together at most 40 MiB. cachedBriefs is how many formulas are kept
// that others are held against, of about 2 kB each.
const cachedPages, maxCachedPage, cachedAnswers, cachedBriefs = 256, 128 << 10, 64, 2048

func newExplorer(rows []route) *Explorer {
	e := &Explorer{routes: map[string]route{}, renderer: newRenderer(rows), pages: cache.New[rendered](cachedPages), caches: caches{answers: cache.New[any](cachedAnswers), briefs: cache.New[*brief](cachedBriefs)}}
	for _, r := range append(rows, route{path: assets.Folder + ":name", serve: e.asset}) {
		e.routes[r.path] = r
	}
	return e
}

// Routes are the addresses of the pages.
func (e *Explorer) Routes() []api.PageRoute {
	var out []api.PageRoute
	for _, r := range e.routes {
		out = append(out, api.PageRoute{Path: r.path, Form: r.form})
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
	if row.record != nil && v.AcceptsJSON(r) {
		http.Redirect(w, r, row.record(v), http.StatusSeeOther)
		return nil
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
	if page, ok := e.pages.Get(tag); ok {
		return page.send(w, v, http.StatusOK)
	}
	p, err := row.page(v)
	if err != nil {
		delete(w.Header(), "ETag")
		return err
	}
	if p.file != nil {
		return p.file.send(w)
	}
	page, err := e.render(v, p)
	if err != nil {
		return err
	}
	if len(page.html) <= maxCachedPage {
		e.pages.Put(tag, page)
	}
	return page.send(w, v, http.StatusOK)
}

// asset answers with the sheet or a script, which a reader may keep for ever.
func (e *Explorer) asset(w http.ResponseWriter, v *visit) error {
	name := v.Param("name")
	content, kind, ok := e.assets.Content(name)
	if !ok {
		return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(name)))
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(content)
	return err
}

// headers are those of every page.
func headers(w http.ResponseWriter, v *visit) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Language", v.lang.Tag)
}

// Explain says as a page what is wrong, and the way on.
func (e *Explorer) Explain(w http.ResponseWriter, r *http.Request, f *problem.Fault, av *api.Visit) error {
	v := newVisit(r, av, &e.caches)
	headers(w, v)
	page, err := e.render(v, faultPage(v, f))
	if err != nil {
		return err
	}
	return page.send(w, v, f.Kind.Status)
}

// routes are the pages of the explorer. To add one, add a row here, a function
// beside its kin and a template.
func routes() []route {
	return []route{
		{path: "/", page: startPage},
		{path: "/search", page: searchPage},
		{path: "/search.csv", page: searchCSV},
		{path: "/suggest", page: suggestions},
		{path: "/species/:guid", page: speciesPage, record: recordJSON("species", "guid")},
		{path: "/species/:guid/:file", page: speciesFile},
		{path: "/herbs/:id", page: herbPage, record: recordJSON("herbs", "id")},
		{path: "/herbs/:id/:file", page: herbFile},
		{path: "/formulas/:guid", page: formulaPage, record: recordJSON("formulas", "guid")},
		{path: "/formulas/:guid/:file", page: formulaFile},
		{path: "/papers/*id", page: paperPage, record: paperJSON},
		{path: "/compare", page: comparePage},
		{path: "/match", page: matchPage, post: (*renderer).matchList, form: mostForm},
		{path: "/match/table", page: matchPage, post: (*renderer).matchTable, form: mostForm},
		{path: "/stats", page: statsPage},
		{path: "/docs", page: docsPage},
		{path: "/docs/:operation", page: operationPage},
		{path: "/about", page: aboutPage},
		{path: "/problems/:type", page: problemPage},
	}
}

// signRoutes are the pages of a server without explorer.
func signRoutes() []route {
	return []route{{path: "/", page: signPage}}
}
