package names_test

import (
	"path/filepath"
	"testing"

	"bencao/names"
	"bencao/names/internal/vocabulary"
)

// hinted returns an index of a few names that hints distinguish.
func hinted(t *testing.T) *names.Index {
	t.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "1"})
	for _, u := range []names.Usage{
		{ID: "1", Name: "Rosa", Rank: "genus", Status: names.Accepted},
		{ID: "2", Name: "Acer", Author: "L.", Rank: "genus", Status: names.Accepted},
		{ID: "3", Name: "Poa chinensis", Author: "Trin.", Rank: "species", Status: names.Synonym, AcceptedID: "4"},
		{ID: "4", Name: "Poa trivialis", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "5", Name: "Poa chinensis", Author: "Steud.", Rank: "species", Status: names.Accepted},
		{ID: "6", Name: "Oryza sativa", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "7", Name: "Gossypium hirsutum", Author: "L.", Rank: "species", Status: names.Accepted},
		{ID: "8", Name: "Gossypium arboreum", Author: "L.", Rank: "species", Status: names.Accepted},
	} {
		if err := c.Add(u); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range []names.Record{
		{ChineseName: "普通早熟禾", ScientificName: "Poa trivialis", Author: "L.", Rank: "species"},
		{ChineseName: "稻", ScientificName: "Oryza sativa", Author: "L.", Rank: "species"},
		{ChineseName: "陆地棉", ScientificName: "Gossypium hirsutum", Author: "L.", Rank: "species"},
		{ChineseName: "树棉", ScientificName: "Gossypium arboreum", Author: "L.", Rank: "species"},
	} {
		r.EntryID = int32(i + 1)
		if err := b.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "names.idx")
	if err := b.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	ix, err := names.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// A region decides between homonyms without author: the plant that grows there is meant.
func TestRegion(t *testing.T) {
	ix := hinted(t)
	for _, tt := range []struct {
		q        names.Query
		accepted string
		score    float64
	}{
		{names.Query{Name: "Poa chinensis"}, "Poa chinensis", 0.75},
		{names.Query{Name: "Poa chinensis", Region: names.RegionChina}, "Poa trivialis", 0.90},
		{names.Query{Name: "Poa chinensis Steud.", Region: names.RegionChina}, "Poa chinensis", 1},
		{names.Query{Name: "Oryza sativa", Region: names.RegionChina}, "Oryza sativa", 0.98},
	} {
		r, err := ix.Match(tt.q)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) == 0 || string(r.Results[0].AcceptedName) != tt.accepted || r.Results[0].Score != tt.score {
			t.Errorf("%+v: %s, want %s at %.2f", tt.q, render(r), tt.accepted, tt.score)
		}
	}
	if _, err := ix.Match(names.Query{Name: "Poa chinensis", Region: "mars"}); err == nil {
		t.Error("the region mars is taken")
	}
}

// Capitalised words after a genus alone may be a cultivar: nothing shows that they are the author.
func TestGenusWithWords(t *testing.T) {
	ix := hinted(t)
	for _, tt := range []struct {
		q    names.Query
		most float64
	}{
		{names.Query{Name: "Rosa Peace"}, 0.60},
		{names.Query{Name: "Acer Crimson King"}, 0.60},
		{names.Query{Name: "Rosa L."}, 0.98},
		{names.Query{Name: "Rosa Linnaeus"}, 0.98},
		{names.Query{Name: "Rosa", Author: "Peace"}, 0.98},
		{names.Query{Name: "Acer L."}, 1},
	} {
		r, err := ix.Match(tt.q)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) != 1 || r.Results[0].Score != tt.most {
			t.Errorf("%+v: %s, want %.2f", tt.q, render(r), tt.most)
		}
	}
}

// The everyday name of a crop counts as an alias, of all crops with this name.
func TestCrops(t *testing.T) {
	ix := hinted(t)
	for name, want := range map[string]int{"水稻": 1, "棉花": 2, "稻": 1} {
		r, err := ix.Match(names.Query{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) != want || (r.MatchedVia == vocabulary.ViaChineseAlias) != (name != "稻") {
			t.Errorf("%s: %s, want %d plants", name, render(r), want)
		}
	}
}
