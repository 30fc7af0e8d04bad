package explorer_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestSignposts follows the links of FAIR Signposting on the page of each kind of record.
func TestSignposts(t *testing.T) {
	s := start(t, config{})
	link := regexp.MustCompile(`<([^>]*)>; rel="(type|item|describedby)"(?:; type="([^"]*)")?`)
	for path, kind := range map[string]string{"/species/" + ginseng: "Taxon", "/formulas/" + guizhiTang: "CreativeWork", "/herbs/" + ginsengHerb: "", "/papers/doi:10.1038%2Fnature.2013.1": "ScholarlyArticle"} {
		found := map[string]int{}
		for _, m := range link.FindAllStringSubmatch(strings.Join(s.page(t, path).header.Values("Link"), ", "), -1) {
			found[m[2]]++
			if m[2] == "type" {
				found[m[1]]++
				continue
			}
			target := strings.TrimPrefix(m[1], s.URL)
			got := s.get(t, target)
			if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), m[3]) {
				t.Errorf("%s: %s is answered with %d and %s, not %s", path, target, got.status, got.header.Get("Content-Type"), m[3])
			}
		}
		if found["type"] != 2 || found["item"] != 1 || found["describedby"] != 3 || kind != "" && found["https://schema.org/"+kind] != 1 {
			t.Errorf("%s has the links %v", path, found)
		}
	}
}

// TestListsOfPapersAreSaved reads the references in a list of papers as Zotero does. It also reads
// the authors and the journal in the JSON-LD of a paper.
func TestListsOfPapersAreSaved(t *testing.T) {
	s := start(t, config{})
	spans := regexp.MustCompile(`<span class="Z3988" title="([^"]*)"></span>`).FindAllStringSubmatch(s.page(t, "/search?kind=papers&q=").body, -1)
	if len(spans) < 2 {
		t.Fatalf("a list of papers has %d references, want several", len(spans))
	}
	for _, span := range spans {
		fields, err := url.ParseQuery(html.UnescapeString(span[1]))
		if err != nil || fields.Get("ctx_ver") != "Z39.88-2004" || fields.Get("rft_id") == "" {
			t.Errorf("%s: %v, %v", span[1], fields, err)
		}
		if fields.Get("rft_id") == "info:doi/10.1038/nature.2013.1" {
			if got := []string{fields.Get("rft.atitle"), fields.Get("rft.jtitle"), fields.Get("rft.date"), strings.Join(fields["rft.au"], ";")}; strings.Join(got, "|") != "Ginsenosides of Panax ginseng|Phytochemistry|2013|Li, M.;Wang, L." {
				t.Errorf("the reference is %q", got)
			}
			spans = nil
		}
	}
	if spans != nil {
		t.Error("the list lacks a paper of the sample")
	}
	s.page(t, "/papers/doi:10.1038%2Fnature.2013.1", `"author":[{"@type":"Person","name":"Li, M."}`, `"isPartOf":{"@type":"Periodical","name":"Phytochemistry"}`)
}
