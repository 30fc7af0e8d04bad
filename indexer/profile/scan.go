package profile

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	// Counted means that the cells are counted.
	Counted bool
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
	// Zero is the physical line of the first byte 0, which UTF-16 has. Zero means no such byte.
	Zero int
	// Returns means that the file has carriage returns but no line feeds.
	Returns bool
}

// Scan profiles a table. It calls the function visit with the hash of each row's key and with its
// physical line. Scan returns the errors of the row reader.
func Scan(ctx context.Context, r io.Reader, t Table, visit func(key uint64, line int)) (*Profile, Ending, error) {
	tail := &tail{r: r, last: '\n', line: 1}
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
		visit(s.add(cells, in.Line(0)), in.Line(0))
	})
	if err != nil {
		return nil, end, err
	}
	end.LineFeed, end.Zero, end.Returns = tail.last == '\n', tail.zero, tail.returns && tail.line == 1
	end.Short = short == 1 && end.Cells < end.Width
	for _, p := range places(len(s.keys)) {
		s.p.First = append(s.p.First, End{p, s.keys[p-1]})
		s.p.Last = append(s.p.Last, End{p, s.keys[len(s.keys)-p]})
	}
	return s.p, end, nil
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
	s := &scan{t: t, p: &Profile{}}
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
	if t.Counted {
		for i := range s.p.Columns {
			c := &s.p.Columns[i]
			c.Buckets, c.Down, c.Up = make(Buckets, buckets), make(Buckets, buckets), make(Buckets, buckets)
		}
	}
	s.values, s.last = make([]string, len(s.p.Columns)), make([]uint64, len(s.p.Columns))
	return s, Ending{Width: len(h.Labels), Line: 1}, nil
}

// scan is the state of reading a table.
type scan struct {
	t      Table
	p      *Profile
	cells  []int // position of each column in the rows of the file; -1 if it is missing
	key    []int // indexes of the key columns in cells
	dates  []int // positions of cells with dates of records
	values []string
	keys   []uint64 // the hashes of the keys of all rows
	above  uint64   // the hash of the key of the row before
	last   []uint64 // the hashes of the values of the row before; 0 is an empty cell
}

func (s *scan) column(name string, cell int) {
	s.p.Columns = append(s.p.Columns, Column{Name: name})
	s.cells = append(s.cells, cell)
}

// add adds a row, which starts on the given line, and returns the hash of its key.
func (s *scan) add(cells []string, line int) uint64 {
	s.p.Rows++
	for _, i := range s.dates {
		if i < len(cells) {
			s.p.Newest = max(s.p.Newest, day(cells[i], s.t.LatestDay))
		}
	}
	s.take(cells)
	for i, v := range s.values {
		if c := &s.p.Columns[i]; IsEmptyWord(v) {
			if c.Words++; c.Words == 1 {
				c.Word, c.WordLine = v, line
			}
		}
	}
	h := uint64(offset64)
	if s.key == nil {
		h = appendHash(h, s.values...)
	}
	for _, i := range s.key {
		h = appendHash(h, s.values[i])
	}
	key := mix(h)
	s.keys = append(s.keys, key)
	if s.t.Counted {
		s.count(key)
	}
	return key
}

// count counts the cells of the row in s.values.
func (s *scan) count(key uint64) {
	above, first := s.above, s.p.Rows == 1
	s.above = key
	for i, v := range s.values {
		c := &s.p.Columns[i]
		if last := s.last[i]; last != 0 {
			c.Up.add(key, last)
		}
		if s.last[i] = 0; v == "" {
			continue
		}
		value := appendHash(offset64, v)
		s.last[i] = value
		c.Buckets.add(key, value)
		if !first {
			c.Down.add(above, value)
		}
		c.Filled++
		c.Marks.Add(v, 1)
	}
}

// KeyHash returns the hash that [Scan] gives to a row with this key.
func KeyHash(key ...string) uint64 { return mix(appendHash(offset64, key...)) }

// These are the parameters of FNV-1a, https://datatracker.ietf.org/doc/html/rfc9923. Hashes are
// stored for later builds, so they must not depend on a random seed as those of hash/maphash do.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

func appendHash(h uint64, cells ...string) uint64 {
	for _, s := range cells {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * prime64
		}
		h *= prime64
	}
	return h
}

// mix is SplitMix64's finaliser. It spreads a hash over all its bits.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
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

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// tail is a reader that remembers the last byte, the line of the first byte 0, and whether there are
// carriage returns.
type tail struct {
	r       io.Reader
	last    byte
	line    int // the present line
	zero    int
	returns bool
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		t.last = p[n-1]
		t.returns = t.returns || bytes.IndexByte(p[:n], '\r') >= 0
		if i := bytes.IndexByte(p[:n], 0); i >= 0 && t.zero == 0 {
			t.zero = t.line + bytes.Count(p[:i], []byte{'\n'})
		}
		t.line += bytes.Count(p[:n], []byte{'\n'})
	}
	return n, err
}
