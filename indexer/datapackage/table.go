package datapackage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/internal/invisible"

	"golang.org/x/text/unicode/norm"
)

// table describes how the rows of a CSV are read into records and written back.
type table[R any] struct {
	name    string
	columns []column[R]
	keys    []key[R]
	refs    []ref[R]
	// number, if not nil, sets a record's id to its row number. number is called if the file has no
	// column id.
	number func(*R, int64)
	// add adds a valid record to the package. The record starts on the given line of the file.
	add func(l *loader, r *R, line int)
	// each yields the records of this table in a package, in the order of their keys.
	each func(p *Package) iter.Seq[*R]
}

// key is a value that must be unique in a table. of returns the value in a record, or nil if the
// record has none.
type key[R any] struct {
	column string // or several columns, joined by " + "
	code   finding.Code
	of     func(*R) any
}

// ref is a reference to a row of another table.
type ref[R any] struct {
	column, table string
	found         func(*loader, *R) bool
	value         func(*R) string
}

// reader is an open table whose header has been read.
type reader struct {
	name  string
	close func() error
	// rows reads all rows. An error is fatal.
	rows func(ctx context.Context) error
}

// open opens the table's file and checks its header. It returns nil if the package lacks the table
// or the header is wrong. It logs a wrong header.
func (t table[R]) open(l *loader) (*reader, error) {
	res := l.resource(t.name)
	if res == nil {
		return nil, nil
	}
	names := make([]string, len(t.columns))
	need := make([]bool, len(t.columns))
	for i, c := range t.columns {
		names[i], need[i] = c.name, c.required || c.present
	}
	o, err := l.openFile(t.name, names, res)
	if err != nil {
		return nil, err
	}
	if !l.checkHeader(o, names, need) {
		return nil, o.close()
	}
	return &reader{name: t.name, close: o.close, rows: func(ctx context.Context) error { return t.rows(ctx, l, o) }}, nil
}

// rows reads the rows and adds the valid ones.
func (t table[R]) rows(ctx context.Context, l *loader, o *openFile) error {
	state := l.table(t.name)
	seen := make([]map[any]int, len(t.keys)) // for each key, the line of each value
	for i := range seen {
		seen[i] = map[any]int{}
	}
	numbered := t.number != nil && o.header.Index("id") < 0
	for n := 0; ; n++ {
		if n%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.progress(t.name, state.Rows)
		}
		cells, err := o.rows.Read()
		if errors.Is(err, io.EOF) {
			l.reportCounted(o)
			l.progress(t.name, state.Rows)
			return nil
		}
		if err != nil {
			return l.fatal(t.name, err)
		}
		row := &row{l: l, o: o, cells: cells}
		if row.blank() {
			continue
		}
		state.Rows++
		var r R
		row.width()
		for _, c := range t.columns {
			c.read(row, &r)
		}
		if numbered {
			t.number(&r, int64(state.Rows))
		}
		if !row.rejected {
			t.check(row, &r, seen)
		}
		if row.rejected {
			state.Rejected++
			continue
		}
		state.Kept++
		t.add(l, &r, o.rows.Line(0))
	}
}

// check checks the references and keys of a record. If all are valid, it stores the keys in seen.
func (t table[R]) check(row *row, r *R, seen []map[any]int) {
	for _, f := range t.refs {
		if !f.found(row.l, r) {
			row.problemIn(f.column, f.value(r), &problem{finding.Reject, finding.ForeignKey,
				fmt.Sprintf("there is no such row in %s", f.table), "add it there, or take this row out"})
		}
	}
	line := row.o.rows.Line(0)
	keys := make([]any, len(t.keys))
	for i, k := range t.keys {
		keys[i] = k.of(r)
		if first, twice := seen[i][keys[i]]; twice && keys[i] != nil {
			row.problemIn(k.column, strings.Trim(fmt.Sprint(keys[i]), "{}"), &problem{finding.Reject, k.code,
				fmt.Sprintf("occurs already on line %d", first), "the first row stays; take one of them out"})
		}
	}
	if row.rejected {
		return
	}
	for i := range t.keys {
		if keys[i] != nil {
			seen[i][keys[i]] = line
		}
	}
}

// read reads a column's cell into the record.
func (c column[R]) read(row *row, r *R) {
	i := row.o.header.Index(c.name)
	if i < 0 {
		return
	}
	v := row.value(i)
	if r, at, found := invisible.Find(v); found {
		p := &problem{finding.Warn, finding.Glyph, fmt.Sprintf("character %d is %s, which is invisible", at, invisible.Name(r)),
			"take it out of the source; it stays in the data, and pages and files for people leave it out"}
		clean := strings.TrimSpace(strings.Map(visible, v))
		if clean != v {
			p.message = "a control character, which is invisible and not searchable: " + invisible.Name(r) + fmt.Sprintf(", character %d", at)
			p.hint = "it is left out; take it out of the source"
		}
		row.problemIn(c.name, v, p)
		v = clean
	}
	if v == "" {
		if c.required || c.filled {
			row.problemIn(c.name, "", &problem{finding.Reject, finding.Constraint, c.name + " is empty", "every row needs one"})
		}
		return
	}
	if len(c.words) > 0 {
		var known bool
		if v, known = lookUpWord(c.words, v); !known {
			row.problemIn(c.name, v, &problem{finding.Warn, finding.Vocabulary, "a word that " + c.name + " does not know",
				"it knows " + strings.Join(c.words, ", ")})
		}
	}
	p := c.set(r, v)
	switch {
	case p == nil:
	case p.code == finding.Link:
		row.o.count(row, c.name, v, p)
	default:
		row.problemIn(c.name, v, p)
	}
}

// visible returns -1 for control characters except line feeds and tabs, so that strings.Map drops
// them.
func visible(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

// lookUpWord finds a value in a vocabulary. It ignores case and returns the vocabulary's spelling.
func lookUpWord(words []string, v string) (string, bool) {
	for _, w := range words {
		if strings.EqualFold(w, v) {
			return w, true
		}
	}
	return v, false
}

// row is the row that is being read.
type row struct {
	l        *loader
	o        *openFile
	cells    []string
	rejected bool
}

// value returns a cell in NFC, without white space at its ends and with LF as line end. It returns
// "" if the cell is missing or null.
func (r *row) value(i int) string {
	if i >= len(r.cells) {
		return ""
	}
	v := strings.TrimSpace(r.cells[i])
	if i < len(r.o.words) && r.o.words[i] && profile.IsEmptyWord(v) {
		return ""
	}
	for _, null := range r.o.nulls {
		if v == null {
			return ""
		}
	}
	if strings.Contains(v, "\r") {
		v = lineBreaks.Replace(v)
	}
	return norm.NFC.String(v)
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// counted is a problem that many cells of a column may have. All are one finding.
type counted struct {
	finding.Finding
	cells int
}

// count counts a cell with a problem whose message continues a number of cells.
func (o *openFile) count(r *row, column, value string, p *problem) {
	i := o.header.Index(column)
	if o.counted[column] == nil {
		o.counted[column] = &counted{Finding: finding.Finding{Severity: p.severity, Code: p.code, Table: o.table, File: o.file, Line: r.o.rows.Line(i),
			Column: o.header.Labels[i], Value: strings.Clone(value), Message: p.message, Hint: p.hint}}
	}
	o.counted[column].cells++
}

// reportCounted logs the problems that were counted.
func (l *loader) reportCounted(o *openFile) {
	for _, column := range slices.Sorted(maps.Keys(o.counted)) {
		f := o.counted[column].Finding
		f.Message = fmt.Sprintf("%d of %d cells %s, the first on this line", o.counted[column].cells, l.table(o.table).Rows, f.Message)
		l.report(f)
	}
}

// blank reports whether all cells of the row are empty. It warns about such a row, and about empty
// lines before the row.
func (r *row) blank() bool {
	if n := r.o.rows.Blank(); n > 0 {
		r.l.report(finding.Finding{Severity: finding.Warn, Code: finding.BlankRow, Table: r.o.table, File: r.o.file,
			Line: r.o.rows.Line(0) - n, Message: fmt.Sprintf("%d empty lines are skipped", n)})
	}
	for i := range r.cells {
		if r.value(i) != "" {
			return false
		}
	}
	r.l.report(finding.Finding{Severity: finding.Warn, Code: finding.BlankRow, Table: r.o.table, File: r.o.file,
		Line: r.o.rows.Line(0), Message: "a row of empty cells is skipped"})
	return true
}

// width rejects a row whose number of cells differs from the header, since the cells of such a row
// cannot be assigned to columns. It accepts additional cells at the end of a row if they are empty.
func (r *row) width() {
	have, want := len(r.cells), len(r.o.header.Labels)
	switch {
	case have < want:
		r.problemAt(have, "", &problem{finding.Reject, finding.MissingCell, fmt.Sprintf("%d cells where the header has %d", have, want),
			"write a comma for every empty cell"})
	case have > want:
		for i := want; i < have; i++ {
			if v := r.value(i); v != "" {
				r.problemAt(i, v, &problem{finding.Reject, finding.ExtraCell, fmt.Sprintf("%d cells where the header has %d", have, want),
					"enclose a cell that holds a comma in quotation marks"})
				return
			}
		}
	}
}

// problemIn logs a problem with a column's cell.
func (r *row) problemIn(column, value string, p *problem) {
	first, _, _ := strings.Cut(column, " + ")
	i := r.o.header.Index(first)
	label := column
	if i >= 0 && first == column {
		label = r.o.header.Labels[i]
	}
	r.report(i, label, value, p)
}

// problemAt logs a problem with cell i of the row. The header may have no column for that cell.
func (r *row) problemAt(i int, value string, p *problem) { r.report(i, "", value, p) }

func (r *row) report(i int, label, value string, p *problem) {
	if p.severity == finding.Reject {
		r.rejected = true
	}
	r.l.report(finding.Finding{
		Severity: p.severity, Code: p.code, Table: r.o.table, File: r.o.file, Line: r.o.rows.Line(i),
		Column: label, Value: value, Message: p.message, Hint: p.hint,
	})
}

// toSpecies returns a reference to species.entry_id.
func toSpecies[R any](field func(*R) *int32) ref[R] {
	return ref[R]{column: "species_id", table: "species",
		found: func(l *loader, r *R) bool { _, ok := l.species[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// toFormula returns a reference to formulas.entry_id.
func toFormula[R any](column string, field func(*R) *int32) ref[R] {
	return ref[R]{column: column, table: "formulas",
		found: func(l *loader, r *R) bool { _, ok := l.formulas[*field(r)]; return ok },
		value: func(r *R) string { return strconv.Itoa(int(*field(r))) },
	}
}

// id returns the key of a table that has its own id column.
func id[R any](field func(*R) int64) key[R] {
	return key[R]{"id", finding.PrimaryKey, func(r *R) any { return field(r) }}
}

// schema returns the schema of the table.
func (t table[R]) schema() TableSchema {
	s := TableSchema{Name: t.name}
	for _, c := range t.columns {
		typ := c.typ
		if typ == "" {
			typ = "string"
		}
		s.Columns = append(s.Columns, ColumnSchema{Name: c.name, Type: typ, Role: c.role, Required: c.required, Present: c.present, Words: c.words})
	}
	for _, k := range t.keys {
		columns := strings.Split(k.column, " + ")
		if k.code == finding.PrimaryKey {
			s.PrimaryKey = columns
		} else {
			s.Unique = append(s.Unique, columns)
		}
	}
	for _, r := range t.refs {
		to := "entry_id"
		if r.table == "papers" {
			to = "id"
		}
		s.References = append(s.References, Reference{r.column, r.table, to})
	}
	return s
}
