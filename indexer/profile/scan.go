package profile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"bencao/internal/rows"

	"golang.org/x/text/unicode/norm"
)

// Table describes how to read a file as a table.
type Table struct {
	// Open returns a reader of the file's rows.
	Open func(io.Reader) *rows.Reader
	// Labels are the column names. Nil takes them from the first row.
	Labels []string
	// Skip is the number of rows to skip at the start. If Labels is nil, it counts from the row
	// after the header.
	Skip int
	// Rename maps column names of the file to those of this program.
	Rename map[string]string
	// Columns, if not nil, lists the columns to read.
	Columns []string
	// Key lists the columns that identify rows. If it is empty or one of them is missing, the whole
	// row is the key.
	Key []string
	// KeyCells gives the key as positions in a row. KeyCells is used instead of Key for a file
	// whose header does not name the columns.
	KeyCells []int
	// Null lists the values that mean an empty cell.
	Null []string
	// Defaults returns, by column, the value of an empty cell or a missing column. The argument
	// cell returns the value of another column in the same row.
	Defaults map[string]func(cell func(column string) string) string
	// LatestDay is the latest plausible date of a record: the day of the build.
	LatestDay string
}

// Ending describes the end of a file.
type Ending struct {
	// LineFeed means that the file ends with a line feed or is empty.
	LineFeed bool
	// Line is the physical line on which the last row starts.
	Line int
	// Cells is the number of cells in the last row, Width is the number of cells in the header.
	Cells, Width int
	// Short means that the last row lacks cells and no other row does.
	Short bool
	// Zero means that the file contains a byte 0, as UTF-16 does.
	Zero bool
}

// Scan profiles a table. It returns the errors of the row reader.
func Scan(ctx context.Context, r io.Reader, t Table) (*Profile, Ending, error) {
	tail := &tail{r: r, last: '\n'}
	in := t.Open(tail)
	s, end, err := t.begin(in)
	if err != nil {
		return nil, end, err
	}
	short := 0
	err = each(ctx, in, func(cells []string) {
		end.Line, end.Cells = in.Line(0), len(cells)
		if len(cells) < end.Width {
			short++
		}
		s.add(cells, in.Line(0))
	})
	if err != nil {
		return nil, end, err
	}
	end.LineFeed, end.Zero = tail.last == '\n', tail.zero
	end.Short = short == 1 && end.Cells < end.Width
	return s.end(), end, nil
}

// Rows calls the function row for each row. It passes the values of the row, in the order of
// columns, and its physical line. It normalises values as [Scan] does. The slice of values is valid
// only until the function returns.
func Rows(ctx context.Context, r io.Reader, t Table, row func(values []string, line int)) (columns []string, err error) {
	in := t.Open(r)
	s, _, err := t.begin(in)
	if err != nil {
		return nil, err
	}
	for _, c := range s.p.Columns {
		columns = append(columns, c.Name)
	}
	err = each(ctx, in, func(cells []string) {
		s.take(cells)
		row(s.values, in.Line(0))
	})
	return columns, err
}

// each calls the function row for each row that is not blank.
func each(ctx context.Context, in *rows.Reader, row func(cells []string)) error {
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !blank(cells) {
			row(cells)
		}
	}
}

// begin reads the header.
func (t Table) begin(in *rows.Reader) (*scan, Ending, error) {
	labels := t.Labels
	if labels == nil {
		cells, err := in.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, Ending{}, err
		}
		labels = slices.Clone(cells)
	}
	for range t.Skip {
		if _, err := in.Read(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, Ending{}, err
		}
	}
	h := rows.NewHeader(labels, t.Rename)
	s := &scan{t: t, p: &Profile{}, seen: map[uint64]int{}}
	for i, name := range h.Names {
		if name == "" || h.Index(name) != i || t.Columns != nil && !slices.Contains(t.Columns, name) {
			continue
		}
		s.column(name, i)
	}
	for i, name := range h.Names {
		if isDate(name) {
			s.dates = append(s.dates, i)
		}
	}
	for _, name := range t.Columns {
		if _, made := t.Defaults[name]; made && h.Index(name) < 0 {
			s.column(name, -1)
		}
	}
	for _, name := range t.Key {
		i := slices.IndexFunc(s.p.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			s.key = nil
			break
		}
		s.key = append(s.key, i)
	}
	for _, cell := range t.KeyCells {
		if i := slices.Index(s.cells, cell); i >= 0 {
			s.key = append(s.key, i)
		}
	}
	for _, i := range s.key {
		s.p.Key = append(s.p.Key, s.p.Columns[i].Name)
	}
	s.values = make([]string, len(s.p.Columns))
	return s, Ending{Width: len(h.Labels), Line: 1}, nil
}

// scan is the state of reading a table.
type scan struct {
	t      Table
	p      *Profile
	cells  []int // position of each column in the rows of the file; -1 if it is missing
	key    []int // indexes of the key columns in cells
	dates  []int // positions of cells with dates of records
	seen   map[uint64]int
	values []string
	prev   []string     // the previous row
	looks  [][]cellLook // of the kept rows
}

func (s *scan) column(name string, cell int) {
	s.p.Columns = append(s.p.Columns, Column{Name: name})
	s.cells = append(s.cells, cell)
}

// add adds a row. For most rows of a large table, it computes only the hash of the key.
func (s *scan) add(cells []string, line int) {
	place := s.p.Rows
	s.p.Rows++
	for _, i := range s.dates {
		if i < len(cells) {
			s.p.Newest = max(s.p.Newest, day(cells[i], s.t.LatestDay))
		}
	}
	if key := s.keyOf(cells); key&(1<<s.p.Level-1) == 0 {
		n := s.seen[key]
		s.seen[key]++
		r := row{key: key, place: int32(place), line: int32(line), cells: s.fingerprints(cells)}
		if n > 0 { // another row has the same key
			r.key = key ^ mix(uint64(n))<<32 // keeps the last bits, which select rows
		}
		looks := make([]cellLook, len(s.values))
		for i, v := range s.values {
			looks[i] = lookOf(v)
		}
		if place > 0 {
			r.prev = s.fingerprints(s.prev)
		}
		s.p.rows, s.looks = append(s.p.rows, r), append(s.looks, looks)
		for len(s.p.rows) > 2*minKept {
			s.raise()
		}
	}
	s.prev = append(s.prev[:0], cells...)
}

// keyOf returns the hash of a row's key.
func (s *scan) keyOf(cells []string) uint64 {
	h := uint64(offset64)
	if s.key == nil {
		for _, cell := range s.cells {
			h = hashOf(h, s.text(cells, cell)) * prime64
		}
		return mix(h)
	}
	for _, i := range s.key {
		h = hashOf(h, s.text(cells, s.cells[i])) * prime64
	}
	return mix(h)
}

// fingerprints returns the fingerprints of a row and leaves its values in s.values.
func (s *scan) fingerprints(cells []string) []uint16 {
	s.take(cells)
	out := make([]uint16, len(s.values))
	for i, v := range s.values {
		out[i] = cellHash(v)
	}
	return out
}

// take stores the values of a row in s.values.
func (s *scan) take(cells []string) {
	for i, cell := range s.cells {
		s.values[i] = s.text(cells, cell)
	}
	for i, c := range s.p.Columns {
		if made := s.t.Defaults[c.Name]; made != nil && s.values[i] == "" {
			s.values[i] = made(func(column string) string {
				for j, other := range s.p.Columns {
					if other.Name == column {
						return s.values[j]
					}
				}
				return ""
			})
		}
	}
}

// text returns a cell in NFC without white space at its ends. It returns "" if the cell is missing.
func (s *scan) text(cells []string, i int) string {
	if i < 0 || i >= len(cells) {
		return ""
	}
	v := strings.TrimSpace(cells[i])
	if slices.Contains(s.t.Null, v) {
		return ""
	}
	if norm.NFC.IsNormalString(v) {
		return v
	}
	return norm.NFC.String(v)
}

// raise increases the level by one, which halves the number of kept rows.
func (s *scan) raise() {
	s.p.Level++
	kept, looks := s.p.rows[:0], s.looks[:0]
	for i, r := range s.p.rows {
		if r.key&(1<<s.p.Level-1) == 0 {
			kept, looks = append(kept, r), append(looks, s.looks[i])
		}
	}
	s.p.rows, s.looks = kept, looks
}

// end completes the profile with the properties of the columns.
func (s *scan) end() *Profile {
	for i := range s.p.Columns {
		c := &s.p.Columns[i]
		distinct := map[uint16]bool{}
		var lengths []int
		for j, r := range s.p.rows {
			if r.cells[i] == 0 {
				continue
			}
			distinct[r.cells[i]] = true
			c.take(s.looks[j][i])
			lengths = append(lengths, int(s.looks[j][i].runes))
		}
		slices.Sort(lengths)
		for q := range c.Length {
			if len(lengths) > 0 {
				c.Length[q] = lengths[(q+1)*(len(lengths)-1)/4]
			}
		}
		c.Distinct = len(distinct)
	}
	return s.p
}

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// tail is a reader that remembers the last byte.
type tail struct {
	r    io.Reader
	last byte
	zero bool
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		t.last = p[n-1]
		t.zero = t.zero || bytes.IndexByte(p[:n], 0) >= 0
	}
	return n, err
}

// FromRows profiles derived rows. Each has a key and the cells of the columns.
func FromRows(key string, columns []string, made iter.Seq2[string, []string]) *Profile {
	s := &scan{p: &Profile{Key: []string{key}, Sorted: true}, seen: map[uint64]int{}, key: []int{0}}
	for i, name := range append([]string{key}, columns...) {
		s.column(name, i)
	}
	s.values = make([]string, len(s.cells))
	var cells []string
	for key, values := range made {
		cells = append(append(cells[:0], key), values...)
		s.add(cells, 0)
	}
	return s.end()
}
