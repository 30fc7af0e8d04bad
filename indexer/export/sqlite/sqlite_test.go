package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/export"
	"bencao/indexer/export/sqlite"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/test/race"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// formats are the formats of this program, including SQLite.
var formats = append(export.Builtin(), sqlite.Format())

// database exports a package and opens the database.
func database(tb testing.TB, src *archive.Archive) (db *sql.DB, path string) {
	tb.Helper()
	if race.On {
		tb.Skip("NOT TESTED with the race detector: SQLite is left out")
	}
	entries, err := formats.Entries(context.Background(), export.Source{Package: src}, "sqlite")
	must(tb, err)
	path = filepath.Join(tb.TempDir(), "plants.sqlite")
	must(tb, formats.Save(context.Background(), path, entries, false))
	db, err = sql.Open("sqlite", path)
	must(tb, err)
	tb.Cleanup(func() { db.Close() })
	return db, path
}

// rows returns the result of a query as text. NULL becomes "".
func rows(tb testing.TB, db *sql.DB, query string, args ...any) [][]string {
	tb.Helper()
	found, err := db.Query(query, args...)
	if err != nil {
		tb.Fatalf("%s: %v", query, err)
	}
	defer found.Close()
	columns, err := found.Columns()
	must(tb, err)
	var all [][]string
	for found.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		must(tb, found.Scan(into...))
		row := make([]string, len(columns))
		for i, c := range cells {
			row[i] = c.String
		}
		all = append(all, row)
	}
	must(tb, found.Err())
	return all
}

func sampleArchive(tb testing.TB) *archive.Archive {
	tb.Helper()
	src, err := archive.FromFS("sample", sample.Package(), archive.Limits{})
	must(tb, err)
	return src
}

// TestDatabaseHoldsAll compares every table with the CSV of the package.
func TestDatabaseHoldsAll(t *testing.T) {
	src := sampleArchive(t)
	db, path := database(t, src)
	for _, check := range []string{"PRAGMA integrity_check", "PRAGMA foreign_key_check"} {
		if got := fmt.Sprint(rows(t, db, check)); got != "[[ok]]" && got != "[]" {
			t.Errorf("%s: %s", check, got)
		}
	}
	p, err := datapackage.Read(context.Background(), src, datapackage.Options{}, &finding.Log{})
	must(t, err)
	tables := map[string][][]string{}
	for _, e := range p.Entries() {
		table, ok := strings.CutSuffix(e.Name, ".csv")
		if !ok {
			continue
		}
		var b bytes.Buffer
		must(t, e.Write(&b))
		all, err := csv.NewReader(&b).ReadAll()
		must(t, err)
		tables[table] = all
	}
	for _, s := range datapackage.Schema() {
		want := [][]string{}
		if all := tables[s.Name]; len(all) > 0 {
			want = all[1:]
		}
		var columns []string
		for i, c := range s.Columns {
			columns = append(columns, c.Name)
			for _, row := range want {
				if c.Type == "boolean" {
					row[i] = strings.NewReplacer("true", "1", "false", "0").Replace(row[i])
				}
			}
		}
		got := rows(t, db, fmt.Sprintf("SELECT %s FROM %s", strings.Join(columns, ", "), s.Name))
		slices.SortFunc(want, slices.Compare)
		slices.SortFunc(got, slices.Compare)
		if diff := cmp.Diff(want, append([][]string{}, got...)); diff != "" {
			t.Errorf("table %s (-package +database):\n%s", s.Name, diff)
		}
		if got, want := len(rows(t, db, fmt.Sprintf("PRAGMA foreign_key_list(%s)", s.Name))), len(s.References); got != want {
			t.Errorf("table %s has %d foreign keys, want %d", s.Name, got, want)
		}
	}
	again, other := database(t, src)
	must(t, again.Close())
	if a, b := readAll(t, path), readAll(t, other); !bytes.Equal(a, b) {
		t.Error("the same package made two files that differ")
	}
}

func readAll(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	must(tb, err)
	return b
}

// TestDatabaseFindsNames searches the full-text index as Datasette does.
func TestDatabaseFindsNames(t *testing.T) {
	db, _ := database(t, sampleArchive(t))
	for _, tt := range []struct{ query, want string }{
		{"人参", "人参"}, {"renshen", "人参"}, {"ren shen", "人参"}, {`"人 参"`, "人参"}, {"参", "西洋参"},
		{"gzt", "桂枝汤"}, {"Panax", "Panax ginseng"}, {"ginseng", "Panax ginseng"}, {"gui*", "桂枝汤"},
	} {
		got := rows(t, db, "SELECT name FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?)", tt.query)
		if !slices.ContainsFunc(got, func(row []string) bool { return row[0] == tt.want }) {
			t.Errorf("%s finds %v, want %s among them", tt.query, got, tt.want)
		}
	}
	// Datasette finds the full-text index of a table by this query, and then shows a search field.
	if got := rows(t, db, `SELECT name FROM sqlite_master WHERE rootpage = 0 AND sql LIKE '%VIRTUAL TABLE%USING FTS%content="names"%'`); len(got) != 1 || got[0][0] != "names_fts" {
		t.Errorf("the full-text indexes that Datasette finds for names are %v, want names_fts", got)
	}
	got := rows(t, db, `SELECT DISTINCT f.name FROM names n JOIN herb_species h ON h.species_id = n.species_id
		JOIN formula_ingredients i ON i.herb = h.herb JOIN formulas f ON f.entry_id = i.formula_id WHERE n.name = 'Panax ginseng' ORDER BY f.name`)
	if len(got) == 0 {
		t.Error("no formula of Panax ginseng is found through its herb")
	}
}

// TestDatabaseSaysWhatItIs checks the metadata in the database and in metadata.json.
func TestDatabaseSaysWhatItIs(t *testing.T) {
	src := described(t)
	db, _ := database(t, src)
	want := [][]string{
		{"abstract", "Plant species, historical Chinese formulas, papers and plant uses: 1 species with 0 synonyms, 0 formulas, 0 papers and 0 recorded uses."},
		{"citation", `Plants: "all" & <more>. version 2026.11, 2026-11-20. Data set, by way of Bencao 本草`},
		{"contact", `Plants: "all" & <more>`},
		{"created", "2026-11-20T00:00:00Z"},
		{"kingdom", "Plantae"},
		{"license", "CC-BY-4.0"},
		{"license_url", "https://creativecommons.org/licenses/by/4.0/"},
		{"name", "herbarium"},
		{"nomenclatural_code", "ICN"},
		{"title", `Plants: "all" & <more>`},
		{"version", "2026.11"},
	}
	if diff := cmp.Diff(want, rows(t, db, "SELECT key, value FROM metadata ORDER BY key")); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	var beside struct {
		Title     string
		License   string
		Databases map[string]struct{ Tables map[string]any }
	}
	must(t, json.Unmarshal(datasetteMetadata(t, src), &beside))
	if beside.Title != `Plants: "all" & <more>` || beside.License != "CC-BY-4.0" {
		t.Errorf("metadata.json says %+v", beside)
	}
	for table := range beside.Databases["bencao"].Tables {
		if len(rows(t, db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?", table)) != 1 {
			t.Errorf("metadata.json speaks of a table %s, which the database lacks", table)
		}
	}
}

// described returns a package with a title, a version and a licence.
func described(tb testing.TB) *archive.Archive {
	tb.Helper()
	src, err := archive.FromFS("herbarium", fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "herbarium", "title": "Plants: \"all\" & <more>", "version": "2026.11", "created": "2026-11-20T00:00:00Z",
			"licenses": [{"name": "CC-BY-4.0", "path": "https://creativecommons.org/licenses/by/4.0/"}],
			"resources": [{"name": "species", "path": "species.csv"}]}`)},
		"species.csv": {Data: []byte("entry_id,chinese_name,scientific_name,rank\n1,人参,Panax ginseng,species\n")},
	}, archive.Limits{})
	must(tb, err)
	return src
}

// datasetteMetadata exports a package to a folder and returns its metadata.json.
func datasetteMetadata(tb testing.TB, src *archive.Archive) []byte {
	tb.Helper()
	entries, err := formats.Entries(context.Background(), export.Source{Package: src}, "sqlite")
	must(tb, err)
	folder := filepath.Join(tb.TempDir(), "folder")
	must(tb, formats.Save(context.Background(), folder, entries, false))
	return readAll(tb, filepath.Join(folder, "metadata.json"))
}

// TestSQLiteProgramReadsTheDatabase reads the file with the program sqlite3.
func TestSQLiteProgramReadsTheDatabase(t *testing.T) {
	program, err := exec.LookPath("sqlite3")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no sqlite3 here; install sqlite3")
	}
	if err != nil {
		t.Skip("SKIPPED: there is no sqlite3 here; install sqlite3")
	}
	_, path := database(t, sampleArchive(t))
	out, err := exec.Command(program, "-readonly", path, "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT chinese_name FROM species WHERE scientific_name = 'Panax ginseng';").CombinedOutput()
	if want := "ok\n人参\n"; err != nil || string(out) != want {
		t.Errorf("sqlite3: %v: %s, want %s", err, out, want)
	}
}
