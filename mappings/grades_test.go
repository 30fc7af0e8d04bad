package mappings_test

import (
	"cmp"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/mappings/search"
	"bencao/names/han"
)

// graded is an ambiguous query with grades for the names that users may mean.
type graded struct {
	table, query string
	grades       map[string]int // folded name → grade
}

// TestGrades reports how close the answers to ambiguous queries are to the grades. It uses the
// grades in testdata and, separately, grades that were not used to tune the ranking.
func TestGrades(t *testing.T) {
	p := full(t)
	for _, set := range []struct {
		name  string
		cases []graded
	}{
		{"testdata/grades.txt", ownGrades(t)},
		{"golden/search-grades-dev.tsv", otherGrades(t)},
	} {
		for _, table := range []struct {
			name  string
			least float64
		}{{"species", .80}, {"formulas", .90}} {
			sum, queries := 0.0, 0
			for _, c := range set.cases {
				if c.table == table.name {
					v, names := p.judgeGraded(t, c)
					t.Logf("%.3f %s %s: %s", v, c.table, c.query, strings.Join(names[:min(10, len(names))], " "))
					sum, queries = sum+v, queries+1
				}
			}
			if queries == 0 {
				continue
			}
			mean := sum / float64(queries)
			if t.Logf("nDCG@10 %.3f on %d queries: %s of %s", mean, queries, table.name, set.name); mean < table.least {
				t.Errorf("nDCG@10 is %.3f on the %s of %s, %.2f is aimed for", mean, table.name, set.name, table.least)
			}
		}
	}
}

// judgeGraded returns the score nDCG@10 of a query
// (https://en.wikipedia.org/wiki/Discounted_cumulative_gain) and the distinct names found. It
// ignores grades of names that the package lacks.
func (p *pack) judgeGraded(t *testing.T, c graded) (float64, []string) {
	t.Helper()
	ix, label := p.endpoint(c.table)
	hits := ask(t, ix, search.Query{Text: c.query, Size: 300})
	var names []string
	for _, n := range hits.Nums {
		if name := han.Fold(label(n)); c.table != "formulas" || !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var found, best []int
	for _, name := range names[:min(10, len(names))] {
		found = append(found, max(c.grades[name], 1))
	}
	for name, grade := range c.grades {
		if p.has(c.table, name) {
			best = append(best, grade)
		}
	}
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(b, a) })
	for len(best) < min(10, len(names)) {
		best = append(best, 1)
	}
	return gain(found) / gain(best[:min(10, len(best))]), names
}

// has reports whether some record of a table has the name.
func (p *pack) has(table, name string) bool {
	p.naming.Do(func() {
		p.names = map[string]map[string]bool{"species": {}, "formulas": {}}
		for i := range p.Species {
			p.names["species"][han.Fold(string(p.Species[i].ChineseName))] = true
		}
		for i := range p.Formulas {
			p.names["formulas"][han.Fold(string(p.Formulas[i].Name))] = true
		}
	})
	return p.names[table][name]
}

func gain(grades []int) float64 {
	sum := 0.0
	for i, g := range grades {
		sum += float64(g) / math.Log2(float64(i+2))
	}
	return sum
}

// ownGrades reads testdata/grades.txt. That file describes its format.
func ownGrades(t *testing.T) (cases []graded) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "grades.txt"))
	must(t, err)
	_, text, _ := strings.Cut(string(b), "\n\n") // skip the introduction of the file
	table := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			table, _, _ = strings.Cut(heading, ":")
			continue
		}
		grade, names, ok := strings.Cut(line, " ")
		switch {
		case line == "":
		case !ok:
			cases = append(cases, graded{table, line, map[string]int{}})
		default:
			for name := range strings.SplitSeq(names, ", ") {
				cases[len(cases)-1].grades[han.Fold(name)] = number(t, grade)
			}
		}
	}
	if len(cases) < 60 {
		t.Errorf("testdata/grades.txt has %d queries that can be read, 60 are wanted", len(cases))
	}
	return cases
}

// otherGrades reads the grades that were not used for tuning. They are not in the repository.
func otherGrades(t *testing.T) (cases []graded) {
	t.Helper()
	f, err := os.Open(fullsize.Path(t, "golden/search-grades-dev.tsv"))
	if err != nil {
		t.Logf("NOT TESTED: %v", err)
		return nil
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.Comment, r.LazyQuotes = '\t', '#', true
	rows, err := r.ReadAll()
	must(t, err)
	for _, row := range rows[1:] {
		if last := len(cases) - 1; last < 0 || cases[last].table != row[0] || cases[last].query != row[1] {
			cases = append(cases, graded{row[0], row[1], map[string]int{}})
		}
		cases[len(cases)-1].grades[han.Fold(row[3])] = number(t, row[2])
	}
	return cases
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	must(t, err)
	return n
}
