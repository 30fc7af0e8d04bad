package explorer

import (
	"net/http"
	"strconv"
	"strings"
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
