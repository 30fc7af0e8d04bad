// Package rows reads delimited text and Excel workbooks row by row, in bounded memory and with the
// line number of every cell.
//
//	NewCSV      RFC 4180: cells may be quoted and contain line breaks
//	NewPlain    one line is one row, without quoting, as in WCVP and most Darwin Core files
//	Open        a list of any origin: the sheets of an Excel workbook, or text, of which an
//	            invalid row does not affect the others
//	OpenList    the same, with the separator, the sheets, a sample and the header found ([HeaderRow])
//
// NewCSV and NewPlain accept a byte-order mark and CRLF. They stop with an [*Error] at bytes that
// are not UTF-8, at stray or unclosed quotation marks, and at a cell or row over its limit. For
// bytes that are not UTF-8, the error names the likely encoding. [WriteSheet] writes a workbook.
// The package does not know what the columns mean.
package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits of a row. No real row reaches a tenth of these limits.
const (
	MaxCell = 1 << 20 // bytes
	MaxRow  = 8 << 20 // bytes
)

// Reader reads rows. It must not be used concurrently.
type Reader struct {
	file  string
	src   *source
	read  func() ([]string, error) // reads a row of the dialect
	lines []int                    // line number of each cell
	next  int                      // line on which the next row should start
	blank int
	width int  // number of cells in the first row; 0 before it is read
	comma rune // for the hint about missing quotes
}

// CSV describes a dialect. The zero value is RFC 4180.
type CSV struct {
	// Comma separates cells. Zero means a comma.
	Comma rune
	// Quote encloses cells: a double or a single quotation mark. Zero means the double one.
	Quote byte
	// Lazy accepts a quotation mark inside a cell as an ordinary character.
	Lazy bool
}

// NewCSV returns a reader of RFC 4180 text. file is the name for error messages.
func NewCSV(r io.Reader, file string, d CSV) *Reader {
	t := newReader(r, file)
	t.comma = cmp.Or(d.Comma, ',')
	t.src.swap = d.Quote == '\''
	c := csv.NewReader(bufio.NewReaderSize(t.src, chunk))
	c.Comma = t.comma
	c.LazyQuotes = d.Lazy
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	t.read = func() ([]string, error) { return t.readCSV(c) }
	return t
}

// NewPlain returns a reader of lines split at sep, without quoting.
func NewPlain(r io.Reader, file, sep string) *Reader {
	t := newReader(r, file)
	b := bufio.NewReaderSize(t.src, chunk)
	var cells []string
	t.read = func() ([]string, error) {
		line, err := t.readLine(b)
		if err != nil {
			return nil, err
		}
		cells = cells[:0]
		t.lines = t.lines[:0]
		for {
			cell, rest, more := strings.Cut(line, sep)
			cells = append(cells, cell)
			t.lines = append(t.lines, t.next)
			if !more {
				break
			}
			line = rest
		}
		t.next++
		return cells, nil
	}
	return t
}

func newReader(r io.Reader, file string) *Reader {
	return &Reader{file: file, src: &source{r: &input{ctx: context.Background(), r: r}}, next: 1}
}

// Read returns the next row, or [io.EOF]. The slice is valid until the next call; its strings stay
// valid. Empty lines are skipped and counted.
func (r *Reader) Read() ([]string, error) {
	r.blank = 0
	r.src.since = 0
	cells, err := r.read()
	if r.width == 0 && r.src.page {
		return nil, r.fatal(Page, 1, "", "this is a web page, not a table",
			"fetch the file again: the address may lead to an error page, to a login or to a page with the link")
	}
	if err != nil {
		return nil, err
	}
	if r.width == 0 {
		if r.src.utf16 != "" {
			return nil, r.fatal(Encoding, 1, "", "the text is not UTF-8 but "+r.src.utf16, "save it as UTF-8")
		}
		r.width = len(cells)
	}
	for i, c := range cells {
		if !utf8.ValidString(c) {
			return nil, r.notUTF8(cells, i)
		}
		if len(c) > MaxCell {
			return nil, r.fatal(Size, r.lines[i], c,
				fmt.Sprintf("cell %d has %d bytes, more than %d", i+1, len(c), MaxCell),
				"look for a missing quotation mark before it")
		}
	}
	return cells, nil
}

// Line returns the line number, from 1, of cell i of the row that Read returned last. If the row
// has no cell i, Line returns the line of its last cell.
func (r *Reader) Line(i int) int {
	if len(r.lines) == 0 {
		return r.next
	}
	return r.lines[max(0, min(i, len(r.lines)-1))]
}

// Blank returns the number of empty lines before the last row.
func (r *Reader) Blank() int { return r.blank }

func (r *Reader) readCSV(c *csv.Reader) ([]string, error) {
	cells, err := c.Read()
	if err != nil {
		return nil, r.csvError(err)
	}
	if r.src.swap {
		for i, cell := range cells {
			cells[i] = swapQuotes(cell)
		}
	}
	r.lines = r.lines[:0]
	for i := range cells {
		line, _ := c.FieldPos(i)
		r.lines = append(r.lines, line)
	}
	r.blank = r.lines[0] - r.next
	last := len(cells) - 1
	r.next = r.lines[last] + strings.Count(cells[last], "\n") + 1
	if err := r.swallowed(cells); err != nil {
		return nil, err
	}
	return cells, nil
}

func (r *Reader) csvError(err error) error {
	var p *csv.ParseError
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &p):
		line, message := p.Line, "a quotation mark inside a cell"
		if p.Line != p.StartLine {
			message = fmt.Sprintf("a quotation mark inside a cell of the row that begins on line %d", p.StartLine)
		}
		if errors.Is(p.Err, csv.ErrQuote) && p.Line > p.StartLine+1 {
			line, message = p.StartLine, fmt.Sprintf("a quotation mark that is opened here swallows the rows up to line %d", p.Line)
		}
		return r.fatal(Quoting, line, "", message,
			`enclose the cell in quotation marks and double those inside it: "a ""quoted"" word"`)
	case errors.Is(err, errRow):
		return r.tooLong()
	}
	return fmt.Errorf("%s:%d: %w", r.file, r.next, err)
}

// swallowed returns an error if a closing quote seems to be missing, so that a cell has swallowed
// lines that are rows themselves. A single line that looks like a row may be prose. It counts only
// if the row that contains the cell is invalid too.
func (r *Reader) swallowed(cells []string) error {
	if r.width < 3 {
		return nil
	}
	for i, c := range cells {
		if !strings.Contains(c, "\n") {
			continue
		}
		within := 0
		for line := range strings.Lines(c) {
			if strings.Count(line, string(r.comma)) >= r.width-1 {
				within++
			}
		}
		if within > 0 && (len(cells) != r.width || within > 1) {
			return r.fatal(Quoting, r.lines[i], c,
				fmt.Sprintf("a quotation mark in cell %d swallows whole rows", i+1),
				"close it, or double it if it belongs to the text")
		}
	}
	return nil
}

// readLine returns the next non-empty line without its end.
func (r *Reader) readLine(b *bufio.Reader) (string, error) {
	for {
		var long []byte
		line, err := b.ReadSlice('\n')
		for err == bufio.ErrBufferFull && len(long) <= MaxRow {
			long = append(long, line...)
			line, err = b.ReadSlice('\n')
		}
		switch {
		case err == bufio.ErrBufferFull || errors.Is(err, errRow):
			return "", r.tooLong()
		case err != nil && err != io.EOF:
			return "", fmt.Errorf("%s:%d: %w", r.file, r.next, err)
		}
		if long != nil {
			line = append(long, line...)
		}
		if len(line) == 0 && err == io.EOF {
			return "", io.EOF
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) == 0 {
			r.blank++
			r.next++
			r.src.since = 0
			continue
		}
		return string(line), nil
	}
}

func (r *Reader) tooLong() error {
	return r.fatal(Size, r.next, "", fmt.Sprintf("the row that begins here has more than %d bytes", MaxRow),
		"look for a quotation mark that is not closed")
}

func (r *Reader) notUTF8(cells []string, i int) error {
	sample := append([]byte(strings.Join(cells, " ")), r.src.last...)
	return r.fatal(Encoding, r.lines[i], cells[i],
		"the text is not UTF-8 but looks like "+Guess(sample), "save it as UTF-8")
}

func (r *Reader) fatal(kind Kind, line int, value, message, hint string) error {
	return &Error{kind, r.file, line, value, message, hint}
}

// Kind is the kind of an error in a text.
type Kind int

// The kinds of errors.
const (
	Encoding Kind = iota // bytes that are not UTF-8
	Quoting              // a stray or unclosed quotation mark
	Size                 // a cell or a row is over its limit
	Page                 // a web page instead of a table
)

// Error is an error in a text, with its place. Reading ends after it.
type Error struct {
	Kind    Kind
	File    string
	Line    int    // line number from 1
	Value   string // the wrong text; may be long and need not be UTF-8
	Message string // the error
	Hint    string // how to fix it
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.Message, e.Hint)
}
