package names_test

import (
	"testing"

	"bencao/names"
)

// TestOtherLife checks that names of animals, fungi, algae and bacteria do not match plants as
// misspelt names. A plant whose name resembles that of a little-known animal must still be found.
func TestOtherLife(t *testing.T) {
	ix := smallIndex(t,
		names.Usage{ID: "1", Name: "Rapanea venosa", Author: "(A.DC.) Mez", Status: names.Accepted},
		names.Usage{ID: "2", Name: "Pilea japonica", Author: "(Maxim.) Hand.-Mazz.", Status: names.Accepted},
		names.Usage{ID: "3", Name: "Gardenia ovularis", Author: "F.M.Bailey", Status: names.Accepted},
		names.Usage{ID: "4", Name: "Cornus canadensis", Author: "L.", Status: names.Accepted},
		names.Usage{ID: "5", Name: "Ficus wrightii", Author: "Warb.", Status: names.Accepted},
		names.Usage{ID: "6", Name: "Ilex argentina", Author: "Lillo", Status: names.Accepted},
		names.Usage{ID: "7", Name: "Scleria bicolor", Author: "Nelmes", Status: names.Accepted},
		names.Usage{ID: "8", Name: "Delphinium elatum", Author: "L.", Status: names.Accepted},
		names.Usage{ID: "9", Name: "Artemisia annua", Author: "L.", Status: names.Accepted},
		names.Usage{ID: "10", Name: "Fuchsia magellanica", Author: "Lam.", Status: names.Accepted},
	)
	for _, tt := range []struct {
		name  string
		score float64 // 0 means that there must be no answer
		want  string
	}{
		{"Rapana venosa", 0, ""},
		{"Rapana venosa (Valenciennes, 1846)", 0, ""},
		{"Nibea japonica", 0, ""},
		{"Ceruus canadensis", 0, ""}, // misspelt Cervus, a genus of deer
		{"Fucus wrightii", 0, ""},
		{"Illex argentinus", 0.65, "Ilex argentina"},
		{"Acleris bicolor", 0, ""},
		{"Gardinia ovularis", 0.65, "Gardenia ovularis"}, // one letter differs from a little-known genus of shells
		{"Gardinea ovularis", 0.77, "Gardenia ovularis"}, // is not a genus of animals
		{"Delphinus elatum", 0, ""},
		{"Delphinum elatum", 0.89, "Delphinium elatum"},       // ends otherwise than the genus of dolphins
		{"Artemesia annua", 0.89, "Artemisia annua"},          // plant lists write the genus so
		{"Fuschia magellanica", 0.77, "Fuchsia magellanica"},  // letters in another order
		{"Rapana venosa (A.DC.) Mez", 0.94, "Rapanea venosa"}, // the author of the plant decides
		{"Rapanea venosa", 0.98, "Rapanea venosa"},            // the exact name of the plant
	} {
		r := match(ix, tt.name, "")
		if len(r.Results) == 0 {
			if tt.want != "" {
				t.Errorf("%s: nothing, want %s", tt.name, tt.want)
			}
			continue
		}
		if e := r.Results[0]; string(e.MatchedName) != tt.want || e.Score != tt.score {
			t.Errorf("%s: %s %.2f, want %q, %.2f", tt.name, e.MatchedName, e.Score, tt.want, tt.score)
		}
	}
}

// smallIndex returns an index of one checklist with a few names.
func smallIndex(t *testing.T, usages ...names.Usage) *names.Index {
	t.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for _, u := range usages {
		must(t, c.Add(u))
	}
	b.HerbNames()
	return built(t, b)
}
