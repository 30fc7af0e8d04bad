package explorer

import (
	"bytes"
	"encoding/csv"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/cite"
	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/rows"
)

// route is an address and what answers there: one of page and serve.
type route struct {
	path string
	// page makes the page.
	page func(*visit) (*page, error)
	// record is the address of the same in the API, for who would rather have
	// JSON, of pages of records.
	record func(*visit) string
	// serve answers by itself.
	serve func(http.ResponseWriter, *visit) error
	// post answers a form of at most form bytes.
	post func(*renderer, http.ResponseWriter, *visit) error
	form int64
}

// page is what a page function makes.
type page struct {
	template string
	Title    string
	// Lead is what the page is about, for those who list pages; may be empty.
	Lead string
	// Data is what the page's own template shows.
	Data any
	// meta are citation_* tags, name and value by turns.
	meta []string
	// Linked is the record for programs (JSON-LD), or nil.
	Linked any
	next   string
	// Home says that it is the start page, which has its own search box.
	Home bool
	// file, if not nil, goes out instead of a page.
	file *file
}

// Meta are the tags of the page's head.
func (p *page) Meta() []metaTag {
	var tags []metaTag
	for i := 0; i+1 < len(p.meta); i += 2 {
		if p.meta[i+1] != "" {
			tags = append(tags, metaTag{p.meta[i], p.meta[i+1]})
		}
	}
	return tags
}

type metaTag struct{ Name, Value string }

// file is what a reader saves.
type file struct {
	name, kind string
	content    []byte
}

func (f *file) send(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(f.content)))
	h.Set("Content-Disposition", `attachment; filename="`+strings.Map(plainName, f.name)+`"`)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(f.content)
	return err
}

// plainName keeps what every system takes in the name of a file.
func plainName(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
		return r
	}
	return '-'
}

// byteOrderMark tells spreadsheets that a table is in UTF-8.
const byteOrderMark = "\ufeff"

// spreadsheet writes a table so that spreadsheets read them right, and run nothing.
func spreadsheet(name string, all [][]string) *file {
	var out bytes.Buffer
	out.WriteString(byteOrderMark)
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	for _, row := range all {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = rows.Defuse(invisible.Drop(cell))
		}
		_ = w.Write(cells) // a buffer takes everything
	}
	w.Flush()
	return &file{name: name, kind: "text/csv; charset=utf-8", content: out.Bytes()}
}

// citation is how to cite a record.
type citation struct {
	What    template.HTML
	Version string
	Address string
	Files   []navLink
}

// citeRecord says how to cite the record whose page is at base.
func citeRecord(v *visit, what template.HTML, address, base string) citation {
	c := citation{What: what, Version: v.Version(), Address: address}
	for _, f := range cite.Forms {
		c.Files = append(c.Files, navLink{Text: f.Name, Address: base + "/cite." + f.End})
	}
	return c
}

// recordReference is a record of ours as it is cited.
func recordReference(v *visit, id, title, address string) cite.Reference {
	return cite.Reference{ID: id, Dataset: true, Title: title, Source: "Bencao 本草", Year: v.Meta().Built.UTC().Format("2006"), Version: v.Meta().ID, URL: address}
}

// references gives references as a file.
func (v *visit) references(form, name string, all ...cite.Reference) (*page, error) {
	f, ok := cite.FormOf(form)
	if !ok {
		return nil, noPage(v)
	}
	var out bytes.Buffer
	if err := f.Write(&out, all); err != nil {
		return nil, err
	}
	return &page{file: &file{name: "bencao-" + name + "." + f.End, kind: f.Media + f.Charset, content: out.Bytes()}}, nil
}

// noPage is the answer for an address that there is not.
func noPage(v *visit) error {
	return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(v.r.URL.Path)))
}

// refusal is the answer for what pages may not show.
func refusal(_ *visit, need access.Scopes) error {
	return problem.New(problem.ScopeMissing, problem.PagesLack.With(strings.Join(need.Names(), ", ")))
}
