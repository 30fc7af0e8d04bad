package mappings_test

import (
	"path/filepath"
	"slices"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// TestSearchedFacet adds one row with Facet to the table of species and checks that the field can
// be searched, filtered and counted.
func TestSearchedFacet(t *testing.T) {
	fields := append(slices.Clone(mappings.Species), mappings.Field[store.Species]{
		Name: "author", Analyzer: mappings.Chinese, Tiers: mappings.Tiers{mappings.Whole: 70}, Facet: true,
		Values: func(s *store.Species) []string { return []string{string(s.Author)} },
	})
	if got := mappings.Facets(fields); !slices.Contains(got, "author") {
		t.Errorf("facets are %v; want author among them", got)
	}
	dir := filepath.Join(t.TempDir(), "species")
	records := []store.Species{{SpeciesDetail: store.SpeciesDetail{ChineseName: "人参", Author: "李·時珍"}}, {SpeciesDetail: store.SpeciesDetail{ChineseName: "三七", Author: "李·時珍"}}, {SpeciesDetail: store.SpeciesDetail{ChineseName: "当归"}}}
	must(t, index.Build(t.Context(), dir, fields, records))
	ix, err := search.Open(dir, fields)
	must(t, err)
	defer ix.Close()
	for _, q := range []search.Query{
		{Text: "李时珍", Size: 10},
		{Filters: []search.Filter{{Field: "author", Any: []string{"李时珍"}}}, Size: 10},
	} {
		if hits, err := ix.Search(t.Context(), q); err != nil || !slices.Equal(hits.Nums, []store.Num{0, 1}) {
			t.Errorf("%+v finds %v, %v; want records 0 and 1", q, hits.Nums, err)
		}
	}
	counted, told, err := ix.Facets(t.Context(), search.Query{}, []string{"author"}, 10)
	if err != nil || told.Total != 3 || len(counted[0].Counts) != 1 || counted[0].Counts[0] != (search.ValueCount{Value: "李·時珍", Count: 2}) || counted[0].Without != 1 {
		t.Errorf("facets are %+v of %d, %v; want the author as given, twice", counted, told.Total, err)
	}
}
