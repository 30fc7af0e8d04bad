package api_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api/problem"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestIngredients reads all pages of the ingredients of several queries. The pages together must have
// the formulas of formulas.search, in its order, and the ingredients of each formula's detail.
func TestIngredients(t *testing.T) {
	s := start(t, config{})
	for query, formulas := range map[string]int{
		"": 3, "q=桂枝": 2, "sort=name": 3, "dynasty=元": 1, "herbs=桂枝&without=葛根": 1, "distinct=name": 3, "species=人参": 1,
		"in=indications&q=太阳中风": 1, "fromYear=1000": 0,
	} {
		values, err := url.ParseQuery(query)
		must(t, err)
		var guids []string
		var want []any
		for _, f := range decode[pageOf[map[string]any]](t, s.get(t, "/api/v1/formulas?"+values.Encode()).wantStatus(t, http.StatusOK)).Items {
			guid := f["guid"].(string)
			delete(f, "namesakes") // only formulas.search counts them
			guids = append(guids, guid)
			detail := decode[map[string]any](t, s.get(t, "/api/v1/formulas/"+guid).wantStatus(t, http.StatusOK))
			for _, in := range detail["ingredients"].([]any) {
				row := maps.Clone(in.(map[string]any))
				row["formula"] = f
				want = append(want, row)
			}
		}
		if len(guids) != formulas {
			t.Errorf("%q: %d formulas are found, want %d", query, len(guids), formulas)
		}
		for _, size := range []int{1, 4, 1000} {
			var got []any
			values.Set("pageSize", fmt.Sprint(size))
			for page := 1; page <= len(want)/size+2; page++ {
				values.Set("page", fmt.Sprint(page))
				p := decode[pageOf[map[string]any]](t, s.get(t, "/api/v1/formulas/ingredients?"+values.Encode()).wantStatus(t, http.StatusOK))
				if int(p.Total) != len(want) || len(p.Items) > size {
					t.Fatalf("%q: page %d has %d of %d rows, want at most %d of %d", query, page, len(p.Items), p.Total, size, len(want))
				}
				for _, row := range p.Items {
					got = append(got, row)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q, %d a page: the ingredients are not those of the details:\n%s", query, size, diff)
			}
		}
	}
}

// TestIngredientsWithheld asks for ingredients with keys that may not see compositions, and with a
// filter that needs a further scope.
func TestIngredientsWithheld(t *testing.T) {
	s := start(t, config{})
	for _, key := range []string{"open", "formulas", "similarity", "species-formulas"} {
		for _, query := range []string{"", "?q=" + url.QueryEscape("桂枝汤"), "?format=csv", "?format=ndjson"} {
			r := s.do(t, http.MethodGet, "/api/v1/formulas/ingredients"+query, key).wantStatus(t, http.StatusForbidden)
			if decode[problem.Problem](t, r).Type != "/problems/scope-missing" || bytes.Contains(r.body, []byte("桂枝")) {
				t.Errorf("%s with the key %s: %s", query, key, r.body)
			}
		}
	}
	s.do(t, http.MethodGet, "/api/v1/formulas/ingredients", "composition").wantStatus(t, http.StatusOK)
	s.do(t, http.MethodGet, "/api/v1/formulas/ingredients?species="+ginseng, "composition").wantStatus(t, http.StatusForbidden)
}

// TestIngredientsAsCSV checks that the table has a line for each ingredient, with its formula and its
// weight.
func TestIngredientsAsCSV(t *testing.T) {
	d := records()
	d.Formulas[0].Ingredients[0].Note = "去皮"
	s := start(t, config{data: d})
	r := s.get(t, "/api/v1/formulas/ingredients?format=csv&pageSize=1000&q="+url.QueryEscape("桂枝汤")).wantStatus(t, http.StatusOK)
	table, err := csv.NewReader(bytes.NewReader(r.body)).ReadAll()
	must(t, err)
	var row []string
	for _, name := range []string{"formulaGuid", "formulaName", "formulaYear", "seq", "herb", "dose", "grams", "note", "speciesScientificName", "herbsId"} {
		column := slices.Index(table[0], name)
		if column < 0 {
			t.Fatalf("the table has the columns %q; %s is missing", table[0], name)
		}
		row = append(row, table[1][column])
	}
	if got, want := strings.Join(row, "|"), guizhiTang+"|桂枝汤|219|1|桂枝|三两|41.4|去皮|Cinnamomum cassia|"+cassiaTwig; got != want || len(table) != 1+len(d.Formulas[0].Ingredients) {
		t.Errorf("%d lines, the first row is %s; want %s", len(table), got, want)
	}
	lines := s.get(t, "/api/v1/formulas/ingredients?format=ndjson&pageSize=2").wantStatus(t, http.StatusOK)
	if n := bytes.Count(lines.body, []byte("\n")); n != 2 {
		t.Errorf("NDJSON has %d lines, want 2: %s", n, lines.body)
	}
	detail := decode[store.FormulaDetail](t, s.get(t, "/api/v1/formulas/"+guizhiTang))
	if g := detail.Ingredients[0].Grams; g == nil || *g != 41.4 || detail.Ingredients[4].Grams != nil {
		t.Errorf("the detail has %+v; want 41.4 g of the first and no weight of the fifth", detail.Ingredients)
	}
}
