package api_test

import (
	"net/http"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/problem"

	"github.com/google/go-cmp/cmp"
)

// TestChanges requests the changes since each version with two keys. One key may read everything,
// the other may not read formulas.
func TestChanges(t *testing.T) {
	s := start(t, config{})
	const ginsengFormula = "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d03"
	renamed := api.Change{Kind: "species", Key: ginseng, Change: "changed", Name: "人参"}
	lastNight := []api.Change{
		renamed,
		{Kind: "formula", Key: ginsengFormula, Change: "added", Name: "独参汤"},
		{Kind: "formula", Key: oldFormula, Change: "removed", Name: "古方"},
		{Kind: "paper", Key: "p-gone", Change: "removed", Name: "Withdrawn"},
		{Kind: "paper", Key: "p3", Change: "added", Name: "Paeoniflorin, a review"},
	}
	bothNights := []api.Change{
		lastNight[0], lastNight[1], lastNight[2],
		{Kind: "herb", Key: gypsum, Change: "changed", Name: "石膏"},
		lastNight[3], lastNight[4],
		{Kind: "paper", Key: "p-older", Change: "removed", Name: "Never read"},
	}
	for _, tt := range []struct {
		since, key string
		want       []api.Change
	}{
		{secondVersion, "all", lastNight},
		{firstVersion, "all", bothNights},
		{firstVersion, "formulas", bothNights},
		{firstVersion, "uses", []api.Change{renamed, lastNight[3], lastNight[4], bothNights[6]}},
		{secondVersion, "open", []api.Change{renamed, lastNight[3], lastNight[4]}},
		{"20261120T021500Z-000001", "all", []api.Change{}},
	} {
		var got []api.Change
		for page, path := 1, "/api/v1/changes?pageSize=2&since="+tt.since; path != ""; page++ {
			r := s.do(t, http.MethodGet, path, tt.key).wantStatus(t, http.StatusOK)
			p := decode[pageOf[api.Change]](t, r)
			if p.Total != len(tt.want) || p.Page != page {
				t.Errorf("since %s as %s: page %d says page %d of %d records, want %d", tt.since, tt.key, page, p.Page, p.Total, len(tt.want))
			}
			got = append(got, p.Items...)
			path = strings.TrimPrefix(links(r)["next"], siteURL)
		}
		if len(tt.want) == 0 && len(got) == 0 {
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("since %s as %s (-want +got):\n%s", tt.since, tt.key, diff)
		}
	}
	r := s.get(t, "/api/v1/version")
	if diff := cmp.Diff([]string{secondVersion, firstVersion}, decode[api.Version](t, r).Since); diff != "" {
		t.Errorf("known versions (-want +got):\n%s", diff)
	}
	for _, since := range []string{"20260101T000000Z-000000", "yesterday", "%20%20x", "20261119T021500Z"} {
		p := decode[problem.Problem](t, s.get(t, "/api/v1/changes?since="+since).wantStatus(t, http.StatusNotFound))
		if p.Type != "/problems/unknown-version" || !strings.Contains(p.Detail, secondVersion+", "+firstVersion) {
			t.Errorf("since %s: %+v, want a problem that names the known versions", since, p)
		}
	}
	if r := s.get(t, "/api/v1/changes", "Accept", "text/csv"); r.StatusCode != http.StatusBadRequest {
		t.Errorf("without since: status %d, want 400", r.StatusCode)
	}
	csv := s.get(t, "/api/v1/changes?format=csv&pageSize=1&since="+secondVersion).wantStatus(t, http.StatusOK)
	if want := "kind,guid,change,name\r\nspecies," + ginseng + ",changed,人参\r\n"; string(csv.body) != want {
		t.Errorf("as CSV: %q, want %q", csv.body, want)
	}
}

// TestChangesUnknown checks that a server whose snapshot has no older versions answers only for its
// own version.
func TestChangesUnknown(t *testing.T) {
	s := start(t, config{data: records()})
	r := s.get(t, "/api/v1/changes?since=20261120T021500Z-000001").wantStatus(t, http.StatusOK)
	if p := decode[pageOf[api.Change]](t, r); p.Total != 0 || len(p.Items) != 0 {
		t.Errorf("since its own version: %+v, want nothing", p)
	}
	s.get(t, "/api/v1/changes?since="+secondVersion).wantStatus(t, http.StatusNotFound)
	if got := decode[api.Version](t, s.get(t, "/api/v1/version")).Since; got == nil || len(got) != 0 {
		t.Errorf("known versions are %v, want an empty list", got)
	}
}
