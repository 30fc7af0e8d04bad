package bulk

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names"
)

// row is one row of the input.
type row struct {
	cells []string
	err   error // the reason why the row cannot be read; cells[0] may then be the text of the row
	lost  error // the reason why cells have U+FFFD instead of bytes that could not be decoded, or nil
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

// reader reads the rows of a list.
type reader struct {
	opt   Options
	list  *rows.List
	table *table
	rowsAbove
	hasBelowSpecies bool // the table has columns of epithets below species
	// sheets are the sheets of the list, if it is a workbook. leftOut names the others that have rows.
	// sheet is the open one.
	sheets, leftOut []string
	sheet           string
	headerLost      bool // the header has bytes that could not be decoded
}

// Errors for lists that cannot be read.
var (
	listWrong     = messages.Define("list-wrong", "the list %w")
	listUnread    = messages.Define("list-unread", "the list can't be read: %w")
	listPlainBook = messages.Define("list-plain-book", "the list is an Excel workbook, which has a header; name its column of names and leave --plain out")
	listNoColumn  = messages.Define("list-no-column", "no column of names is known among the columns %s; name it with --column, or say with --plain that every line is a name")
	listNoHeader  = messages.Define("list-no-header", "no header is known, and no column has a name in nearly every row; if the first row is the header (%s), name the column of names with --column, or else put a header above it; --plain takes every line for a name")
	listTwoNames  = messages.Define("list-two-names", "several columns hold names, and their headers don't tell which are meant: %s; name one with --column")
	listHerbs     = messages.Define("list-herbs", "no column has one name in each cell; the column %s has whole prescriptions, so give each herb a row of its own")
	listSheet     = messages.Define("list-sheet", "the workbook has no sheet %q, but %s; name one of them")
	listColumn    = messages.Define("list-column", "%s column %q is not among the columns %s; name one of them")
	listColumns   = messages.Define("list-columns", "the list has %d columns; at most %d are taken, so leave out those that are not needed")
	listHeader    = messages.Define("list-header", "the header %w")
	rowUnread     = messages.Define("row-unread", "read row %d: %w")
)

// newReader opens a list, finds out what its columns mean, and reads its header. ask matches the names
// that it looks up for this. The caller must close the reader.
func newReader(ctx context.Context, in io.Reader, ask func([]names.Query) ([]Answer, error), opt Options) (*reader, error) {
	r := &reader{opt: opt, table: plainTable()}
	var b *beginning
	err := r.inTurn(ctx, func() error {
		var err error
		if r.list, err = rows.OpenList(ctx, in, rows.ListOptions{Encoding: opt.Encoding, MaxUnpacked: opt.MaxUnpacked, TempDir: opt.TempDir}); err != nil {
			return listError(err)
		}
		switch {
		case !opt.Plain:
			b, err = r.look()
		case r.list.IsText():
		default:
			err = listPlainBook.With()
		}
		return err
	})
	var found lookups
	if err == nil && b != nil {
		found, err = lookUp(b.plan(), ask)
	}
	if err == nil && b != nil {
		err = r.inTurn(ctx, func() error { return r.decide(b, found) })
	}
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	for _, below := range belowSpecies {
		r.hasBelowSpecies = r.hasBelowSpecies || r.table.at[below.role] >= 0
	}
	return r, nil
}

// inTurn calls f while the reader has a turn to use a processor.
func (r *reader) inTurn(ctx context.Context, f func() error) error {
	done, err := r.opt.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	return f()
}

// begun returns the statistics of a list of which only the header has been read.
func (r *reader) begun() Stats {
	s := Stats{Header: r.table.line, Taken: r.table.taken(), Sheets: r.sheets, LeftOut: r.leftOut}
	count(&s.Undecoded, r.headerLost)
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

// close closes the list.
func (r *reader) close() error {
	if r.list == nil {
		return nil
	}
	return r.list.Close()
}

// TooManyNames is the error in the row after [Options.MaxRows].
var TooManyNames = messages.Define("list-names", "the list has more than %v names; split it")

// batches reads all rows and passes them to yield in batches, until yield returns false.
func (r *reader) batches(ctx context.Context, yield func(*batch) bool) {
	number := int64(1)
	for ctx.Err() == nil {
		b := &batch{first: number, rows: make([]row, 0, batchRows), done: make(chan struct{})}
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
				if next.query = r.queryOf(&next); next.lost != nil && next.query.isLost() {
					next.err = next.lost
				}
			}
			b.rows = append(b.rows, next)
			if b.size += next.size(); err != nil {
				break
			}
		}
		done()
		b.read, b.encoding = r.list.Read()
		number += int64(len(b.rows))
		if err != nil && err != io.EOF {
			if !r.list.IsText() {
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
	if r.table.plain && r.list.IsText() {
		line, wrong, err := r.list.Line()
		return row{cells: []string{string(line)}, err: wrong, lost: r.list.Lost()}, err
	}
	cells, wrong, err := r.list.Row()
	if sheet := r.list.Sheet(); sheet != r.sheet {
		r.sheet, r.rowsAbove = sheet, rowsAbove{}
	}
	if len(r.sheets) > 1 && err == nil && wrong == nil {
		cells = append(slices.Clip(cells), r.sheet)
	}
	return row{cells: cells, err: wrong, lost: r.list.Lost()}, err
}

// isLost reports whether the name has no letters but those that could not be decoded.
func (q *rowQuery) isLost() bool {
	return strings.ContainsRune(q.name, unicode.ReplacementChar) && !strings.ContainsFunc(q.name+q.chinese, unicode.IsLetter)
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
	readings int // other readings of its doubtful rows
	err      error
	done     chan struct{}
}

// pieces returns the number of units of pieceBytes that a batch uses.
func (b *batch) pieces() int { return min(maxPieces, 1+b.size/pieceBytes) }
