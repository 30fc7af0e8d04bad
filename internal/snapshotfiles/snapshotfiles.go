// Package snapshotfiles opens, checks, warms up and closes the files of a snapshot together: the
// store, the names, the taxa of checklists, the four search indexes, and the changes since older
// versions.
//
//	store.bolt  names.idx  taxa.bolt  species.bleve/  formulas.bleve/  papers.bleve/  herbs.bleve/  changes.bolt
//
// All commands open snapshots with this package, so that they all refuse the same snapshots. The
// package does not know what is in the files. Begin with [Open] and [Current].
package snapshotfiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// Part is a set of parts of a snapshot.
type Part uint8

// The parts of a snapshot.
const (
	Store Part = 1 << iota
	Names
	Taxa
	Species
	Formulas
	Papers
	Herbs
	Changes

	All = Store | Names | Taxa | Species | Formulas | Papers | Herbs | Changes
)

// Files are the open parts of a snapshot. Parts that were not requested are nil.
// Files are safe for concurrent use until Close.
type Files struct {
	Store                            *store.Store
	Names                            *names.Index
	Taxa                             *store.Taxa
	Species, Formulas, Papers, Herbs *search.Searcher
	// Changes is nil if it was not requested or if the snapshot has no list of changes, as the first
	// snapshot.
	Changes *store.Changes

	open []io.Closer // in the order of opening
}

// Open opens parts of the snapshot in dir. The caller must have verified the files against the
// manifest.
func Open(dir string, parts Part) (*Files, error) {
	f := &Files{}
	for _, p := range []struct {
		part Part
		open func(path string) (io.Closer, error)
		name string
	}{
		{Store, open(&f.Store, store.Open), store.FileName},
		{Names, open(&f.Names, names.Open), names.FileName},
		{Taxa, open(&f.Taxa, store.OpenTaxa), store.TaxaName},
		{Species, open(&f.Species, of(mappings.Species)), mappings.SpeciesDir},
		{Formulas, open(&f.Formulas, of(mappings.Formulas)), mappings.FormulasDir},
		{Papers, open(&f.Papers, of(mappings.Papers)), mappings.PapersDir},
		{Herbs, open(&f.Herbs, of(mappings.Herbs)), mappings.HerbsDir},
		{Changes, open(&f.Changes, store.OpenChanges), store.ChangesName},
	} {
		if parts&p.part == 0 {
			continue
		}
		opened, err := p.open(filepath.Join(dir, p.name))
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		f.open = append(f.open, opened)
	}
	if f.Species != nil && f.Names != nil {
		f.Species.SetChecklists(f.Checklists())
	}
	return f, nil
}

// Checklists returns the checklists that resolve names in searches for species.
func (f *Files) Checklists() search.Checklists { return checklists{f.Names} }

// of returns a function that opens the index of a table.
func of[R any](fields []mappings.Field[R]) func(dir string) (*search.Searcher, error) {
	return func(dir string) (*search.Searcher, error) { return search.Open(dir, fields) }
}

// open returns a function that opens a part and sets its field.
func open[T io.Closer](field *T, open func(string) (T, error)) func(string) (io.Closer, error) {
	return func(path string) (_ io.Closer, err error) {
		*field, err = open(path)
		return *field, err
	}
}

// Current verifies the files and the schema of the current snapshot of a data directory and opens
// parts of the snapshot. The snapshot cannot be removed until Close.
func Current(ctx context.Context, dir snapshot.Dir, parts Part) (*Files, error) {
	held, err := dir.OpenCurrent(ctx)
	return openHeld(held, err, parts)
}

// Of is like [Current] for the snapshot with the given id.
func Of(ctx context.Context, dir snapshot.Dir, id string, parts Part) (*Files, error) {
	held, err := dir.Open(ctx, id)
	return openHeld(held, err, parts)
}

// openHeld opens parts of a snapshot that was verified, unless err is an error of that.
func openHeld(held *snapshot.Snapshot, err error, parts Part) (*Files, error) {
	if err != nil {
		return nil, err
	}
	f := &Files{}
	if err = Readable(held.Manifest); err == nil {
		f, err = Open(held.Path(), parts)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	f.open = append([]io.Closer{held}, f.open...)
	return f, nil
}

// Warm builds the data that the first queries would otherwise build. All parts must be open.
func (f *Files) Warm(ctx context.Context) error {
	for _, ix := range []*search.Searcher{f.Species, f.Formulas, f.Papers, f.Herbs} {
		if err := ix.Warm(ctx); err != nil {
			return fmt.Errorf("warm up: %w", err)
		}
	}
	// For a name without a match, the names index tries all matchers. So this query builds the data
	// of all matchers.
	_, err := f.Names.Match(names.Query{Name: "Qwxqz xqzvw"})
	return err
}

// Close closes the files. No goroutine may still be reading them.
func (f *Files) Close() error {
	var errs []error
	for i := range f.open {
		errs = append(errs, f.open[len(f.open)-1-i].Close())
	}
	return errors.Join(errs...)
}
