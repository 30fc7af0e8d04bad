package api_test

import (
	"net/http"
	"testing"

	"bencao/api"
)

// TestVersionTerms checks that the answer of version has the operator's addresses of the licence
// and of how to cite. If these addresses change, the ETag of the answer must change.
func TestVersionTerms(t *testing.T) {
	ours := start(t, config{})
	theirs := start(t, config{opt: api.Options{License: "https://licence.example/", CiteAs: "https://doi.example/1"}})
	r := ours.get(t, "/api/v1/version").wantStatus(t, http.StatusOK)
	if got := decode[api.Version](t, r); got.License != siteURL+"/about" || got.CiteAs != siteURL+"/about?version="+got.DataVersion || got.DataVersion != r.Header.Get("X-Data-Version") {
		t.Errorf("without terms of the operator's: %+v", got)
	}
	again := theirs.get(t, "/api/v1/version", "If-None-Match", r.Header.Get("ETag")).wantStatus(t, http.StatusOK)
	if got := decode[api.Version](t, again); got.License != "https://licence.example/" || got.CiteAs != "https://doi.example/1" {
		t.Errorf("with terms of the operator's: %+v", got)
	}
}
