package explorer

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/assets"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/invisible"

	"github.com/klauspost/compress/gzip"
)

// route is the address of a page with the handler for GET, which is either page or serve.
type route struct {
	path string
	// page returns the page for a visit.
	page func(*visit) (*page, error)
	// record returns the record that the page shows. A client that prefers JSON, or that asks for
	// format=json, gets the record as the API would give it to a key with the scopes of the pages.
	record func(*visit) record
	// serve writes the whole response itself.
	serve func(http.ResponseWriter, *visit) error
	// post answers a form sent to the address. The form may have at most form bytes.
	post func(*renderer, http.ResponseWriter, *visit) error
	form int64
	// scope has the scopes that the page needs. A page of records checks the scopes itself.
	scope access.Scopes
	// params lists the parameters of the page besides lang. If an address has others, the page says
	// that it does not know them. Nil permits every parameter.
	params []string
	// long reports that the page takes much longer than others.
	long bool
	// public reports that the page has no records and needs no key.
	public bool
}

//go:embed templates/*.html
var templateFiles embed.FS

// renderer turns pages into HTML.
type renderer struct {
	routes    map[string]route // the pages by their paths
	templates map[*texts.Language]*template.Template
	assets    assets.Set
	intake    *intake
}

func newRenderer(rows []route, opt Options) *renderer {
	e := &renderer{routes: map[string]route{}, templates: map[*texts.Language]*template.Template{}, assets: assets.Read(), intake: newIntake()}
	for _, r := range append(rows, route{path: assets.Folder + ":name", serve: e.asset, public: true}) {
		e.routes[r.path] = r
	}
	for _, lang := range texts.All {
		e.templates[lang] = parse(lang, e.assets, opt.NoMap)
	}
	return e
}

// plainText matches a place in a template for a text that depends only on the language.
var plainText = regexp.MustCompile(`\{\{t "([^"]+)"\}\}`)

// parse reads the templates for a language. It inserts all texts that have no placeholders, which
// are most texts, so that pages need not look them up.
func parse(lang *texts.Language, a assets.Set, noMap bool) *template.Template {
	all := template.New("").Funcs(functions(lang, a, noMap))
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		panic(err) // cannot fail: the templates are embedded
	}
	for _, name := range files {
		content, err := templateFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		said := plainText.ReplaceAllStringFunc(string(content), func(action string) string {
			return typeset.Escape(lang.Say(plainText.FindStringSubmatch(action)[1]))
		})
		template.Must(all.Parse(said))
	}
	return all
}

// rendered is a page in the form in which the server sends it.
type rendered struct {
	html []byte
	gzip []byte // html compressed by gzip, or nil if it is sent only once
	next string // address of the next page of a list, or empty
	// moved and file are those of the page. If either is set, the server sends it instead of html.
	moved string
	file  *file
}

// render returns the HTML of a page, plain and compressed by gzip.
func (e *renderer) render(v *visit, p *page) (rendered, error) {
	html, err := e.fill(v, p.template, e.frame(v, p))
	if err != nil {
		return rendered{}, err
	}
	packed, err := compress(html)
	return rendered{html: html, gzip: packed, next: p.next}, err
}

// fill executes a template. All HTML is made by fill, which removes invisible characters that the
// data may have. Such characters could reverse the direction of the text around them.
func (e *renderer) fill(v *visit, name string, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := e.templates[v.lang].ExecuteTemplate(&out, name, data); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return invisible.DropBytes(out.Bytes()), nil
}

// level is the level of gzip compression. At higher levels, pages are hardly smaller.
const level = 3

// writers pools gzip writers, because making one allocates large tables.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // cannot fail: the level is valid
	}
	return w
}}

// compress compresses a page. The result may be sent many times.
func compress(html []byte) ([]byte, error) {
	var out bytes.Buffer
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(html); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func (s rendered) send(w http.ResponseWriter, v *visit, status int) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	body := s.html
	if s.gzip != nil && v.AcceptsGzip(v.r) {
		h.Set("Content-Encoding", "gzip")
		body = s.gzip
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if s.next != "" {
		h.Set("Link", "<"+s.next+`>; rel="next"`)
	}
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// frame is the data of the part that all pages share: head, search box and foot.
type frame struct {
	*page
	V         *visit
	Query     string // text that the search box shows
	Nav       []navLink
	Languages []navLink
	Start     string // address of the start page, or of the first page that the user may see
	Today     string // address of this page in the current version, if the page shows an earlier one
	Off       bool   // there is no search, or the user may not use it
}

// menu lists the paths of the menu in their order.
var menu = []string{"/match", "/compare", "/patterns", "/stats", "/docs"}

// offers reports whether there is a page at a path that the user may see.
func (e *renderer) offers(v *visit, path string) bool {
	row, ok := e.routes[path]
	return ok && (row.public || v.Admitted()) && v.may(row.scope)
}

// typedFor is the parameter with the text for which the user searched before following a link to the
// records about a plant or with a herb. The search box keeps the text, and the tabs search for it.
const typedFor = "for"

func (e *renderer) frame(v *visit, p *page) *frame {
	f := &frame{page: p, V: v, Start: v.link("/"), Query: strings.ToValidUTF8(cmp.Or(v.query.Get(typedFor), v.query.Get("q")), "�")}
	if !e.offers(v, "/") {
		f.Start = v.link("/about")
	}
	if f.Off = !e.offers(v, "/search"); !f.Off {
		for _, path := range menu {
			if e.offers(v, path) {
				f.Nav = append(f.Nav, navLink{v.say("nav." + strings.TrimPrefix(path, "/")), v.link(path), "", v.r.URL.Path == path})
			}
		}
	}
	if v.Earlier != "" {
		f.Today = v.again(api.VersionParam, "")
	}
	for _, lang := range texts.All {
		f.Languages = append(f.Languages, navLink{lang.Say("language"), v.again("lang", lang.Code), lang.Tag, lang == v.lang})
	}
	return f
}

// asset serves a style sheet or a script. Browsers may cache it for ever, because a changed file
// has another name.
func (e *renderer) asset(w http.ResponseWriter, v *visit) error {
	name := v.Param("name")
	content, kind, ok := e.assets.Content(name)
	if !ok {
		return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(name)))
	}
	return sendCached(w, "public, max-age=31536000, immutable", kind, content)
}

// sendCached writes a file. cacheControl is the value of the header Cache-Control.
func sendCached(w http.ResponseWriter, cacheControl, kind string, content []byte) error {
	h := w.Header()
	h.Set("Cache-Control", cacheControl)
	h.Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(content)
	return err
}
