package mutant

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
)

// Table is a delimited file with a header row.
type Table struct {
	Header []string
	Rows   [][]string
	Dialect
	// schema describes the columns of a table of a data package.
	schema datapackage.TableSchema
	// raw, if not nil, is the content of the file. If the table was read from a file, Rows has the
	// same content. If the table was damaged as a whole, it has no Rows.
	raw []byte
}

// Dialect is the format of a table.
type Dialect struct {
	Comma rune
	// Quoted tables follow RFC 4180. In others, a quotation mark is an ordinary character.
	Quoted bool
}

func parse(b []byte, d Dialect) (*Table, error) {
	t := &Table{Dialect: d, raw: b}
	if d.Quoted {
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma, r.FieldsPerRecord = d.Comma, -1
		all, err := r.ReadAll()
		if err != nil {
			return nil, err
		}
		t.Rows = all
	} else {
		for line := range strings.Lines(string(b)) {
			t.Rows = append(t.Rows, strings.Split(strings.TrimRight(line, "\r\n"), string(d.Comma)))
		}
	}
	if len(t.Rows) == 0 {
		return nil, errors.New("no header row")
	}
	t.Header, t.Rows = t.Rows[0], t.Rows[1:]
	return t, nil
}

// bytes returns the content of the file.
func (t *Table) bytes() []byte {
	if t.raw != nil {
		return t.raw
	}
	var b bytes.Buffer
	if t.Quoted {
		w := csv.NewWriter(&b)
		w.Comma = t.Comma
		// Writing to a bytes.Buffer does not fail.
		_ = w.Write(t.Header)
		_ = w.WriteAll(t.Rows)
		return b.Bytes()
	}
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		b.WriteString(strings.Join(row, string(t.Comma)))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// clone returns a deep copy without raw.
func (t *Table) clone() *Table {
	c := *t
	c.raw = nil
	c.Header = slices.Clone(t.Header)
	c.Rows = make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		c.Rows[i] = slices.Clone(row)
	}
	return &c
}

// column returns the cells of a column. A row that is too short has the cell "".
func (t *Table) column(i int) []string {
	cells := make([]string, len(t.Rows))
	for j, row := range t.Rows {
		if i < len(row) {
			cells[j] = row[i]
		}
	}
	return cells
}

// set returns a copy of the table with the given cells in a column.
func (t *Table) set(i int, cells []string) *Table {
	c := t.clone()
	for j, row := range c.Rows {
		if i < len(row) {
			row[i] = cells[j]
		}
	}
	return c
}

// index returns the index of a column, or -1.
func (t *Table) index(name string) int { return slices.Index(t.Header, name) }

// same reports whether two tables have the same cells, regardless of quoting.
func (t *Table) same(o *Table) bool {
	if t.Header == nil || o.Header == nil {
		return bytes.Equal(t.bytes(), o.bytes())
	}
	return slices.Equal(t.Header, o.Header) && slices.EqualFunc(t.Rows, o.Rows, slices.Equal)
}

// role returns the role of a column, or "" if the table is not one of a data package.
func (t *Table) role(col int) datapackage.Role {
	for _, c := range t.schema.Columns {
		if c.Name == t.Header[col] {
			return c.Role
		}
	}
	return ""
}

// withRole returns the first column with a role, or -1.
func (t *Table) withRole(role datapackage.Role) int {
	for col := range t.Header {
		if t.role(col) == role {
			return col
		}
	}
	return -1
}

func isNumber(t *Table, col int) bool { return t.role(col) == datapackage.RoleNumber }

func hasGUID(t *Table) bool      { return t.withRole(datapackage.RoleGUID) >= 0 }
func hasReference(t *Table) bool { return t.withRole(datapackage.RoleReference) >= 0 }

// numbered reports whether the first column is the id of the record.
func numbered(t *Table) bool { return t.role(0) == datapackage.RoleID }

// ordered reports whether the rows are numbered within another record, as the ingredients of a
// formula are.
func ordered(t *Table) bool {
	return len(t.Header) > 1 && t.role(0) == datapackage.RoleReference && t.role(1) == datapackage.RoleID
}
