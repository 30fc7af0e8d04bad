package datapackage

import (
	"errors"
	"io"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/internal/rows"
)

// loader is a package that is being read.
type loader struct {
	src    *archive.Archive
	opt    Options
	log    *finding.Log
	d      *descriptor
	p      *Package
	failed []error // fatal findings of headers

	files    map[string]string // a table's file
	species  map[int32]int     // index in p.Species by entry id
	formulas map[int32]int     // index in p.Formulas by entry id
	papers   map[string]bool   // ids
	chinese  map[string]int    // index in p.Species by Chinese name

	herbLines []int // the line of each of p.HerbSpecies
}

// openFile is a table's file whose header has been read.
type openFile struct {
	table, file string
	rows        *rows.Reader
	header      rows.Header
	nulls       []string // what stands for an empty cell
	close       func() error
}

func (l *loader) found(f finding.Finding) { l.log.Add(f) }

// fatal logs a fatal finding and returns it with its table. Other errors, such
// as those of the disk, pass through.
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
func (l *loader) openFile(table string, res *resource) (*openFile, error) {
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
	o := &openFile{table: table, file: name, rows: rows.NewCSV(f, name, csv), nulls: res.Schema.MissingValues, close: f.Close}
	cells, err := o.rows.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = finding.Finding{Severity: finding.Fatal, Code: finding.Source, Table: table, File: name,
				Message: "the file is empty", Hint: "write at least a header, or take the table out of the package"}
		}
		return nil, errors.Join(err, f.Close())
	}
	o.header = rows.NewHeader(slices.Clone(cells), l.opt.Columns[table])
	return o, nil
}

// state is the table's entry in the package.
func (l *loader) state(name string) *Table {
	for i := range l.p.Tables {
		if l.p.Tables[i].Name == name {
			return &l.p.Tables[i]
		}
	}
	l.p.Tables = append(l.p.Tables, Table{Name: name})
	return &l.p.Tables[len(l.p.Tables)-1]
}

func (l *loader) progress(table string, rows int) {
	if l.opt.Progress != nil {
		l.opt.Progress(table, rows)
	}
}

// Options tunes [Read]. The zero value is ready for use.
type Options struct {
	// Columns gives, for a table, our name of a column by the file's own: an
	// existing dump is read without rewriting it.
	Columns map[string]map[string]string
	// Without are tables that are read as if the package had none of them.
	Without []string
	// Progress, if not nil, is told how many rows of a table have been read.
	Progress func(table string, rows int)
}
