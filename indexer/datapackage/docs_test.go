package datapackage_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// documented matches a row of a table in the documentation. The row has the name, the type and the
// meaning of a column, and tells whether the column is required.
var documented = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\| (yes|是)? ?\\| (.*) ?\\|$")

var update = flag.Bool("update", false, "add the rows of new columns to docs/data-package.md and its translation")

// TestDocumentation checks that docs/data-package.md and its Chinese translation list all columns
// with their types and vocabularies. People who write exports rely on these pages.
func TestDocumentation(t *testing.T) {
	for page, like := range map[string]string{
		"docs/data-package.md":    "as in `species`",
		"docs/zh/data-package.md": "同 `species`",
	} {
		t.Run(page, func(t *testing.T) {
			if *update {
				addRows(t, page)
			}
			checkDocumentation(t, page, like)
		})
	}
}

// answers lists the answers that show the rows of a table. The descriptions of their fields tell
// what the columns mean.
var answers = map[string]reflect.Type{
	"species":  reflect.TypeFor[store.SpeciesDetail](),
	"flora":    reflect.TypeFor[store.FloraTreatment](),
	"uses":     reflect.TypeFor[store.PlantUse](),
	"formulas": reflect.TypeFor[store.FormulaDetail](),
	"papers":   reflect.TypeFor[store.PaperSummary](),
}

// describe returns the description of a column's field in the API, or "".
func describe(table, column string) string {
	answer, there := answers[table]
	if !there {
		return ""
	}
	for f := range answer.Fields() {
		if strings.EqualFold(f.Tag.Get("json"), strings.ReplaceAll(column, "_", "")) {
			return f.Tag.Get("doc")
		}
	}
	return ""
}

// addRows adds a row to a page for each column that the page lacks, after the row of the column
// before. The meaning is the field's description in the API, on a Chinese page its translation.
func addRows(t *testing.T, page string) {
	file := "../../" + page
	text, err := os.ReadFile(file)
	must(t, err)
	translations, err := os.ReadFile("../../api/explorer/texts/api.zh.txt")
	must(t, err)
	for _, table := range datapackage.Schema() {
		before, section, ok := strings.Cut(string(text), "### `"+table.Name+"`\n")
		if !ok {
			continue
		}
		at := strings.Index(section, "|---|---|---|---|\n") + len("|---|---|---|---|\n")
		for _, c := range table.Columns {
			if row := strings.Index(section[at:], "| `"+c.Name+"` |"); row >= 0 {
				at += row + strings.Index(section[at+row:], "\n") + 1
				continue
			}
			meaning, needed := describe(table.Name, c.Name), "yes "
			if strings.Contains(page, "/zh/") {
				_, meaning, _ = strings.Cut(string(translations), "\n"+meaning+"\n\t")
				meaning, _, _ = strings.Cut(meaning, "\n")
				needed = "是 "
			}
			if meaning == "" {
				t.Fatalf("column %s of %s: describe its field in store/answer.go, and translate the description in api/explorer/texts/api.zh.txt", c.Name, table.Name)
			}
			if !c.Required {
				needed = ""
			}
			row := fmt.Sprintf("| `%s` | %s | %s| %s |\n", c.Name, c.Type, needed, strings.TrimRight(meaning, ".。"))
			section = section[:at] + row + section[at:]
			at += len(row)
		}
		text = []byte(before + "### `" + table.Name + "`\n" + section)
	}
	must(t, os.WriteFile(file, text, 0o644))
}

// checkDocumentation checks one page. For a column with a vocabulary, the page must list the words.
// Instead it may have the text like, which says that the words are the same as in species.
func checkDocumentation(t *testing.T, page, like string) {
	text, err := os.ReadFile("../../" + page)
	must(t, err)
	for _, table := range datapackage.Schema() {
		_, section, ok := strings.Cut(string(text), "### `"+table.Name+"`\n")
		if !ok {
			t.Errorf("%s has no section ### `%s`", page, table.Name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n##")
		var got []datapackage.ColumnSchema
		meanings := map[string]string{}
		for _, m := range documented.FindAllStringSubmatch(section, -1) {
			got = append(got, datapackage.ColumnSchema{Name: m[1], Type: m[2], Required: m[3] != ""})
			meanings[m[1]] = strings.TrimSpace(m[4])
		}
		want := make([]datapackage.ColumnSchema, len(table.Columns))
		for i, c := range table.Columns {
			want[i] = datapackage.ColumnSchema{Name: c.Name, Type: c.Type, Required: c.Required}
			if words := strings.Join(c.Words, ", "); !strings.Contains(meanings[c.Name], words) && meanings[c.Name] != like {
				t.Errorf("%s, table %s, column %s: does not list its words: %s", page, table.Name, c.Name, words)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, table %s (-read +documented); \"make golden\" adds the rows that are missing:\n%s", page, table.Name, diff)
		}
	}
}

func TestSchema(t *testing.T) {
	for _, table := range datapackage.Schema() {
		if table.Name != "flora" && table.Name != "aliases" && table.Name != "species_papers" {
			continue
		}
		type relations struct {
			PrimaryKey []string
			Unique     [][]string
			References []datapackage.Reference
		}
		species := datapackage.Reference{Column: "species_id", Table: "species", To: "entry_id"}
		want := map[string]relations{
			"flora":          {PrimaryKey: []string{"id"}, References: []datapackage.Reference{species}},
			"aliases":        {Unique: [][]string{{"species_id", "name"}}, References: []datapackage.Reference{species}},
			"species_papers": {PrimaryKey: []string{"species_id", "paper_id"}, References: []datapackage.Reference{species, {Column: "paper_id", Table: "papers", To: "id"}}},
		}[table.Name]
		got := relations{table.PrimaryKey, table.Unique, table.References}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("table %s (-want +got):\n%s", table.Name, diff)
		}
	}
}
