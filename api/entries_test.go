package api_test

import (
	"net/http"
	"strings"
	"testing"

	"bencao/store"
)

// TestEntryID finds records by entry id, alone and in combination with a search.
func TestEntryID(t *testing.T) {
	s := start(t, config{})
	for path, want := range map[string]string{
		"/api/v1/species?entryId=1":                        ginseng,
		"/api/v1/species?entryId=7":                        willow,
		"/api/v1/species?entryId=1&q=renshen":              ginseng,
		"/api/v1/species?entryId=7&q=renshen":              "",
		"/api/v1/species?entryId=1&hasFormulas=true":       ginseng,
		"/api/v1/species?entryId=7&hasFormulas=true":       "",
		"/api/v1/species?entryId=0":                        "",
		"/api/v1/species?entryId=2147483647&sort=name":     "",
		"/api/v1/formulas?entryId=1":                       guizhiTang,
		"/api/v1/formulas?entryId=1&dynasty=%E5%85%83":     "",
		"/api/v1/formulas?entryId=1&species=" + ginseng:    "",
		"/api/v1/formulas?entryId=1&distinct=name":         guizhiTang,
		"/api/v1/formulas?entryId=4&explain=true&q=guizhi": "",
	} {
		p := decode[pageOf[store.FormulaSummary]](t, s.get(t, path).wantStatus(t, http.StatusOK))
		got := ""
		if len(p.Items) > 0 {
			got = p.Items[0].GUID
		}
		if got != want || p.Total > 1 {
			t.Errorf("%s: %d records, the first %q, want %q alone", path, p.Total, got, want)
		}
	}
}

// TestGUIDCase checks that the case of a guid does not matter.
func TestGUIDCase(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{
		"/api/v1/species/" + ginseng, "/api/v1/species/" + ginseng + "/papers", "/api/v1/species/" + ginseng + "/formulas",
		"/api/v1/formulas/" + guizhiTang, "/api/v1/herbs/" + cassiaTwig, "/api/v1/herbs/" + cassiaTwig + "/formulas",
		"/api/v1/papers?species=" + ginseng,
	} {
		small := s.get(t, path).wantStatus(t, http.StatusOK)
		large := s.get(t, strings.NewReplacer(ginseng, strings.ToUpper(ginseng), guizhiTang, strings.ToUpper(guizhiTang), cassiaTwig, strings.ToUpper(cassiaTwig)).Replace(path)).wantStatus(t, http.StatusOK)
		if string(small.body) != string(large.body) {
			t.Errorf("%s is answered otherwise in capitals: %s", path, large.body)
		}
	}
}
