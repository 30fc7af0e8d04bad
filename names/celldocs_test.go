package names_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
)

// TestCellsOfDocs checks the table of cells in docs/name-matching.md.
func TestCellsOfDocs(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "name-matching.md"))
	must(t, err)
	_, table, _ := strings.Cut(string(doc), "| cell | answered | unread |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	ix, rows := fixture(t), 0
	for line := range strings.Lines(table) {
		columns := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "|"), "|")
		if len(columns) != 4 {
			t.Fatalf("docs/name-matching.md: %q has %d columns, want 3", line, len(columns)-1)
		}
		rows++
		cell, want, unread := strings.Trim(columns[1], " `"), strings.TrimSpace(columns[2]), strings.TrimSpace(columns[3])
		r, err := ix.Match(names.Query{Name: cell})
		must(t, err)
		var answered []string
		for _, e := range r.Results {
			answered = append(answered, string(e.MatchedName))
			if several := len(r.Results) > 1; several != e.Flags.Has(answer.Ambiguous) {
				t.Errorf("%s: %s has flags %v", cell, e.MatchedName, e.Flags)
			}
			if unread != "" && e.Score >= names.ScoreTake {
				t.Errorf("%s: %s has %.2f although words were not read", cell, e.MatchedName, e.Score)
			}
		}
		got := strings.Join(answered, "; ")
		if got == "" {
			got = "nothing"
		}
		if got != want || string(r.Unread) != unread {
			t.Errorf("docs/name-matching.md: %s is answered with %s, unread %q; the table says %s, %q", cell, got, r.Unread, want, unread)
		}
	}
	if rows < 10 {
		t.Errorf("docs/name-matching.md has %d cells; want the table", rows)
	}
}
