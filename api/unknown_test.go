package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/store"
)

// TestUnknownValues asks with values of filters that no record has. The answer must be empty, the
// header and the explanation must name the filter, and the explanation must give the close values. A
// search with such a value must find something.
func TestUnknownValues(t *testing.T) {
	s := startSample(t, siteURL)
	for _, tt := range []struct{ path, filter, value, close string }{
		{"species", "family", "Araliacea", "Araliaceae"},
		{"species", "genus", "Panaxx", "Panax"},
		{"species", "rank", "specie", "species"},
		{"species", "rank", "xyz", ""},
		{"formulas", "dynasty", "东汗", "东汉"},
		{"formulas", "source", "伤寒轮", "《伤寒论》"},
		{"formulas", "author", "张仲锦", "张仲景"},
		{"formulas", "species", "人叁花", ""},
		{"formulas", "name", "桂支汤", "桂枝汤"},
		{"herbs", "kind", "plants", "plant"},
		{"papers", "species", "Panax ginsen", "人参"},
	} {
		query := url.Values{tt.filter: {tt.value}, "explain": {"true"}}
		r := s.get(t, "/api/v1/"+tt.path+"?"+query.Encode()).wantStatus(t, http.StatusOK)
		got := decode[struct {
			Total       int
			Explanation api.Explanation
		}](t, r)
		if header := r.Header.Get("X-Search"); got.Total != 0 || header != "none; unknown="+tt.filter {
			t.Errorf("%+v: %d found, X-Search is %q", tt, got.Total, header)
			continue
		}
		u := got.Explanation.Unknown
		if len(u) != 1 || u[0].Filter != tt.filter || u[0].Value != tt.value || tt.close != "" && !slices.Contains(u[0].Close, tt.close) {
			t.Errorf("%+v: %+v", tt, u)
			continue
		}
		for _, c := range u[0].Close {
			query.Set(tt.filter, c)
			if r := s.get(t, "/api/v1/"+tt.path+"?"+query.Encode()).wantStatus(t, http.StatusOK); strings.HasPrefix(r.Header.Get("X-Search"), "none") && tt.filter != "species" {
				t.Errorf("%+v: the close value %q finds nothing", tt, c)
			}
		}
	}
	if r := s.get(t, "/api/v1/formulas?q=qxzvw&dynasty="+url.QueryEscape("东汉")); strings.Contains(r.Header.Get("X-Search"), "unknown") {
		t.Errorf("a dynasty that formulas have: %s", r.Header.Get("X-Search"))
	}
}

// TestOtherNamesInFilters asks with other names of a value. The answer must be that of the value.
func TestOtherNamesInFilters(t *testing.T) {
	s := startSample(t, siteURL)
	found := func(filter, value string) int {
		t.Helper()
		r := s.get(t, "/api/v1/formulas?"+url.Values{filter: {value}}.Encode()).wantStatus(t, http.StatusOK)
		return decode[pageOf[store.FormulaSummary]](t, r).Total
	}
	for _, tt := range []struct{ filter, name, other string }{
		{"dynasty", "宋", "Song"}, {"dynasty", "宋", "song dynasty"}, {"dynasty", "东汉", "Eastern Han"}, {"dynasty", "唐", "Tang"},
		{"author", "张仲景", "张机"}, {"author", "张仲景", "仲景"}, {"source", "伤寒论", "《伤寒论》"}, {"source", "伤寒论", "伤寒論"}, {"source", "备急千金要方", "千金方"}, {"author", "许叔微", "许知可"},
		{"herbs", "人参", "renshen"}, {"herbs", "人参", "rén shēn"}, {"herbs", "人参", "人參"}, {"without", "甘草", "gancao"}, {"herbs", "人参、甘草", "renshen、gan cao"},
	} {
		if want, got := found(tt.filter, tt.name), found(tt.filter, tt.other); want == 0 || got != want {
			t.Errorf("%s=%s finds %d formulas, %s %d", tt.filter, tt.other, got, tt.name, want)
		}
	}
}
