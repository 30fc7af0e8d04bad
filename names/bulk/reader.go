package bulk

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"bencao/internal/rows"
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

// reader reads rows.
type reader struct {
	in    *rows.Lenient
	table table
}

// newReader reads the header.
func newReader(in io.Reader, opt Options) (*reader, error) {
	r := &reader{in: rows.NewLenient(in)}
	line, err := r.in.Line()
	if err == io.EOF {
		line = nil
	} else if err != nil {
		return nil, fmt.Errorf("the list %w", err)
	}
	r.table = table{columns: []string{"name"}, author: -1, family: -1, comma: ',', plain: true}
	if !opt.Plain {
		if err := r.header(line, opt); err != nil {
			return nil, err
		}
	}
	if r.table.plain && line != nil {
		r.in.Unread()
	}
	return r, nil
}

// header makes a table of the first line if it is a header.
func (r *reader) header(line []byte, opt Options) error {
	cells := r.in.Header(line)
	r.table.comma = r.in.Comma()
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
	r.table = table{columns: cells, name: name, author: author, family: family, comma: r.in.Comma()}
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
		b.read = r.in.Bytes()
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
	if r.table.plain {
		line, err := r.in.Line()
		if err != nil {
			return row{}, err
		}
		if err := rows.TooLong(line); err != nil {
			return row{cells: []string{string(line)}, err: err}, nil
		}
		return row{cells: []string{string(line)}}, nil
	}
	cells, wrong, err := r.in.Row()
	return row{cells, wrong}, err
}
