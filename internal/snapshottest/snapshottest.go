// Package snapshottest writes the files of small snapshots for tests, as the
// nightly job writes those of large ones.
package snapshottest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/names"
	"bencao/store"
)

// Write writes a snapshot into a folder of the test's own: the store, the four
// indexes and the names file, with some names of WCVP.
func Write(tb testing.TB, d *store.Data, wcvp ...names.Usage) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	if err := write(dir, d, wcvp); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Shared is a snapshot that is written once for all tests of a package, which open
// it and do not change it.
type Shared struct {
	Data func() *store.Data
	WCVP []names.Usage

	once sync.Once
	dir  string
	err  error
}

// Dir returns the folder of the snapshot.
func (s *Shared) Dir(tb testing.TB) string {
	tb.Helper()
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "snapshottest"); s.err == nil {
			s.err = write(s.dir, s.Data(), s.WCVP)
		}
	})
	if s.err != nil {
		tb.Fatal(s.err)
	}
	return s.dir
}

// Run is the TestMain of the package: it runs the tests and removes the snapshot.
func (s *Shared) Run(m *testing.M) {
	code := m.Run()
	if s.dir != "" {
		if err := os.RemoveAll(s.dir); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

func write(dir string, d *store.Data, wcvp []names.Usage) error {
	ctx := context.Background()
	return errors.Join(
		store.Write(ctx, filepath.Join(dir, "store.bolt"), d, nil),
		index.Build(ctx, filepath.Join(dir, mappings.SpeciesDir), mappings.Species, d.Species),
		index.Build(ctx, filepath.Join(dir, mappings.FormulasDir), mappings.Formulas, d.Formulas),
		index.Build(ctx, filepath.Join(dir, mappings.PapersDir), mappings.Papers, d.Papers),
		index.Build(ctx, filepath.Join(dir, mappings.HerbsDir), mappings.Herbs, d.Herbs),
		writeNames(filepath.Join(dir, "names.idx"), d.Species, wcvp))
}

func writeNames(path string, species []store.Species, wcvp []names.Usage) error {
	b := names.NewBuilder()
	for _, s := range species {
		r := names.Record{
			EntryID: s.EntryID, GUID: s.GUID, ChineseName: s.ChineseName, Pinyin: s.ChineseNamePinyin,
			ScientificName: s.ScientificName, Author: s.Author, Rank: s.Rank, Family: s.Family,
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
