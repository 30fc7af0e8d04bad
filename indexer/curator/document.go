package curator

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"unicode"

	"bencao/internal/invisible"
)

// document is a page before it has a form.
type document struct {
	Language string // as HTML names it
	Title    string
	Contents string // heading of the table of contents
	Sections []*section
}

// section is a part of a document with a heading.
type section struct {
	ID      string
	Heading string
	Blocks  []block
}

// block is a paragraph, or a table with a heading and what stands below it.
type block struct {
	Text    string
	Heading string
	Columns []string
	Rows    [][]cell
	Below   string
}

// cell is a cell of a table. Latin names stand in italics.
type cell struct {
	Text  string
	Latin bool
	// Number is set to the right.
	Number bool
}

func (s *section) say(text string) {
	if text != "" {
		s.Blocks = append(s.Blocks, block{Text: text})
	}
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// html writes the document as a page that needs nothing else.
func (d *document) html(w io.Writer) error {
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return err
	}
	_, err := w.Write(invisible.DropBytes(b.Bytes()))
	return err
}

// markdown writes the document as CommonMark with tables.
func (d *document) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", plain(d.Title))
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n## %s\n", plain(s.Heading))
		for _, p := range s.Blocks {
			if p.Text != "" {
				fmt.Fprintf(&b, "\n%s\n", plain(p.Text))
			}
			if p.Heading != "" {
				fmt.Fprintf(&b, "\n### %s\n", plain(p.Heading))
			}
			if len(p.Rows) > 0 {
				b.WriteByte('\n')
				p.rows(&b)
			}
			if p.Below != "" {
				fmt.Fprintf(&b, "\n%s\n", plain(p.Below))
			}
		}
	}
	_, err := io.WriteString(w, invisible.Drop(b.String()))
	return err
}

// rows writes the table of a block.
func (p block) rows(b *strings.Builder) {
	for _, c := range p.Columns {
		fmt.Fprintf(b, "| %s ", plain(c))
	}
	b.WriteString("|\n")
	for i := range p.Columns {
		if len(p.Rows) > 0 && i < len(p.Rows[0]) && p.Rows[0][i].Number {
			b.WriteString("| --: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range p.Rows {
		for _, c := range row {
			if text := plain(c.Text); c.Latin && text != "" {
				fmt.Fprintf(b, "| *%s* ", text)
			} else {
				fmt.Fprintf(b, "| %s ", text)
			}
		}
		b.WriteString("|\n")
	}
}

// marks are what Markdown, or HTML in it, takes for a mark wherever it stands.
const marks = "\\`*[]<>|~"

// atFront are what it takes for a mark at the front of a line.
const atFront = "#+-=:"

// entity is what it would show as another character.
var entity = regexp.MustCompile(`&(#?[0-9A-Za-z]+;)`)

// plain writes a text so that Markdown shows it as it is, on one line.
func plain(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	inWord := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	var b strings.Builder
	for i, r := range runes {
		if strings.ContainsRune(marks, r) || i == 0 && strings.ContainsRune(atFront, r) || r == '_' && !(inWord(i-1) && inWord(i+1)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return entity.ReplaceAllString(b.String(), `\&$1`)
}
