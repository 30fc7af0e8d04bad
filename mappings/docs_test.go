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

// docsExample is an example of docs/search.md: a query and its first answer.
type docsExample struct{ table, query, first string }

// docsExamples reads the examples of docs/search.md.
func docsExamples(t *testing.T) (examples []docsExample) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "docs", "search.md"))
	must(t, err)
	example := regexp.MustCompile("^\\| `([^`]+)` \\| ([^|]+) \\|")
	question := regexp.MustCompile("^\\| (species|formulas) \\| `([^`]+)` \\| (\\p{Han}+) \\| [^|]+ \\|$")
	table := ""
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
		if m := example.FindStringSubmatch(line); m != nil {
			examples = append(examples, docsExample{table, m[1], m[2]})
		}
		if m := question.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			examples = append(examples, docsExample{m[1], m[2], m[3]})
		}
	}
	if len(examples) < 40 {
		t.Errorf("docs/search.md has %d examples that can be read, 40 are wanted", len(examples))
	}
	return examples
}

// answers reports whether an index gives the first answer of the example.
func (e docsExample) answers(t *testing.T, ix *search.Searcher, label func(store.Num) string) bool {
	t.Helper()
	hits := ask(t, ix, search.Query{Text: e.query, Size: 1})
	return len(hits.Nums) == 1 && label(hits.Nums[0]) == e.first
}

// TestDocs runs every example of docs/search.md on the sample.
func TestDocs(t *testing.T) {
	p := sample(t)
	for _, e := range docsExamples(t) {
		if ix, label := p.endpoint(e.table); !e.answers(t, ix, label) {
			t.Errorf("docs/search.md says that %q finds %s first, which it does not", e.query, e.first)
		}
	}
}

// TestOrdinarySigns checks the signs that docs/search.md calls ordinary characters, and the one
// with which no name is found.
func TestOrdinarySigns(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "search.md"))
	must(t, err)
	signs := regexp.MustCompile("no operators: `(.)`, `(.)`, quotes and `AND` are ordinary characters. A name with\\s`(.)` is not found").FindSubmatch(doc)
	if signs == nil {
		t.Fatal("docs/search.md does not say which signs are ordinary characters")
	}
	p := sample(t)
	for text, want := range map[string]int{"人参" + string(signs[1]): 1, "人参" + string(signs[2]): 1, `"人参"`: 1, "人参" + string(signs[3]): 0} {
		if hits := ask(t, p.species, search.Query{Text: text, Size: 1}); len(hits.Nums) != want {
			t.Errorf("%s finds %d, want %d", text, len(hits.Nums), want)
		}
	}
}

// TestOneQuery runs the examples of "One query, stage by stage" in ARCHITECTURE.md
// on the sample and compares the values after each stage.
func TestOneQuery(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "ARCHITECTURE.md"))
	must(t, err)
	p := sample(t)
	for _, example := range []struct{ table, query string }{{"species", "人参"}, {"species", "银幸"}} {
		s, label := p.endpoint(example.table)
		ex, err := s.Explain(t.Context(), search.Query{Text: example.query, Size: 3})
		must(t, err)
		if want := stages(example.table, ex, label); !strings.Contains(string(doc), want) {
			t.Errorf("ARCHITECTURE.md should say of %q:\n%s", example.query, want)
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
