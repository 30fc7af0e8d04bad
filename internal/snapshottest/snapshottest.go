// Package snapshottest writes the files of small snapshots for tests, as the
// nightly job writes those of large ones.
package snapshottest

import (
	"context"
	"path/filepath"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/names"
	"bencao/store"
)

// Write writes the store, the four indexes and the names file, with some names of
// WCVP, and returns their directory.
func Write(tb testing.TB, d *store.Data, wcvp ...names.Usage) string {
	tb.Helper()
	dir, ctx := tb.TempDir(), context.Background()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	must(store.Write(ctx, filepath.Join(dir, "store.bolt"), d, nil))
	must(index.Build(ctx, filepath.Join(dir, mappings.SpeciesDir), mappings.Species, d.Species))
	must(index.Build(ctx, filepath.Join(dir, mappings.FormulasDir), mappings.Formulas, d.Formulas))
	must(index.Build(ctx, filepath.Join(dir, mappings.PapersDir), mappings.Papers, d.Papers))
	must(index.Build(ctx, filepath.Join(dir, mappings.HerbsDir), mappings.Herbs, d.Herbs))
	b := names.NewBuilder()
	for _, s := range d.Species {
		r := names.Record{
			EntryID: s.EntryID, GUID: s.GUID, ChineseName: s.ChineseName, Pinyin: s.ChineseNamePinyin,
			ScientificName: s.ScientificName, Author: s.Author, Rank: s.Rank, Family: s.Family,
		}
		for _, syn := range s.Synonyms {
			r.Synonyms = append(r.Synonyms, names.RecordSynonym{Name: syn.Name, Author: syn.Author, Rank: "species"})
		}
		must(b.Record(r))
	}
	list := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "v13"})
	for _, u := range wcvp {
		must(list.Add(u))
	}
	must(b.WriteFile(filepath.Join(dir, "names.idx")))
	return dir
}
