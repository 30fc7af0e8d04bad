package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	nightOne = "20261120T021500Z-000001" // the first version that a test server serves
	nightTwo = "20261121T021500Z-000002"
	nightTri = "20261122T021500Z-000003"
)

// TestPinned keeps requesting the first version while newer snapshots arrive. It also checks the
// errors for versions that are not yet, or no longer, available.
func TestPinned(t *testing.T) {
	s := start(t, config{data: recordsNumbered(1)})
	s.live.Keep(1)
	const list = "/api/v1/species?pageSize=3"
	first := s.get(t, list)
	first.wantStatus(t, http.StatusOK)
	tag := first.Header.Get("ETag")

	wantKind(t, s.get(t, list, "X-Data-Version", nightTwo), http.StatusServiceUnavailable, "version-not-here")
	if got := s.get(t, list, "X-Data-Version", nightTwo).Header.Get("Retry-After"); got != "5" {
		t.Errorf("Retry-After is %q for a version that is not here yet, want 5", got)
	}
	s.live.Swap(backend(t, recordsNumbered(2), nightTwo, 0))
	for _, tt := range []struct {
		asked, from, names string
	}{
		{"", nightTwo, "第2夜"}, {nightOne, nightOne, "第1夜"}, {nightTwo, nightTwo, "第2夜"},
	} {
		var headers []string
		if tt.asked != "" {
			headers = []string{"X-Data-Version", tt.asked}
		}
		for path := "/api/v1/species?pageSize=3"; path != ""; {
			r := s.get(t, path, headers...)
			r.wantStatus(t, http.StatusOK)
			if got := r.Header.Get("X-Data-Version"); got != tt.from || strings.Count(string(r.body), "夜") != strings.Count(string(r.body), tt.names) {
				t.Errorf("asked for %q, answered from %s, want %s: %s", tt.asked, got, tt.from, r.body)
			}
			path = strings.TrimPrefix(links(r)["next"], siteURL)
		}
	}
	if r := s.get(t, list, "X-Data-Version", nightOne, "If-None-Match", tag); r.StatusCode != http.StatusNotModified {
		t.Errorf("the tag of the first version, asked for by name: %d, want 304", r.StatusCode)
	}
	if r := s.get(t, list, "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("the tag of the first version, of the second: %d, want 200", r.StatusCode)
	}

	s.live.Swap(backend(t, recordsNumbered(3), nightTri, 0))
	gone := s.get(t, list, "X-Data-Version", nightOne)
	wantKind(t, gone, http.StatusGone, "version-gone")
	if got := gone.Header.Get("X-Data-Version"); got != nightTri || !strings.Contains(string(gone.body), nightTri) {
		t.Errorf("a 410 names %s as the current version, want %s: %s", got, nightTri, gone.body)
	}
	s.get(t, "/api/v1/stats", "X-Data-Version", nightTwo).wantStatus(t, http.StatusOK)
	ahead := time.Now().Add(time.Hour).UTC().Format("20060102T150405Z") + "-000009"
	wantKind(t, s.get(t, list, "X-Data-Version", ahead), http.StatusGone, "version-gone")
	for _, wrong := range []string{"latest", "", nightTri + ", " + nightTwo, strings.Repeat("9", 500)} {
		wantKind(t, s.get(t, list, "X-Data-Version", wrong), http.StatusBadRequest, "bad-parameter")
	}

	// A client that is not admitted must learn nothing about versions.
	wantKind(t, s.do(t, http.MethodGet, list, "", "X-Data-Version", nightOne), http.StatusUnauthorized, "no-valid-key")
	wantKind(t, s.do(t, http.MethodGet, list, "away", "X-Data-Version", nightOne), http.StatusForbidden, "address-not-allowed")
	wantKind(t, s.get(t, "/api/v1/species?page=0", "X-Data-Version", nightOne), http.StatusGone, "version-gone")
	s.get(t, "/openapi/v1.json", "X-Data-Version", nightOne).wantStatus(t, http.StatusOK)
}

// wantKind fails the test unless the answer is a problem of a kind.
func wantKind(t *testing.T, r reply, status int, slug string) {
	t.Helper()
	if r.StatusCode != status || !strings.Contains(string(r.body), `"/problems/`+slug+`"`) {
		t.Errorf("%s: %d, want %d and %s: %s", r.Request.URL, r.StatusCode, status, slug, r.body)
	}
}
