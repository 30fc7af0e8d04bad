package curator

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"

	"bencao/internal/invisible"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is the data of page.html.
type page struct {
	Language string // the value of the HTML attribute lang
	Title    string
	Contents string // the heading of the table of contents
	Sections []*section
}

// section is a part of the page with a heading.
type section struct {
	ID      string
	Heading string
	Blocks  []block
}

// block is a paragraph, or a table with an optional heading and a note below it.
type block struct {
	Text    string
	Heading string
	Columns []string
	Rows    [][]cell
	Note    string
}

// cell is a cell of a table.
type cell struct {
	Text   string
	Latin  bool // set in italics
	Number bool // aligned to the right
}

// paragraph adds a paragraph, unless text is empty.
func (s *section) paragraph(text string) {
	if text != "" {
		s.Blocks = append(s.Blocks, block{Text: text})
	}
}

// write writes the page. It removes invisible characters.
func (p *page) write(w io.Writer) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(invisible.DropBytes(b.Bytes()))
	return err
}
