package mappings_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/fullsize"
	"bencao/mappings/search"
)

// TestJudged runs the judged queries over the full package.
func TestJudged(t *testing.T) {
	f, err := os.Open(fullsize.Path(t, "golden/search-dev.tsv"))
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.Comment, r.LazyQuotes = '\t', '#', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p := full(t)
	passed, missed := 0, misses{}
	defer missed.report(t)
	for _, row := range rows[1:] {
		id, endpoint, mode, query, params, expect, rule := row[0], row[2], row[3], row[4], row[5], row[6], row[7]
		ix, label := p.endpoint(endpoint)
		q := search.Query{Text: query, Size: 20}
		q.Dynasty = strings.TrimPrefix(params, "dynasty=")
		hits, err := ix.Search(context.Background(), q)
		if err != nil {
			t.Errorf("%s %s %q: %v", id, mode, query, err)
			continue
		}
		var names []string
		for _, n := range hits.Nums {
			names = append(names, label(n))
		}
		if judge(rule, strings.Split(expect, "|"), names, hits.Total) {
			passed++
			continue
		}
		missed.add(t, ix, q, fmt.Sprintf("%s %s %s %q wants %s %q, got %d: %v", id, endpoint, mode, query, rule, expect, hits.Total, names[:min(10, len(names))]))
	}
	t.Logf("%d of %d judged queries pass", passed, len(rows)-1)
}

func judge(rule string, expect, names []string, total int) bool {
	first := func(n int) []string { return names[:min(n, len(names))] }
	switch {
	case rule == "zero":
		return total == 0
	case rule == "hits":
		return total > 0 && !slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(n, expect[0]) })
	case rule == "alltop":
		return len(names) > 0 && !slices.ContainsFunc(first(len(expect)), func(n string) bool { return !slices.Contains(expect, n) })
	case strings.HasPrefix(rule, "top"):
		n, _ := strconv.Atoi(rule[3:])
		return slices.ContainsFunc(first(n), func(n string) bool { return slices.Contains(expect, n) })
	case strings.HasPrefix(rule, "all"):
		n, _ := strconv.Atoi(rule[3:])
		return !slices.ContainsFunc(expect, func(e string) bool { return !slices.Contains(first(n), e) })
	}
	return false
}
