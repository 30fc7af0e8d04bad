package bulk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// row is one row of the input.
type row struct {
	cells []string
	err   error // why it is no row; cells[0] is its text then
}

func (r *row) cell(i int) string {
	if i < 0 || i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// table is what the header says.
type table struct {
	columns              []string
	name, author, family int // -1 is none
	comma                byte
	plain                bool
}

// usualHeaders are headers of columns of names, in the order in which they
// are looked for, in small letters without separators.
var usualHeaders = []string{"scientificname", "verbatimname", "taxonname", "name", "species", "taxon", "latinname", "canonicalname", "plantname", "学名", "拉丁名", "拉丁学名", "物种拉丁名", "名称"}

// A quoted cell that goes on over more lines than this, or more bytes, has
// lost its end.
const (
	maxCellLines = 200
	maxRowBytes  = 1 << 20
)

// reader reads rows line by line.
type reader struct {
	in      *bufio.Reader
	pending [][]byte // lines that were read ahead
	read    int64
	table   table
}

// newReader reads the header.
func newReader(in io.Reader, opt Options) (*reader, error) {
	r := &reader{in: bufio.NewReaderSize(in, 1<<16)}
	head, err := r.in.Peek(3)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		if _, err := r.in.Discard(3); err != nil {
			return nil, err
		}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, errors.New("the list is in UTF-16; save it as UTF-8")
	}
	line, err := r.line()
	if err == io.EOF {
		line = nil
	} else if err != nil {
		return nil, err
	}
	r.table = table{columns: []string{"name"}, author: -1, family: -1, comma: ',', plain: true}
	if !opt.Plain {
		if err := r.header(line, opt); err != nil {
			return nil, err
		}
	}
	if r.table.plain && line != nil {
		r.pending = append(r.pending, line)
		r.read -= int64(len(line))
	}
	return r, nil
}

// header makes a table of the first line if it is a header.
func (r *reader) header(line []byte, opt Options) error {
	comma := delimiter(line)
	r.table.comma = comma
	cells, ok := split(trimEOL(line), comma, nil)
	if !ok {
		cells = strings.Split(string(trimEOL(line)), string(comma))
	}
	find := func(what, header string) (int, error) {
		if header == "" {
			return -1, nil
		}
		if i := slices.Index(cells, header); i >= 0 {
			return i, nil
		}
		if i := slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), header) }); i >= 0 {
			return i, nil
		}
		return -1, fmt.Errorf("%s column %q is not among the columns %s; name one of them", what, header, strings.Join(cells, ", "))
	}
	name, err := find("name", opt.Column)
	if err != nil {
		return err
	}
	if opt.Column == "" {
		if name = usual(cells); name < 0 {
			if opt.AuthorColumn != "" || opt.FamilyColumn != "" {
				return fmt.Errorf("no column of names among %s; say which", strings.Join(cells, ", "))
			}
			return nil
		}
	}
	author, err := find("author", opt.AuthorColumn)
	if err != nil {
		return err
	}
	family, err := find("family", opt.FamilyColumn)
	if err != nil {
		return err
	}
	r.table = table{columns: cells, name: name, author: author, family: family, comma: comma}
	return nil
}

// usual finds a usual header among cells.
func usual(cells []string) int {
	for _, h := range usualHeaders {
		for i, c := range cells {
			if strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(c)) == h {
				return i
			}
		}
	}
	return -1
}

// delimiter guesses what parts the cells: the tab or semicolon if there are
// more of them than commas.
func delimiter(line []byte) byte {
	best, most := byte(','), bytes.Count(line, []byte{','})
	for _, c := range []byte{'\t', ';'} {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}

// batches reads all rows and gives them to yield, until it returns false.
func (r *reader) batches(ctx context.Context, yield func(*batch) bool) {
	number := int64(1)
	for ctx.Err() == nil {
		b := &batch{first: number, done: make(chan struct{})}
		var err error
		for len(b.rows) < batchRows {
			var next row
			if next, err = r.next(); err != nil {
				break
			}
			b.rows = append(b.rows, next)
		}
		b.read = r.read
		number += int64(len(b.rows))
		if err != nil && err != io.EOF {
			b.err = fmt.Errorf("read row %d: %w", number, err)
		}
		if (len(b.rows) > 0 || b.err != nil) && !yield(b) || err != nil {
			return
		}
	}
}

// next reads a row. Blank lines of a table are no rows; those of a plain list
// are, so that the numbers stay those of the lines.
func (r *reader) next() (row, error) {
	for {
		line, err := r.line()
		if err != nil {
			return row{}, err
		}
		if len(line) > maxRowBytes {
			return row{cells: []string{string(line)}, err: fmt.Errorf("has %d bytes; at most %d are read", len(line), maxRowBytes)}, nil
		}
		if r.table.plain {
			return row{cells: []string{string(trimEOL(line))}}, nil
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		return r.tableRow(line)
	}
}

// tableRow makes a row of a line and, where a quoted cell goes on, of those
// that follow. If the quote never ends the first line alone is unreadable and
// the others are rows of their own.
func (r *reader) tableRow(line []byte) (row, error) {
	text := line
	var ahead [][]byte
	for {
		cells, ok := split(trimEOL(text), r.table.comma, make([]string, 0, len(r.table.columns)))
		if ok {
			if len(cells) > len(r.table.columns) {
				return row{cells: []string{string(trimEOL(text))}, err: fmt.Errorf("has %d cells, but the header has %d", len(cells), len(r.table.columns))}, nil
			}
			return row{cells: cells}, nil
		}
		next, err := r.line()
		if err != nil && err != io.EOF {
			return row{}, err
		}
		if err == io.EOF || len(ahead) >= maxCellLines || len(text)+len(next) > maxRowBytes {
			if err == nil {
				ahead = append(ahead, next)
			}
			r.pending = append(ahead, r.pending...)
			for _, l := range ahead {
				r.read -= int64(len(l))
			}
			return row{cells: []string{string(trimEOL(line))}, err: errors.New("has a quote that does not end")}, nil
		}
		ahead = append(ahead, next)
		text = append(append([]byte(nil), text...), next...)
	}
}

// line reads a line with its end, or the last one without; a very long one
// is cut into pieces that are lines of their own.
func (r *reader) line() ([]byte, error) {
	if len(r.pending) > 0 {
		line := r.pending[0]
		r.pending = r.pending[1:]
		r.read += int64(len(line))
		return line, nil
	}
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		if err == bufio.ErrBufferFull && len(line) <= 2*maxRowBytes {
			continue
		}
		r.read += int64(len(line))
		if err == io.EOF && len(line) > 0 || err == bufio.ErrBufferFull {
			err = nil
		}
		return line, err
	}
}

func trimEOL(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
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
