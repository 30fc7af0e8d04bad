package explorer

import (
	"bytes"
	"encoding/csv"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/cite"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/rows"

	"github.com/klauspost/compress/gzip"
)

// page is the result of a page function.
type page struct {
	template string
	Title    string
	// Lead is a summary for search engines. It may be empty.
	Lead string
	// Data is the data of the page's template.
	Data any
	Meta []metaTag
	// Linked is the record as JSON-LD, or nil.
	Linked any
	next   string
	// In is the text of formulas that the search box searches. "" means their names.
	In string
	// params lists the parameters of the page, if they depend on its address.
	params []string
	// Unknown lists the parameters in the address that the page does not know.
	Unknown []string
	// Home reports that this is the start page, whose search box is part of its content.
	Home bool
	// moved is the path of the page of another record, if this record was merged into that other
	// record. Otherwise it is "".
	moved string
	// file, if not nil, is sent in place of a page.
	file *file
}

// asJSON returns the address of the record of this page as JSON.
func (v *visit) asJSON() string { return v.fileAt(v.path(), url.Values{"format": {"json"}}) }

// metaTag is a meta tag for the head of a page. Tags without a value are left out.
type metaTag struct{ Name, Value string }

// pager has the links from a page of a list to the neighbouring pages. From and To are the places of
// the records on the page.
type pager struct {
	Page, Pages, From, To int
	Prev, Next            string
}

// pager returns the links from a page of a list with total records, of which size are on a page, and
// here on this one. place is the place of the list on the page, such as #formulas.
func (v *visit) pager(page, size, total, here int, place string) pager {
	p := pager{Page: page, Pages: max(1, (total+size-1)/size), From: (page-1)*size + 1, To: (page-1)*size + here}
	if page > 1 {
		p.Prev = v.again("page", strconv.Itoa(min(page-1, p.Pages))) + place
	}
	if page < p.Pages {
		p.Next = v.again("page", strconv.Itoa(page+1)) + place
	}
	return p
}

// file is a download.
type file struct {
	name, kind string
	content    []byte
	// unpacked is the length of the file if content is compressed by gzip. Otherwise it is 0.
	unpacked int
}

// send sends the file. Its length lets clients see that a download was cut off.
func (f *file) send(w http.ResponseWriter, v *visit) error {
	attach(w, f.name, f.kind)
	length, content := len(f.content), io.Reader(bytes.NewReader(f.content))
	switch {
	case f.unpacked == 0:
	case v.AcceptsGzip(v.r):
		w.Header().Set("Content-Encoding", "gzip")
	default:
		length = f.unpacked
		var err error
		if content, err = gzip.NewReader(content); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(length))
	_, err := io.Copy(w, content)
	return err
}

// attach makes the answer a download with a file name and a media type.
func attach(w http.ResponseWriter, name, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+strings.Map(plainName, name)+`"`)
}

// csvType is the media type of CSV.
const csvType = "text/csv; charset=utf-8"

// plainName returns r, or a hyphen if some file systems do not permit r in file names.
func plainName(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
		return r
	}
	return '-'
}

// byteOrderMark at the start of a table tells spreadsheets that the table is in UTF-8.
const byteOrderMark = "\ufeff"

// spreadsheet returns a table as a CSV file for spreadsheets.
func spreadsheet(name string, all [][]string) *file {
	var out bytes.Buffer
	_ = writeSpreadsheet(&out, all) // writing to a buffer never fails
	return &file{name: name, kind: csvType, content: out.Bytes()}
}

// writeSpreadsheet writes a table as CSV for spreadsheets. It changes cells that look like
// spreadsheet formulas, so that no spreadsheet executes them.
func writeSpreadsheet(out io.Writer, all [][]string) error {
	s, err := newSpreadsheet(out)
	if err != nil {
		return err
	}
	for _, row := range all {
		if err := s.write(row); err != nil {
			return err
		}
	}
	return s.flush()
}

// sheet writes a table as CSV for spreadsheets, row by row.
type sheet struct {
	w     *csv.Writer
	cells []string
}

func newSpreadsheet(out io.Writer) (*sheet, error) {
	s := &sheet{w: csv.NewWriter(out)}
	s.w.UseCRLF = true
	_, err := io.WriteString(out, byteOrderMark)
	return s, err
}

func (s *sheet) write(row []string) error {
	s.cells = s.cells[:0]
	for _, cell := range row {
		s.cells = append(s.cells, rows.Defuse(invisible.Drop(cell)))
	}
	return s.w.Write(s.cells)
}

func (s *sheet) flush() error {
	s.w.Flush()
	return s.w.Error()
}

// citation says how to cite a record.
type citation struct {
	What    template.HTML
	Version string
	Address string
	Files   []navLink
}

// citeRecord returns the citation of a record. base is the path of the record's page.
func citeRecord(v *visit, what template.HTML, address, base string) citation {
	c := citation{What: what, Version: v.Version(), Address: address}
	for _, f := range cite.Forms {
		c.Files = append(c.Files, navLink{Text: f.Name, Address: v.File(base + "/cite." + f.End)})
	}
	return c
}

// recordReference returns the reference to a record of this data set.
func recordReference(v *visit, id, title, address string) cite.Reference {
	return cite.Reference{ID: id, Dataset: true, Title: title, Source: "Bencao 本草", Year: v.Meta().Built.UTC().Format("2006"), Version: v.Meta().ID, URL: address}
}

// references returns the references in all as a download. form is the name of the format.
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

// noPage returns the fault for a request whose address has no page.
func noPage(v *visit) error {
	return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(v.r.URL.Path)))
}

// refusal returns the fault for data that the pages may not show. need has the scopes that the data
// need. The fault names the missing ones.
func refusal(v *visit, need access.Scopes) error {
	return problem.New(problem.ScopeMissing, problem.PagesLack.With(strings.Join((need&^v.Scopes).Names(), ", ")))
}

// mostRows is the largest number of search results in a download, of which one request of the API
// returns rowsAtOnce, or of ingredients ingredientsAtOnce.
const mostRows, rowsAtOnce, ingredientsAtOnce = 50_000, 100, 1000

// file returns a link to the file with the results of a search, which are total records. query is
// that of the search page.
func (v *visit) file(total int, query url.Values) navLink {
	text := "CSV"
	if total > mostRows {
		text = v.say("search.file", typeset.Thousands(mostRows))
	}
	return navLink{Text: text, Address: v.fileAt("/search.csv", query)}
}

// compositions are the scopes of the ingredients of formulas.
const compositions = access.Prescriptions | access.PrescriptionComposition

// record is a record of the API.
type record struct {
	op, id  string
	query   url.Values
	address string // the API's address of the record
}

type navLink struct {
	Text, Address, Lang string
	Here                bool
}
