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
	"bencao/indexer/sample"
	"bencao/store"
	"bencao/store/snapshot"
)

// tiny is a data package that keeps every rule.
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

// list is a checklist in WCVP's form with the columns that matter.
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

func mustRun(tb testing.TB, cfg indexer.Config) *indexer.Report {
	tb.Helper()
	r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
	if err != nil {
		tb.Fatalf("run: %v (findings %v)", err, r.Findings)
	}
	return r
}

// current opens the store of the current snapshot.
func current(tb testing.TB, data string) *store.Tx {
	tb.Helper()
	s, err := snapshot.At(data).OpenCurrent(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	st, err := store.Open(s.Path("store.bolt"))
	if err != nil {
		tb.Fatal(err)
	}
	tx, err := st.Begin()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		tx.Close()
		if err := errors.Join(st.Close(), s.Close()); err != nil {
			tb.Error(err)
		}
	})
	return tx
}

func decode[T any](tb testing.TB, t store.Template) T {
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

	// Answer order: short names first, the unnamed last.
	var order []string
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		order = append(order, string(decode[store.SpeciesSummary](t, tx.SpeciesSummary(n)).ScientificName))
	}
	want := []string{"Panax ginseng", "Glycyrrhiza uralensis", "Panax quinquefolius", "Panax trifolius"}
	if !slices.Equal(order, want) {
		t.Errorf("answer order is %v; want %v", order, want)
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

	formula := decode[store.FormulaDetail](t, tx.FormulaDetail(tx.SpeciesFormulas(1)[0]))
	if formula.Name != "人参汤" {
		t.Fatalf("formula of 甘草 is %q; want 人参汤, through the plain name of 炙甘草", formula.Name)
	}
	if got := formula.Ingredients[1]; got.Herb != "炙甘草" || len(got.Species) != 1 || got.Species[0].ScientificName != "Glycyrrhiza uralensis" {
		t.Errorf("ingredient 2 is %+v; want 炙甘草 as written, from Glycyrrhiza uralensis", got)
	}
	if s := formula.SimilarJaccard; len(s) != 1 || s[0].Name != "独参汤" || s[0].Value != 0.5 {
		t.Errorf("similar by herbs: %+v; want 独参汤 at 0.5", s)
	}

	var stats store.SiteStats
	if err := json.Unmarshal(tx.Stats(), &stats); err != nil {
		t.Fatal(err)
	}
	if stats.PlantTaxa != 4 || stats.SpeciesWithChineseName != 3 || stats.ReconciledChineseNamed != 3 ||
		stats.SpeciesFormulaLinks != 3 || stats.FolkKnowledge != 1 || *stats.ReconciledPct != 100 {
		t.Errorf("statistics: %+v", stats)
	}
	if r.Reconciliation.Exact != 4 {
		t.Errorf("reconciliation: %+v; want 4 exact", r.Reconciliation)
	}
	if !slices.ContainsFunc(findings(t, cfg.Data), func(row []string) bool { return row[1] == "family" && strings.Contains(row[7], "Panax trifolius") }) {
		t.Error("no finding about the family of Panax trifolius, which the checklist sees differently")
	}
}

// findings reads the rows of the last run's findings.
func findings(tb testing.TB, data string) [][]string {
	tb.Helper()
	f, err := os.Open(filepath.Join(data, "last-findings.csv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	return rows[1:]
}

func TestSameSourcesAreNotBuiltAgain(t *testing.T) {
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	second := mustRun(t, cfg)
	if second.Outcome != indexer.Unchanged || second.Snapshot != first.Snapshot {
		t.Errorf("second run: %s, %s; want unchanged, %s", second.Outcome, second.Snapshot, first.Snapshot)
	}
	cfg.Rebuild = true
	if third := mustRun(t, cfg); third.Outcome != indexer.Published || third.Snapshot == first.Snapshot {
		t.Errorf("rebuild: %s, %s; want a new snapshot", third.Outcome, third.Snapshot)
	}
}

func TestDamagedCurrentSnapshotIsBuiltAgain(t *testing.T) {
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	path := filepath.Join(cfg.Data, "snapshots", first.Snapshot, "store.bolt")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, b, 0o644)); err != nil {
		t.Fatal(err)
	}
	if second := mustRun(t, cfg); second.Outcome != indexer.Published {
		t.Errorf("second run over a damaged snapshot: %s; want published", second.Outcome)
	}
}

func TestChangesAreReported(t *testing.T) {
	cfg := config(t, tiny())
	mustRun(t, cfg)
	pkg := tiny()
	replace(pkg, "species.csv", "Panax quinquefolius,L.", "Panax quinquefolius,Linné")
	replace(pkg, "species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae", "5,,田七,,Panax notoginseng,,species,Araliaceae")
	cfg.Package.FS = pkg
	cfg.Gates.AllowShrink = nil
	c := mustRun(t, cfg).Changes["species"]
	if c.Before != 4 || c.After != 4 || c.Added != 1 || c.Removed != 1 || c.Changed != 1 || len(c.ChangedFirst) != 1 {
		t.Errorf("changes of species: %+v; want one added, one removed, one changed", c)
	}
}

func replace(pkg fstest.MapFS, file, old, new string) {
	data := strings.Replace(string(pkg[file].Data), old, new, 1)
	if data == string(pkg[file].Data) {
		panic(file + " does not hold " + old)
	}
	pkg[file] = &fstest.MapFile{Data: []byte(data)}
}

func TestBadNightsKeepTheOldSnapshot(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(fstest.MapFS)
		want  string // in the error
		gate  bool
	}{
		{"a missing required column", func(p fstest.MapFS) { replace(p, "species.csv", "scientific_name", "binomial") }, "scientific_name", false},
		{"bytes that are not UTF-8", func(p fstest.MapFS) { replace(p, "species.csv", "人参", "\xc8\xcb\xb2\xce") }, "species.csv:3", false},
		{"no species table", func(p fstest.MapFS) { delete(p, "species.csv") }, "species", false},
		{"a quote that swallows rows", func(p fstest.MapFS) { replace(p, "species.csv", "2,,人参", "2,,\"人参") }, "species.csv", false},
		{"half of the species gone", func(p fstest.MapFS) {
			replace(p, "species.csv", "3,,甘草,,Glycyrrhiza uralensis,Fisch. ex DC.,species,Fabaceae\n", "")
			replace(p, "herb_species.csv", "甘草,3\n", "")
		}, "--allow-shrink species", true},
		{"too many rejected rows", func(p fstest.MapFS) { replace(p, "species.csv", "1,,西洋参", "x,,西洋参") }, "--allow-rejects species", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(t, tiny())
			first := mustRun(t, cfg)
			pkg := tiny()
			tt.spoil(pkg)
			cfg.Package.FS = pkg
			r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
			var gate *indexer.GateError
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, &gate) != tt.gate {
				t.Fatalf("error is %v; want one that says %q, from a gate: %v", err, tt.want, tt.gate)
			}
			wantOutcome := indexer.Failed
			if tt.gate {
				wantOutcome = indexer.Refused
			}
			if r.Outcome != wantOutcome || r.Snapshot != first.Snapshot {
				t.Errorf("outcome %s with snapshot %s; want %s with %s", r.Outcome, r.Snapshot, wantOutcome, first.Snapshot)
			}
			now, err := snapshot.At(cfg.Data).Current()
			if err != nil || now.ID != first.Snapshot {
				t.Errorf("CURRENT is %v, %v; want %s", now, err, first.Snapshot)
			}
			if entries, err := os.ReadDir(filepath.Join(cfg.Data, "snapshots")); err != nil || len(entries) != 1 {
				t.Errorf("snapshots holds %v, %v; want the old snapshot alone", entries, err)
			}
			if len(findings(t, cfg.Data)) == 0 {
				t.Error("last-findings.csv is empty; want what is wrong")
			}
		})
	}
}

func TestGateIsLiftedByName(t *testing.T) {
	cfg := config(t, tiny())
	mustRun(t, cfg)
	pkg := tiny()
	replace(pkg, "species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae\n", "")
	cfg.Package.FS = pkg
	cfg.Gates.AllowShrink = []string{"species"}
	if r := mustRun(t, cfg); r.Outcome != indexer.Published || r.Changes["species"].Removed != 1 {
		t.Errorf("outcome %s, changes %+v; want published with one species removed", r.Outcome, r.Changes["species"])
	}
}

func TestDryRunPublishesNothing(t *testing.T) {
	cfg := config(t, tiny())
	cfg.DryRun = true
	if r := mustRun(t, cfg); r.Outcome != indexer.DryRun {
		t.Errorf("outcome %s; want dry run", r.Outcome)
	}
	if _, err := snapshot.At(cfg.Data).Current(); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("CURRENT after a dry run: %v; want none", err)
	}
	pkg := tiny()
	replace(pkg, "aliases.csv", "2,棒槌", "99,棒槌")
	cfg.Package.FS = pkg
	cfg.Gates.AllowRejects = []string{"aliases"}
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); !errors.Is(err, indexer.ErrRejects) {
		t.Errorf("dry run with a dangling alias: %v; want ErrRejects", err)
	}
}

func TestMetricsRememberTheLastSuccess(t *testing.T) {
	cfg := config(t, tiny())
	cfg.MetricsFile = filepath.Join(t.TempDir(), "bencao.prom")
	mustRun(t, cfg)
	success := metric(t, cfg.MetricsFile, "bencao_index_last_success_timestamp_seconds")
	pkg := tiny()
	delete(pkg, "species.csv")
	cfg.Package.FS = pkg
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); err == nil {
		t.Fatal("a package without species is built")
	}
	if got := metric(t, cfg.MetricsFile, "bencao_index_last_success_timestamp_seconds"); got != success {
		t.Errorf("last success after a failure is %s; want it kept at %s", got, success)
	}
	if got := metric(t, cfg.MetricsFile, `bencao_index_outcome{outcome="failed"}`); got != "1" {
		t.Errorf("outcome failed is %s; want 1", got)
	}
}

func metric(tb testing.TB, path, name string) string {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(v)
		}
	}
	tb.Fatalf("%s has no %s:\n%s", path, name, b)
	return ""
}

// sampleConfig builds the sample that ships inside the program.
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
	for _, c := range r.SelfCheck {
		if c.Failed > 0 {
			t.Errorf("self-check %q: %d of %d fail: %v", c.Name, c.Failed, c.Checked, c.First)
		}
	}
}
