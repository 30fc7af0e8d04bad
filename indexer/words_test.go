package indexer_test

import (
	"archive/zip"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/indexer/sample"
)

// TestWordsForEmptyCells writes words such as nan, and values that are no links, into columns. They
// must not be in the snapshot's package, and a finding for each column must give their number.
func TestWordsForEmptyCells(t *testing.T) {
	oneByOne(t)
	pkg := only(t, sample.Package(), "species.csv", "papers.csv")
	edit := func(file string, edit func(lines []string) []string) {
		pkg[file] = edited(t, file, func(lines []string) []string { return edit(lines) })[file]
	}
	edit("species.csv", column("url", func(_ string, i int) string {
		return []string{"nan", "https://plants.example.org/1", "http://localhost/2", "www.example.org/3"}[i%4]
	}))
	edit("papers.csv", func(lines []string) []string {
		lines = column("pubmed_id", func(string, int) string { return "PMC" })(lines)
		lines = column("doi", func(was string, i int) string {
			if i <= 5 {
				return "pending"
			}
			return was
		})(lines)
		// A word that is in one or two cells may be a value.
		lines = column("source", func(was string, i int) string { return [3]string{"-", "NA", was}[min(i-1, 2)] })(lines)
		return column("year", func(_ string, i int) string { return [2]string{"NULL", "2001"}[i%2] })(lines)
	})
	cfg := indexer.Config{Data: filepath.Join(t.TempDir(), "data"), Program: "bencao test", Package: indexer.Input{Path: "sample", FS: pkg}}
	mustRun(t, cfg)
	rows := findings(t, cfg.Data)
	for _, want := range []string{
		`warn,empty-word,species,species.csv,5,url,nan,"74 cells hold a word for an empty cell, such as ""nan"", and are read as empty"`,
		`warn,link,species,species.csv,3,url,http://localhost/2,"148 of 296 cells hold no web address and are left out`,
		`warn,link,papers,papers.csv,2,pubmed_id,PMC,"795 of 795 cells hold no PubMed id and are left out`,
		`warn,link,papers,papers.csv,2,doi,pending,"5 of 795 cells hold no DOI and are left out`,
		`warn,empty-word,papers,papers.csv,`,
	} {
		if !slices.ContainsFunc(rows, func(r []string) bool {
			line := strings.Join(r[:7], ",") + `,"` + strings.ReplaceAll(r[7], `"`, `""`) + `"`
			return strings.HasPrefix(line, want)
		}) {
			t.Errorf("no finding %s", want)
		}
	}
	ids, err := filepath.Glob(filepath.Join(cfg.Data, "snapshots", "*", "package.zip"))
	must(t, err)
	z, err := zip.OpenReader(ids[0])
	must(t, err)
	defer func() { must(t, z.Close()) }()
	for file, words := range map[string][]string{"species.csv": {"nan", "localhost", "www.example"}, "papers.csv": {"PMC", "pending", "NULL"}} {
		f, err := z.Open(file)
		must(t, err)
		text, err := io.ReadAll(f)
		must(t, err)
		for _, word := range words {
			if strings.Contains(string(text), ","+word) || strings.Contains(string(text), "//"+word) {
				t.Errorf("%s of the snapshot has %q", file, word)
			}
		}
		if file == "papers.csv" && (!strings.Contains(string(text), ",-,") || !strings.Contains(string(text), ",NA,")) {
			t.Error("a word that is in one cell is lost")
		}
	}
	// If the package says which values mean an empty cell, other words are values.
	replace(pkg, "datapackage.json", `"schema":{`, `"schema":{"missingValues":[""],`)
	mustRun(t, cfg)
	rows = findings(t, cfg.Data)
	if !slices.ContainsFunc(rows, func(r []string) bool {
		return r[2] == "species" && strings.HasPrefix(r[7], "222 of 296 cells hold no web address")
	}) ||
		slices.ContainsFunc(rows, func(r []string) bool { return r[1] == "empty-word" && r[2] == "species" }) {
		t.Error("with missingValues, the word nan must be a value that is no web address")
	}
}
