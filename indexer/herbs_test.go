package indexer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestHerbsResolve follows herbs of all kinds from the package to the API responses, the report and
// the findings.
func TestHerbsResolve(t *testing.T) {
	pkg := tiny()
	pkg["herb_species.csv"] = &fstest.MapFile{Data: []byte(strings.Join([]string{
		"herb,species_id,plain,from_year,to_year",
		"人参,2,,,1000", // 人参 is species 2 up to the year 1000, and species 1 later
		"人参,1,,1001,",
		"甘草,3,,,",
		"国老,,甘草,,", // another name of a plant
		"石膏,,,,",   // not a plant
		"细石,,石膏,,", // another name of something that is not a plant
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
		f := decode[store.FormulaDetail](t, tx.FormulaDetail(n, store.Composition|store.Similarity))
		for _, in := range f.Ingredients {
			var species []string
			for _, s := range in.Species {
				species = append(species, string(s.ScientificName))
			}
			slices.Sort(species)
			leads[string(f.Name)+" "+in.Herb] = species
		}
	}
	// 人参汤 dates from 219, 独参汤 from 1348; the year of 空方 is unknown.
	ginseng, american, licorice := "Panax ginseng", "Panax quinquefolius", "Glycyrrhiza uralensis"
	want := map[string][]string{
		"人参汤 人参": {ginseng}, "人参汤 国老": {licorice}, "人参汤 人参炙甘草": {licorice, ginseng}, "人参汤 石膏": nil, "人参汤 细石": nil,
		"独参汤 人参": {american}, "独参汤 鬼臼": nil, "独参汤 等分": nil, "独参汤 则病愈": nil, "独参汤 炙漆": nil,
		"空方 人参": {ginseng, american},
	}
	if diff := cmp.Diff(want, leads); diff != "" {
		t.Errorf("species of ingredients (-want +got):\n%s", diff)
	}
	// Twelve records have a species: 人参, 西洋参, 甘草, and nine parts and processed forms. Two records
	// have none: 鬼臼, which is unknown, and 紫草, because 紫草茸, which is no plant, is a kind of it.
	if sourced, rest := r.Herbs.Sourced, r.Herbs.Records-r.Herbs.Sourced-r.Herbs.NoPlants; sourced != 12 || rest != 2 || r.Herbs.NoPlants < 200 {
		t.Errorf("records of herbs: %+v", r.Herbs)
	}
	r.Herbs.Records, r.Herbs.Sourced, r.Herbs.NoPlants = 0, 0, 0
	report := indexer.HerbReport{
		Linked: 5, NoPlant: 2, Unlinked: 5, Together: 1, Doubtful: 3, Once: 2, First: []indexer.HerbCount{{Herb: "鬼臼", Count: 2}},
		Merged:     []indexer.MergedName{{Name: "国老", Herb: "甘草", Formulas: 1, Source: "herb_species"}, {Name: "细石", Herb: "石膏", Formulas: 1, Source: "herb_species"}},
		Candidates: []indexer.HerbCandidate{},
	}
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
		"herb 等分: formula 2, ingredient 4: an instruction, not a herb",
		"herb 则病愈: formula 2, ingredient 5: reads like a part of a sentence, and occurs only once",
		"herb 炙漆: formula 2, ingredient 6: only one character of the name remains",
		"unlinked 鬼臼: occurs in 2 ingredients and resolves to no species: it comes from Dysosma versipellis or Sinopodophyllum hexandrum, which the package does not have",
	}
	if diff := cmp.Diff(wantFound, found); diff != "" {
		t.Errorf("findings of herbs (-want +got):\n%s", diff)
	}
}

// TestUnderstoodNames checks that no finding asks for a row for a name that names/herb understands: slips,
// Korean and English names, words that join two herbs. If the package lacks the plant, the finding names it.
func TestUnderstoodNames(t *testing.T) {
	pkg := tiny()
	rows := []string{"formula_id,seq,herb,dose,note"}
	for i, name := range []string{"인삼", "감초", "ginseng", "Licorice Root", "人参甘草", "石羔", "泽夕", "丁香", "鬼臼", "龙芝草"} {
		for k := range 2 {
			rows = append(rows, fmt.Sprintf("%d,%d,%s,,", k+1, i+1, name))
		}
	}
	pkg["formula_ingredients.csv"] = &fstest.MapFile{Data: []byte(strings.Join(rows, "\n") + "\n")}
	cfg := config(t, pkg)
	mustRun(t, cfg)
	var found []string
	for _, row := range findings(t, cfg.Data) {
		if row[2] == "formula_ingredients" {
			found = append(found, row[6]+": "+row[7]+"; "+row[8])
		}
	}
	want := []string{
		"丁香: occurs in 2 ingredients and resolves to no species: it comes from Eugenia caryophyllata, which the package does not have; add the species to species.csv, or a row to herb_species with a species that the package has",
		"泽泻: occurs in 2 ingredients and resolves to no species: it comes from Alisma orientale or Alisma plantago-aquatica, which the package does not have; add the species to species.csv, or a row to herb_species with a species that the package has",
		"鬼臼: occurs in 2 ingredients and resolves to no species: it comes from Dysosma versipellis or Sinopodophyllum hexandrum, which the package does not have; add the species to species.csv, or a row to herb_species with a species that the package has",
		"龙芝草: occurs in 2 ingredients and resolves to no species; add a row to herb_species: with its species; without a species if it is not a plant; or with its plain name in the column plain",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings of herbs (-want +got):\n%s", diff)
	}
}

// TestHerbRecords checks the records of herbs of all kinds.
func TestHerbRecords(t *testing.T) {
	pkg := tiny()
	pkg["herb_species.csv"] = &fstest.MapFile{Data: []byte(strings.Join([]string{
		"herb,species_id,part,authority,preferred,plain,from_year,to_year",
		"人参,1,root,ChP,true,,1001,",
		"人参,2,,,false,,,1000",
		"甘草,3,root,,,,,",
		"炙甘草,3,,,,,,", // a processed form
		"国老,,,,,甘草,,", // another name
		"石膏,,,,,,,",   // not a plant
		"细石,,,,,石膏,,",
		"桂心,,,,,,,", // not a plant according to this package
	}, "\n") + "\n")}
	lines := []string{"formula_id,seq,herb,dose,note", "1,1,人参,三两,", "1,2,国老,三两,", "1,3,人参炙甘草,,", "1,4,云苓,,", "2,1,人参,,", "2,2,鬼臼,,", "2,3,等分,,", "3,1,生地黄,,"}
	pkg["formula_ingredients.csv"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
	cfg := config(t, pkg)
	mustRun(t, cfg)
	tx := current(t, cfg.Data)
	herbs := map[string]store.HerbDetail{}
	for n := range store.Num(tx.Count(store.TableHerbs)) {
		h := decode[store.HerbDetail](t, tx.HerbDetail(n))
		if again, twice := herbs[h.Name]; twice {
			t.Errorf("%s has two records: %s and %s", h.Name, h.GUID, again.GUID)
		}
		herbs[h.Name] = h
	}
	species := func(h store.HerbDetail) (all []string) {
		for _, s := range h.Species {
			text := string(s.ScientificName)
			if s.FromYear != nil {
				text += fmt.Sprint(" from ", *s.FromYear)
			}
			if s.ToYear != nil {
				text += fmt.Sprint(" to ", *s.ToYear)
			}
			all = append(all, text)
		}
		return all
	}
	for name, want := range map[string]struct {
		species  []string
		noPlant  bool
		kind     string
		formulas int32
		alias    string
		form     string
		variant  string
	}{
		"人参":  {species: []string{"Panax quinquefolius from 1001", "Panax ginseng to 1000"}, kind: "plant", formulas: 2, alias: "神草"},
		"甘草":  {species: []string{"Glycyrrhiza uralensis"}, kind: "plant", formulas: 1, alias: "国老", form: "炙甘草"},
		"石膏":  {noPlant: true, kind: "mineral", alias: "细石"},
		"肉桂":  {noPlant: true, alias: "桂心"}, // herb_species overrides the table of herbs
		"炙甘草": {species: []string{"Glycyrrhiza uralensis"}, kind: "plant", formulas: 1, variant: "甘草"},
		"茯苓":  {noPlant: true, kind: "fungus", formulas: 1, alias: "云苓"},                                                   // only the table of herbs says that it is no plant and that 云苓 is 茯苓
		"人参叶": {species: []string{"Panax quinquefolius from 1001", "Panax ginseng to 1000"}, kind: "plant", variant: "人参"}, // a part of what the package says 人参 is
		"生地黄": {kind: "plant", formulas: 1},                                                                                // its species is not in the package
	} {
		h, ok := herbs[name]
		if !ok {
			t.Errorf("%s has no record", name)
			continue
		}
		if diff := cmp.Diff(want.species, species(h)); diff != "" {
			t.Errorf("species of %s (-want +got):\n%s", name, diff)
		}
		if h.NoPlant != want.noPlant || string(h.Kind) != want.kind || h.Formulas != want.formulas {
			t.Errorf("%s: no plant %v, kind %q, %d formulas; want %+v", name, h.NoPlant, h.Kind, h.Formulas, want)
		}
		if want.alias != "" && !slices.Contains(h.Aliases, want.alias) || want.form != "" && !slices.Contains(h.ProcessedForms, want.form) {
			t.Errorf("%s has the other names %v and forms %v; want %+v", name, h.Aliases, h.ProcessedForms, want)
		}
		if want.variant != "" && (len(h.VariantOf) != 1 || h.VariantOf[0].Name != want.variant) || want.variant == "" && len(h.VariantOf) > 0 {
			t.Errorf("%s is a variant of %+v; want %q", name, h.VariantOf, want.variant)
		}
	}
	for name, want := range map[string]string{"人参": "ChP", "甘草": "中国药典", "人参叶": "中国药典"} { // the authority comes from herb_species or, if empty there, from the table of herbs
		if got := herbs[name].Species[0].Authority; string(got) != want {
			t.Errorf("the authority for the species of %s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"桂心", "国老", "细石", "云苓", "等分", "鬼臼臼"} {
		if h, ok := herbs[name]; ok {
			t.Errorf("%s has a record: %+v", name, h)
		}
	}
	if got, want := herbs["人参"].WrittenAs, []store.HerbText{{Herb: "人参", Formulas: 2}, {Herb: "人参炙甘草", Formulas: 1}}; !slices.Equal(got, want) {
		t.Errorf("人参 is written %+v, want %+v", got, want)
	}
	if got, want := herbs["茯苓"].WrittenAs, []store.HerbText{{Herb: "云苓", Formulas: 1}}; !slices.Equal(got, want) {
		t.Errorf("茯苓 is written %+v, want %+v", got, want)
	}
	if with := herbs["人参"].GoesWith; len(with) != 4 || with[0].Name != "甘草" || with[1].Name != "茯苓" || with[1].Formulas != 1 {
		t.Errorf("人参 goes with %+v, want 甘草, 茯苓, 鬼臼 and 炙甘草", with)
	}
	if got := herbs["人参"].GUID; got != "f313ccd0-db2b-573f-885b-649a75cc6419" {
		t.Errorf("人参 has the id %s; it must never change", got)
	}
}

// TestHerbsAgreeWithIngredients follows herbs that the package's table does not list from
// names/herb to the ingredients, the formulas of their species and the report.
func TestHerbsAgreeWithIngredients(t *testing.T) {
	pkg := tiny()
	pkg["species.csv"].Data = append(pkg["species.csv"].Data, "5,,吴茱萸,,Tetradium ruticarpum,(A.Juss.) T.G.Hartley,species,Rutaceae\n"...)
	pkg["species.csv"].Data = append(pkg["species.csv"].Data, "6,,胡桃,,Juglans regia,L.,species,Juglandaceae\n"...)
	pkg["formula_ingredients.csv"] = &fstest.MapFile{Data: []byte("formula_id,seq,herb,dose,note\n" +
		"1,1,吴茱萸,一升,\n1,2,虾蟆,一枚,\n2,1,人参,二两,\n2,2,炒吴茱萸,三钱,\n3,1,生甘草,,\n3,2,石膏,,\n")}
	cfg := config(t, pkg)
	r := mustRun(t, cfg)
	tx := current(t, cfg.Data)
	wantAgreement(t, tx)
	formulas := map[string]int{}
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		s := decode[store.SpeciesDetail](t, tx.SpeciesDetail(n))
		formulas[string(s.ScientificName)] = len(tx.SpeciesFormulas(n))
	}
	for name, want := range map[string]int{"Tetradium ruticarpum": 2, "Juglans regia": 0, "Panax ginseng": 1, "Glycyrrhiza uralensis": 1} {
		if formulas[name] != want {
			t.Errorf("%s has %d formulas, want %d", name, formulas[name], want)
		}
	}
	// 虾蟆 is a toad and 石膏 a mineral: the table of the package need not list them.
	if r.Herbs.Linked != 4 || r.Herbs.NoPlant != 2 || r.Herbs.Unlinked != 0 {
		t.Errorf("report of herbs: %+v", r.Herbs)
	}
}

// wantAgreement checks that each ingredient leads to the species of the records of its herbs, in the
// years in which the herb is the species, and that each species lists the formula.
func wantAgreement(t *testing.T, tx *store.Tx) {
	t.Helper()
	herbs := map[string]store.HerbDetail{}
	for n := range store.Num(tx.Count(store.TableHerbs)) {
		h := decode[store.HerbDetail](t, tx.HerbDetail(n))
		herbs[h.GUID] = h
	}
	links := 0
	for n := range store.Num(tx.Count(store.TableFormulas)) {
		f := decode[store.FormulaDetail](t, tx.FormulaDetail(n, store.Composition|store.Similarity))
		for _, in := range f.Ingredients {
			var has, want []string
			for _, s := range in.Species {
				has = append(has, s.GUID)
				num, ok := tx.SpeciesNum(s.GUID)
				if !ok || !slices.Contains(tx.SpeciesFormulas(num), n) {
					t.Errorf("%s: %s comes from %s, which does not list the formula", f.Name, in.Herb, s.ScientificName)
				}
			}
			for _, herb := range in.Herbs {
				for _, s := range herbs[herb.GUID].Species {
					if f.Year != nil && (s.FromYear != nil && *f.Year < *s.FromYear || s.ToYear != nil && *f.Year > *s.ToYear) {
						continue
					}
					want = append(want, s.GUID)
				}
			}
			slices.Sort(has)
			slices.Sort(want)
			want = slices.Compact(want)
			row := len(has) > 0 && !slices.ContainsFunc(has, func(guid string) bool { return !slices.Contains(want, guid) }) // a row of the name as written may say less
			if len(in.Herbs) > 0 && !row && !slices.Equal(has, want) {
				t.Errorf("%s (%d): the ingredient %s leads to %q, and the records of %v to %q", f.Name, f.EntryID, in.Herb, has, in.Herbs, want)
			}
			links += len(has)
		}
	}
	if links == 0 {
		t.Error("no ingredient leads to a species")
	}
}

// TestAllHerbSources builds the sample twice in one folder. herb_species has one plant of 天南星, so
// formulas with it count for that plant only. With the setting they count for all plants of the
// pharmacopoeia, and the change of the setting makes a new snapshot.
func TestAllHerbSources(t *testing.T) {
	cfg := sampleConfig(t)
	check := func(counted bool) {
		t.Helper()
		mustRun(t, cfg)
		tx := current(t, cfg.Data)
		formulas := map[string]int32{}
		for n := range store.Num(tx.Count(store.TableSpecies)) {
			s := decode[store.SpeciesDetail](t, tx.SpeciesDetail(n))
			formulas[string(s.ScientificName)] = s.Formulas
		}
		for n := range store.Num(tx.Count(store.TableHerbs)) {
			h := decode[store.HerbDetail](t, tx.HerbDetail(n))
			if h.Name != "天南星" {
				continue
			}
			if len(h.Species) < 2 {
				t.Fatalf("天南星 has %d plants, want those of the pharmacopoeia", len(h.Species))
			}
			for i, s := range h.Species {
				if s.Counted != (counted || i == 0) || s.Counted != (formulas[string(s.ScientificName)] > 0) {
					t.Errorf("AllHerbSources %v: %s has counted %v and %d formulas", counted, s.ScientificName, s.Counted, formulas[string(s.ScientificName)])
				}
			}
			return
		}
		t.Fatal("there is no record of 天南星")
	}
	check(false)
	cfg.AllHerbSources = true
	check(true)
}
