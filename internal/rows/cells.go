package rows

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// sheet is the state of reading a sheet's rows.
type sheet struct {
	in    *elements
	texts *texts
	width int // number of cells in the header; 0 before [Book.Header]
	found int // number of cells in the last row, which [Book.Header] takes as width
	empty []string
	last  int // number of the last row returned
	bytes int64
	value richText
	// ahead is the next row that is not empty, if it has been read.
	ahead *bookRow
}

// bookRow is a row of a sheet.
type bookRow struct {
	number int
	cells  []string
	beyond []string // cells to the right of the header's last column
	end    int      // number of the last cell that is not blank
	size   int      // bytes
	full   bool     // a cell is not empty
	// lacking is the number of the first shared string that a cell refers to and that the workbook
	// does not have.
	lacking string
}

// Row returns the cells of the next row. The caller may keep the cells but must not change them.
//
// Before [Book.Header] is called, Row skips empty rows, and a row may have any number of cells.
// After that, all rows have as many cells as the header, without blank cells beyond it, and Row also
// returns an empty row if other rows follow it. However, if the header has only one cell, Row always
// skips empty rows.
//
// If a row is invalid, cells has the row's whole text as one cell, and wrong describes the problem.
// err is an error of reading.
func (b *Book) Row() (cells []string, wrong, err error) {
	s := b.sheet
	if s.ahead == nil {
		if s.ahead, err = s.next(); err == io.EOF {
			return nil, nil, err
		} else if err != nil {
			return nil, nil, b.wrong(err)
		}
	}
	if s.width > 1 && s.last+1 < s.ahead.number {
		s.last++
		return s.empty, nil, nil
	}
	r := s.ahead
	s.ahead, s.last = nil, r.number
	if s.bytes += int64(r.size); b.Bytes() > textRatio*b.most {
		return nil, nil, bookRows.With(mebibytes(textRatio * b.most))
	}
	s.found = len(r.cells)
	switch {
	case r.size > maxLenientBytes:
		return []string{r.text()}, rowTooLong.With(r.size, maxLenientBytes), nil
	case r.lacking != "":
		return []string{r.text()}, rowLacks.With(r.lacking), nil
	case s.width > 0 && r.end > s.width:
		return []string{r.text()}, rowCells.With(r.end, s.width), nil
	}
	return r.cells, nil, nil
}

// Header declares that the last row that Row returned is the header. It returns that row's number
// in the sheet, from 1.
func (b *Book) Header() int {
	b.sheet.width = b.sheet.found
	b.sheet.empty = make([]string, b.sheet.width)
	return b.sheet.last
}

// Bytes returns the size of the rows read so far.
func (b *Book) Bytes() int64 {
	if b.sheet == nil {
		return b.before
	}
	return b.before + b.sheet.bytes
}

// text returns all cells of the row as one text.
func (r *bookRow) text() string {
	var all []string
	for _, c := range append(r.cells, r.beyond...) {
		if c != "" {
			all = append(all, c)
		}
	}
	return strings.Join(all, ",")
}

var (
	errRows    = fmt.Errorf("it has a row beyond the last, %d", maxBookRows)
	errColumns = fmt.Errorf("it has a cell beyond the last column, %d", maxBookColumns)
	errPlace   = errors.New("it has a cell without a place")
)

// next reads the next row that is not empty.
func (s *sheet) next() (*bookRow, error) {
	number := s.last
	for {
		token, err := s.in.next()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.EndElement:
			if token.Name.Local == "sheetData" {
				return nil, io.EOF
			}
		case xml.StartElement:
			if token.Name.Local != "row" {
				continue
			}
			n, err := strconv.Atoi(element{attrs: token.Attr}.attr("r"))
			if err != nil && !errors.Is(err, strconv.ErrRange) || n <= number { // rows out of order are accepted
				n = number + 1
			}
			if number = n; number > maxBookRows {
				return nil, errRows
			}
			r := &bookRow{number: number}
			if err := s.row(r); err != nil {
				return nil, err
			}
			if r.full {
				return r, nil
			}
		}
	}
}

// row reads the cells of the current row element.
func (s *sheet) row(r *bookRow) error {
	inside, column := s.in.depth, 0
	for {
		token, err := s.in.next()
		if err != nil {
			return unexpected(err)
		}
		switch token := token.(type) {
		case xml.EndElement:
			if s.in.depth < inside {
				return nil
			}
		case xml.StartElement:
			if token.Name.Local != "c" {
				continue
			}
			e := element{attrs: token.Attr}
			if column, err = place(e.attr("r"), column); err != nil {
				return err
			}
			if err := s.cell(r, column, e.attr("t")); err != nil {
				return err
			}
		}
	}
}

// place returns the column of a cell, from 1. reference is the cell's reference, such as B2. last
// is the column of the cell before. If reference is empty, the cell is in the next column.
func place(reference string, last int) (int, error) {
	column := 0
	for i, c := range []byte(reference) {
		c |= 0x20
		if c < 'a' || c > 'z' {
			if i == 0 {
				return 0, errPlace
			}
			break
		}
		if column = 26*column + int(c-'a') + 1; column > maxBookColumns {
			return 0, errColumns
		}
	}
	if reference == "" {
		column = last + 1
	}
	if column > maxBookColumns {
		return 0, errColumns
	}
	return column, nil
}

// cell reads the current cell element into its column.
func (s *sheet) cell(r *bookRow, column int, kind string) error {
	s.value.b = s.value.b[:0]
	inside, value := s.in.depth, 0
	computed, inline := false, false
	for s.in.depth >= inside {
		token, err := s.in.next()
		if err != nil {
			return unexpected(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch {
			case token.Name.Local == "f":
				computed = true
			case token.Name.Local == "v" && !inline:
				value = s.in.depth
			case token.Name.Local == "is" && kind == "inlineStr":
				if err := s.value.read(s.in); err != nil {
					return err
				}
				inline = true
			}
		case xml.EndElement:
			if s.in.depth < value {
				value = 0
			}
		case xml.CharData:
			if value > 0 && value == s.in.depth {
				s.value.add(token)
			}
		}
	}
	text, err := "", error(nil)
	switch from, to, ok := int64(0), int64(0), false; {
	case inline:
		text = string(s.value.plain())
	case kind == "s":
		if from, to, ok = s.texts.find(strings.TrimSpace(string(s.value.b))); ok {
			if r.size+int(to-from) <= maxLenientBytes {
				text, err = s.texts.text(from, to)
			} else {
				r.size += int(to - from)
			}
			break
		}
		if text = string(s.value.b); text != "" {
			r.lacking = cmp.Or(r.lacking, fmt.Sprintf("%.20s", text))
		}
	default:
		text = string(s.value.b)
	}
	if err != nil || text == "" && !computed {
		return err
	}
	r.put(column, text, s.width)
	return nil
}

// put stores a text in a column. width is the number of cells of the header, or 0 before the header
// is known.
func (r *bookRow) put(column int, text string, width int) {
	r.full = r.full || text != "" || width == 0
	if strings.TrimSpace(text) != "" {
		r.end = max(r.end, column)
	}
	if r.size += len(text) + 1; r.size > maxLenientBytes {
		return
	}
	if width > 0 && column > width {
		r.beyond = append(r.beyond, text)
		return
	}
	for len(r.cells) < max(column, width) {
		if r.cells == nil {
			r.cells = make([]string, 0, max(column, width))
		}
		r.cells = append(r.cells, "")
	}
	r.cells[column-1] = text
}
