// Package contents opens, checks, warms and closes what a snapshot holds: the
// store, the names, the four search indexes, and what changed since older ones.
//
//	store.bolt  names.idx  species.bleve/  formulas.bleve/  papers.bleve/  herbs.bleve/  changes.bolt
//
// Whoever answers from a snapshot opens it here, so that what one of them
// refuses, all refuse. What the files say is for their own packages.
package contents

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

// Part is one of the things that a snapshot holds, or several of them.
type Part uint8

// The parts of a snapshot.
const (
	Store Part = 1 << iota
	Names
	Species
	Formulas
	Papers
	Herbs
	Changes

	All = Store | Names | Species | Formulas | Papers | Herbs | Changes
)

// Contents are the open parts of a snapshot; those that were not asked for are
// nil. They may be used by many goroutines until Close.
type Contents struct {
	Store                            *store.Store
	Names                            *names.Index
	Species, Formulas, Papers, Herbs *search.Searcher
	// Changes may also be nil because there are none: in the first snapshot, and in
	// those of older programs.
	Changes *store.Changes

	open []io.Closer // in the order in which they were opened
}

// Open opens parts of the snapshot in dir, whose files must have been compared
// with its manifest.
func Open(dir string, parts Part) (*Contents, error) {
	c := &Contents{}
	for _, p := range []struct {
		part Part
		open func(path string) (io.Closer, error)
		name string
	}{
		{Store, open(&c.Store, store.Open), store.FileName},
		{Names, open(&c.Names, names.Open), names.FileName},
		{Species, open(&c.Species, of(mappings.Species)), mappings.SpeciesDir},
		{Formulas, open(&c.Formulas, of(mappings.Formulas)), mappings.FormulasDir},
		{Papers, open(&c.Papers, of(mappings.Papers)), mappings.PapersDir},
		{Herbs, open(&c.Herbs, of(mappings.Herbs)), mappings.HerbsDir},
		{Changes, open(&c.Changes, store.OpenChanges), store.ChangesName},
	} {
		if parts&p.part == 0 {
			continue
		}
		opened, err := p.open(filepath.Join(dir, p.name))
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.open = append(c.open, opened)
	}
	if c.Species != nil && c.Names != nil {
		c.Species.SetChecklists(checklists{c.Names})
	}
	return c, nil
}

// of opens the index of a table.
func of[R any](fields []mappings.Field[R]) func(dir string) (*search.Searcher, error) {
	return func(dir string) (*search.Searcher, error) { return search.Open(dir, fields) }
}

// open is an opening that also sets a field.
func open[T io.Closer](field *T, open func(string) (T, error)) func(string) (io.Closer, error) {
	return func(path string) (_ io.Closer, err error) {
		*field, err = open(path)
		return *field, err
	}
}

// Current opens parts of the current snapshot of a data folder, after checking
// its files and its schema, and holds it until Close.
func Current(ctx context.Context, dir snapshot.Dir, parts Part) (_ *Contents, err error) {
	held, err := dir.OpenCurrent(ctx)
	if err != nil {
		return nil, err
	}
	c := &Contents{}
	if err = Readable(held.Manifest); err == nil {
		c, err = Open(held.Path(), parts)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	c.open = append([]io.Closer{held}, c.open...)
	return c, nil
}

// Warm makes ready what the first requests would otherwise wait for. All parts
// must be open.
func (c *Contents) Warm(ctx context.Context) error {
	for _, ix := range []*search.Searcher{c.Species, c.Formulas, c.Papers, c.Herbs} {
		if err := ix.Warm(ctx); err != nil {
			return fmt.Errorf("warm up: %w", err)
		}
	}
	// A name that nothing is like looks everywhere.
	_, err := c.Names.Match(names.Query{Name: "Qwxqz xqzvw"})
	return err
}

// Close closes what is open. Nothing may be read then or later.
func (c *Contents) Close() error {
	var errs []error
	for i := range c.open {
		errs = append(errs, c.open[len(c.open)-1-i].Close())
	}
	return errors.Join(errs...)
}
