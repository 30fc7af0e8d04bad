package mappings_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/mappings/search"
	"bencao/store"
)

var update = flag.Bool("update", false, "rewrite testdata/rank.txt")

// corpusCase is a judged query with the expected hits. testdata/species.txt describes the format.
type corpusCase struct {
	line    string
	mode    string
	query   search.Query
	strict  bool // the first expected name must be the first hit
	expects []string
}

func readCorpus(t *testing.T, file string) []corpusCase {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", file))
	must(t, err)
	var cases []corpusCase
	mode, comment := "", true // skip the text at the top of the file
	for i, line := range strings.Split(string(b), "\n") {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "#") {
			mode = strings.TrimSpace(strings.TrimPrefix(line, "#"))
			continue
		}
		comment = comment && line != ""
		left, right, ok := strings.Cut(line, " =>")
		strict := ok
		if !ok {
			left, right, ok = strings.Cut(line, " ~>")
		}
		if !ok {
			if line != "" {
				t.Fatalf("testdata/%s:%d: %q has no => or ~>", file, i+1, line)
			}
			continue
		}
		c := corpusCase{line: fmt.Sprintf("testdata/%s:%d", file, i+1), mode: mode, strict: strict}
		c.query.Text, c.query.Dynasty, _ = strings.Cut(left, " @")
		c.query.Size = 10
		for _, e := range strings.Split(right, " | ") {
			if e = strings.TrimSpace(e); e != "" {
				c.expects = append(c.expects, e)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// TestCorpus runs the judged queries on the sample package and compares the ranking
// report with testdata/rank.txt.
func TestCorpus(t *testing.T) {
	report, all := judgeCorpus(t, sample(t), "")
	if all < 300 {
		t.Errorf("the corpus has %d queries; 300 are wanted", all)
	}
	golden := filepath.Join("testdata", "rank.txt")
	if *update {
		must(t, os.WriteFile(golden, report, 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if !bytes.Equal(report, want) {
		old := strings.Split(string(want), "\n")
		changed := slices.DeleteFunc(strings.Split(string(report), "\n"), func(line string) bool { return slices.Contains(old, line) })
		t.Errorf("the ranking changed; look whether it is better, then run go test ./mappings -run Corpus -update\n%s", strings.Join(changed, "\n"))
	}
}

// TestCorpusFull runs the judged queries of testdata/full on the full package.
func TestCorpusFull(t *testing.T) {
	report, all := judgeCorpus(t, full(t), "full")
	if t.Logf("%s", report); all < 300 {
		t.Errorf("the corpus has %d queries; 300 are wanted", all)
	}
}

// judgeCorpus runs the judged queries of a folder of testdata on a package. It returns
// a ranking report and the number of queries.
func judgeCorpus(t *testing.T, p *pack, dir string) (report []byte, all int) {
	t.Helper()
	missed := misses{}
	defer missed.report(t)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# How well the judged queries of this folder are answered; go test -update rewrites it.\n")
	for _, table := range []string{"species", "formulas", "papers", "herbs"} {
		ix, label := p.endpoint(table)
		cases := readCorpus(t, filepath.Join(dir, table+".txt"))
		all += len(cases)
		matches := p.matches(table)
		var modes []string
		scores := make(map[string]*ranking)
		for _, c := range cases {
			hits, err := ix.Search(context.Background(), c.query)
			if err != nil {
				t.Errorf("%s: %v", c.line, err)
				continue
			}
			var names []string
			for _, n := range hits.Nums {
				names = append(names, label(n))
			}
			if scores[c.mode] == nil {
				scores[c.mode] = new(ranking)
				modes = append(modes, c.mode)
			}
			if problem := scores[c.mode].judge(c, hits, matches); problem != "" {
				missed.add(t, ix, c.query, fmt.Sprintf("%s: %q: %s; found %d: %v", c.line, c.query.Text, problem, hits.Total, names))
			}
		}
		var total ranking
		fmt.Fprintf(&out, "\n## %s\n%9s %9s %7s %7s\n", table, "recall@1", "recall@5", "MRR", "queries")
		for _, m := range modes {
			total.add(*scores[m])
			fmt.Fprintf(&out, "%s  %s\n", scores[m], m)
		}
		fmt.Fprintf(&out, "%s  all\n", &total)
	}
	return out.Bytes(), all
}

// matches returns a function that reports whether a record is the one that a judged query expects.
func (p *pack) matches(table string) func(n store.Num, expect string) bool {
	_, label := p.endpoint(table)
	return func(n store.Num, expect string) bool {
		switch table {
		case "formulas":
			return expect == string(p.Formulas[n].Name) || expect == fmt.Sprintf("%s (%s)", p.Formulas[n].Name, p.Formulas[n].Dynasty)
		case "species":
			return expect == label(n) || expect == string(p.Species[n].ScientificName)
		}
		return strings.HasPrefix(label(n), expect)
	}
}

// misses groups the judged queries with a wrong answer by cause. The cause is the way in which the
// first hit was found.
type misses map[string][]string

// add adds a query with a wrong answer. line describes the error.
func (m misses) add(t *testing.T, ix *search.Searcher, q search.Query, line string) {
	t.Helper()
	ex, err := ix.Explain(context.Background(), q)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	decided := fmt.Sprintf("%d stages that found nothing, read as %s", len(ex.Tried), ex.Script)
	if len(ex.Hits) > 0 {
		first := ex.Hits[0]
		decided = fmt.Sprintf("%s %q, tier %d, in stage %d, read as %s", first.Field, first.Way, first.Tier, len(ex.Tried), ex.Script)
	}
	m[decided] = append(m[decided], line)
}

// report lists each cause with some of its queries.
func (m misses) report(t *testing.T) {
	t.Helper()
	const most = 4
	for _, decided := range slices.Sorted(maps.Keys(m)) {
		lines, more := m[decided], ""
		if len(lines) > most {
			lines, more = lines[:most], fmt.Sprintf("\n\t… and %d more", len(lines)-most)
		}
		t.Errorf("%d wrong, decided by %s:\n\t%s%s", len(m[decided]), decided, strings.Join(lines, "\n\t"), more)
	}
}

// ranking summarises the results of the judged queries of one mode. A query that expects no hits
// counts as found if it returns none.
type ranking struct {
	queries, first, five int
	reciprocal           float64
}

func (r *ranking) add(o ranking) {
	r.queries, r.first, r.five, r.reciprocal = r.queries+o.queries, r.first+o.first, r.five+o.five, r.reciprocal+o.reciprocal
}

func (r *ranking) String() string {
	n := float64(r.queries)
	return fmt.Sprintf("%9.3f %9.3f %7.3f %7d", float64(r.first)/n, float64(r.five)/n, r.reciprocal/n, r.queries)
}

// judge counts the result of a case. It returns a description of the error in the hits, or "".
func (r *ranking) judge(c corpusCase, hits search.Hits, matches func(store.Num, string) bool) string {
	r.queries++
	if len(c.expects) == 0 {
		if hits.Total > 0 {
			return "expects nothing"
		}
		r.first, r.five, r.reciprocal = r.first+1, r.five+1, r.reciprocal+1
		return ""
	}
	place := func(e string) int {
		return slices.IndexFunc(hits.Nums, func(n store.Num) bool { return matches(n, e) })
	}
	var missing []string
	five, best := true, -1
	limit := 10
	if c.strict {
		limit = 5
	}
	for _, e := range c.expects {
		at := place(e)
		five = five && at >= 0 && at < 5
		if at >= 0 && (best < 0 || at < best) {
			best = at
		}
		if at < 0 || at >= limit {
			missing = append(missing, e)
		}
	}
	if best == 0 {
		r.first++
	}
	if five {
		r.five++
	}
	if best >= 0 {
		r.reciprocal += 1 / float64(best+1)
	}
	switch {
	case len(missing) > 0:
		return fmt.Sprintf("expects %v among the first %d", missing, limit)
	case c.strict && place(c.expects[0]) != 0:
		return fmt.Sprintf("expects %s first", c.expects[0])
	}
	return ""
}
