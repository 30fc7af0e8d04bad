package indexer_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestHerbsLead follows herbs of all kinds from the package to the answers, the
// report and the findings.
func TestHerbsLead(t *testing.T) {
	pkg := tiny()
	pkg["herb_species.csv"] = &fstest.MapFile{Data: []byte(strings.Join([]string{
		"herb,species_id,plain,from_year,to_year",
		"人参,2,,,1000", // of two species, one after the other
		"人参,1,,1001,",
		"甘草,3,,,",
		"国老,,甘草,,", // another name of a plant
		"石膏,,,,",   // no plant
		"细石,,石膏,,", // another name of what is none
	}, "\n") + "\n")}
	pkg["formula_ingredients.csv"] = &fstest.MapFile{Data: []byte(strings.Join([]string{
		"formula_id,seq,herb,dose,note",
		"1,1,人参,三两,", "1,2,国老,三两,", "1,3,人参炙甘草,,", "1,4,石膏,,", "1,5,细石,,",
		"2,1,人参,,", "2,2,鬼臼,,", "2,3,鬼臼,,", "2,4,等分,,", "2,5,则病愈,,", "2,6,炙漆,,",
		"3,1,人参,,",
	}, "\n") + "\n")}
	cfg := config(t, pkg)
	r := mustRun(t, cfg)
	tx := current(t, cfg.Data)
	leads := map[string][]string{}
	for n := range store.Num(tx.Count(store.TableFormulas)) {
		f := decode[store.FormulaDetail](t, tx.FormulaDetail(n))
		for _, in := range f.Ingredients {
			var species []string
			for _, s := range in.Species {
				species = append(species, string(s.ScientificName))
			}
			slices.Sort(species)
			leads[string(f.Name)+" "+in.Herb] = species
		}
	}
	// 人参汤 is of 219, 独参汤 of 1348, 空方 of an unknown year.
	ginseng, american, licorice := "Panax ginseng", "Panax quinquefolius", "Glycyrrhiza uralensis"
	want := map[string][]string{
		"人参汤 人参": {ginseng}, "人参汤 国老": {licorice}, "人参汤 人参炙甘草": {licorice, ginseng}, "人参汤 石膏": nil, "人参汤 细石": nil,
		"独参汤 人参": {american}, "独参汤 鬼臼": nil, "独参汤 等分": nil, "独参汤 则病愈": nil, "独参汤 炙漆": nil,
		"空方 人参": {ginseng, american},
	}
	if diff := cmp.Diff(want, leads); diff != "" {
		t.Errorf("species of ingredients (-want +got):\n%s", diff)
	}
	report := indexer.HerbReport{Linked: 5, NoPlant: 2, Unlinked: 5, Together: 1, Doubtful: 3, Once: 2, First: []indexer.HerbCount{{Herb: "鬼臼", Count: 2}}}
	if diff := cmp.Diff(report, r.Herbs); diff != "" {
		t.Errorf("report of herbs (-want +got):\n%s", diff)
	}
	var found []string
	for _, row := range findings(t, cfg.Data) {
		if row[2] == "formula_ingredients" {
			found = append(found, row[1]+" "+row[6]+": "+row[7])
		}
	}
	wantFound := []string{
		"herb 等分: formula 2, ingredient 4: an instruction, no herb",
		"herb 则病愈: formula 2, ingredient 5: reads like a piece of a sentence, and stands only once",
		"herb 炙漆: formula 2, ingredient 6: one character is left of it",
		"unlinked 鬼臼: stands in 2 ingredients and leads to no species",
	}
	if diff := cmp.Diff(wantFound, found); diff != "" {
		t.Errorf("findings of herbs (-want +got):\n%s", diff)
	}
}
