package indexer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/rowdiff"
	"bencao/internal/snapshotfiles"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// maxFailing is the maximum share of a self-check's queries that may fail. In any table, fewFailing
// queries may fail, so that a few odd names do not end the builds of a small package.
const (
	maxFailing = 0.001
	fewFailing = 3
)

// canOpen verifies a snapshot and opens its files as a server would.
func canOpen(ctx context.Context, dir snapshot.Dir, id string) error {
	files, err := snapshotfiles.Of(ctx, dir, id, snapshotfiles.All)
	if err != nil {
		return err
	}
	return files.Close()
}

// selfCheck queries the written files for all records, and compares the records with the previous
// snapshot. Each of the first failures is a finding with its place in the package. If more than
// three queries of one check fail, and more than 0.1 % of them, selfCheck returns an error, so that
// the snapshot is not published.
func (b *build) selfCheck(ctx context.Context) (err error) {
	// Free memory first, because opening the files takes memory too.
	b.dropLargeFields()
	debug.FreeOSMemory()
	w, err := snapshotfiles.Open(b.dir, snapshotfiles.All)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := b.checkCounts(ctx, w); err != nil {
		return err
	}
	g, working := errgroup.WithContext(ctx)
	g.Go(func() error { return b.checkSearches(working, w) })
	g.Go(func() (err error) {
		b.report.Changes, err = b.changes(working, w.Store)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	return b.judgeSelfCheck(ctx)
}

// judgeSelfCheck judges the results of the self-check.
func (b *build) judgeSelfCheck(ctx context.Context) error {
	for _, c := range b.selfChecks {
		r := CheckReport{Name: c.name, Checked: c.checked, Failed: len(c.failures), First: []string{}}
		severity := finding.Warn
		refused := r.Failed > fewFailing && float64(r.Failed) > maxFailing*float64(r.Checked)
		if refused {
			severity = finding.Fatal
		}
		for _, u := range c.failures[:min(r.Failed, maxListed)] {
			f, err := b.locate(ctx, u)
			if err != nil {
				return err
			}
			f.Severity = severity
			b.log.Add(f)
			r.First = append(r.First, f.Error())
		}
		b.report.SelfCheck = append(b.report.SelfCheck, r)
		if refused {
			return &RefusedError{Reasons: []string{fmt.Sprintf("self-check %q: %d of %d fail: %s", r.Name, r.Failed, r.Checked, strings.Join(r.First, "; "))}}
		}
	}
	return nil
}

// ownSearch has the results of searching for all records of a table by their own names.
type ownSearch struct {
	name     string
	checked  int
	failures []unfound
}

// unfound is a name with which a search does not find its record. key is the record's key in a
// table of the package.
type unfound struct{ table, key, name string }

// locate returns a finding with the place of the name in the package. A name that the build
// derived, such as a pinyin, has the place of its record, and a herb of this program has none.
func (b *build) locate(ctx context.Context, u unfound) (f finding.Finding, err error) {
	f = finding.Finding{
		Code: finding.Name, Table: u.table, Value: u.name,
		Message: fmt.Sprintf("a search for %.60q does not find its record", u.name), Hint: "correct the name",
	}
	files, err := datapackage.Files(b.sources.pkg, datapackage.Options{Columns: b.cfg.Package.Columns, Exclude: b.cfg.excluded})
	if err != nil {
		return f, err
	}
	i := slices.IndexFunc(files, func(f datapackage.File) bool { return f.Table == u.table })
	if i < 0 {
		return f, nil
	}
	in, err := b.sources.pkg.Open(files[i].Name)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	t, err := rowdiff.Read(ctx, in, files[i].Shape)
	if err != nil {
		return f, err
	}
	key := t.Index(files[i].Shape.Key[0])
	for row := range t.Rows() {
		if t.Cell(row, key) != u.key {
			continue
		}
		f.File, f.Line = files[i].Name, t.Line(row)
		for column, name := range t.Columns {
			if t.Cell(row, column) == u.name {
				f.Column, f.Message = name, "a search for this name does not find its record"
			}
		}
		break
	}
	return f, nil
}

// dropLargeFields drops those large fields of the records that the self-check does not need.
func (b *build) dropLargeFields() {
	for i := range b.data.Species {
		s := &b.data.Species[i]
		s.Flora, s.Uses, s.Papers, s.Formulas = nil, nil, nil, nil
	}
	for i := range b.data.Formulas {
		f := &b.data.Formulas[i]
		f.Ingredients, f.SimilarEuclidean, f.SimilarJaccard = nil, nil, nil
	}
}

// checkCounts compares the record counts in the files with the numbers of records that were built.
func (b *build) checkCounts(ctx context.Context, w *snapshotfiles.Files) error {
	tx, err := w.Store.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	for _, t := range []struct {
		table store.Table
		index *search.Searcher
		want  int
	}{
		{store.TableSpecies, w.Species, len(b.data.Species)},
		{store.TableFormulas, w.Formulas, len(b.data.Formulas)},
		{store.TablePapers, w.Papers, len(b.data.Papers)},
		{store.TableHerbs, w.Herbs, len(b.data.Herbs)},
	} {
		if got := tx.Count(t.table); got != t.want {
			return fmt.Errorf("self-check: the store has %d %s of %d", got, t.table, t.want)
		}
		hits, err := t.index.Search(ctx, search.Query{Size: 1})
		if err != nil {
			return fmt.Errorf("self-check: %w", err)
		}
		if hits.Total != t.want {
			return fmt.Errorf("self-check: the index has %d %s of %d", hits.Total, t.table, t.want)
		}
	}
	return nil
}

// checkSealed is the last check of the draft before it becomes current. The files of the draft,
// which are now read-only, must open and have the same record counts as before.
func (b *build) checkSealed(dir string) error {
	w, err := snapshotfiles.Open(dir, snapshotfiles.All)
	if err != nil {
		return err
	}
	return errors.Join(b.checkCounts(context.Background(), w), w.Close())
}

// checkSearches searches the written indexes for every record by its own names.
func (b *build) checkSearches(ctx context.Context, w *snapshotfiles.Files) error {
	return errors.Join(
		b.checkNames(ctx, w.Names),
		checkTable(ctx, b, "species", "species", w.Species, mappings.Species, b.data.Species, func(s *store.Species) string { return strconv.Itoa(int(s.EntryID)) }),
		checkTable(ctx, b, "formulas", "formulas", w.Formulas, mappings.Formulas, b.data.Formulas, func(f *store.Formula) string { return strconv.Itoa(int(f.EntryID)) }),
		checkTable(ctx, b, "papers", "papers", w.Papers, mappings.Papers, b.data.Papers, func(p *store.Paper) string { return p.ID }),
		checkTable(ctx, b, "herbs", "herb_species", w.Herbs, mappings.Herbs, b.data.Herbs, func(h *store.Herb) string { return h.Name }),
	)
}

// checkTable searches an index for every record by its own names. The parameter "of" says which
// records they are. Their names come from a table of the package; key returns the key of a record's
// row in it.
func checkTable[R any](ctx context.Context, b *build, of, table string, s *search.Searcher, fields []mappings.Field[R], records []R, key func(*R) string) error {
	result, err := search.Check(ctx, s, fields, records)
	if err != nil {
		return fmt.Errorf("self-check of %s: %w", of, err)
	}
	c := ownSearch{name: "search finds " + of + " by their own names", checked: result.Checked}
	for _, f := range result.Failures {
		c.failures = append(c.failures, unfound{table, key(&records[f.Num]), f.Value})
	}
	b.selfChecks = append(b.selfChecks, c)
	return nil
}

// checkNames matches the name of every species as a client would. It does not match names that the
// matcher refuses.
func (b *build) checkNames(ctx context.Context, ix *names.Index) error {
	c := ownSearch{name: "names.match finds every species by its own name"}
	for i := range b.data.Species {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &b.data.Species[i]
		if names.CheckName(string(s.ScientificName)) != nil {
			continue // writeNames has reported it
		}
		r, err := ix.Match(names.Query{Name: string(s.ScientificName), Author: string(s.Author), Limit: names.MaxLimit})
		if err != nil {
			continue
		}
		c.checked++
		if !slices.ContainsFunc(r.Results, func(e names.Entry) bool { return string(e.GUID) == s.GUID }) {
			c.failures = append(c.failures, unfound{"species", strconv.Itoa(int(s.EntryID)), string(s.ScientificName)})
		}
	}
	b.selfChecks = append(b.selfChecks, c)
	return nil
}
