// Package indextest builds a snapshot of a data package and reads its records back, for tests of
// the packages that make a snapshot. It imports the indexer, so the indexer's tests cannot use it.
// Begin with [Sample].
package indextest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"bencao/indexer"
	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/snapshotfiles"
	"bencao/store"
	"bencao/store/snapshot"
)

// Build is a finished snapshot with its records.
type Build struct {
	Dir string // the snapshot's folder
	// The fields below are the records in the order of their numbers. A record has the fields that
	// the store's API responses contain. Species also have the synonyms and aliases that the
	// snapshot's data package gives.
	Species  []store.Species
	Formulas []store.Formula
	Papers   []store.Paper
	Herbs    []store.Herb
}

// Open opens the snapshot. The caller must close it.
func (b *Build) Open() (*snapshotfiles.Files, error) {
	return snapshotfiles.Open(b.Dir, snapshotfiles.All)
}

// WithChecklists builds a snapshot of the sample's data package and checklists, and of more
// checklists at the given paths. data is the data directory.
func WithChecklists(ctx context.Context, data string, more ...string) (*Build, error) {
	var lists []indexer.Input
	for _, c := range sample.Checklists() {
		lists = append(lists, indexer.Input{Path: c.Name, FS: c.FS})
	}
	for _, c := range more {
		lists = append(lists, indexer.Input{Path: c})
	}
	return run(ctx, data, indexer.Input{Path: "sample", FS: sample.Package()}, lists...)
}

// WithoutSample builds a snapshot of the sample's data package and of the checklists at the given
// paths alone.
func WithoutSample(ctx context.Context, data string, lists ...string) (*Build, error) {
	var all []indexer.Input
	for _, path := range lists {
		all = append(all, indexer.Input{Path: path})
	}
	return run(ctx, data, indexer.Input{Path: "sample", FS: sample.Package()}, all...)
}

// Shared is a snapshot for all tests of a package, usually of the sample's data package and checklists.
// It is built once. Tests must not change it.
type Shared struct {
	once  sync.Once
	data  string
	build *Build
	err   error
}

// Dir returns the folder of the snapshot. The first call builds the snapshot.
func (s *Shared) Dir(tb testing.TB) string {
	tb.Helper()
	return s.dir(tb, func(data string) (*Build, error) { return WithChecklists(context.Background(), data) })
}

// Of is like [Shared.Dir] for a snapshot of the data package at a path, without checklists.
func (s *Shared) Of(tb testing.TB, path string) string {
	tb.Helper()
	return s.dir(tb, func(data string) (*Build, error) { return Run(context.Background(), data, path) })
}

func (s *Shared) dir(tb testing.TB, build func(data string) (*Build, error)) string {
	tb.Helper()
	s.once.Do(func() {
		if s.data, s.err = os.MkdirTemp("", "indextest"); s.err == nil {
			s.build, s.err = build(s.data)
		}
	})
	if s.err != nil {
		tb.Fatal(s.err)
	}
	return s.build.Dir
}

// Remove removes the snapshot. TestMain calls it after the tests.
func (s *Shared) Remove() error { return os.RemoveAll(s.data) }

// Run builds a snapshot of the data package and the checklists at the given paths. data is the data
// directory.
func Run(ctx context.Context, data, path string, checklists ...string) (*Build, error) {
	var lists []indexer.Input
	for _, c := range checklists {
		lists = append(lists, indexer.Input{Path: c})
	}
	return run(ctx, data, indexer.Input{Path: path}, lists...)
}

// Public builds a complete snapshot of the sample's data package in the folder complete, and a public
// one in the folder public.
func Public(ctx context.Context, complete, public string) error {
	_, err := indexer.Run(ctx, indexer.Config{Data: complete, Public: public, Package: indexer.Input{Path: "sample", FS: sample.Package()}}, indexer.Options{})
	return err
}

// run builds a snapshot and reads its records.
func run(ctx context.Context, data string, pkg indexer.Input, lists ...indexer.Input) (b *Build, err error) {
	if _, err := indexer.Run(ctx, indexer.Config{Data: data, Package: pkg, Checklists: lists}, indexer.Options{}); err != nil {
		return nil, err
	}
	snap, err := snapshot.At(data).OpenCurrent(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	b = &Build{Dir: snap.Path("")}
	return b, errors.Join(store.View(snap.Path(store.FileName), b.readStore), b.readPackage(ctx, snap.Path(indexer.PackageFile)))
}

// readStore reads the records from the API responses in the store.
func (b *Build) readStore(tx *store.Tx) error {
	for i := range store.Num(tx.Count(store.TableSpecies)) {
		var a store.SpeciesDetail
		if err := json.Unmarshal(tx.SpeciesDetail(i).Append(nil, "", 0), &a); err != nil {
			return fmt.Errorf("species %d: %w", i, err)
		}
		b.Species = append(b.Species, store.Species{Num: i, SpeciesDetail: a})
	}
	for i := range store.Num(tx.Count(store.TableFormulas)) {
		var a store.FormulaDetail
		if err := json.Unmarshal(tx.FormulaDetail(i, 0).Append(nil, "", 0), &a); err != nil {
			return fmt.Errorf("formula %d: %w", i, err)
		}
		b.Formulas = append(b.Formulas, store.Formula{Num: i, FormulaDetail: a})
	}
	for i := range store.Num(tx.Count(store.TablePapers)) {
		var a store.PaperSummary
		if err := json.Unmarshal(tx.PaperSummary(i).Append(nil, "", 0), &a); err != nil {
			return fmt.Errorf("paper %d: %w", i, err)
		}
		b.Papers = append(b.Papers, store.Paper{Num: i, PaperSummary: a})
	}
	for i := range store.Num(tx.Count(store.TableHerbs)) {
		var a store.HerbDetail
		if err := json.Unmarshal(tx.HerbDetail(i).Append(nil, "", store.Composition), &a); err != nil {
			return fmt.Errorf("herb %d: %w", i, err)
		}
		h := store.Herb{
			Num: i, GUID: a.GUID, Name: a.Name, NamePinyin: string(a.NamePinyin), Latin: a.LatinNames, Forms: a.ProcessedForms,
			Parts: a.Parts, Kind: string(a.Kind), NoPlant: a.NoPlant, Absent: a.Absent, Formulas: tx.HerbFormulas(i),
		}
		for _, name := range a.Aliases {
			h.Aliases = append(h.Aliases, store.HerbName{Reading: store.Reading{Name: name}})
		}
		for _, s := range a.Species {
			n, ok := tx.SpeciesNum(s.GUID)
			if !ok {
				return fmt.Errorf("herb %d comes from a species %s that is not there", i, s.GUID)
			}
			h.Species = append(h.Species, store.HerbSource{Species: n, ChineseName: string(s.ChineseName), ScientificName: string(s.ScientificName)})
		}
		b.Herbs = append(b.Herbs, h)
	}
	return nil
}

// readPackage adds the synonyms and aliases of species from the data package in a file.
func (b *Build) readPackage(ctx context.Context, file string) (err error) {
	zip, err := archive.Open(file, archive.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, zip.Close()) }()
	pkg, err := datapackage.Read(ctx, zip, datapackage.Options{}, &finding.Log{})
	if err != nil {
		return err
	}
	byID := make(map[int32]*store.Species, len(b.Species))
	for i := range b.Species {
		byID[b.Species[i].EntryID] = &b.Species[i]
	}
	for _, s := range pkg.Species {
		byID[s.EntryID].Aliases, byID[s.EntryID].Synonyms = s.Aliases, s.Synonyms
	}
	return nil
}
