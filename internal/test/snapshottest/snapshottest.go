// Package snapshottest writes small snapshots for tests, with the files that the
// indexer writes. It does not know the indexer. Begin with [Write], or with [Shared]
// for one snapshot per package.
package snapshottest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bencao/internal/test/leak"
	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/patterns"
	"bencao/names"
	"bencao/store"
)

// ListWCVP is the number of the checklist WCVP.
const ListWCVP = 1

// Write writes a snapshot into a temporary folder: the store, the four indexes, the names file and
// the taxa. The names file has the names of the species in d and, as names of the checklist WCVP, the
// names in wcvp.
func Write(tb testing.TB, d *store.Data, wcvp ...names.Usage) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	if err := write(dir, d, wcvp, nil); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Shared is a snapshot for all tests of a package. It is written once. Tests must not change it.
type Shared struct {
	Data func() *store.Data
	WCVP []names.Usage
	// Places maps ids of WCVP to where the plants grow.
	Places map[string][]store.Place
	// Before lists older versions of the data, the oldest first. It may be nil.
	Before []Version

	once sync.Once
	dir  string
	err  error
}

// Version is an older version of the data.
type Version struct {
	ID   string
	Data func() *store.Data
}

// Dir returns the folder of the snapshot. The first call writes the snapshot.
func (s *Shared) Dir(tb testing.TB) string {
	tb.Helper()
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "snapshottest"); s.err == nil {
			s.err = errors.Join(write(s.dir, s.Data(), s.WCVP, s.Places), writeChanges(s.dir, s.Before))
		}
	})
	if s.err != nil {
		tb.Fatal(s.err)
	}
	return s.dir
}

// Run runs the tests of a package, calls the given functions and removes the snapshot. TestMain calls
// it.
func (s *Shared) Run(m *testing.M, after ...func() error) {
	leak.Main(m, append(after, func() error { return os.RemoveAll(s.dir) })...)
}

func write(dir string, d *store.Data, wcvp []names.Usage, places map[string][]store.Place) error {
	ctx := context.Background()
	d.Patterns = patterns.Build(d)
	return errors.Join(
		store.Write(ctx, filepath.Join(dir, "store.bolt"), d, nil),
		index.Build(ctx, filepath.Join(dir, mappings.SpeciesDir), mappings.Species, d.Species),
		index.Build(ctx, filepath.Join(dir, mappings.FormulasDir), mappings.Formulas, d.Formulas),
		index.Build(ctx, filepath.Join(dir, mappings.PapersDir), mappings.Papers, d.Papers),
		index.Build(ctx, filepath.Join(dir, mappings.HerbsDir), mappings.Herbs, d.Herbs),
		writeNames(filepath.Join(dir, "names.idx"), d.Species, wcvp),
		writeTaxa(ctx, filepath.Join(dir, store.TaxaName), wcvp, places))
}

func writeTaxa(ctx context.Context, path string, wcvp []names.Usage, places map[string][]store.Place) (err error) {
	w, err := store.NewTaxaWriter(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, u := range wcvp {
		n := store.TaxonName{
			ID: u.ID, Name: u.Name, Author: u.Author, Rank: u.Rank, Status: string(u.Status), IPNI: u.IPNIID, WFO: u.WFOID,
			Publication: u.Publication, Published: u.Published, LifeForm: u.LifeForm, BasionymID: u.BasionymID, Area: u.Area, Reviewed: u.Reviewed, Homotypic: u.Homotypic,
		}
		if err := w.Add(n, u.AcceptedID); err != nil {
			return err
		}
	}
	for id, list := range places {
		for _, p := range list {
			if !w.Place(id, p) {
				return fmt.Errorf("places of %s, which is no name of WCVP", id)
			}
		}
	}
	return w.EndList(ListWCVP, store.TaxaList{Source: names.SourceWCVP, Release: "WCVP v13"})
}

func writeNames(path string, species []store.Species, wcvp []names.Usage) error {
	b := names.NewBuilder()
	for _, s := range species {
		r := names.Record{
			EntryID: s.EntryID, GUID: s.GUID, ChineseName: string(s.ChineseName), Pinyin: string(s.ChineseNamePinyin),
			ScientificName: string(s.ScientificName), Author: string(s.Author), Rank: string(s.Rank), Family: string(s.Family),
		}
		for _, syn := range s.Synonyms {
			r.Synonyms = append(r.Synonyms, names.RecordSynonym{Name: syn.Name, Author: syn.Author, Rank: "species"})
		}
		if err := b.Record(r); err != nil {
			return err
		}
	}
	list := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "v13"})
	for _, u := range wcvp {
		if err := list.Add(u); err != nil {
			return err
		}
	}
	return b.WriteFile(path)
}

// writeChanges writes the changes since older versions, as the indexer does.
func writeChanges(dir string, before []Version) (err error) {
	if len(before) == 0 {
		return nil
	}
	work, err := os.MkdirTemp("", "snapshottest")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	var older *store.Changes
	for i, v := range before {
		then := filepath.Join(work, v.ID+".bolt")
		if err := store.Write(context.Background(), then, v.Data(), nil); err != nil {
			return err
		}
		now, changes := filepath.Join(dir, store.FileName), filepath.Join(dir, store.ChangesName)
		if i+1 < len(before) {
			now, changes = filepath.Join(work, "next.bolt"), filepath.Join(work, v.ID+"."+store.ChangesName)
			if err := store.Write(context.Background(), now, before[i+1].Data(), nil); err != nil {
				return err
			}
		}
		if err := errors.Join(compare(changes, v.ID, then, now, older), older.Close()); err != nil {
			return err
		}
		if older, err = store.OpenChanges(changes); err != nil {
			return err
		}
		if i+1 < len(before) {
			if err := os.Remove(now); err != nil {
				return err
			}
		}
	}
	return older.Close()
}

// compare writes the differences between two stores.
func compare(path, before, then, now string, older *store.Changes) error {
	return store.View(then, func(then *store.Tx) error {
		return store.View(now, func(now *store.Tx) error {
			diffs := map[store.Table]store.Diff{}
			for _, t := range []store.Table{store.TableSpecies, store.TableFormulas, store.TablePapers, store.TableHerbs} {
				diffs[t] = store.Compare(t, then, now)
			}
			return store.WriteChanges(path, before, diffs, then, now, older)
		})
	})
}
