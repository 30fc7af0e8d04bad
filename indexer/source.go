package indexer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/check"
	"bencao/indexer/checklist"
	"bencao/indexer/coldp"
	"bencao/indexer/csvmap"
	"bencao/indexer/datapackage"
	"bencao/indexer/dwca"
	"bencao/indexer/finding"
	"bencao/indexer/wcvp"
	"bencao/names"
	"bencao/store/snapshot"
)

// list is an open checklist of any format.
type list interface {
	Meta() checklist.Meta
	// Files lists the files from which the names are read.
	Files() []checklist.File
	// Names yields the names of the list. It logs findings with the argument list as their table.
	// An error ends the iteration: it is yielded last.
	Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error]
	// Places yields where the plants of the list grow. Its findings have the table list +
	// checklist.PlacesSuffix. An error ends the iteration: it is yielded last.
	Places(ctx context.Context, list string, log *finding.Log) iter.Seq2[checklist.Place, error]
}

// format is a file format of checklists.
type format struct {
	kind      string
	recognise func(*archive.Archive) bool
	open      func(*archive.Archive, Input) (list, error)
}

// formats lists the formats in the order in which they are tried, the most specific first. To add a
// format, add a row here and a package beside [dwca].
var formats = []format{
	{"WCVP", wcvp.Recognise, func(a *archive.Archive, _ Input) (list, error) { return wcvp.Open(a) }},
	{"Darwin Core Archive", dwca.Recognise, func(a *archive.Archive, _ Input) (list, error) { return dwca.Open(a) }},
	{"ColDP", coldp.Recognise, func(a *archive.Archive, _ Input) (list, error) { return coldp.Open(a) }},
	{"CSV", csvmap.Recognise, func(a *archive.Archive, in Input) (list, error) { return csvmap.Open(a, in.Columns["names"]) }},
}

// openList detects the format of a checklist and opens it.
func openList(src *archive.Archive, in Input) (kind string, l list, err error) {
	if len(in.Columns) > 0 {
		l, err = csvmap.Open(src, in.Columns["names"])
		return "CSV", l, err
	}
	for _, f := range formats {
		if f.recognise(src) {
			l, err = f.open(src, in)
			return f.kind, l, err
		}
	}
	if err := unreadable(src); err != nil {
		return "", nil, err
	}
	return "", nil, fmt.Errorf("the format of %s is none of %s; give a column map for it in the configuration", src.Name(), formatNames())
}

// unreadable returns the error of the first table whose header cannot be read, such as one that is not
// in UTF-8. A text file may be only a readme, so its error counts only if no file can be read.
func unreadable(src *archive.Archive) (inText error) {
	opened := false
	for _, name := range src.Files() {
		extension := strings.ToLower(path.Ext(name))
		if !slices.Contains([]string{".csv", ".tsv", ".txt"}, extension) {
			continue
		}
		t, err := checklist.OpenTable(src, name, checklist.Dialect{}, nil)
		if err == nil {
			err = t.Close()
		}
		switch {
		case err == nil:
			opened = true
		case extension != ".txt":
			return err
		case inText == nil:
			inText = err
		}
	}
	if opened {
		return nil
	}
	return inText
}

// formatNames lists the formats for an error message.
func formatNames() string {
	var kinds []string
	for _, f := range formats {
		kinds = append(kinds, f.kind)
	}
	last := len(kinds) - 1
	return strings.Join(kinds[:last], ", ") + ", or a " + kinds[last] + " whose columns are known"
}

// sources are the open inputs of a run.
type sources struct {
	pkg   *archive.Archive
	lists []openedList
	all   []snapshot.Source // for the manifest; the package comes first
}

type openedList struct {
	src  *archive.Archive
	list list
	name names.Checklist
	key  string
}

// openSources opens every source and computes its digest.
func openSources(ctx context.Context, cfg Config) (s *sources, err error) {
	s = &sources{}
	defer func() {
		if err != nil {
			err = errors.Join(s.preferChanged(err), s.close())
		}
	}()
	if s.pkg, err = cfg.Package.open(); err != nil {
		return s, err
	}
	name, version, _ := datapackage.Describe(s.pkg)
	if err = s.add(ctx, s.pkg, "data package", cmp.Or(cfg.Package.Name, name), cmp.Or(cfg.Package.Version, version)); err != nil {
		return s, err
	}
	for _, in := range cfg.Checklists {
		src, err := in.open()
		if err != nil {
			return s, fmt.Errorf("checklist %s: %w", in.Key, err)
		}
		s.lists = append(s.lists, openedList{src: src, key: in.Key})
		kind, l, err := openList(src, in)
		if err != nil {
			return s, fmt.Errorf("checklist %s: %w", in.Key, err)
		}
		opened := &s.lists[len(s.lists)-1]
		opened.list, opened.name = l, identify(in, l.Meta())
		if err := s.add(ctx, src, kind, opened.name.Name, opened.name.Version); err != nil {
			return s, err
		}
	}
	return s, nil
}

// identify returns the name and version of a checklist. The operator's configuration takes
// precedence over the checklist's own metadata. If neither gives a name, the checklist's key serves
// as the name.
func identify(in Input, m checklist.Meta) names.Checklist {
	c := names.Checklist{Source: m.Source, Name: m.Name, Version: m.Version}
	if in.Name != "" {
		c.Name = in.Name
	}
	if in.Version != "" {
		c.Version = in.Version
	}
	if c.Source == "" {
		c.Source = in.Key
	}
	if c.Name == "" {
		c.Name = c.Source
	}
	return c
}

func (s *sources) add(ctx context.Context, src *archive.Archive, kind, name, version string) error {
	d, err := src.Digest(ctx)
	if err != nil {
		return err
	}
	s.all = append(s.all, snapshot.Source{
		Kind: kind, Name: name, Version: version, File: src.Name(), SHA256: d.SHA256, Bytes: d.Bytes,
	})
	return nil
}

// changed returns an error if a source has changed since it was opened. A mixture of two versions
// must not be published.
func (s *sources) changed() error {
	if s.pkg == nil {
		return nil
	}
	if err := s.pkg.Changed(); err != nil {
		return err
	}
	for _, l := range s.lists {
		if err := l.src.Changed(); err != nil {
			return fmt.Errorf("checklist %s: %w", l.key, err)
		}
	}
	return nil
}

// preferChanged returns the error to report when err ended a run. If a source changed while it was
// read, preferChanged returns an error that says so, because the change is the likely cause. A
// check that read a mixture of two versions of a source has no meaningful result.
func (s *sources) preferChanged(err error) error {
	if errors.Is(err, archive.ErrChanged) || errors.Is(err, context.Canceled) {
		return err
	}
	if changed := s.changed(); changed != nil {
		return fmt.Errorf("%w; before this was noticed: %v", changed, err)
	}
	return err
}

func (s *sources) close() error {
	var errs []error
	if s.pkg != nil {
		errs = append(errs, s.pkg.Close())
	}
	for _, l := range s.lists {
		errs = append(errs, l.src.Close())
	}
	return errors.Join(errs...)
}

// forChecks returns the sources in the form that package check needs.
func (s *sources) forChecks(cfg Config) []check.Source {
	out := []check.Source{{Key: check.Package, Source: s.all[0], Archive: s.pkg, Columns: cfg.Package.Columns, Exclude: cfg.excluded}}
	for i, l := range s.lists {
		out = append(out, check.Source{Key: check.Checklist(l.key), Source: s.all[i+1], Archive: l.src, Files: l.list.Files()})
	}
	return out
}

// report returns the description of the sources for the report.
func (s *sources) report(cfg Config) []SourceReport {
	var out []SourceReport
	for _, g := range s.forChecks(cfg) {
		r := SourceReport{Key: g.Key, Kind: g.Kind, Name: g.Name, Version: g.Version, Path: g.File, SHA256: g.SHA256, Bytes: g.Bytes}
		r.Dated, r.Modified = g.Age()
		out = append(out, r)
	}
	return out
}
