package indexer_test

import (
	"context"
	"strings"
	"testing"

	"bencao/names/region"
	"bencao/store"
	"bencao/store/snapshot"
)

// TestRegions builds the sample twice in one folder. The operator's table of regions, which moves
// Taiwan and renames it, makes a new snapshot, which gives the names and parents of the table.
func TestRegions(t *testing.T) {
	cfg := sampleConfig(t)
	check := func(name, parent string) {
		t.Helper()
		mustRun(t, cfg)
		tx := current(t, cfg.Data)
		s, err := snapshot.At(cfg.Data).OpenCurrent(context.Background())
		must(t, err)
		defer func() { must(t, s.Close()) }()
		st, err := store.Open(s.Path("store.bolt"))
		must(t, err)
		defer func() { must(t, st.Close()) }()
		regions, err := st.Regions()
		must(t, err)
		taxa, err := store.OpenTaxa(s.Path(store.TaxaName))
		must(t, err)
		defer func() { must(t, taxa.Close()) }()
		found := 0
		for n := range store.Num(tx.Count(store.TableSpecies)) {
			listings, err := tx.SpeciesListings(n)
			must(t, err)
			d, err := taxa.Distribution(listings, regions)
			must(t, err)
			for _, a := range d.Areas {
				if a.Code != "TAI" {
					continue
				}
				if found++; string(a.NameChinese) != name || string(a.Parent) != parent {
					t.Errorf("TAI is %s in %s, want %s in %s", a.NameChinese, a.Parent, name, parent)
				}
			}
		}
		if found == 0 {
			t.Error("no species of the sample grows in TAI")
		}
	}
	check("台湾", "38")
	var err error
	cfg.Regions, err = region.Parse("my.txt", []byte(moved(t, string(region.Default().Text()), "TAI | 38 | Taiwan | 台湾 | TW |", "TAI | 36 | Taiwan, China | 中国台湾 | CN |")))
	must(t, err)
	check("中国台湾", "36")
}

// moved replaces the beginning of a line of a table.
func moved(t *testing.T, text, line, by string) string {
	t.Helper()
	if !strings.Contains(text, "\n"+line) {
		t.Fatalf("the table has no line %s", line)
	}
	return strings.Replace(text, "\n"+line, "\n"+by, 1)
}
