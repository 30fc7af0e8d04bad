package mappings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/mappings/search"
	"bencao/store"
)

// TestDocs runs every example of docs/search.md on the sample.
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
		case "## Herbs":
			table = "herbs"
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

// TestOneQuery runs the examples of "How one query is answered, stage by stage" in docs/search.md
// on the sample and compares the values after each stage.
func TestOneQuery(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "search.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := sample(t)
	for _, example := range []struct{ table, query string }{{"species", "人参"}, {"species", "renshen"}, {"formulas", "gzt"}, {"species", "银幸"}} {
		s, label := p.endpoint(example.table)
		ex, err := s.Explain(t.Context(), search.Query{Text: example.query, Size: 3})
		if err != nil {
			t.Fatal(err)
		}
		if want := stages(example.table, ex, label); !strings.Contains(string(doc), want) {
			t.Errorf("docs/search.md should say of %q:\n%s", example.query, want)
		}
	}
}

// stages returns the values of a query after each stage.
func stages(table string, ex search.Explanation, label func(store.Num) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "q        %s, of %s\n", ex.Query, table)
	fmt.Fprintf(&b, "read     %s; key %s", ex.Script, ex.Read)
	if len(ex.Syllables) > 0 {
		b.WriteString("; syllables " + strings.Join(ex.Syllables, " "))
	}
	if len(ex.Words) > 0 {
		b.WriteString("; words " + strings.Join(ex.Words, " "))
	}
	for i, tried := range ex.Tried {
		fmt.Fprintf(&b, "\nstage %d ", i+1)
		field, width := "", 0
		for k, a := range tried {
			way := fmt.Sprintf("%s %d", a.Way, a.Tier)
			switch {
			case a.Field != field && k > 0:
				b.WriteString("\n        ")
			case k > 0 && width+len(way) > 70:
				b.WriteString(",\n           ")
				width = 0
			case k > 0:
				b.WriteByte(',')
			}
			if a.Field != field {
				way = a.Field + ": " + way
				field, width = a.Field, 0
			}
			b.WriteString(" " + way)
			width += len(way)
		}
	}
	b.WriteString("\ncollect ")
	for _, c := range ex.Tiers {
		fmt.Fprintf(&b, " tier %d: %d;", c.Tier, c.Count)
	}
	fmt.Fprintf(&b, " %d in all\nhits    ", ex.Total)
	for i, h := range ex.Hits {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s (%s, %s)", label(h.Num), h.Field, h.Way)
	}
	return b.String() + "\n"
}
