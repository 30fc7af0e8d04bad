package bulk

import (
	"context"
	"io"

	"bencao/internal/rows"
	"bencao/internal/say"
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

// reader reads rows.
type reader struct {
	in    *rows.Lenient
	table table
}

// What is wrong with a list.
var (
	listWrong     = say.Sentence("list-wrong", "the list %w")
	listUnread    = say.Sentence("list-unread", "the list can't be read: %w")
	listPlainBook = say.Sentence("list-plain-book", "the list is an Excel workbook, which has a header; name its column of names and leave --plain out")
	listNoColumn  = say.Sentence("list-no-column", "no column of names is known among the columns %s; name it with --column, or say with --plain that every line is a name")
	listColumn    = say.Sentence("list-column", "%s column %q is not among the columns %s; name one of them")
	rowUnread     = say.Sentence("row-unread", "read row %d: %w")
)

// newReader reads the header.
func newReader(in io.Reader, opt Options) (*reader, error) {
	in, sheet, err := rows.Sheet(in)
	if err != nil {
		return nil, listWrong.With(err)
	}
	r := &reader{in: rows.NewLenient(in)}
	first, err := r.in.Ahead(looked)
	if err != nil {
		return nil, listUnread.With(err)
	}
	r.table = table{columns: []string{"name"}, author: -1, family: -1, comma: ',', plain: true}
	if sheet && opt.Plain {
		return nil, listPlainBook.With()
	}
	if opt.Plain || len(first) == 0 {
		return r, nil
	}
	t, found, err := findTable(first, sheet, opt)
	if err != nil || !found {
		return r, err
	}
	if _, _, err := r.in.Line(); err != nil {
		return nil, err
	}
	r.in.Header(first[0], t.comma)
	r.table = t
	return r, nil
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
		b.read, b.coded = r.in.Bytes(), r.in.Encoding()
		number += int64(len(b.rows))
		if err != nil && err != io.EOF {
			b.err = rowUnread.With(number, err)
		}
		if (len(b.rows) > 0 || b.err != nil) && !yield(b) || err != nil {
			return
		}
	}
}

// next reads a row. Blank lines of a table are no rows; those of a plain list
// are, so that the numbers stay those of the lines.
func (r *reader) next() (row, error) {
	if r.table.plain {
		line, wrong, err := r.in.Line()
		return row{[]string{string(line)}, wrong}, err
	}
	cells, wrong, err := r.in.Row()
	return row{cells, wrong}, err
}
