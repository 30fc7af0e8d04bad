package indexer_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/store"
	"bencao/store/snapshot"
)

// tiny returns a data package without any problem.
func tiny() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(name, content string) { files[name] = &fstest.MapFile{Data: []byte(content)} }
	put("datapackage.json", `{"name": "tiny", "version": "1", "resources": [
		{"name": "species", "path": "species.csv"},
		{"name": "synonyms", "path": "synonyms.csv"},
		{"name": "aliases", "path": "aliases.csv"},
		{"name": "papers", "path": "papers.csv"},
		{"name": "species_papers", "path": "species_papers.csv"},
		{"name": "formulas", "path": "formulas.csv"},
		{"name": "formula_ingredients", "path": "formula_ingredients.csv"},
		{"name": "herb_species", "path": "herb_species.csv"},
		{"name": "uses", "path": "uses.csv"}]}`)
	put("species.csv", `entry_id,guid,chinese_name,chinese_name_pinyin,scientific_name,author,rank,family
1,,西洋参,,Panax quinquefolius,L.,species,Araliaceae
2,,人参,rén shēn,Panax ginseng,C.A.Mey.,species,Araliaceae
3,,甘草,,Glycyrrhiza uralensis,Fisch. ex DC.,species,Fabaceae
4,,,,Panax trifolius,L.,species,Rosaceae
`)
	put("synonyms.csv", "id,species_id,name,author,rank,status\n1,2,Panax schinseng,Nees,species,synonym\n")
	put("aliases.csv", "species_id,name,kind,source\n2,棒槌,local,\n")
	put("papers.csv", "id,title,authors,source,year,doi,pubmed_id\np1,On ginseng,A,J,2001,10.1/a,\n")
	put("species_papers.csv", "species_id,paper_id\n2,p1\n")
	put("formulas.csv", `entry_id,guid,name,composition,efficacy,indications,dynasty,year,original_author,original_source,compilation
1,,人参汤,人参 炙甘草,,,东汉,219,张仲景,金匮要略,
2,,独参汤,人参,,,元,1348,葛可久,十药神书,
3,,空方,,,,清,,,,
`)
	put("formula_ingredients.csv", "formula_id,seq,herb,dose,note\n1,1,人参,三两,\n1,2,炙甘草,三两,\n2,1,人参,二两,\n")
	put("herb_species.csv", "herb,species_id\n人参,2\n甘草,3\n")
	put("uses.csv", "id,species_id,collection,name_cited,category,part,description,country,reference\n1,2,folk,,medicine,,,CN,\n")
	return files
}

// list returns a checklist in WCVP's format. It has only the columns that package wcvp reads.
func list() fstest.MapFS {
	return fstest.MapFS{"wcvp_names.csv": &fstest.MapFile{Data: []byte(strings.Join([]string{
		"plant_name_id|ipni_id|taxon_rank|taxon_status|family|taxon_name|taxon_authors|accepted_plant_name_id|hybrid_formula",
		"1|91472-1|Species|Accepted|Araliaceae|Panax ginseng|C.A.Mey.|1|",
		"2|2-1|Species|Accepted|Araliaceae|Panax quinquefolius|L.|2|",
		"3|3-1|Species|Accepted|Fabaceae|Glycyrrhiza uralensis|Fisch. ex DC.|3|",
		"4|4-1|Species|Accepted|Araliaceae|Panax trifolius|L.|4|",
	}, "\n") + "\n")}}
}

func config(tb testing.TB, pkg fs.FS) indexer.Config {
	return indexer.Config{
		Data:       filepath.Join(tb.TempDir(), "data"),
		Package:    indexer.Input{Path: "tiny", FS: pkg},
		Checklists: []indexer.Input{{Key: "wcvp", Path: "wcvp", FS: list(), Version: "13"}},
		Program:    "bencao test",
	}
}

// current opens the store of the current snapshot.
func current(tb testing.TB, data string) *store.Tx {
	tb.Helper()
	s, err := snapshot.At(data).OpenCurrent(context.Background())
	must(tb, err)
	st, err := store.Open(s.Path("store.bolt"))
	must(tb, err)
	tx, err := st.Begin()
	must(tb, err)
	tb.Cleanup(func() {
		tx.Close()
		if err := errors.Join(st.Close(), s.Close()); err != nil {
			tb.Error(err)
		}
	})
	return tx
}

// appender is an API response of a store. It can be rendered as JSON.
type appender interface {
	Append(dst []byte, site string, show store.Parts) []byte
}

func decode[T any](tb testing.TB, t appender) T {
	tb.Helper()
	var v T
	b := t.Append(nil, "", store.Composition|store.Similarity)
	if err := json.Unmarshal(b, &v); err != nil {
		tb.Fatalf("%s: %v", b, err)
	}
	return v
}

func TestRunBuildsWhatTheTablesSay(t *testing.T) {
	cfg := config(t, tiny())
	r := mustRun(t, cfg)
	if r.Outcome != indexer.Published {
		t.Fatalf("outcome is %q; want published", r.Outcome)
	}
	tx := current(t, cfg.Data)

	// In the order of the store, short names come first.
	var order []string
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		order = append(order, string(decode[store.SpeciesSummary](t, tx.SpeciesSummary(n)).ScientificName))
	}
	want := []string{"Panax ginseng", "Glycyrrhiza uralensis", "Panax quinquefolius", "Panax trifolius"}
	if !slices.Equal(order, want) {
		t.Errorf("the order is %v; want %v", order, want)
	}

	ginseng := decode[store.SpeciesDetail](t, tx.SpeciesDetail(0))
	if ginseng.Formulas != 2 || ginseng.Papers != 1 || ginseng.UseRecords != 1 || len(ginseng.Synonyms) != 1 {
		t.Errorf("counts of ginseng: %+v; want 2 formulas, 1 paper, 1 use, 1 synonym", ginseng)
	}
	if m := ginseng.NameMatch; m == nil || m.WCVPID != "1" || m.MatchType != "exact" || m.MatchSource != "WCVP" {
		t.Errorf("name match of ginseng is %+v; want WCVP 1, exact", m)
	}
	if p := decode[store.SpeciesDetail](t, tx.SpeciesDetail(2)).ChineseNamePinyin; p != "xī yáng shēn" {
		t.Errorf("derived pinyin of 西洋参 is %q", p)
	}

	formula := decode[store.FormulaDetail](t, tx.FormulaDetail(tx.SpeciesFormulas(1)[0], store.Composition|store.Similarity))
	if formula.Name != "人参汤" {
		t.Fatalf("formula of 甘草 is %q; want 人参汤, through the plain name of 炙甘草", formula.Name)
	}
	if got := formula.Ingredients[1]; got.Herb != "炙甘草" || len(got.Species) != 1 || got.Species[0].ScientificName != "Glycyrrhiza uralensis" {
		t.Errorf("ingredient 2 is %+v; want 炙甘草 as written, from Glycyrrhiza uralensis", got)
	}
	if g := formula.Ingredients[1].Grams; g == nil || *g != 41.4 {
		t.Errorf("三两 of the year 219 weigh %v g; want 41.4", g)
	}
	if s := formula.SimilarJaccard; len(s) != 1 || s[0].Name != "独参汤" || s[0].Value != 0.3979 { // ln(1+3/2) / (ln(1+3/2) + ln(1+3/1))
		t.Errorf("similar by herbs: %+v; want 独参汤 at 0.3979", s)
	}

	var stats store.SiteStats
	must(t, json.Unmarshal(tx.Stats(), &stats))
	if stats.PlantTaxa != 4 || stats.SpeciesWithChineseName != 3 || stats.ReconciledChineseNamed != 3 ||
		stats.SpeciesFormulaLinks != 3 || stats.FolkKnowledge != 1 || *stats.ReconciledPct != 100 {
		t.Errorf("statistics: %+v", stats)
	}
	if r.Reconciliation.Exact != 4 {
		t.Errorf("reconciliation: %+v; want 4 exact", r.Reconciliation)
	}
	if !slices.ContainsFunc(findings(t, cfg.Data), func(row []string) bool { return row[1] == "family" && strings.Contains(row[7], "Panax trifolius") }) {
		t.Error("no finding about the family of Panax trifolius, for which the checklist has another family")
	}
}

// findings returns the rows of the last run's findings.
func findings(tb testing.TB, data string) [][]string {
	tb.Helper()
	f, err := os.Open(filepath.Join(data, "last-findings.csv"))
	must(tb, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must(tb, err)
	return rows[1:]
}

func TestChangesAreReported(t *testing.T) {
	cfg := config(t, tiny())
	mustRun(t, cfg)
	pkg := tiny()
	replace(pkg, "species.csv", "Panax quinquefolius,L.", "Panax quinquefolius,Linné")
	replace(pkg, "species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae", "5,,田七,,Panax notoginseng,,species,Araliaceae")
	cfg.Package.FS = pkg
	c := mustRun(t, cfg).Changes["species"]
	if c.Before != 4 || c.After != 4 || c.Added != 1 || c.Removed != 1 || c.Changed != 1 || len(c.ChangedFirst) != 1 {
		t.Errorf("changes of species: %+v; want one added, one removed, one changed", c)
	}
}

// TestChangesAreKept checks that each snapshot lists the changes since the earlier snapshots. It
// lists them even for earlier snapshots that have been removed.
func TestChangesAreKept(t *testing.T) {
	cfg := config(t, tiny())
	cfg.Keep = 1
	ids := []string{mustRun(t, cfg).Snapshot}
	for _, change := range [][3]string{
		{"species.csv", "Panax quinquefolius,L.", "Panax quinquefolius,Linné"},
		{"species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae", "5,,田七,,Panax notoginseng,,species,Araliaceae"},
		{"species.csv", "田七", "三七"},
	} {
		pkg := tiny()
		for name, file := range cfg.Package.FS.(fstest.MapFS) {
			pkg[name] = file
		}
		replace(pkg, change[0], change[1], change[2])
		cfg.Package.FS = pkg
		ids = append(ids, mustRun(t, cfg).Snapshot)
	}
	c, err := store.OpenChanges(filepath.Join(cfg.Data, "snapshots", ids[3], store.ChangesName))
	must(t, err)
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	if got := c.Versions(); !slices.Equal(got, []string{ids[2], ids[1], ids[0]}) {
		t.Errorf("known versions are %v, want the three before of %v", got, ids)
	}
	for since, want := range map[string]string{
		ids[0]: "三七 added, Panax trifolius removed, 西洋参 changed",
		ids[1]: "三七 added, Panax trifolius removed",
		ids[2]: "三七 changed",
	} {
		list, err := c.List(since, store.TableSpecies, 0, c.Count(since, store.TableSpecies))
		must(t, err)
		var got []string
		for _, change := range list {
			got = append(got, string(change.Name)+" "+change.What)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("since %s: %v, want %s", since, got, want)
		}
	}
}

func replace(pkg fstest.MapFS, file, old, new string) {
	data := strings.Replace(string(pkg[file].Data), old, new, 1)
	if data == string(pkg[file].Data) {
		panic(file + " does not hold " + old)
	}
	pkg[file] = &fstest.MapFile{Data: []byte(data)}
}

// sampleConfig returns a configuration of the embedded sample.
func sampleConfig(tb testing.TB) indexer.Config {
	cfg := indexer.Config{Data: tb.TempDir(), Package: indexer.Input{Path: "sample", FS: sample.Package()}, Program: "bencao test"}
	for _, c := range sample.Checklists() {
		cfg.Checklists = append(cfg.Checklists, indexer.Input{Key: c.Name, Path: c.Name, FS: c.FS, Version: sample.Version})
	}
	return cfg
}

func TestSampleIsBuiltWithoutRejects(t *testing.T) {
	r := mustRun(t, sampleConfig(t))
	for table, rows := range r.Tables {
		if rows.Rejected > 0 {
			t.Errorf("table %s: %d rows rejected; want none", table, rows.Rejected)
		}
	}
	for _, c := range r.Findings {
		if c.Code == finding.Dangling || c.Code == finding.Cycle {
			t.Errorf("%s has %d synonyms without their accepted name: %s", c.Table, c.Count, c.Code)
		}
	}
	for _, c := range r.SelfCheck {
		if c.Failed > 0 {
			t.Errorf("self-check %q: %d of %d fail: %v", c.Name, c.Failed, c.Checked, c.First)
		}
	}
}
