package datapackage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/indexer/rows"
)

// Options tunes [Read]. The zero value is ready for use.
type Options struct {
	// Columns gives, for a table, our name of a column by the file's own: an
	// existing dump is read without rewriting it.
	Columns map[string]map[string]string
	// Progress, if not nil, is told how many rows of a table have been read.
	Progress func(table string, rows int)
}

// Read reads a data package and logs what is wrong with it. If that is fatal,
// it returns the fatal findings as an error and no package.
func Read(ctx context.Context, src *archive.Archive, opt Options, log *finding.Log) (*Package, error) {
	l := &loader{src: src, opt: opt, log: log, p: &Package{}, files: map[string]string{},
		species: map[int32]int{}, formulas: map[int32]int{}, papers: map[string]bool{}, chinese: map[string]int{}}
	if err := l.checkColumns(); err != nil {
		return nil, err
	}
	d, err := readDescriptor(src)
	if err != nil {
		return nil, l.fatal("", err)
	}
	l.d = d
	l.p.Name, l.p.Title, l.p.Version, l.p.Created, l.p.Licenses = d.Name, d.Title, d.Version, d.Created, d.Licenses
	l.checkResources()

	var readers []*reader
	defer func() {
		for _, r := range readers {
			r.close() // read-only: what could not be read has been reported
		}
	}()
	for _, t := range tables {
		r, err := t.open(l)
		if err != nil {
			l.failed = append(l.failed, l.fatal(t.name, err))
		}
		if r != nil {
			readers = append(readers, r)
		}
	}
	if len(l.failed) > 0 {
		return nil, errors.Join(l.failed...)
	}
	for _, r := range readers {
		if err := r.rows(ctx); err != nil {
			return nil, err
		}
	}
	l.p.sort()
	return l.p, nil
}

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

func (l *loader) progress(table string, rows int) {
	if l.opt.Progress != nil {
		l.opt.Progress(table, rows)
	}
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

// checkColumns refuses a column map that names what does not exist: a slip in
// it would otherwise show as a missing column.
func (l *loader) checkColumns() error {
	for _, name := range slices.Sorted(maps.Keys(l.opt.Columns)) {
		i := slices.IndexFunc(tables, func(t anyTable) bool { return t.name == name })
		if i < 0 {
			return fmt.Errorf("columns of table %q: there is no such table; the tables are %s", name, strings.Join(TableNames(), ", "))
		}
		for _, label := range slices.Sorted(maps.Keys(l.opt.Columns[name])) {
			if to := l.opt.Columns[name][label]; !slices.Contains(tables[i].columns, to) {
				return fmt.Errorf("columns of table %q: %q is to be read as %q, which is none of %s",
					name, label, to, strings.Join(tables[i].columns, ", "))
			}
		}
	}
	return nil
}

// checkResources compares the package's resources with the tables we know.
func (l *loader) checkResources() {
	seen := map[string]bool{}
	for i := range l.d.Resources {
		r := &l.d.Resources[i]
		r.Name = foldName(r.Name)
		f := finding.Finding{Severity: finding.Warn, Code: finding.Table, Table: r.Name, File: descriptorFile}
		switch {
		case !slices.Contains(TableNames(), r.Name):
			f.Message, f.Hint = fmt.Sprintf("resource %q is not read", r.Name), "the tables are "+strings.Join(TableNames(), ", ")
			if near := rows.Nearest(r.Name, TableNames()); near != "" {
				f.Hint = fmt.Sprintf("did you mean %s?", near)
			}
			l.found(f)
		case seen[r.Name]:
			f.Severity, f.Code, f.Message, f.Hint = finding.Fatal, finding.Package, fmt.Sprintf("resource %q stands twice", r.Name), "leave one of them"
			l.failed = append(l.failed, l.fatal(r.Name, f))
		}
		seen[r.Name] = true
	}
	for _, t := range tables {
		l.p.Tables = append(l.p.Tables, Table{Name: t.name, Present: seen[t.name]})
		f := finding.Finding{Table: t.name, File: descriptorFile, Code: finding.Table,
			Message: "the package has no table " + t.name, Hint: "its counts are 0 and its lists empty"}
		switch {
		case seen[t.name] || t.derived:
		case t.name == "species":
			f.Severity, f.Code, f.Hint = finding.Fatal, finding.Source, "it is the one table that every package needs"
			l.failed = append(l.failed, l.fatal(t.name, f))
		default:
			f.Severity = finding.Warn
			l.found(f)
		}
	}
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
