package dwca

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
)

// metaFile lists the files of an archive and the meaning of their columns.
const metaFile = "meta.xml"

const (
	// maxMeta is the maximum size of meta.xml in bytes. A real meta.xml has a few KiB.
	maxMeta = 1 << 20
	// maxXML is the maximum size of the metadata in bytes.
	maxXML = 16 << 20
)

// meta is the content of meta.xml.
type meta struct {
	XMLName    xml.Name `xml:"archive"`
	Metadata   string   `xml:"metadata,attr"`
	Core       *part    `xml:"core"`
	Extensions []part   `xml:"extension"`

	dir string // folder of meta.xml, to which locations are relative
}

// part is the core or an extension. A missing attribute is nil and means the default of the
// standard.
type part struct {
	RowType   string   `xml:"rowType,attr"`
	Encoding  string   `xml:"encoding,attr"`
	Fields    *string  `xml:"fieldsTerminatedBy,attr"`
	Lines     *string  `xml:"linesTerminatedBy,attr"`
	Enclosed  *string  `xml:"fieldsEnclosedBy,attr"`
	Header    string   `xml:"ignoreHeaderLines,attr"`
	Locations []string `xml:"files>location"`
	ID        *index   `xml:"id"`
	CoreID    *index   `xml:"coreid"`
	Terms     []field  `xml:"field"`

	skipHeader int // the value of Header as a number
}

type index struct {
	Index *int `xml:"index,attr"`
}

// field is a column, or a constant value for all rows.
type field struct {
	Index   *int    `xml:"index,attr"`
	Term    string  `xml:"term,attr"`
	Default *string `xml:"default,attr"`
}

// term returns a field's short name: the part of its URI after the last / or #.
func (f field) term() string { return short(f.Term) }

func short(term string) string { return term[strings.LastIndexAny(term, "/#")+1:] }

// readMeta reads meta.xml. Its errors are fatal findings.
func readMeta(src *archive.Archive) (*meta, error) {
	name, ok := src.Find(metaFile)
	if !ok {
		return nil, metaError(src.Name(), finding.Source, 0, "has no "+metaFile, "a Darwin Core Archive needs one that says what its columns mean")
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &meta{dir: path.Dir(name)}
	if err := xml.NewDecoder(io.LimitReader(f, maxMeta)).Decode(m); err != nil {
		line := 0
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			line = syntax.Line
		}
		return nil, metaError(name, finding.Source, line, "not the description of an archive: "+err.Error(), "")
	}
	if m.Core == nil {
		return nil, metaError(name, finding.Source, 0, "names no core", "the core is the table of names")
	}
	for _, p := range append([]*part{m.Core}, m.extensions()...) {
		if err := p.readHeader(name); err != nil {
			return nil, err
		}
	}
	if t := short(m.Core.RowType); !strings.EqualFold(t, "Taxon") {
		return nil, metaError(name, finding.Source, 0, fmt.Sprintf("the core holds rows of type %q", t), "a checklist's core is of type Taxon")
	}
	return m, nil
}

func (m *meta) extensions() (parts []*part) {
	for i := range m.Extensions {
		parts = append(parts, &m.Extensions[i])
	}
	return parts
}

// extension returns the first extension with rows of a kind, or nil.
func (m *meta) extension(kind string) *part {
	for _, p := range m.extensions() {
		if strings.EqualFold(short(p.RowType), kind) {
			return p
		}
	}
	return nil
}

// maxHeader is the maximum number of header lines in a file.
const maxHeader = 100

// readHeader parses the number of header lines of a part's file.
func (p *part) readHeader(file string) error {
	text := strings.TrimSpace(p.Header)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n > maxHeader {
		return metaError(file, finding.Source, 0, fmt.Sprintf("ignoreHeaderLines of the rows of type %s is %q", short(p.RowType), text),
			fmt.Sprintf("write how many lines of header the file has, from 0 to %d", maxHeader))
	}
	p.skipHeader = int(n)
	return nil
}

func metaError(file string, code finding.Code, line int, message, hint string) finding.Finding {
	return finding.Finding{Severity: finding.Fatal, Code: code, File: file, Line: line, Message: message, Hint: hint}
}

// file returns the path in the archive of a part's only file.
func (m *meta) file(src *archive.Archive, p *part) (string, error) {
	if len(p.Locations) != 1 {
		return "", metaError(metaFile, finding.Source, 0, fmt.Sprintf("%d files for rows of type %s", len(p.Locations), short(p.RowType)), "put them into one")
	}
	location := strings.TrimSpace(p.Locations[0])
	if strings.Contains(location, "://") {
		return "", metaError(metaFile, finding.Source, 0, "the file is at "+location, "fetch it and put it into the archive")
	}
	name := path.Join(m.dir, location)
	if !src.Has(name) {
		return "", metaError(metaFile, finding.Source, 0, "there is no file "+location, "the files found are "+strings.Join(src.Files()[:min(10, len(src.Files()))], ", "))
	}
	return name, nil
}

// dialect returns the dialect of a part's file. It tolerates unescaped quotation marks, because the
// user of a published list cannot correct a million names.
func (p *part) dialect() (checklist.Dialect, error) {
	refuse := func(message, hint string) (checklist.Dialect, error) {
		return checklist.Dialect{}, metaError(metaFile, finding.Source, 0, message, hint)
	}
	if e := strings.ToLower(p.Encoding); e != "" && e != "utf-8" && e != "utf8" {
		return refuse("the encoding is "+p.Encoding, "write the archive as UTF-8")
	}
	if l := unescape(p.Lines, "\n"); l != "\n" && l != "\r\n" {
		return refuse(fmt.Sprintf("lines end with %q", l), `write "\n" or "\r\n"`)
	}
	d := checklist.Dialect{Separator: unescape(p.Fields, ","), Lazy: true}
	if d.Separator == "" || strings.ContainsAny(d.Separator, "\r\n\"") {
		return refuse(fmt.Sprintf("cells are separated by %q", d.Separator), `write "\t" or ","`)
	}
	switch quote := unescape(p.Enclosed, `"`); quote {
	case "":
	case `"`, `'`:
		d.Quote = quote[0]
		if len([]rune(d.Separator)) != 1 || d.Separator == quote {
			return refuse(fmt.Sprintf("cells are enclosed and separated by %q", d.Separator), `write "\t" or ","`)
		}
	default:
		return refuse(fmt.Sprintf("cells are enclosed by %q", quote), `write "" or the quotation mark`)
	}
	return d, nil
}

// unescape replaces \t and similar escapes in an attribute. If the attribute is nil, it returns the
// default.
func unescape(s *string, standard string) string {
	if s == nil {
		return standard
	}
	return strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\\`, `\`).Replace(*s)
}

// columns holds the positions of a part's terms.
type columns struct {
	index    map[string]int
	defaults map[string]string // constant values by term
	id       int               // the row's own id or the id of its taxon; -1 if there is none
	width    int               // minimum number of cells in a row
}

func (p *part) columns() (columns, error) {
	c := columns{index: map[string]int{}, defaults: map[string]string{}, id: -1}
	note := func(i *int, what string) error {
		if i == nil {
			return nil
		}
		if *i < 0 || *i > 10_000 {
			return metaError(metaFile, finding.Source, 0, fmt.Sprintf("%s has the index %d", what, *i), "count columns from 0")
		}
		c.width = max(c.width, *i+1)
		return nil
	}
	for _, own := range []*index{p.ID, p.CoreID} {
		if own == nil || own.Index == nil {
			continue
		}
		if err := note(own.Index, "id"); err != nil {
			return columns{}, err
		}
		c.id = *own.Index
	}
	for _, f := range p.Terms {
		t := f.term()
		if err := note(f.Index, t); err != nil {
			return columns{}, err
		}
		if _, twice := c.index[t]; !twice && f.Index != nil {
			c.index[t] = *f.Index
		}
		if f.Default != nil {
			c.defaults[t] = *f.Default
		}
	}
	return c, nil
}

// cell returns the value of a term in a row, or its default.
func (c columns) cell(cells []string, term string) string {
	if i, ok := c.index[term]; ok && i < len(cells) && cells[i] != "" {
		return cells[i]
	}
	return c.defaults[term]
}
