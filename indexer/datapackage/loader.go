package datapackage

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// Options tunes [Read]. The zero value is ready for use.
type Options struct {
	// Columns maps, for each table, column names of the file to those of this package. So an
	// existing export can be read without changes.
	Columns map[string]map[string]string
	// Exclude lists tables to ignore if the package has them.
	Exclude []string
	// Empty lists, by table, the columns in which words such as NULL stand for empty cells, with the
	// number of these cells. Read ignores it for a table whose missingValues the package states.
	Empty map[string][]profile.Column
	// Progress, if not nil, is called with the number of rows of a table that have been read.
	Progress func(table string, rows int)
}

// loader holds the state of reading a package.
type loader struct {
	src    *archive.Archive
	opt    Options
	log    *finding.Log
	d      *descriptor
	p      *Package
	failed []error // fatal findings about headers

	files    map[string]string // file by table
	species  map[int32]int     // index in p.Species by entry id
	formulas map[int32]int     // index in p.Formulas by entry id
	papers   map[string]bool   // ids
	chinese  map[string]int    // index in p.Species by Chinese name
	untitled []int             // lines of the papers without a title

	herbLines []int // line of each element of p.HerbSpecies
}

// openFile is an open file of a table whose header has been read.
type openFile struct {
	table, file string
	rows        *rows.Reader
	header      rows.Header
	nulls       []string            // values that mean an empty cell
	words       []bool              // by position, the columns in which words such as NULL mean an empty cell
	counted     map[string]*counted // problems by column
	close       func() error
}

func (l *loader) report(f finding.Finding) { l.log.Add(f) }

// fatal logs a fatal finding with its table and returns it. It returns an error that is not a
// finding, such as a disk error, unchanged and does not log it.
func (l *loader) fatal(table string, err error) error {
	err = finding.Of(err)
	var f finding.Finding
	if errors.As(err, &f) {
		if f.Table == "" {
			f.Table = table
		}
		l.log.Add(f)
		return f
	}
	return err
}

func (l *loader) resource(name string) *resource {
	for i := range l.d.Resources {
		if l.d.Resources[i].Name == name {
			return &l.d.Resources[i]
		}
	}
	return nil
}

// openFile opens a resource's file and reads its header.
func (l *loader) openFile(table string, columns []string, res *resource) (*openFile, error) {
	name, err := l.d.file(l.src, res)
	if err != nil {
		return nil, err
	}
	refuse := func(code finding.Code, message, hint string) (*openFile, error) {
		return nil, finding.Finding{Severity: finding.Fatal, Code: code, Table: table, File: name, Message: message, Hint: hint}
	}
	if e := strings.ToLower(res.Encoding); e != "" && e != "utf-8" && e != "utf8" && e != "utf-8-sig" {
		return refuse(finding.Encoding, "the package says that its encoding is "+res.Encoding, "save it as UTF-8")
	}
	csv, message, hint := res.Dialect.csv()
	if message != "" {
		return refuse(finding.Package, message, hint)
	}
	if h := res.Dialect.Header; h != nil && !*h {
		return refuse(finding.Package, "the package says that the file has no header", "add one: columns are found by their names")
	}
	f, err := l.src.Open(name)
	if err != nil {
		return nil, err
	}
	l.files[table] = name
	o := &openFile{table: table, file: name, rows: rows.NewCSV(f, name, csv), nulls: res.Schema.MissingValues, counted: map[string]*counted{}, close: f.Close}
	cells, err := o.rows.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = finding.Finding{Severity: finding.Fatal, Code: finding.Source, Table: table, File: name,
				Message: "the file is empty", Hint: "write at least a header, or take the table out of the package"}
		}
		return nil, errors.Join(err, f.Close())
	}
	o.header = rows.NewHeader(slices.Clone(cells), labels(columns, l.opt.Columns[table]))
	if o.nulls == nil {
		l.emptyWords(o)
	}
	return o, nil
}

// emptyWords marks and reports the columns in which words such as NULL stand for empty cells.
func (l *loader) emptyWords(o *openFile) {
	o.words = make([]bool, len(o.header.Labels))
	for _, c := range l.opt.Empty[o.table] {
		i := o.header.Index(c.Name)
		if i < 0 {
			continue
		}
		o.words[i] = true
		l.report(finding.Finding{Severity: finding.Warn, Code: finding.EmptyWord, Table: o.table, File: o.file, Line: c.WordLine, Column: o.header.Labels[i], Value: c.Word,
			Message: fmt.Sprintf("%d cells hold a word for an empty cell, such as %q, and are read as empty", c.Words, c.Word),
			Hint:    fmt.Sprintf(`set missingValues in the schema of %s in datapackage.json: ["", %q], or [""] if the word is a value`, o.table, c.Word)})
	}
}

// labels returns the names of columns by their labels in a file, in lower case: those that the
// operator gives, and the names themselves, since case does not matter.
func labels(columns []string, given map[string]string) map[string]string {
	all := map[string]string{}
	for _, name := range columns {
		all[name] = name
	}
	for label, name := range given {
		all[strings.ToLower(strings.TrimSpace(label))] = name
	}
	return all
}

// table returns the counts of a table in the package.
func (l *loader) table(name string) *Table {
	return &l.p.Tables[slices.IndexFunc(l.p.Tables, func(t Table) bool { return t.Name == name })]
}

func (l *loader) progress(table string, rows int) {
	if l.opt.Progress != nil {
		l.opt.Progress(table, rows)
	}
}
