package mappings_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/mappings/search"
)

// TestDocs asks the sample for every example of docs/search.md.
func TestDocs(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "docs", "search.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := sample(t)
	example := regexp.MustCompile("^\\| `([^`]+)` \\| ([^|]+) \\|")
	table, examples := "", 0
	for line := range strings.Lines(string(b)) {
		switch strings.TrimSpace(line) {
		case "## Species", "## When nothing fits":
			table = "species"
		case "## Formulas":
			table = "formulas"
		case "## Papers":
			table = "papers"
		}
		m := example.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		examples++
		ix, label := p.endpoint(table)
		hits := ask(t, ix, search.Query{Text: m[1], Size: 1})
		if len(hits.Nums) == 0 || label(hits.Nums[0]) != m[2] {
			t.Errorf("docs/search.md says that %q finds %s first; it finds %d records", m[1], m[2], hits.Total)
		}
	}
	if examples < 40 {
		t.Errorf("docs/search.md has %d examples that can be read, 40 are wanted", examples)
	}
}
