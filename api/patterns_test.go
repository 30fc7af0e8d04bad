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

// TestPatternsNames asks for a herb of the sample by each name that a query may use, and counts
// forms of a herb, such as 荆芥穗, with the herb. It also checks the minimum number of formulas that
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
	rows := decode[patternPage[patterns.HerbCount]](t, get("/api/v1/patterns/herbs", "forms", "together", "pageSize", "1000")).Items
	i := slices.IndexFunc(rows, func(h patterns.HerbCount) bool { return h.Name == "荆芥" })
	if i < 0 || int(rows[i].Formulas) != together || slices.ContainsFunc(rows, func(h patterns.HerbCount) bool { return h.Name == "荆芥穗" }) {
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

// TestPatternsChosen selects formulas by a herb in each possible way. This herb must have no odds
// ratio, p and q, in JSON and in CSV; other herbs must have them.
func TestPatternsChosen(t *testing.T) {
	s := startSample(t, siteURL)
	get := func(query ...string) []patterns.HerbCount {
		q := url.Values{"pageSize": {"1000"}}
		for i := 0; i < len(query); i += 2 {
			q.Set(query[i], query[i+1])
		}
		rows := decode[patternPage[patterns.HerbCount]](t, s.get(t, "/api/v1/patterns/herbs?"+q.Encode()).wantStatus(t, http.StatusOK)).Items
		q.Set("format", "csv")
		csv := string(s.get(t, "/api/v1/patterns/herbs?"+q.Encode()).wantStatus(t, http.StatusOK).body)
		for _, h := range rows {
			if untested := strings.Contains(csv, "\r\n"+string(h.ID)+","+h.Name+","+fmt.Sprint(h.Formulas)+",") && strings.Contains(csv, fmt.Sprintf(",%s,%d,%v,%d,%v,,,,,\r\n", h.Name, h.Formulas, h.Share, h.Elsewhere, *h.ShareElse)); h.ID != "" && untested != (h.OddsRatio == nil) {
				t.Errorf("%v: %s has the odds ratio %v in JSON, another in CSV:\n%.300s", query, h.Name, h.OddsRatio, csv)
			}
		}
		return rows
	}
	guid := decode[pageOf[store.SpeciesSummary]](t, s.get(t, "/api/v1/species?q="+url.QueryEscape("川芎")).wantStatus(t, http.StatusOK)).Items[0].GUID
	for _, c := range []struct {
		query []string
		herbs string // the herbs that are not tested
	}{
		{[]string{"herbs", "川芎"}, "川芎"},
		{[]string{"herbs", "芎藭、当归"}, "川芎 当归"},
		{[]string{"herbs", "荆芥", "forms", "together"}, "荆芥"},
		{[]string{"species", guid}, "川芎"},
		{[]string{"q", "川芎 当归"}, "川芎 当归"},
		{[]string{"q", "川芎", "in", "composition"}, "川芎"},
		{[]string{"dynasty", "宋", "against", "herbs=川芎"}, "川芎"},
		{[]string{"dynasty", "宋", "against", "without=川芎"}, "川芎"},
		{[]string{"herbs", "川芎", "names", "written"}, "川芎 芎䓖"},
		{[]string{"dynasty", "宋"}, ""},
	} {
		var got []string
		tested := 0
		for _, h := range get(c.query...) {
			null := h.OddsRatio == nil && h.OddsLow == nil && h.OddsHigh == nil && h.P == nil && h.Q == nil
			if h.OddsRatio == nil != null {
				t.Errorf("%v: some of %+v is null", c.query, h)
			}
			if null {
				got = append(got, h.Name)
			} else {
				tested++
			}
		}
		slices.Sort(got)
		want := strings.Fields(c.herbs)
		slices.Sort(want)
		if !slices.Equal(got, want) || tested == 0 {
			t.Errorf("%v: %v are not tested, want %v; %d are tested", c.query, got, want, tested)
		}
	}
	for _, h := range get("herbs", "川芎", "names", "source") {
		if whole := h.Share > .99; whole != (h.OddsRatio == nil) {
			t.Errorf("names=source: %+v", h)
		}
	}
	var q, ratio []float64
	for _, h := range get("dynasty", "宋", "sort", "q") {
		q = append(q, *h.Q)
	}
	for _, h := range get("dynasty", "宋", "sort", "oddsRatio") {
		if *h.Q < patterns.Significant {
			ratio = append(ratio, -*h.OddsRatio)
		}
	}
	if !slices.IsSorted(q) || !slices.IsSorted(ratio) || len(ratio) < 2 {
		t.Errorf("q in its order: %.3g; odds ratios in theirs: %.3g", q, ratio)
	}
}

// TestPatternsPair asks for pairs by the names of their herbs, over all formulas. A herb of one
// formula needs no minFormulas.
func TestPatternsPair(t *testing.T) {
	s := startSample(t, siteURL)
	all := decode[patternPage[patterns.HerbCount]](t, s.get(t, "/api/v1/patterns/herbs?pageSize=1000").wantStatus(t, http.StatusOK)).Items
	common, rarest := all[0], all[len(all)-1]
	if rarest.Formulas != 1 {
		t.Fatalf("the rarest drug is in %d formulas", rarest.Formulas)
	}
	for _, rest := range []string{"", "&minFormulas=50"} {
		got := decode[patternPage[patterns.Pair]](t, s.get(t, "/api/v1/patterns/pairs?herb="+url.QueryEscape(rarest.Name)+"&with="+url.QueryEscape(common.Name)+rest).wantStatus(t, http.StatusOK))
		if got.Total != 1 || len(got.Items) != 1 || got.Items[0].X != rarest.Herb || got.Items[0].Y != common.Herb || got.Items[0].FormulasX != 1 || got.Items[0].FormulasY != common.Formulas {
			t.Errorf("%s with %s%s: %+v", rarest.Name, common.Name, rest, got)
		}
	}
	none := s.get(t, "/api/v1/patterns/pairs?without="+url.QueryEscape(common.Name)+"&herb="+url.QueryEscape(common.Name)).wantStatus(t, http.StatusBadRequest)
	if p := decode[problem.Problem](t, none); !strings.Contains(p.Detail, "is in no formula of the population") {
		t.Errorf("a drug that no formula of the population has: %+v", p)
	}
}
