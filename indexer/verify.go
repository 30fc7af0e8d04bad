package indexer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"

	"bencao/internal/contents"
	"bencao/mappings/search"
	"bencao/store"
	"bencao/store/snapshot"
)

// maxFailing is the largest share of self-checks that may fail.
const maxFailing = 0.001

// opens verifies a snapshot and opens its files as a server does.
func opens(ctx context.Context, dir snapshot.Dir, id string) error {
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

// selfCheck asks the written files for what was put into them, and compares
// them with the snapshot before. What fails is listed in the report; more
// than 0.1 % of a check refuses the snapshot.
func (b *build) selfCheck(ctx context.Context) (err error) {
	// The files that are read now are in memory, too.
	b.slim()
	debug.FreeOSMemory()
	w, err := contents.Open(b.dir, contents.All)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := b.counts(ctx, w); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return b.findable(ctx, w) })
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

// slim lets go of what makes the records large, and of which nothing is asked any
// more.
func (b *build) slim() {
	for i := range b.data.Species {
		s := &b.data.Species[i]
		s.Flora, s.Uses, s.Papers, s.Formulas = nil, nil, nil, nil
	}
	for i := range b.data.Formulas {
		f := &b.data.Formulas[i]
		f.Ingredients, f.SimilarEuclidean, f.SimilarJaccard = nil, nil, nil
	}
}

// counts holds the files' counts against the records.
func (b *build) counts(ctx context.Context, w *contents.Contents) error {
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

// reopen is the last look at the draft before it becomes current: its files
// are read-only now and must open and count as before.
func (b *build) reopen(dir string) error {
	w, err := contents.Open(dir, contents.All)
	if err != nil {
		return err
	}
	return errors.Join(b.counts(context.Background(), w), w.Close())
}
