package datapackage_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"bencao/indexer/datapackage"

	"github.com/google/go-cmp/cmp"
)

// documented matches a row of a table in the documentation. The row has the name, the type and the
// meaning of a column, and tells whether the column is required.
var documented = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\| (yes|是)? ?\\| (.*) ?\\|$")

// TestDocumentation checks that docs/data-package.md and its Chinese translation list all columns
// with their types and vocabularies. People who write exports rely on these pages.
func TestDocumentation(t *testing.T) {
	for page, like := range map[string]string{
		"docs/data-package.md":    "as in `species`",
		"docs/zh/data-package.md": "同 `species`",
	} {
		t.Run(page, func(t *testing.T) { checkDocumentation(t, page, like) })
	}
}

// checkDocumentation checks one page. For a column with a vocabulary, the page must list the words.
// Instead it may have the text like, which says that the words are the same as in species.
func checkDocumentation(t *testing.T, page, like string) {
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
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
			t.Errorf("%s, table %s (-read +documented):\n%s", page, table.Name, diff)
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
