package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bencao/names"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// wholePage is a page with its fields in the order of the contract.
type wholePage[T any] struct {
	Page     int32 `json:"page"`
	PageSize int32 `json:"pageSize"`
	Total    int32 `json:"total"`
	Items    []T   `json:"items"`
}

// encoded decodes the JSON of an answer as a T and encodes the T again.
func encoded[T any](tb testing.TB, r reply) string {
	tb.Helper()
	dec := json.NewDecoder(bytes.NewReader(r.body))
	dec.DisallowUnknownFields()
	var v T
	if err := dec.Decode(&v); err != nil {
		tb.Fatalf("%s: %v in %s", r.Request.URL, err, r.body)
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	must(tb, enc.Encode(v))
	return strings.TrimSuffix(out.String(), "\n")
}

// TestRendered compares the answers assembled from rendered records with the output of the JSON
// encoder for the same data.
func TestRendered(t *testing.T) {
	s := start(t, config{})
	for path, encode := range map[string]func(testing.TB, reply) string{
		"/api/v1/species":                             encoded[wholePage[store.SpeciesSummary]],
		"/api/v1/species?q=%E4%BA%BA%E5%8F%82":        encoded[wholePage[store.SpeciesSummary]],
		"/api/v1/species?page=9":                      encoded[wholePage[store.SpeciesSummary]],
		"/api/v1/species/" + ginseng:                  encoded[store.SpeciesDetail],
		"/api/v1/species/" + willow:                   encoded[store.SpeciesDetail],
		"/api/v1/species/" + ginseng + "/flora":       encoded[[]store.FloraTreatment],
		"/api/v1/species/" + willow + "/flora":        encoded[[]store.FloraTreatment],
		"/api/v1/species/" + ginseng + "/papers":      encoded[[]store.PaperSummary],
		"/api/v1/species/" + ginseng + "/uses":        encoded[[]store.PlantUse],
		"/api/v1/species/" + ginseng + "/formulas":    encoded[wholePage[store.FormulaSummary]],
		"/api/v1/species/" + willow + "/formulas":     encoded[wholePage[store.FormulaSummary]],
		"/api/v1/formulas":                            encoded[wholePage[store.FormulaSummary]],
		"/api/v1/formulas/" + guizhiTang:              encoded[store.FormulaDetail],
		"/api/v1/papers":                              encoded[wholePage[store.PaperSummary]],
		"/api/v1/stats":                               encoded[store.SiteStats],
		"/api/v1/names/match?name=Panax&explain=true": encoded[names.Response],
	} {
		r := s.get(t, path).wantStatus(t, http.StatusOK)
		if diff := cmp.Diff(encode(t, r), string(r.body)); diff != "" {
			t.Errorf("%s: the answer is not what the encoder writes (-encoder +answer):\n%s", path, diff)
		}
	}
}

// TestCounts compares the counts of a species with the lengths of its lists.
func TestCounts(t *testing.T) {
	s := start(t, config{})
	detail := decode[store.SpeciesDetail](t, s.get(t, "/api/v1/species/"+ginseng))
	count := func(list string) int32 {
		return int32(len(decode[[]struct{}](t, s.get(t, "/api/v1/species/"+ginseng+"/"+list))))
	}
	formulas := decode[pageOf[struct{}]](t, s.get(t, "/api/v1/species/"+ginseng+"/formulas"))
	got := []int32{count("flora"), int32(formulas.Total), count("uses"), count("papers")}
	want := []int32{detail.FloraTreatments, detail.Formulas, detail.UseRecords, detail.Papers}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flora, formulas, uses, papers (-in the detail +in the lists):\n%s", diff)
	}
}

// TestSiteURL checks that every url in an answer begins with the configured address, whatever host
// the request names.
func TestSiteURL(t *testing.T) {
	s := start(t, config{})
	r := s.get(t, "/api/v1/species/"+ginseng, "X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example")
	if got, want := decode[store.SpeciesDetail](t, r).URL, siteURL+"/species/"+ginseng; got != want {
		t.Errorf("url is %q, want %q", got, want)
	}
	if bytes.Contains(r.body, []byte("evil.example")) || strings.Contains(r.Header.Get("Link"), "evil.example") {
		t.Errorf("the answer repeats a host that the client made up: %v %s", r.Header, r.body)
	}
	if got := decode[store.SpeciesDetail](t, s.get(t, "/api/v1/species/"+willow)).URL; got != "https://elsewhere.example/7?a=1&b=<2>" {
		t.Errorf("the operator's own page is shown as %q", got)
	}
}
