package datapackage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/names/editdistance"
)

// Read reads a data package and logs findings. If any finding is fatal, it returns the fatal
// findings as an error and no package.
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
	d.exclude(opt.Exclude)
	l.d = d
	l.p.Name, l.p.Title, l.p.Version, l.p.Created, l.p.Licenses = d.Name, d.Title, d.Version, d.Created, d.Licenses
	l.p.Description, l.p.Homepage, l.p.Contributors = d.Description, d.Homepage, d.Contributors
	l.checkResources()

	var readers []*reader
	defer func() {
		for _, r := range readers {
			r.close() // read-only: read errors have already been reported
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
	l.checkHerbs()
	l.checkTitles()
	l.p.sort()
	return l.p, nil
}

// checkColumns returns an error if a column map refers to an unknown table or column. Without this
// check, a mistake in the map would look like a column that is missing from the file.
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

// checkResources compares the package's resources with the known tables.
func (l *loader) checkResources() {
	seen := map[string]bool{}
	for i := range l.d.Resources {
		r := &l.d.Resources[i]
		r.Name = foldName(r.Name)
		f := finding.Finding{Severity: finding.Warn, Code: finding.Table, Table: r.Name, File: descriptorFile}
		switch {
		case !slices.Contains(TableNames(), r.Name):
			f.Message, f.Hint = fmt.Sprintf("resource %q is not read", r.Name), "the tables are "+strings.Join(TableNames(), ", ")
			if near := editdistance.Nearest(r.Name, TableNames()); near != "" {
				f.Hint = fmt.Sprintf("did you mean %s?", near)
			}
			l.report(f)
		case seen[r.Name]:
			f.Severity, f.Code, f.Message, f.Hint = finding.Fatal, finding.Package, fmt.Sprintf("resource %q occurs twice", r.Name), "leave one of them"
			l.failed = append(l.failed, l.fatal(r.Name, f))
		}
		seen[r.Name] = true
	}
	for _, t := range tables {
		l.p.Tables = append(l.p.Tables, Table{Name: t.name, Present: seen[t.name]})
		if t.name == "species" && !seen[t.name] {
			l.failed = append(l.failed, l.fatal(t.name, finding.Finding{
				Severity: finding.Fatal, Code: finding.Source, Table: t.name, File: descriptorFile,
				Message: "the package has no table species", Hint: "it is the one table that every package needs",
			}))
		}
	}
}
