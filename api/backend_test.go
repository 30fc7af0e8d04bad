package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"bencao/api"

	"github.com/google/go-cmp/cmp"
)

// TestNeeds sends the example request of each operation, and requests with filters that need other
// parts, to a backend with only the parts that the request needs. The answers must be those of a
// complete backend.
func TestNeeds(t *testing.T) {
	still := config{now: new(clock).now} // the answer on a key has the seconds to the next minute
	full, part := start(t, still), start(t, still)
	paths := []string{
		"/api/v1/formulas?herbs=" + url.QueryEscape("肉桂枝"), "/api/v1/formulas?species=" + ginseng, "/api/v1/formulas?species=Panax%20ginseng&q=" + url.QueryEscape("汤"),
		"/api/v1/formulas?herbs=" + url.QueryEscape("甘草") + "&forms=together", "/api/v1/papers?species=Panax%20ginseng", "/api/v1/herbs?species=" + url.QueryEscape("肉桂"),
		"/api/v1/herbs/facets?by=kind", "/api/v1/patterns/pairs?species=" + ginseng, "/api/v1/species?q=Panax%20schinseng&explain=true&trace=true",
	}
	for _, e := range endpoints(t) {
		paths = append(paths, e.path)
	}
	for _, path := range paths {
		at, err := url.Parse(path)
		must(t, err)
		part.live.Swap(backendOf(t, usual.Dir(t), siteURL, "20261120T021500Z-000001", 0, api.Needs(at.Path, at.Query())))
		want, got := full.get(t, path), part.get(t, path)
		if got.StatusCode == http.StatusInternalServerError || got.StatusCode != want.StatusCode {
			t.Errorf("%s: %d with the parts that it needs, want %d", path, got.StatusCode, want.StatusCode)
		} else if got.StatusCode == http.StatusOK {
			if diff := cmp.Diff(string(want.body), string(got.body)); diff != "" {
				t.Errorf("%s with the parts that it needs:\n%s", path, diff)
			}
		}
	}
}
