package bulk

import (
	"context"
	"errors"
	"io"
	"slices"

	"bencao/internal/messages"
	"bencao/internal/rows"
)

// row is one row of the input.
type row struct {
	cells []string
	err   error // the reason why the row cannot be read; cells[0] is then the text of the row
	query rowQuery
}

func (r *row) cell(i int) string {
	if i < 0 || i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// size returns the approximate size of a row in memory, in bytes.
func (r *row) size() int {
	n := 192 + 16*len(r.cells) + len(r.query.name)
	for _, c := range r.cells {
		n += len(c)
	}
	return n
}

// reader reads the rows of a text or of a workbook.
type reader struct {
	opt   Options
	in    *rows.Lenient
	book  *rows.Book // nil if the input is text
	table table
	rowsAbove
	hasBelowSpecies bool // the table has columns of epithets below species
	// sheets are the sheets of the list, if it is a workbook. leftOut names the others that have rows.
	// current is the index of the open one in sheets, and header the line number of its header.
	sheets          []sheetAt
	leftOut         []string
	current, header int
}

// Errors for lists that cannot be read.
var (
	listWrong     = messages.Define("list-wrong", "the list %w")
	listUnread    = messages.Define("list-unread", "the list can't be read: %w")
	listPlainBook = messages.Define("list-plain-book", "the list is an Excel workbook, which has a header; name its column of names and leave --plain out")
	listNoColumn  = messages.Define("list-no-column", "no column of names is known among the columns %s; name it with --column, or say with --plain that every line is a name")
	listTwoNames  = messages.Define("list-two-names", "several columns hold names, and their headers don't tell which are meant: %s; name one with --column")
	listSheet     = messages.Define("list-sheet", "the workbook has no sheet %q, but %s; name one of them")
	listColumn    = messages.Define("list-column", "%s column %q is not among the columns %s; name one of them")
	listColumns   = messages.Define("list-columns", "the list has %d columns; at most %d are taken, so leave out those that are not needed")
	listHeader    = messages.Define("list-header", "the header %w")
	rowUnread     = messages.Define("row-unread", "read row %d: %w")
)

// newReader opens a list and reads its header. The caller must close the reader.
func newReader(ctx context.Context, in io.Reader, opt Options) (*reader, error) {
	done, err := opt.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	book, text, err := rows.Open(ctx, in, rows.BookOptions{MaxUnpacked: opt.MaxUnpacked, TempDir: opt.TempDir})
	if err != nil {
		return nil, listError(err)
	}
	r := &reader{opt: opt, in: text, book: book, table: noTable()}
	if book == nil {
		err = r.textHeader(opt)
	} else if err = r.bookHeader(opt); err != nil {
		return nil, errors.Join(err, book.Close())
	}
	for _, below := range belowSpecies {
		r.hasBelowSpecies = r.hasBelowSpecies || r.table.at[below.role] >= 0
	}
	return r, err
}

// begun returns the statistics of a list of which only the header has been read.
func (r *reader) begun() Stats {
	s := Stats{Header: r.table.line, Taken: r.table.taken(), LeftOut: r.leftOut}
	for _, sheet := range r.sheets {
		s.Sheets = append(s.Sheets, sheet.name)
	}
	return s
}

// listError marks an error in the content of the list, to distinguish it from an error of reading
// the input.
func listError(err error) error {
	if text := (*messages.Message)(nil); errors.As(err, &text) {
		return listWrong.With(err)
	}
	return listUnread.With(err)
}

// close closes the workbook.
func (r *reader) close() error {
	if r.book == nil {
		return nil
	}
	return r.book.Close()
}

// TooManyNames is the error in the row after [Options.MaxRows].
var TooManyNames = messages.Define("list-names", "the list has more than %v names; split it")

// batches reads all rows and passes them to yield in batches, until yield returns false.
func (r *reader) batches(ctx context.Context, yield func(*batch) bool) {
	number := int64(1)
	for ctx.Err() == nil {
		b := &batch{first: number, done: make(chan struct{})}
		done, err := r.opt.turn(ctx)
		if err != nil {
			return
		}
		for len(b.rows) < batchRows && b.size < batchBytes {
			var next row
			if next, err = r.next(); err != nil {
				break
			}
			if most := r.opt.MaxRows; most > 0 && number+int64(len(b.rows)) > most {
				next.err, err = TooManyNames.With(most), io.EOF
			} else {
				next.query = r.queryOf(&next)
			}
			b.rows = append(b.rows, next)
			if b.size += next.size(); err != nil {
				break
			}
		}
		done()
		b.read, b.encoding = r.read()
		number += int64(len(b.rows))
		if err != nil && err != io.EOF {
			if r.book != nil {
				err = listError(err)
			}
			b.err = rowUnread.With(number, err)
		}
		if (len(b.rows) > 0 || b.err != nil) && !yield(b) || err != nil {
			return
		}
	}
}

// next reads a row. In a table, it skips blank lines. In a plain list, it does not, because row
// numbers are line numbers.
func (r *reader) next() (row, error) {
	switch {
	case r.book != nil:
		return r.bookRow()
	case r.table.plain:
		line, wrong, err := r.in.Line()
		return row{cells: []string{string(line)}, err: wrong}, err
	}
	cells, wrong, err := r.in.Row()
	return row{cells: cells, err: wrong}, err
}

// bookRow reads a row of a workbook. After the last row of a sheet it continues with the next sheet.
func (r *reader) bookRow() (row, error) {
	if len(r.sheets) == 0 { // the workbook is empty
		return row{}, io.EOF
	}
	for {
		cells, wrong, err := r.book.Row()
		if err == io.EOF && r.current+1 < len(r.sheets) {
			r.current++
			r.rowsAbove = rowsAbove{}
			if err := r.openSheet(); err != nil {
				return row{}, err
			}
			continue
		}
		if len(r.sheets) > 1 && err == nil && wrong == nil {
			cells = append(slices.Clip(cells), r.sheets[r.current].name)
		}
		return row{cells: cells, err: wrong}, err
	}
}

// read returns the number of bytes read so far and the encoding.
func (r *reader) read() (int64, string) {
	if r.book != nil {
		return r.book.Bytes(), "UTF-8"
	}
	return r.in.Bytes(), r.in.Encoding()
}

// Limits of the memory that rows use between the reader and the writer.
const (
	// batchRows and batchBytes are the maximum number of rows and of bytes in a batch. With its
	// last row, a batch may exceed batchBytes.
	batchRows  = MaxNames
	batchBytes = 256 << 10
	// maxPieces limits the memory of all batches together, in units of pieceBytes. The largest row,
	// which has 1 MiB of text and the overhead of its cells, fits.
	maxPieces  = 256
	pieceBytes = 32 << 10
	// outBytes is the number of bytes after which the buffered output is written. With its last
	// row, the buffer may exceed it.
	outBytes = 64 << 10
)

// batch is a sequence of rows that is passed from the reader to the writer.
type batch struct {
	rows     []row
	size     int   // bytes of memory that the rows use
	first    int64 // number of the batch's first row
	read     int64 // bytes of the input that were read up to the end of the batch
	encoding string
	answers  []*answer
	stats    Stats
	err      error
	done     chan struct{}
}

// pieces returns the number of units of pieceBytes that a batch uses.
func (b *batch) pieces() int { return min(maxPieces, 1+b.size/pieceBytes) }
