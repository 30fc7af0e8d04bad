package rows

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/internal/messages"
)

// List is a list of any origin: a text, or the sheets of a workbook. It tells the form of the file, its
// encoding and its separator, and shows the beginning of each sheet as a [View]. The caller decides
// what the columns of a view mean and which row is the header (see [HeaderRow]), and then reads the
// rows below it:
//
//	OpenList ─▶ Views ─▶ (header, columns) ─▶ Begin ─▶ Row, Row, …
//
// A List must not be used concurrently.
type List struct {
	in     *Lenient
	book   *Book
	places []Place
	now    int // index of the open place
	line   int // line number of the header of the open place, from 1; 0 if it has none
}

// View is the beginning of a text or of a sheet. It is large enough to be a sample of the rest.
type View struct {
	// Sheet is the name of the sheet, or "" for a text.
	Sheet string
	// Comma separates the cells of a text. It is '\n' if each line is a single cell.
	Comma byte
	// Rows are the first rows that are not empty. The cells of a row that is invalid or too wide are
	// nil. Wrong is the reason why further rows of a sheet cannot be read, or nil.
	Rows  [][]string
	Wrong error
	// TooWide is the number of cells of the first row if they are too many, or else 0.
	TooWide int

	index int      // index of the sheet
	lines []int    // for each row, the number of lines before it
	text  [][]byte // the lines of a text
}

// Whole returns the view of a text in which each row is a single cell.
func (v *View) Whole() *View {
	whole := &View{Comma: '\n', text: v.text}
	whole.Rows, whole.lines = preview(v.text, '\n', 1, viewRows)
	return whole
}

// Place is a view with the index of the row that is its header, or -1 if it has none.
type Place struct {
	View   *View
	Header int
}

// Limits of a view: it has as many rows of a text as of a sheet, so that both are read alike.
const (
	viewRows = 5000
	// viewSheets is the number of sheets with as many rows. Of further ones a view has only the rows
	// that may be a header.
	viewSheets = 10
	viewFew    = 50
)

// errEncoding is the error for a text in an encoding that is not read without being named.
var errEncoding = messages.Define("text-encoding", "is not UTF-8 but looks like %s; say so with --encoding, or save it in UTF-8")

// OpenList opens a list, which the caller must close. Reading fails after ctx has ended.
func OpenList(ctx context.Context, in io.Reader, opt ListOptions) (*List, error) {
	book, text, err := Open(ctx, in, opt)
	return &List{in: text, book: book}, err
}

// Close closes the workbook, if the list is one.
func (l *List) Close() error {
	if l.book == nil {
		return nil
	}
	return l.book.Close()
}

// Sheets returns the names of the sheets of a workbook. They are none for a text.
func (l *List) Sheets() []string {
	if l.book == nil {
		return nil
	}
	return l.book.Sheets()
}

// Views yields the beginning of the text, or of each sheet of the workbook. most is the maximum number
// of cells of a row. An error ends the views.
func (l *List) Views(most int) iter.Seq2[*View, error] {
	return func(yield func(*View, error) bool) {
		if l.book == nil {
			yield(l.textView(most))
			return
		}
		for i, name := range l.book.Sheets() {
			n := viewRows
			if i >= viewSheets {
				n = viewFew
			}
			rows, wrong, err := l.book.Peek(i, n)
			v := &View{Sheet: name, Comma: ',', Rows: rows, Wrong: wrong, index: i}
			for k, cells := range rows {
				if v.lines = append(v.lines, k); len(cells) > most {
					rows[k] = nil
					if k == 0 {
						v.TooWide = len(cells)
					}
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// separatorLine matches a first line such as sep=; that tells Excel which character separates the
// cells.
var separatorLine = regexp.MustCompile(`^"?sep=([,;|\t])"?$`)

// textView returns the beginning of a text, split by the separator that most of its rows agree on.
func (l *List) textView(most int) (*View, error) {
	text, err := l.in.Ahead(viewRows)
	if err != nil {
		return nil, err
	}
	if name := l.in.unnamed(text); name != "" {
		return nil, errEncoding.With(name)
	}
	if len(text) == 0 {
		return &View{Comma: '\n'}, nil
	}
	if m := separatorLine.FindSubmatch(bytes.TrimSpace(text[0])); m != nil {
		v := &View{Comma: m[1][0]}
		v.Rows, v.lines = preview(text[1:], v.Comma, most, viewRows)
		for i := range v.lines {
			v.lines[i]++
		}
		return v, nil
	}
	if comma := Separator(text[0], text[1:]...)[0]; countCells(text[0], comma) > most {
		n, err := l.in.Columns(comma)
		return &View{Comma: comma, TooWide: n}, err
	}
	if wrong := tooLong(trimEnd(text[0])); wrong != nil && countCells(text[0], ',') > 1 {
		return &View{Comma: ',', Wrong: wrong}, nil
	}
	comma := separatorOf(text, most)
	v := &View{Comma: comma, text: text}
	v.Rows, v.lines = preview(text, comma, most, viewRows)
	return v, nil
}

// separatorOf returns the separator that most rows of a text agree on: with it, most rows have as many
// cells, and more than one. Of several, it makes the most cells. It is '\n' if there is none.
func separatorOf(text [][]byte, most int) byte {
	best, width, share := byte('\n'), 1, 0.5
	for _, comma := range []byte("\t;|,") {
		if !slices.ContainsFunc(text, func(line []byte) bool { return bytes.IndexByte(line, comma) >= 0 }) {
			continue
		}
		all, _ := preview(text, comma, most, 300)
		w, n := UsualWidth(all)
		if s := float64(n) / float64(len(all)); w > 1 && (s > share+0.15 || s > share-0.15 && (w > width || w == width && s > share)) {
			best, width, share = comma, w, max(s, share)
		}
	}
	return best
}

// UsualWidth returns the number of cells that most rows have, and how many do. Blank cells at the end of a
// row may be some of them or not.
func UsualWidth(all [][]string) (width, rows int) {
	change := map[int]int{} // number of cells → how many rows more than for one less may have it
	most := 0
	for _, cells := range all {
		change[FilledWidth(cells)]++
		change[len(cells)+1]--
		most = max(most, len(cells))
	}
	for w, n := 0, 0; w <= most; w++ {
		if n += change[w]; n >= rows {
			width, rows = w, n
		}
	}
	return width, rows
}

// unnamed returns the encoding of a text that is not read unless it is named, or "".
func (l *Lenient) unnamed(text [][]byte) string {
	if l.text.name != "UTF-8" || l.wide != "" || !slices.ContainsFunc(text, func(line []byte) bool { return bytes.ContainsRune(line, utf8.RuneError) }) {
		return ""
	}
	sample := bytes.Join(l.pending, nil)
	if name := Guess(sample[:min(len(sample), chunk)]); encodings[name] != nil && guessed[name] == "" {
		return name
	}
	return ""
}

// Begin declares that the list is in the given places, one after the other. Row then returns the rows
// below the header of the first.
func (l *List) Begin(places ...Place) error {
	l.places, l.now = places, 0
	return l.open()
}

// open continues with the first row of the present place.
func (l *List) open() error {
	if l.now == len(l.places) {
		return nil // the list is empty
	}
	p := l.places[l.now]
	v := p.View
	if l.line = 0; l.book == nil {
		lines := 0
		width, _ := UsualWidth(v.Rows)
		switch {
		case p.Header >= 0:
			width, lines = len(v.Rows[p.Header]), v.lines[p.Header]
			l.line = lines + 1
			return l.in.beginBelow(lines, v.Comma, width)
		case len(v.lines) > 0:
			lines = v.lines[0]
		}
		return l.in.Begin(lines, v.Comma, width)
	}
	if err := l.book.Open(v.index); err != nil {
		return err
	}
	for range p.Header + 1 {
		if _, _, err := l.book.Row(); err != nil {
			return err
		}
	}
	l.line = l.book.Header()
	return nil
}

// beginBelow skips a number of lines and a row, the header.
func (l *Lenient) beginBelow(lines int, comma byte, width int) error {
	if err := l.Begin(lines, comma, width); err != nil {
		return err
	}
	_, wrong, err := l.Row()
	return cmp.Or(wrong, err)
}

// Header returns the line number of the header of the open place, from 1, or 0 if it has none.
func (l *List) Header() int { return l.line }

// Sheet returns the name of the open sheet, or "" for a text.
func (l *List) Sheet() string {
	if l.now >= len(l.places) {
		return ""
	}
	return l.places[l.now].View.Sheet
}

// Row returns the next row, as [Lenient.Row] and [Book.Row] do. After the last row of a sheet, it
// continues with the next place; Sheet then returns another name.
func (l *List) Row() (cells []string, wrong, err error) {
	switch {
	case l.book == nil:
		return l.in.Row()
	case len(l.places) == 0:
		return nil, nil, io.EOF
	}
	for {
		cells, wrong, err = l.book.Row()
		if err != io.EOF || l.now+1 >= len(l.places) {
			return cells, wrong, err
		}
		l.now++
		if err := l.open(); err != nil {
			return nil, nil, err
		}
	}
}

// Line returns the next line of a text, as [Lenient.Line] does.
func (l *List) Line() (line []byte, wrong, err error) { return l.in.Line() }

// Lost returns why the row or line read last is not complete, as [Lenient.Lost] does. After [List.Begin],
// it tells that of the header.
func (l *List) Lost() error {
	if l.book != nil {
		return nil
	}
	return l.in.Lost()
}

// Read returns the number of bytes read so far, and the encoding.
func (l *List) Read() (int64, string) {
	if l.book != nil {
		return l.book.Bytes(), "UTF-8"
	}
	return l.in.Bytes(), l.in.Encoding()
}

// IsText reports whether the list is a text.
func (l *List) IsText() bool { return l.book == nil }

// KindNumber is the kind of a number, which may be the label of a column too.
const KindNumber = 1

// HeaderLines is the number of rows at the beginning of a view that may be the header.
const HeaderLines = 20

// HeaderRow returns the index of the row that has the labels of the columns, or -1 if there is none. A
// header is a row whose cells are unlike those below it. kind returns what a cell of a column is: 0 for any text
// that says nothing, [KindNumber] for a number, another positive number for each kind of text, such as a
// family or a name, and -1 if it cannot tell.
// usual returns true for the labels that such columns usually have. below is a sample of the rows of
// the view; index returns the index of one of them in the view.
//
// Rows above the header are titles, which have fewer cells, or other labels. Of several rows that may be
// the header, it is the one with the most usual labels, then the one with the most cells, then the
// last of successive ones.
func HeaderRow(v *View, sample []int, kind func(column int, cell string) int, usual func(label string) bool) int {
	width, _ := UsualWidth(v.Rows)
	columns := make([]columnKinds, width)
	next := len(sample) - 1
	all := make([]labels, min(HeaderLines, len(v.Rows)))
	for i := len(all) - 1; i >= 0; i-- {
		for ; next >= 0 && sample[next] > i; next-- {
			for c, cell := range v.Rows[sample[next]][:min(width, len(v.Rows[sample[next]]))] {
				columns[c].add(c, strings.TrimSpace(cell), kind)
			}
		}
		all[i] = labelsOf(v.Rows[i], columns, kind, usual)
	}
	best := -1
	for i, l := range all {
		title := func(above labels) bool {
			if above.filled == 1 {
				return above.votes >= -1 && (l.filled > 1 || i <= 2)
			}
			return above.votes >= 0 && (above.filled < l.filled || above.votes > 0)
		}
		if l.votes <= 0 || l.filled == 1 && l.usual == 0 || slices.ContainsFunc(all[:i], func(above labels) bool { return !title(above) }) {
			continue
		}
		if best < 0 || l.usual > all[best].usual || l.usual == all[best].usual && (l.filled > all[best].filled || l.filled == all[best].filled && i == best+1 && l.votes >= all[best].votes) {
			best = i
		}
	}
	return best
}

// FilledWidth returns the number of cells of a row without the blank ones at its end. It counts the first
// cell even if that is blank.
func FilledWidth(cells []string) int {
	n := len(cells)
	for n > 1 && strings.TrimSpace(cells[n-1]) == "" {
		n--
	}
	return n
}

// columnKinds counts the cells of a column by their kinds.
type columnKinds struct {
	filled int
	of     map[int]int
	texts  map[string]bool
}

func (c *columnKinds) add(column int, cell string, kind func(int, string) int) {
	if cell == "" {
		return
	}
	if c.of == nil {
		c.of, c.texts = map[int]int{}, map[string]bool{}
	}
	c.filled++
	c.of[kind(column, cell)]++
	c.texts[cell] = true
}

// most returns the kind that most cells of a column are of, or 0 if there is none.
func (c *columnKinds) most() int {
	for k, n := range c.of {
		if k > 0 && 5*n >= 3*(c.filled-c.of[-1]) {
			return k
		}
	}
	return 0
}

// labels says how much a row looks like a header: the number of its cells, how many of them are usual
// labels, and whether the cells are unlike those below, which is positive, or like them.
type labels struct{ filled, usual, votes int }

func labelsOf(cells []string, columns []columnKinds, kind func(int, string) int, usual func(string) bool) (l labels) {
	numbers := 0
	for i, cell := range cells {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		l.filled++
		known := usual(cell)
		if known && (i >= len(columns) || !columns[i].texts[cell]) {
			l.usual++
			l.votes += 2
		}
		if i >= len(columns) || columns[i].filled == 0 {
			continue
		}
		c, k := &columns[i], kind(i, cell)
		switch most := c.most(); {
		case k < 0:
		case k == KindNumber:
			numbers = 1 // one number or many: they may be the plots of a table
		case c.texts[cell] && !known:
			l.votes -= 2 // the same text is below
		case most > 0 && k == most:
			l.votes -= 2 // it is what those below are
		case most > 0:
			l.votes += 2 // those below are of some kind, and it is not
		}
	}
	l.votes -= numbers
	return l
}
