package names_test

import (
	"slices"
	"testing"

	"bencao/names"
)

// TestHemihomonyms checks that the name of a genus of plants has a low score if a genus of animals
// has the same name. The names of its species, and the genus with its author or its family, have
// normal scores. The names of these animals have no answers, unless the author or the family is that
// of a plant.
func TestHemihomonyms(t *testing.T) {
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for _, u := range []names.Usage{
		{ID: "1", AcceptedID: "1", Name: "Prunella", Author: "L.", Rank: "genus", Status: names.Accepted, Family: "Lamiaceae"},
		{ID: "2", AcceptedID: "2", Name: "Prunella vulgaris", Author: "L.", Rank: "species", Status: names.Accepted, Family: "Lamiaceae"},
		{ID: "3", AcceptedID: "3", Name: "Panax", Author: "L.", Rank: "genus", Status: names.Accepted, Family: "Araliaceae"},
		{ID: "4", AcceptedID: "4", Name: "Glaucidium palmatum", Author: "Siebold & Zucc.", Rank: "species", Status: names.Accepted, Family: "Ranunculaceae"},
	} {
		must(t, c.Add(u))
	}
	ix := built(t, b)
	for _, tt := range []struct {
		query names.Query
		score float64
		flag  bool
	}{
		{names.Query{Name: "Prunella"}, 0.60, true},
		{names.Query{Name: "PRUNELLA"}, 0.60, true},
		{names.Query{Name: "Prunella", Author: "L."}, 1, false},
		{names.Query{Name: "Prunella", Family: "Lamiaceae"}, 0.98, false},
		{names.Query{Name: "Prunella", Kingdom: "Plantae"}, 0.98, false},
		{names.Query{Name: "Prunella vulgaris"}, 0.98, false},
		{names.Query{Name: "Prunella sp."}, 0.20, false},
		{names.Query{Name: "Prunella ignota"}, 0.20, true},
		{names.Query{Name: "Panax"}, 0.98, false},
		{names.Query{Name: "Panax panax"}, 0.20, false},
		{names.Query{Name: "Prunella modularis", Family: "Lamiaceae"}, 0.20, false},
		{names.Query{Name: "Prunella modularis", Family: "唇形科"}, 0.20, false},
		{names.Query{Name: "Glaucidium palmarum Siebold & Zucc."}, 0.97, false},
		{names.Query{Name: "Glaucidium palmarum", Family: "Ranunculaceae"}, 0.92, false},
	} {
		r, err := ix.Match(tt.query)
		if err != nil || len(r.Results) == 0 {
			t.Errorf("%+v: %d results, error %v", tt.query, len(r.Results), err)
			continue
		}
		e := r.Results[0]
		if flag := slices.Contains(e.Flags, "homonym"); e.Score != tt.score || flag != tt.flag {
			t.Errorf("%+v: %.2f %v, want %.2f, homonym %v", tt.query, e.Score, e.Flags, tt.score, tt.flag)
		}
	}
	for _, q := range []names.Query{
		{Name: "Prunella", Family: "Prunellidae"}, {Name: "Prunella vulgaris L.", Family: "Prunellidae"}, {Name: "Prunella sp.", Kingdom: "Animalia"},
		{Name: "Prunella vulgaris", Kingdom: "动物界"}, {Name: "Prunelidae Prunella vulgaris"}, {Name: "Prunella vulgaris", Kingdom: "Fungi"},
	} {
		if r, err := ix.Match(q); err != nil || len(r.Results) > 0 {
			t.Errorf("%+v: %s, error %v; want nothing", q, render(r), err)
		}
	}
	for _, q := range []names.Query{{Name: "Prunella vulgaris", Kingdom: "Plantae"}, {Name: "Prunella vulgaris", Kingdom: "植物界"}, {Name: "Prunella vulgaris", Kingdom: "?"}, {Name: "Prunella vulgaris", Family: "Asteridae"}} {
		if r, err := ix.Match(q); err != nil || len(r.Results) == 0 || r.Results[0].Score != 0.98 {
			t.Errorf("%+v: %s, error %v; want 0.98", q, render(r), err)
		}
	}
	for _, animal := range []string{"Prunella modularis", "Prunella modularis (Linnaeus, 1758)", "Prunella modularis modularis", "Prunella prunella", "Glaucidium palmarum", "Glaucidium palmarum Nelson, 1897"} {
		if r := match(ix, animal, ""); len(r.Results) > 0 {
			t.Errorf("%s: %s, want nothing", animal, r.Results[0].MatchedName)
		}
	}
}
