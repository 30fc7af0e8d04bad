package indexer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// maxFailing is the largest share of self-checks that may fail.
const maxFailing = 0.001

// written are the draft's files, opened through the readers that will serve
// them.
type written struct {
	store                     *store.Store
	species, formulas, papers *search.Searcher
	names                     *names.Index
}

func openWritten(dir string) (w *written, err error) {
	w = &written{}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if w.store, err = store.Open(filepath.Join(dir, store.FileName)); err != nil {
		return w, err
	}
	if w.names, err = names.Open(filepath.Join(dir, names.FileName)); err != nil {
		return w, err
	}
	if w.species, err = search.Open(filepath.Join(dir, mappings.SpeciesDir), mappings.Species); err != nil {
		return w, err
	}
	if w.formulas, err = search.Open(filepath.Join(dir, mappings.FormulasDir), mappings.Formulas); err != nil {
		return w, err
	}
	w.papers, err = search.Open(filepath.Join(dir, mappings.PapersDir), mappings.Papers)
	return w, err
}

// opens verifies a snapshot and opens its files as a server does.
func opens(ctx context.Context, dir snapshot.Dir, id string) error {
	s, err := dir.Open(ctx, id)
	if err != nil {
		return err
	}
	w, err := openWritten(s.Path())
	if err == nil {
		err = w.close()
	}
	return errors.Join(err, s.Close())
}

func (w *written) close() error {
	var errs []error
	if w.store != nil {
		errs = append(errs, w.store.Close())
	}
	if w.names != nil {
		errs = append(errs, w.names.Close())
	}
	for _, ix := range []*search.Searcher{w.species, w.formulas, w.papers} {
		if ix != nil {
			errs = append(errs, ix.Close())
		}
	}
	return errors.Join(errs...)
}

// selfCheck asks the written files for what was put into them, and compares
// them with the snapshot before. What fails is listed in the report; more
// than 0.1 % of a check refuses the snapshot.
func (b *build) selfCheck(ctx context.Context) (err error) {
	w, err := openWritten(b.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := b.counts(ctx, w); err != nil {
		return err
	}
	if err := b.findable(ctx, w); err != nil {
		return err
	}
	if b.report.Changes, err = b.changes(ctx, w.store); err != nil {
		return err
	}
	for _, c := range b.report.SelfCheck {
		if share := float64(c.Failed) / float64(max(c.Checked, 1)); share > maxFailing {
			return &GateError{Reasons: []string{fmt.Sprintf("self-check %q: %d of %d fail, such as %v", c.Name, c.Failed, c.Checked, c.First)}}
		}
	}
	return nil
}

// counts holds the files' counts against the records.
func (b *build) counts(ctx context.Context, w *written) error {
	tx, err := w.store.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	for _, t := range []struct {
		table store.Table
		index *search.Searcher
		want  int
	}{
		{store.TableSpecies, w.species, len(b.data.Species)},
		{store.TableFormulas, w.formulas, len(b.data.Formulas)},
		{store.TablePapers, w.papers, len(b.data.Papers)},
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

// changes compares the new store with that of the snapshot before. One that
// cannot be read is reported and compared as empty.
func (b *build) changes(ctx context.Context, now *store.Store) (map[string]TableChanges, error) {
	if b.before == nil {
		return compare(nil, now)
	}
	then, err := b.openBefore(ctx)
	if err != nil {
		b.opt.Log.Warn("snapshot cannot be compared with", "snapshot", b.before.ID, "error", err)
		return compare(nil, now)
	}
	changes, err := compare(then.store, now)
	return changes, errors.Join(err, then.close())
}

// heldStore is the store of a snapshot that is held open.
type heldStore struct {
	snapshot *snapshot.Snapshot
	store    *store.Store
}

func (b *build) openBefore(ctx context.Context) (*heldStore, error) {
	s, err := b.writer.Dir().Open(ctx, b.before.ID)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(s.Path(store.FileName))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &heldStore{s, st}, nil
}

func (h *heldStore) close() error { return errors.Join(h.store.Close(), h.snapshot.Close()) }

// reopen is the last look at the draft before it becomes current: its files
// are read-only now and must open and count as before.
func (b *build) reopen(dir string) error {
	w, err := openWritten(dir)
	if err != nil {
		return err
	}
	return errors.Join(b.counts(context.Background(), w), w.close())
}
