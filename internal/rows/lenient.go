package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a row in a list. If a quoted cell has more lines or bytes, its closing quote is assumed
// to be missing.
const (
	maxCellLines    = 200
	maxLenientBytes = 1 << 20
)

// Lenient reads lines or rows of lists from any source. It reports an invalid row and continues
// with the next one.
type Lenient struct {
	in      *bufio.Reader
	text    decoder
	wide    string   // encoding that [wide] converted, or ""
	pending [][]byte // lines read ahead, with their line ends, in the encoding of the list
	read    int64
	taken   int // number of lines read
	comma   byte
	width   int // number of cells in the header
	lost    bool
}

// newLenient returns a reader of a text. encoding is its encoding, one of [Encodings], or "" if the
// reader has to find out: UTF-8, UTF-16, GB18030, Big5 or Windows-1252. Whatever the encoding, the
// reader returns UTF-8. It skips a byte-order mark.
func newLenient(r io.Reader, encoding string) *Lenient {
	text, wide := wide(r, encoding)
	l := &Lenient{in: ended(bufio.NewReaderSize(text, chunk)), wide: wide, comma: ','}
	if wide == "" {
		l.text.name = encoding
	}
	l.text.ahead = func() []byte {
		ahead, _ := l.in.Peek(l.in.Buffered()) // takes only the bytes that are buffered already
		return ahead
	}
	return l
}

// Bytes returns the number of bytes read, without the byte-order mark.
func (l *Lenient) Bytes() int64 { return l.read }

// Encoding returns the encoding of the lines read so far, such as GB18030. If all these lines are
// ASCII, it returns UTF-8.
func (l *Lenient) Encoding() string { return cmp.Or(l.wide, l.text.name, "UTF-8") }

// Lost returns the reason why the row or line read last has U+FFFD instead of bytes that could not be
// decoded, or nil if it has all of its text.
func (l *Lenient) Lost() error {
	if !l.lost {
		return nil
	}
	return rowLost.With(l.Encoding())
}

// decode returns a line in UTF-8, and whether it has U+FFFD instead of bytes that could not be decoded.
func (l *Lenient) decode(line []byte) (text []byte, lost bool) {
	text, lost = l.text.line(line)
	return text, lost || l.wide != "" && bytes.ContainsRune(text, utf8.RuneError)
}

// Line returns the next line without its line end. It splits a very long line into several. wrong
// is a problem in the line, and err an error of reading.
func (l *Lenient) Line() (line []byte, wrong, err error) {
	line, err = l.line()
	if l.lost = false; err != nil {
		return nil, nil, err
	}
	if wrong := tooLong(line); wrong != nil {
		return bytes.ToValidUTF8(line, []byte("\uFFFD")), wrong, nil
	}
	line, l.lost = l.decode(line)
	return trimEnd(line), nil, nil
}

// Ahead returns the next lines in UTF-8, with their line ends, without consuming them: up to n, and
// fewer if they are long.
func (l *Lenient) Ahead(n int) (lines [][]byte, err error) {
	var raw [][]byte
	for size := 0; len(raw) < n && size < maxLenientBytes && err == nil; {
		var line []byte
		if line, err = l.line(); err == nil {
			raw = append(raw, line)
			size += len(line)
		}
	}
	l.unread(raw)
	buffered := l.text.ahead
	defer func() { l.text.ahead = buffered }()
	l.text.ahead = func() []byte { return append(bytes.Join(raw, nil), buffered()...) } // the encoding is guessed from all that is known
	for _, line := range raw {
		text, _ := l.text.line(line) // Row and Line report lost bytes when they read the line
		lines = append(lines, text)
	}
	if err == io.EOF {
		err = nil
	}
	return lines, err
}

// preview splits lines in UTF-8 into the rows that [Lenient.Row] will read from them, up to n. The
// cells of an invalid row, and of one with more than most cells, are nil. lines[i] is the number of
// lines before row i. A row that may go on behind the last line is left out.
func preview(text [][]byte, comma byte, most, n int) (all [][]string, lines []int) {
	l := &Lenient{in: bufio.NewReader(strings.NewReader("")), pending: text, comma: comma, width: most}
	l.text.name = "UTF-8"
	for len(all) < n {
		for len(l.pending) > 0 && len(bytes.TrimSpace(l.pending[0])) == 0 {
			l.pending, l.taken = l.pending[1:], l.taken+1
		}
		before := l.taken
		cells, wrong, err := l.Row()
		if err != nil {
			break
		}
		if wrong != nil {
			cells = nil
		}
		all, lines = append(all, cells), append(lines, before)
	}
	return all, lines
}

func (l *Lenient) unread(lines [][]byte) {
	l.pending = append(lines, l.pending...)
	l.taken -= len(lines)
	for _, line := range lines {
		l.read -= int64(len(line))
	}
}

// Begin skips a number of lines. It declares that a table with width columns follows, and that comma
// separates its cells. A comma '\n' means that each row is a single cell.
func (l *Lenient) Begin(lines int, comma byte, width int) error {
	l.comma, l.width = comma, width
	for range lines {
		if _, err := l.line(); err != nil {
			return err
		}
	}
	return nil
}

// Columns reads the next line, of any length, and counts its cells.
func (l *Lenient) Columns(comma byte) (int, error) {
	count := cellCount{comma: comma, n: 1}
	for {
		piece, err := l.line()
		if err != nil && err != io.EOF {
			return 0, err
		}
		text, _ := l.text.line(piece) // bytes that cannot be decoded are not separators
		count.line(text)
		if err == io.EOF || bytes.HasSuffix(piece, []byte{'\n'}) {
			return count.cells(), nil
		}
	}
}

// countCells returns the number of cells of a line.
func countCells(line []byte, comma byte) int {
	count := cellCount{comma: comma, n: 1}
	count.line(line)
	return count.cells()
}

// cellCount counts the cells of a row line by line, with the rules of [split].
type cellCount struct {
	comma byte
	n     int // number of cells
	all   int // number of separators, including those in quotes
	at    cellPart
}

// cellPart is the position within a cell.
type cellPart int

const (
	cellBegin cellPart = iota
	unquoted
	quoted
	quoteEnd // after a quote that ends the cell or is the first of two
)

func (c *cellCount) line(text []byte) {
	c.all += bytes.Count(text, []byte{c.comma})
	for len(text) > 0 {
		switch quote := text[0] == '"'; {
		case c.at == cellBegin && quote, c.at == quoteEnd && quote:
			c.at, text = quoted, text[1:]
		case c.at == quoted:
			i := bytes.IndexByte(text, '"')
			if i < 0 {
				return
			}
			c.at, text = quoteEnd, text[i+1:]
		default:
			i := bytes.IndexByte(text, c.comma)
			if c.at = unquoted; i < 0 {
				return
			}
			c.n++
			c.at, text = cellBegin, text[i+1:]
		}
	}
}

// open reports whether a quoted cell continues after the lines so far.
func (c *cellCount) open() bool { return c.at == quoted }

// cells returns the number of cells. If a quote is not closed, all quotes count as ordinary
// characters.
func (c *cellCount) cells() int {
	if c.open() {
		return c.all + 1
	}
	return c.n
}

// Row returns the cells of the next row that is not blank. Blank cells beyond the header's are left out.
// If the row is invalid, cells has the row's whole text as one cell, and wrong describes the problem.
// err is an error of reading.
func (l *Lenient) Row() (cells []string, wrong, err error) {
	for {
		line, err := l.line()
		if l.lost = false; err != nil {
			return nil, nil, err
		}
		if wrong := tooLong(line); wrong != nil {
			return []string{strings.ToValidUTF8(string(line), "\uFFFD")}, wrong, nil
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		return l.row(line)
	}
}

// tooLong returns the error for a line with more bytes than a row may have.
func tooLong(line []byte) error {
	if len(line) <= maxLenientBytes {
		return nil
	}
	return rowTooLong.With(len(line), maxLenientBytes)
}

// row returns the row that starts with the given line. If a quoted cell continues, the row includes
// the following lines. If the quote is never closed, only the first line is invalid and the
// following lines are rows of their own.
func (l *Lenient) row(line []byte) (cells []string, wrong, err error) {
	text, lost := l.decode(line)
	l.lost = lost
	count := cellCount{comma: l.comma, n: 1}
	count.line(trimEnd(text))
	var lines, ahead [][]byte
	size := len(text)
	for count.open() {
		next, err := l.line()
		if err != nil && err != io.EOF {
			return nil, nil, err
		}
		if err == nil {
			ahead = append(ahead, next)
			size += len(next)
		}
		if err == io.EOF || len(ahead) > maxCellLines || size > maxLenientBytes {
			l.unread(ahead)
			l.lost = lost
			return []string{string(trimEnd(text))}, rowQuote.With(), nil
		}
		decoded, lostToo := l.decode(next)
		l.lost = l.lost || lostToo
		lines = append(lines, decoded)
		count.line(trimEnd(decoded))
	}
	if len(lines) > 0 {
		text = bytes.Join(append([][]byte{text}, lines...), nil)
	}
	text = trimEnd(text)
	row, n := trimCells(text, l.comma, count.n, l.width)
	if n > l.width {
		return []string{string(text)}, rowCells.With(n, l.width), nil
	}
	cells, _ = split(row, l.comma, make([]string, 0, n))
	return cells, nil, nil
}

// trimCells removes blank cells from the end of a row of n cells, while it has more than width cells. It
// returns the rest and the number of its cells.
func trimCells(row []byte, comma byte, n, width int) ([]byte, int) {
	blank := func(r rune) bool { return r != rune(comma) && unicode.IsSpace(r) }
	for ; n > width; n-- { // all quotes are closed, so a separator at the end is in none
		rest := bytes.TrimRightFunc(row, blank)
		if bytes.HasSuffix(rest, []byte{comma, '"', '"'}) {
			rest = rest[:len(rest)-2]
		}
		if !bytes.HasSuffix(rest, []byte{comma}) {
			break
		}
		row = rest[:len(rest)-1]
	}
	return row, n
}

// line reads a line with its line end. The last line may have no line end.
func (l *Lenient) line() ([]byte, error) {
	if len(l.pending) > 0 {
		line := l.pending[0]
		l.pending = l.pending[1:]
		l.read += int64(len(line))
		l.taken++
		return line, nil
	}
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if err == bufio.ErrBufferFull && len(line) <= maxLenientBytes { // the buffer of l.in is full; see [input]
			continue
		}
		l.read += int64(len(line))
		l.taken++
		if err == io.EOF && len(line) > 0 || err == bufio.ErrBufferFull {
			err = nil
		}
		return line, err
	}
}

func trimEnd(line []byte) []byte {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n]
}

// Separator guesses the separator of a header. It is a tab if tabs stand between the labels and in the
// rows below, because labels have commas but no tabs. Otherwise it is the most frequent of tab, comma,
// semicolon and bar.
func Separator(header []byte, below ...[]byte) string {
	labels := bytes.Split(bytes.TrimRight(header, "\t\r\n "), []byte("\t"))
	stray := func(label []byte) bool { // the tab is beside another separator
		label = bytes.Trim(label, " ")
		return len(label) != len(bytes.Trim(label, ",;|"))
	}
	tabbed := func(row []byte) bool { return bytes.IndexByte(row, '\t') >= 0 }
	if len(labels) > 1 && !slices.ContainsFunc(labels, stray) && slices.ContainsFunc(below, tabbed) {
		return "\t"
	}
	best, most := ",", bytes.Count(header, []byte(","))
	for _, s := range []string{";", "|"} {
		if n := bytes.Count(header, []byte(s)); n > most {
			best, most = s, n
		}
	}
	if len(labels)-1 > most || most == 0 && tabbed(header) {
		best = "\t"
	}
	return best
}

// split splits a record into cells (RFC 4180). A quote inside an unquoted cell is an ordinary
// character. It returns false if a quoted cell is not closed.
func split(text []byte, comma byte, cells []string) ([]string, bool) {
	for {
		if len(text) == 0 || text[0] != '"' {
			i := bytes.IndexByte(text, comma)
			if i < 0 {
				return append(cells, string(text)), true
			}
			cells = append(cells, string(text[:i]))
			text = text[i+1:]
			continue
		}
		var cell []byte
		i := 1
		for {
			j := bytes.IndexByte(text[i:], '"')
			if j < 0 {
				return cells, false
			}
			cell = append(cell, text[i:i+j]...)
			i += j + 1
			if i < len(text) && text[i] == '"' {
				cell = append(cell, '"')
				i++
				continue
			}
			break
		}
		// Text between the closing quote and the separator belongs to the cell.
		k := bytes.IndexByte(text[i:], comma)
		if k < 0 {
			return append(cells, string(append(cell, text[i:]...))), true
		}
		cells = append(cells, string(append(cell, text[i:i+k]...)))
		text = text[i+k+1:]
	}
}
