package explorer

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"bencao/api"
	"bencao/api/explorer/texts"
	"bencao/api/problem"
)

//go:embed templates/*.html
var templateFiles embed.FS

// policy lets a page load what is ours, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Explorer serves the pages. It may be used from many goroutines.
type Explorer struct {
	routes    map[string]route
	templates map[*texts.Language]*template.Template
	assets    assets
	// lists are tokens for lists of names that are matched at the same time.
	lists chan struct{}
}

// mostLists is how many lists of names are matched at the same time.
const mostLists = 2

// New returns the explorer, whose pages show the data.
func New() *Explorer { return newExplorer(routes()) }

// Sign returns what a server shows that has no explorer: at / it says what this
// is, and where the API.
func Sign() *Explorer { return newExplorer(signRoutes()) }

func newExplorer(rows []route) *Explorer {
	e := &Explorer{routes: map[string]route{}, templates: map[*texts.Language]*template.Template{}, assets: readAssets(), lists: make(chan struct{}, mostLists)}
	for _, r := range append(rows, route{path: "/assets/:name", serve: e.asset}) {
		e.routes[r.path] = r
	}
	for _, lang := range texts.All {
		e.templates[lang] = template.Must(template.New("").Funcs(functions(lang, e.assets)).ParseFS(templateFiles, "templates/*.html"))
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
	v := newVisit(r, av)
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
		return row.post(e, w, v)
	}
	tag := v.Tag(r.URL.RequestURI(), v.lang.Code)
	w.Header()["ETag"] = []string{tag}
	if v.Fresh(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	p, err := row.page(v)
	if err != nil {
		delete(w.Header(), "ETag")
		return err
	}
	if p.file != nil {
		return p.file.send(w)
	}
	return e.render(w, v, p, http.StatusOK)
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
	v := newVisit(r, av)
	headers(w, v)
	return e.render(w, v, faultPage(v, f), f.Kind.Status)
}

// render writes a page.
func (e *Explorer) render(w http.ResponseWriter, v *visit, p *page, status int) error {
	var out bytes.Buffer
	if err := e.templates[v.lang].ExecuteTemplate(&out, p.template, e.frame(v, p)); err != nil {
		return fmt.Errorf("page %s: %w", p.template, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(out.Len()))
	if p.next != "" {
		h.Add("Link", "<"+p.next+`>; rel="next"`)
	}
	w.WriteHeader(status)
	_, err := w.Write(out.Bytes())
	return err
}

// frame is what stands round every page.
type frame struct {
	*page
	V         *visit
	Query     string // of the search box
	Nav       []navLink
	Languages []navLink
	Off       bool
}

type navLink struct {
	Text, Address, Lang string
	Here                bool
}

func (e *Explorer) frame(v *visit, p *page) *frame {
	f := &frame{page: p, V: v, Query: v.query.Get("q"), Off: e.routes["/search"].page == nil}
	if !f.Off {
		for _, path := range []string{"/match", "/compare", "/stats", "/docs"} {
			if _, ok := e.routes[path]; ok {
				f.Nav = append(f.Nav, navLink{v.say("nav." + strings.TrimPrefix(path, "/")), v.link(path), "", v.r.URL.Path == path})
			}
		}
	}
	for _, lang := range texts.All {
		f.Languages = append(f.Languages, navLink{lang.Say("language"), v.again("lang", lang.Code), lang.Tag, lang == v.lang})
	}
	return f
}
