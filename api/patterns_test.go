package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api/problem"
	"bencao/mappings/patterns"
	"bencao/store"
)

// patternPage is a page of patterns.
type patternPage[T any] struct {
	pageOf[T]
	Population  patterns.Population
	MinFormulas int
}

// TestPatternsCost checks that each question about patterns counts as five requests, and that a key
// with a limit below five gets an error that names the reason.
func TestPatternsCost(t *testing.T) {
	s := start(t, config{})
	left := 11
	for _, of := range []string{"herbs", "pairs", "sets", "formulas"} {
		got := s.do(t, http.MethodGet, "/api/v1/patterns/"+of+"?pageSize=1", "eleven")
		if left >= 5 {
			got.wantStatus(t, http.StatusOK)
			left -= 5
		} else if got.wantStatus(t, http.StatusTooManyRequests); got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: 429 without Retry-After", of)
		}
	}
	small := s.do(t, http.MethodGet, "/api/v1/patterns/pairs", "three").wantStatus(t, http.StatusTooManyRequests)
	if !strings.Contains(string(small.body), "counts as 5 requests, and 3 a minute") {
		t.Errorf("a limit of 3: %s", small.body)
	}
}

// TestPatternsNames asks for a drug of the sample by each name that a query may use, and counts
// forms of a drug, such as 荆芥穗, with the drug. It also checks the minimum number of formulas that
// the server chooses if the request has none.
func TestPatternsNames(t *testing.T) {
	s := startSample(t, siteURL)
	get := func(path string, query ...string) reply {
		q := url.Values{}
		for i := 0; i < len(query); i += 2 {
			q.Set(query[i], query[i+1])
		}
		return s.get(t, path+"?"+q.Encode()).wantStatus(t, http.StatusOK)
	}
	formulas := func(query ...string) int {
		return decode[pageOf[store.FormulaSummary]](t, get("/api/v1/formulas", query...)).Total
	}
	whole := get("/api/v1/patterns/pairs", "minFormulas", "2", "herb", "川芎")
	if x := decode[patternPage[patterns.Pair]](t, whole).Items[0].X; x.Name != "川芎" {
		t.Errorf("herb=川芎 is %+v", x)
	}
	all := formulas("herbs", "川芎")
	for _, name := range []string{"芎䓖", "芎藭", "炒川芎", "酒洗芎䓖"} {
		if got := get("/api/v1/patterns/pairs", "minFormulas", "2", "herb", name); !bytes.Equal(got.body, whole.body) {
			t.Errorf("herb=%s: %.300s\nherb=川芎: %.300s", name, got.body, whole.body)
		}
		if got := formulas("herbs", name); got != all {
			t.Errorf("herbs=%s finds %d formulas, 川芎 %d", name, got, all)
		}
	}
	if got := s.get(t, "/api/v1/patterns/pairs?names=written&minFormulas=2&herb="+url.QueryEscape("川芎")).wantStatus(t, http.StatusOK); !strings.Contains(string(got.body), `"x":{"id":null,"name":"川芎"}`) {
		t.Errorf("a name as written: %.300s", got.body)
	}

	apart, together := formulas("herbs", "荆芥"), formulas("herbs", "荆芥", "forms", "together")
	if apart >= together || formulas("herbs", "荆芥穗", "forms", "together") != together || formulas("without", "荆芥", "forms", "together")+together != formulas() {
		t.Errorf("荆芥 is in %d formulas, with its forms in %d; 荆芥穗 with its drug in %d", apart, together, formulas("herbs", "荆芥穗", "forms", "together"))
	}
	rows := decode[patternPage[patterns.Herb]](t, get("/api/v1/patterns/herbs", "forms", "together", "pageSize", "1000")).Items
	i := slices.IndexFunc(rows, func(h patterns.Herb) bool { return h.Name == "荆芥" })
	if i < 0 || int(rows[i].Formulas) != together || slices.ContainsFunc(rows, func(h patterns.Herb) bool { return h.Name == "荆芥穗" }) {
		t.Errorf("patterns count 荆芥 with its forms wrongly, or 荆芥穗 on its own; row %d", i)
	}
	pairs := decode[patternPage[patterns.Pair]](t, get("/api/v1/patterns/pairs", "forms", "together", "minFormulas", "2", "herb", "荆芥穗"))
	if len(pairs.Items) == 0 || pairs.Items[0].X.Name != "荆芥" {
		t.Errorf("herb=荆芥穗 with its drug: %+v", pairs.Items)
	}

	for of, want := range map[string]int{"pairs": 10, "sets": 20} {
		if got := decode[patternPage[any]](t, get("/api/v1/patterns/"+of, "pageSize", "1")).MinFormulas; got != want {
			t.Errorf("%s without minFormulas: %d was used, want %d", of, got, want)
		}
		if got := decode[patternPage[any]](t, get("/api/v1/patterns/"+of, "minFormulas", fmt.Sprint(want+1), "pageSize", "1")).MinFormulas; got != want+1 {
			t.Errorf("%s: %d was used, %d asked for", of, got, want+1)
		}
	}
}

// TestPatternsRefusedOnce repeats a question that is refused. The server must remember the refusal,
// because with many sets it comes after a long computation.
func TestPatternsRefusedOnce(t *testing.T) {
	s := startSample(t, siteURL)
	path := "/api/v1/patterns/sets?minFormulas=1000&herb=" + url.QueryEscape("川芎")
	first := s.get(t, path).wantStatus(t, http.StatusBadRequest)
	backend, release := s.live.Acquire()
	backend.DropPatterns()
	release()
	again := s.get(t, path).wantStatus(t, http.StatusBadRequest)
	if a, b := decode[problem.Problem](t, first), decode[problem.Problem](t, again); a.Detail != b.Detail || !strings.Contains(a.Detail, "lower minFormulas") {
		t.Errorf("refused with %q, then with %q", a.Detail, b.Detail)
	}
	s.get(t, "/api/v1/patterns/sets?minFormulas=1001").wantStatus(t, http.StatusInternalServerError) // shows that DropPatterns works
}
