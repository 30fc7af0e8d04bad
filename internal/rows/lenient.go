package rows

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A quoted cell that goes on over more lines than this, or more bytes, has
// lost its end.
const (
	maxCellLines    = 200
	maxLenientBytes = 1 << 20
)

// Lenient reads the lines or rows of a list that anybody may have made. A row
// that is wrong is told and passed over; those behind it are read.
type Lenient struct {
	src     *source
	in      *bufio.Reader
	pending [][]byte // lines that were read ahead, with their ends
	last    []byte   // what Line has read
	read    int64
	comma   byte
	width   int // cells of the header
}

// NewLenient returns a reader of r. A byte-order mark is passed over.
func NewLenient(r io.Reader) *Lenient {
	src := &source{r: r}
	return &Lenient{src: src, in: bufio.NewReaderSize(src, chunk), comma: ','}
}

// Bytes is how much has been read, without a byte-order mark.
func (l *Lenient) Bytes() int64 { return l.read }

// Line returns the next line without its end. A very long one is cut into
// pieces that are lines of their own.
func (l *Lenient) Line() ([]byte, error) {
	line, err := l.line()
	l.last = line
	return trimEnd(line), err
}

// Unread makes the line be read again that Line has just returned.
func (l *Lenient) Unread() { l.unread([][]byte{l.last}) }

// Comma is what parts the cells.
func (l *Lenient) Comma() byte { return l.comma }

func (l *Lenient) unread(lines [][]byte) {
	l.pending = append(lines, l.pending...)
	for _, line := range lines {
		l.read -= int64(len(line))
	}
}

// Header takes a line for the header of a table: its cells, and what parts
// them, hold for all rows behind it.
func (l *Lenient) Header(line []byte) []string {
	l.comma = Separator(line)[0]
	cells, ok := split(line, l.comma, nil)
	if !ok {
		cells = strings.Split(string(line), string(l.comma))
	}
	l.width = len(cells)
	return cells
}

// Row returns the cells of the next row that is not blank. A row that is wrong
// is one cell of its text, with what is wrong; err is that of reading.
func (l *Lenient) Row() (cells []string, wrong, err error) {
	for {
		line, err := l.line()
		if err != nil {
			return nil, nil, err
		}
		if wrong := TooLong(line); wrong != nil {
			return []string{string(line)}, wrong, nil
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return l.row(line)
		}
	}
}

// TooLong says of a line that it has more bytes than a row may have.
func TooLong(line []byte) error {
	if len(line) <= maxLenientBytes {
		return nil
	}
	return fmt.Errorf("has %d bytes; at most %d are read", len(line), maxLenientBytes)
}

// row makes a row of a line and, where a quoted cell goes on, of those that
// follow. If the quote never ends the first line alone is wrong and the others
// are rows of their own.
func (l *Lenient) row(line []byte) (cells []string, wrong, err error) {
	text := line
	var ahead [][]byte
	for {
		cells, ok := split(trimEnd(text), l.comma, make([]string, 0, l.width))
		if ok && len(cells) > l.width {
			return []string{string(trimEnd(text))}, fmt.Errorf("has %d cells, but the header has %d", len(cells), l.width), nil
		}
		if ok {
			return cells, nil, nil
		}
		next, err := l.line()
		if err != nil && err != io.EOF {
			return nil, nil, err
		}
		if err == io.EOF || len(ahead) >= maxCellLines || len(text)+len(next) > maxLenientBytes {
			if err == nil {
				ahead = append(ahead, next)
			}
			l.unread(ahead)
			return []string{string(trimEnd(line))}, errors.New("has a quote that does not end"), nil
		}
		ahead = append(ahead, next)
		text = append(append([]byte(nil), text...), next...)
	}
}

// line reads a line with its end, or the last one without.
func (l *Lenient) line() ([]byte, error) {
	if len(l.pending) > 0 {
		line := l.pending[0]
		l.pending = l.pending[1:]
		l.read += int64(len(line))
		return line, nil
	}
	l.src.since = 0
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if l.src.utf16 != "" {
			return nil, errors.New("is in UTF-16; save it as UTF-8")
		}
		line = append(line, part...)
		if err == bufio.ErrBufferFull && len(line) <= 2*maxLenientBytes {
			continue
		}
		l.read += int64(len(line))
		if err == io.EOF && len(line) > 0 || err == bufio.ErrBufferFull {
			err = nil
		}
		return line, err
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// Separator guesses from a header what parts its cells: what stands most often
// in it of comma, tab, semicolon and bar.
func Separator(header []byte) string {
	best, most := ",", bytes.Count(header, []byte(","))
	for _, s := range []string{"\t", ";", "|"} {
		if n := bytes.Count(header, []byte(s)); n > most {
			best, most = s, n
		}
	}
	return best
}

// split parts a record into cells (RFC 4180). A quote inside an unquoted cell
// is a letter like any other. It reports false if a quoted cell does not end.
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
		// What stands between the closing quote and the comma is kept.
		k := bytes.IndexByte(text[i:], comma)
		if k < 0 {
			return append(cells, string(append(cell, text[i:]...))), true
		}
		cells = append(cells, string(append(cell, text[i:i+k]...)))
		text = text[i+k+1:]
	}
}
