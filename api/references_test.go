package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bencao/api/cite"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// init makes the validator of answers accept further formats as text. Without init, it knows JSON
// and CSV only.
func init() {
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/graphml+xml", openapi3filter.FileBodyDecoder)
	for _, f := range cite.Forms {
		if !strings.HasSuffix(f.Media, "json") {
			openapi3filter.RegisterBodyDecoder(f.Media, openapi3filter.FileBodyDecoder)
		}
	}
}

// TestReferences requests papers in the formats of reference managers, by parameter and by Accept.
func TestReferences(t *testing.T) {
	s := start(t, config{})
	const paper = "/api/v1/papers/detail?id=doi:10.1038/nature.2013.1"
	for _, tt := range []struct{ path, accept, kind, want string }{
		{"/api/v1/papers?q=Ginsenosides&format=bibtex", "", "application/x-bibtex; charset=utf-8", "author = {Li, M. and Wang, L.}"},
		{"/api/v1/papers?q=Ginsenosides", "application/x-bibtex", "application/x-bibtex; charset=utf-8", "doi = {10.1038/nature.2013.1}"},
		{"/api/v1/papers?q=Ginsenosides&format=ris", "text/csv", "application/x-research-info-systems; charset=utf-8", "AU  - Wang, L.\r\n"},
		{"/api/v1/papers?q=人参皂苷&format=csl", "", "application/vnd.citationstyles.csl+json", `"container-title": "中草药"`},
		{"/api/v1/species/" + ginseng + "/papers?format=bibtex", "", "application/x-bibtex; charset=utf-8", "@article{bencao-p2,\n"},
		{paper + "&format=ris", "", "application/x-research-info-systems; charset=utf-8", "DO  - 10.1038/nature.2013.1\r\n"},
		{paper, "application/vnd.citationstyles.csl+json", "application/vnd.citationstyles.csl+json", `"PMID": "23000001"`},
		{"/api/v1/papers?format=csv", "application/json", "text/csv; charset=utf-8; header=present", "id,title,authors"},
		{"/api/v1/species?format=json", "text/csv", "application/json", `"items":[`},
	} {
		var headers []string
		if tt.accept != "" {
			headers = []string{"Accept", tt.accept}
		}
		r := s.get(t, tt.path, headers...).wantStatus(t, http.StatusOK)
		if got := r.Header.Get("Content-Type"); got != tt.kind {
			t.Errorf("%s with Accept %q: Content-Type is %q, want %q", tt.path, tt.accept, got, tt.kind)
		}
		if !strings.Contains(string(r.body), tt.want) {
			t.Errorf("%s: %s, want %s in it", tt.path, r.body, tt.want)
		}
		if named := strings.Contains(r.Header.Get("Content-Disposition"), `filename="bencao-`); named != strings.Contains(tt.path, "format=") {
			t.Errorf("%s: Content-Disposition is %q; a file's name goes with format alone", tt.path, r.Header.Get("Content-Disposition"))
		}
	}

	none := s.get(t, "/api/v1/papers?q=xyzzyx&format=csl").wantStatus(t, http.StatusOK)
	var items []any
	if err := json.Unmarshal(none.body, &items); err != nil || items == nil || len(items) != 0 {
		t.Errorf("no papers are %s, want an empty list (%v)", none.body, err)
	}
	s.get(t, "/api/v1/species?format=bibtex").wantStatus(t, http.StatusBadRequest)
	s.get(t, "/api/v1/stats?format=csv").wantStatus(t, http.StatusBadRequest)
	s.get(t, "/api/v1/species", "Accept", "application/x-bibtex").wantStatus(t, http.StatusNotAcceptable)
}
