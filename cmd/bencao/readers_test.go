package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/internal/test/race"
	"bencao/internal/test/testkit"
	"bencao/store"
)

// exported exports the current snapshot of data and returns the folder with the files.
func exported(t *testing.T, data, format string, flags ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), format)
	printed(t, append([]string{"export", "--data", data, "--format", format, "--out", to}, flags...)...)
	return to
}

// sampleOf builds a snapshot of the sample with the checklist WCVP. It returns the data folder, the
// statistics, and the numbers of herbs and of matched species.
func sampleOf(t *testing.T) (data string, stats store.SiteStats, herbs, matched int) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	must(t, copySample(data, "wcvp"))
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", data) })
	stores, err := filepath.Glob(filepath.Join(data, "snapshots", "*", store.FileName))
	if err != nil || len(stores) != 1 {
		t.Fatalf("stores %q, error %v; want one", stores, err)
	}
	if err := store.View(stores[0], func(tx *store.Tx) error {
		herbs = tx.Count(store.TableHerbs)
		for n := range store.Num(tx.Count(store.TableSpecies)) {
			var s store.SpeciesDetail
			if err := json.Unmarshal(tx.SpeciesDetail(n).Append(nil, "", 0), &s); err != nil {
				return err
			}
			if s.NameMatch != nil {
				matched++
			}
		}
		return json.Unmarshal(tx.Stats(), &stats)
	}); err != nil {
		t.Fatal(err)
	}
	if herbs == 0 || matched == 0 || stats.SpeciesFormulaLinks == 0 {
		t.Fatalf("the sample has %d herbs, %d matched names and %d links; want some of each", herbs, matched, stats.SpeciesFormulaLinks)
	}
	return data, stats, herbs, matched
}

// TestExportsAreReadByOthers exports tables and reads them with DuckDB, which also writes a Parquet
// file as docs/data-package.md shows. The numbers of computed rows must equal those of the API.
func TestExportsAreReadByOthers(t *testing.T) {
	page, err := os.ReadFile("../../docs/data-package.md")
	must(t, err)
	toParquet := regexp.MustCompile(`duckdb -c "(COPY [^"]+)"`).FindSubmatch(page)
	if toParquet == nil {
		t.Fatal("docs/data-package.md has no line that writes a Parquet file")
	}
	data, stats, herbs, matched := sampleOf(t)
	var got struct {
		Rows    map[string]int
		Answers [][]map[string]any
	}
	file := func(table string) string { return fmt.Sprintf("read_csv('%s.csv', all_varchar = true)", table) }
	text := testkit.Reader(t, "exports.mjs", exported(t, data, "datapackage", "--computed"),
		"SELECT h.name FROM "+file("herbs")+" h JOIN "+file("herb_sources")+" o ON o.herb_id = h.id JOIN "+file("species")+" s ON s.entry_id = o.species_id WHERE s.scientific_name = 'Panax ginseng'",
		"SELECT count(*) AS n FROM "+file("species_formulas")+" WHERE evidence IS NULL OR evidence = ''",
		"SELECT accepted_name, wcvp_id, CAST(score AS DOUBLE) AS score FROM "+file("name_matches")+" m JOIN "+file("species")+" s ON s.entry_id = m.species_id WHERE s.scientific_name = 'Panax ginseng'",
		string(toParquet[1]),
		"SELECT count(*) AS species, count(*) FILTER (chinese_name = '人参') AS ginseng FROM 'species.parquet'")
	must(t, json.Unmarshal(text, &got))
	for table, want := range map[string]int{"species": int(stats.PlantTaxa), "herbs": herbs, "species_formulas": int(stats.SpeciesFormulaLinks),
		"name_matches": matched, "formulas": int(stats.Formulas), "papers": int(stats.Papers)} {
		if n := got.Rows[table+".csv"]; n != want {
			t.Errorf("DuckDB counts %d rows of %s, the API %d", n, table, want)
		}
	}
	if got.Rows["formula_similarity.csv"] == 0 {
		t.Error("there are no similar formulas")
	}
	if answer := fmt.Sprint(got.Answers); !strings.Contains(answer, "人参") || !strings.Contains(answer, "[map[n:0]]") || !strings.Contains(answer, "accepted_name:Panax ginseng") || !strings.Contains(answer, "score:1") ||
		!strings.Contains(answer, fmt.Sprintf("[map[ginseng:1 species:%d]]", stats.PlantTaxa)) {
		t.Errorf("DuckDB answers %s; want the herb 人参, no link without evidence, the accepted name with its score, and the %d species of the Parquet file", answer, stats.PlantTaxa)
	}
	for format, file := range map[string]string{"dwca": "fact.txt", "coldp": "TaxonProperty.tsv"} {
		var got struct{ Rows map[string]int }
		must(t, json.Unmarshal(testkit.Reader(t, "exports.mjs", exported(t, data, format)), &got))
		if least := int(stats.SpeciesFormulaLinks) + matched; got.Rows[file] < least || got.Rows["herbs.csv"] != herbs || got.Rows["formula_similarity.csv"] == 0 {
			t.Errorf("%s: DuckDB counts %v; want %d rows or more of %s, and %d of herbs.csv", format, got.Rows, least, file, herbs)
		}
	}
}

// TestSQLiteAnswersAsTheAPI exports a database, queries it with the program sqlite3, and compares
// the results with the numbers of the API.
func TestSQLiteAnswersAsTheAPI(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED with the race detector: SQLite is left out")
	}
	sqlite := testkit.Program(t, "sqlite3", "sqlite3")
	data, stats, herbs, matched := sampleOf(t)
	database := filepath.Join(exported(t, data, "sqlite"), "bencao.sqlite")
	ask := func(query string) string {
		t.Helper()
		got, err := exec.CommandContext(t.Context(), sqlite, database, query).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", query, err, got)
		}
		return strings.TrimSpace(string(got))
	}
	for query, want := range map[string]string{
		"SELECT count(*) FROM name_matches":                                                             fmt.Sprint(matched),
		"SELECT count(*) FROM species_formulas WHERE evidence <> ''":                                    fmt.Sprint(stats.SpeciesFormulaLinks),
		"SELECT count(*) FROM herbs":                                                                    fmt.Sprint(herbs),
		"SELECT count(*) > 0 FROM formula_similarity":                                                   "1",
		"SELECT count(*) FROM (SELECT DISTINCT formula_id, species_id FROM formula_species)":            fmt.Sprint(stats.SpeciesFormulaLinks),
		"SELECT accepted_name, score FROM accepted_names WHERE scientific_name = 'Panax ginseng'":       "Panax ginseng|1.0",
		"SELECT DISTINCT herb FROM herb_plants WHERE scientific_name = 'Panax ginseng' AND herb = '人参'": "人参",
		"SELECT length(value) FROM metadata WHERE key = 'data_version'":                                 "23",
		"SELECT count(*) FROM metadata WHERE key IN ('checklists', 'license', 'contact', 'abstract')":   "4",
		"PRAGMA foreign_key_check":                                                                      "",
	} {
		if got := ask(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, view := range strings.Fields(ask("SELECT name FROM sqlite_schema WHERE type = 'view'")) {
		if ask("SELECT count(*) FROM "+view) == "0" && view != "unmatched_names" && view != "changed_names" {
			t.Errorf("the view %s is empty", view)
		}
	}
	for _, query := range []string{"species WHERE genus = 'x'", "species WHERE family = 'x'", "species WHERE guid = 'x'", "formulas WHERE dynasty = 'x'", "formulas WHERE guid = 'x'",
		"name_matches WHERE ipni_id = 'x'", "name_matches WHERE wfo_id = 'x'", "name_matches WHERE wcvp_id = 'x'", "papers WHERE doi = 'x'", "species_formulas WHERE formula_id = 1"} {
		if plan := ask("EXPLAIN QUERY PLAN SELECT * FROM " + query); !strings.Contains(plan, "USING") || !strings.Contains(plan, "INDEX") {
			t.Errorf("SQLite runs %s without an index: %s", query, plan)
		}
	}
}

// TestLibreOfficeReadsTables opens exported tables with LibreOffice, as a double click does. The
// cells must be unchanged.
func TestLibreOfficeReadsTables(t *testing.T) {
	office := testkit.Program(t, "soffice", "libreoffice-calc-nogui")
	data, stats, herbs, _ := sampleOf(t)
	folder := exported(t, data, "datapackage", "--computed")
	to := t.TempDir()
	cmd := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+filepath.Join(t.TempDir(), "profile"), "--headless",
		"--infilter=CSV:44,34,76", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76", "--outdir", to,
		filepath.Join(folder, "species.csv"), filepath.Join(folder, "herbs.csv"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v: %s", err, said)
	}
	for table, want := range map[string]int{"species": int(stats.PlantTaxa), "herbs": herbs} {
		written, read := cellsOf(t, filepath.Join(folder, table+".csv")), cellsOf(t, filepath.Join(to, table+".csv"))
		if len(read) != want+1 || len(read) != len(written) {
			t.Fatalf("LibreOffice reads %d rows of %s.csv, want %d", len(read)-1, table, want)
		}
		for i := range written {
			for k, cell := range written[i] {
				if !strings.EqualFold(read[i][k], cell) { // LibreOffice writes TRUE for true
					t.Errorf("LibreOffice reads %q of %s.csv as %q", cell, table, read[i][k])
				}
			}
		}
	}
}

func cellsOf(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return rows
}
