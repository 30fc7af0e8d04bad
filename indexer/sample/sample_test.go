package sample_test

import (
	"encoding/csv"
	"io/fs"
	"os"
	"strings"
	"testing"

	"bencao/indexer/sample"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

// tables reads every table of the package. A row maps columns to cells.
func tables(t *testing.T) map[string][]map[string]string {
	t.Helper()
	files, err := fs.Glob(sample.Package(), "*.csv")
	must(t, err)
	all := map[string][]map[string]string{}
	for _, file := range files {
		all[strings.TrimSuffix(file, ".csv")] = readCSV(t, sample.Package(), file)
	}
	return all
}

func readCSV(t *testing.T, from fs.FS, name string) []map[string]string {
	t.Helper()
	f, err := from.Open(name)
	must(t, err)
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var rows []map[string]string
	for _, cells := range records[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[records[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// TestContent checks the numbers that the README promises about the sample and that tests of other
// packages need.
func TestContent(t *testing.T) {
	all := tables(t)
	for table, least := range map[string]int{
		"species": 230, "synonyms": 800, "aliases": 400, "flora": 500, "papers": 700, "species_papers": 600, "formulas": 335,
		"formula_ingredients": 1700, "formula_codes": 335, "herb_species": 365, "uses": 200,
	} {
		if n := len(all[table]); n < least {
			t.Errorf("%s.csv has %d rows, at least %d are promised", table, n, least)
		}
	}
	collections := map[string]int{}
	for _, row := range all["uses"] {
		collections[row["collection"]]++
	}
	for _, c := range []string{"general", "economic_flora", "himalaya", "folk"} {
		if collections[c] < 24 {
			t.Errorf("uses.csv has %d rows of the collection %s, at least 24 are promised", collections[c], c)
		}
	}
	if len(collections) != 4 {
		t.Errorf("uses.csv has the collections %v; there are four", collections)
	}
	count := func(table, column, value string) (n int) {
		for _, row := range all[table] {
			if row[column] == value || value == "*" && row[column] != "" {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		table, column, value, why string
		least                     int
	}{
		{"species", "chinese_name", "*", "Chinese names", 230},
		{"species", "chinese_name", "", "plants without a Chinese name, to show null", 10},
		{"species", "chinese_name_pinyin", "*", "names with given pinyin", 100},
		{"species", "chinese_name_pinyin", "", "names whose pinyin is to be derived", 100},
		{"synonyms", "status", "misapplied", "misapplied names", 3},
		{"synonyms", "author", "*", "synonyms with author", 50},
		{"papers", "title", "", "papers of which only the DOI is known", 500},
		{"papers", "pubmed_id", "*", "papers with PubMed id", 5},
		{"formulas", "efficacy", "*", "formulas with efficacy", 40},
		{"formula_ingredients", "role", "君", "formulas with roles", 8},
		{"herb_species", "preferred", "false", "herbs of several species", 15},
		{"herb_species", "species_id", "", "drugs that are no plants", 15},
		{"herb_species", "plain", "*", "drugs with another plain name", 5},
		{"flora", "volume", "*", "flora entries with volume", 500},
	} {
		if n := count(c.table, c.column, c.value); n < c.least {
			t.Errorf("%s.csv: %d %s, at least %d are promised", c.table, n, c.why, c.least)
		}
	}
}

// TestShown checks the records that the demo shows.
func TestShown(t *testing.T) {
	all := tables(t)
	for _, c := range []struct{ table, guid, column, want string }{
		{"species", sample.Species, "chinese_name", "人参"},
		{"formulas", sample.Formula, "name", "桂枝汤"},
	} {
		found := false
		for _, row := range all[c.table] {
			found = found || row["guid"] == c.guid && row[c.column] == c.want
		}
		if !found {
			t.Errorf("%s.csv has no %s with the guid %s; correct the constant in sample.go", c.table, c.want, c.guid)
		}
	}
}

func TestSize(t *testing.T) {
	var total int64
	err := fs.WalkDir(sample.FS(), ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	must(t, err)
	if total > 3<<20 {
		t.Errorf("the sample has %d bytes; it is compiled into the program and stays below 3 MiB", total)
	}
}

func TestLicencesNameEveryFolder(t *testing.T) {
	text, err := os.ReadFile("LICENSES.md")
	must(t, err)
	for _, list := range sample.Checklists() {
		if !strings.Contains(string(text), "`checklists/"+list.Name+"`") {
			t.Errorf("LICENSES.md does not say where checklists/%s comes from", list.Name)
		}
	}
	entries, err := fs.ReadDir(sample.Package(), ".")
	must(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".csv") && !strings.Contains(string(text), e.Name()) {
			t.Errorf("LICENSES.md does not say where %s comes from", e.Name())
		}
	}
}
