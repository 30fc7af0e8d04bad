package indexer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"bencao/internal/contents"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// maxFailing is the maximum share of a self-check's queries that may fail.
const maxFailing = 0.001

// canOpen verifies a snapshot and opens its files as a server would.
func canOpen(ctx context.Context, dir snapshot.Dir, id string) error {
	s, err := dir.Open(ctx, id)
	if err != nil {
		return err
	}
	files, err := contents.Open(s.Path(), contents.All)
	if err == nil {
		err = files.Close()
	}
	return errors.Join(err, s.Close())
}

// selfCheck queries the written files for all records, and compares the records with the previous
// snapshot. The report lists the failures. If more than 0.1 % of the queries of one check fail,
// selfCheck returns an error, so that the snapshot is not published.
func (b *build) selfCheck(ctx context.Context) (err error) {
	// Free memory first, because opening the files takes memory too.
	b.dropLargeFields()
	debug.FreeOSMemory()
	w, err := contents.Open(b.dir, contents.All)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := b.checkCounts(ctx, w); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return b.checkSearches(ctx, w) })
	g.Go(func() (err error) {
		b.report.Changes, err = b.changes(ctx, w.Store)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	for _, c := range b.report.SelfCheck {
		if share := float64(c.Failed) / float64(max(c.Checked, 1)); share > maxFailing {
			return &RefusedError{Reasons: []string{fmt.Sprintf("self-check %q: %d of %d fail, such as %v", c.Name, c.Failed, c.Checked, c.First)}}
		}
	}
	return nil
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
func (b *build) checkCounts(ctx context.Context, w *contents.Contents) error {
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
	w, err := contents.Open(dir, contents.All)
	if err != nil {
		return err
	}
	return errors.Join(b.checkCounts(context.Background(), w), w.Close())
}

// checkSearches searches the written indexes for every record by its own names.
func (b *build) checkSearches(ctx context.Context, w *contents.Contents) error {
	check, err := b.checkNames(ctx, w.Names)
	if err != nil {
		return err
	}
	b.report.SelfCheck = append(b.report.SelfCheck, check)
	species, err := search.Check(ctx, w.Species, mappings.Species, b.data.Species)
	if err != nil {
		return fmt.Errorf("self-check of species: %w", err)
	}
	formulas, err := search.Check(ctx, w.Formulas, mappings.Formulas, b.data.Formulas)
	if err != nil {
		return fmt.Errorf("self-check of formulas: %w", err)
	}
	papers, err := search.Check(ctx, w.Papers, mappings.Papers, b.data.Papers)
	if err != nil {
		return fmt.Errorf("self-check of papers: %w", err)
	}
	herbs, err := search.Check(ctx, w.Herbs, mappings.Herbs, b.data.Herbs)
	if err != nil {
		return fmt.Errorf("self-check of herbs: %w", err)
	}
	b.addSearchCheck("species", species)
	b.addSearchCheck("formulas", formulas)
	b.addSearchCheck("papers", papers)
	b.addSearchCheck("herbs", herbs)
	return nil
}

// addSearchCheck adds the result of searching an index for its own records to the report.
func (b *build) addSearchCheck(table string, c search.SelfCheck) {
	r := CheckReport{Name: "search finds " + table + " by their own names", Checked: c.Checked, Failed: len(c.Failures), First: []string{}}
	for _, f := range c.Failures[:min(len(c.Failures), maxListed)] {
		r.First = append(r.First, f.String())
	}
	b.report.SelfCheck = append(b.report.SelfCheck, r)
}

// checkNames matches the name of every species as a client would.
func (b *build) checkNames(ctx context.Context, ix *names.Index) (CheckReport, error) {
	c := CheckReport{Name: "names.match finds every species by its own name", First: []string{}}
	for i := range b.data.Species {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		s := &b.data.Species[i]
		r, err := ix.Match(names.Query{Name: s.ScientificName, Author: s.Author, Limit: names.MaxLimit})
		c.Checked++
		if err == nil && slices.ContainsFunc(r.Results, func(e names.Entry) bool { return string(e.GUID) == s.GUID }) {
			continue
		}
		c.Failed++
		if len(c.First) < maxListed {
			c.First = append(c.First, fmt.Sprintf("%d %s %s", s.EntryID, s.ScientificName, s.Author))
		}
	}
	return c, nil
}
