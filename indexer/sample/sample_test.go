package sample_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/sample"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

// descriptor has the fields of datapackage.json that the tests need.
type descriptor struct {
	Resources []struct {
		Name, Path string
		Schema     struct {
			Fields      []struct{ Name, Type string }
			PrimaryKey  []string
			ForeignKeys []struct {
				Fields    string
				Reference struct{ Resource, Fields string }
			}
		}
	}
}

// tables reads every table that datapackage.json names. A row maps columns to cells.
func tables(t *testing.T) (descriptor, map[string][]map[string]string) {
	t.Helper()
	text, err := fs.ReadFile(sample.Package(), "datapackage.json")
	must(t, err)
	var d descriptor
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatalf("datapackage.json: %v", err)
	}
	all := map[string][]map[string]string{}
	for _, r := range d.Resources {
		all[r.Name] = readCSV(t, sample.Package(), r.Path)
	}
	return d, all
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

func TestKeysAndLinks(t *testing.T) {
	d, all := tables(t)
	keys := map[string]map[string]bool{}
	for _, r := range d.Resources {
		seen := map[string]bool{}
		for i, row := range all[r.Name] {
			var parts []string
			for _, column := range r.Schema.PrimaryKey {
				if row[column] == "" {
					t.Errorf("%s, row %d: the key column %s is empty", r.Path, i+1, column)
				}
				parts = append(parts, row[column])
			}
			if r.Name == "herb_species" { // the column species_id may be empty, so the table has no primary key
				parts = []string{row["herb"], row["species_id"]}
			}
			key := strings.Join(parts, "|")
			if seen[key] {
				t.Errorf("%s, row %d: the key %q occurs twice", r.Path, i+1, key)
			}
			seen[key] = true
		}
		keys[r.Name] = seen
	}
	for _, r := range d.Resources {
		for _, link := range r.Schema.ForeignKeys {
			for i, row := range all[r.Name] {
				if id := row[link.Fields]; !keys[link.Reference.Resource][id] && (id != "" || r.Name != "herb_species") {
					t.Errorf("%s, row %d: %s %q is no row of %s", r.Path, i+1, link.Fields, row[link.Fields], link.Reference.Resource)
				}
			}
		}
	}
}

func TestRequiredCells(t *testing.T) {
	_, all := tables(t)
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	guids := map[string]bool{}
	for table, columns := range map[string][]string{
		"species": {"scientific_name", "rank"}, "synonyms": {"name"}, "aliases": {"name"}, "flora": {"flora"},
		"formulas": {"name", "composition", "dynasty", "original_source"}, "formula_ingredients": {"herb"}, "uses": {"collection"},
	} {
		for i, row := range all[table] {
			for _, c := range columns {
				if row[c] == "" || row[c] != strings.TrimSpace(row[c]) || strings.Contains(row[c], "  ") && c == "scientific_name" {
					t.Errorf("%s.csv, row %d: %s is %q; it must not be empty or have stray spaces", table, i+1, c, row[c])
				}
			}
			if guid, has := row["guid"]; has && (!uuid.MatchString(guid) || guids[guid]) {
				t.Errorf("%s.csv, row %d: guid %q must be a unique lower-case UUID of version 5", table, i+1, guid)
			} else if has {
				guids[guid] = true
			}
		}
	}
}

// TestContent checks the numbers that the README promises about the sample and that tests of other
// packages need.
func TestContent(t *testing.T) {
	_, all := tables(t)
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
	_, all := tables(t)
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

func TestChecklists(t *testing.T) {
	for _, list := range sample.Checklists() {
		if entries, err := fs.ReadDir(list.FS, "."); err != nil || len(entries) == 0 {
			t.Errorf("checklist %s: %d files, %v", list.Name, len(entries), err)
		}
	}
	for _, folder := range []string{"checklists/wfo", "checklists/vascan"} {
		for _, name := range []string{"meta.xml", "eml.xml"} {
			text, err := fs.ReadFile(sample.FS(), folder+"/"+name)
			must(t, err)
			if err := xml.Unmarshal(text, new(struct{})); err != nil {
				t.Errorf("%s/%s: %v", folder, name, err)
			}
		}
	}
	for _, row := range readCSV(t, sample.FS(), "checklists/china/china.csv") {
		if row["物种拉丁名"] == "" || row["物种中文名"] == "" {
			t.Errorf("china.csv: %v needs 物种拉丁名 and 物种中文名", row)
		}
	}
}

// TestWCVPLinks checks that every accepted_plant_name_id in the WCVP file refers to an accepted
// name, and that every synonym has an accepted name.
func TestWCVPLinks(t *testing.T) {
	f, err := sample.FS().Open("checklists/wcvp/wcvp_names.csv")
	must(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	head := strings.Split(lines.Text(), "|")
	if len(head) != 31 {
		t.Fatalf("wcvp_names.csv has %d columns; the published file has 31", len(head))
	}
	at := func(cells []string, column string) string { return cells[slices.Index(head, column)] }
	status, names := map[string]string{}, [][]string{}
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) != 31 {
			t.Fatalf("wcvp_names.csv: %q has %d cells, not 31", lines.Text(), len(cells))
		}
		id := at(cells, "plant_name_id")
		if _, twice := status[id]; twice {
			t.Errorf("wcvp_names.csv: plant_name_id %s occurs twice", id)
		}
		status[id] = at(cells, "taxon_status")
		names = append(names, cells)
	}
	must(t, lines.Err())
	for _, cells := range names {
		id, accepted, own := at(cells, "plant_name_id"), at(cells, "accepted_plant_name_id"), at(cells, "taxon_status")
		switch own {
		case "Accepted":
			if accepted != id {
				t.Errorf("%s is accepted and must name itself, not %q", at(cells, "taxon_name"), accepted)
			}
		case "Unplaced":
			if accepted != "" {
				t.Errorf("%s is unplaced, but has the accepted name %s", at(cells, "taxon_name"), accepted)
			}
		default:
			if status[accepted] != "Accepted" {
				t.Errorf("%s (%s): its accepted name %q has the status %q", at(cells, "taxon_name"), own, accepted, status[accepted])
			}
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
