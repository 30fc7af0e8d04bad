package api_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"bencao/api"

	"github.com/google/go-cmp/cmp"
)

// TestKeyInfo checks that each key gets information about itself, and nothing secret.
func TestKeyInfo(t *testing.T) {
	var c clock
	s := start(t, config{now: c.now, anonymous: 7})
	ask := func(key string) api.KeyInfo {
		t.Helper()
		return decode[api.KeyInfo](t, s.do(t, http.MethodGet, "/api/v1/key", key).wantStatus(t, http.StatusOK))
	}
	nine := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	got := ask("until-nine")
	if got.ID != "until-nine" || got.Anonymous || !slices.Equal(got.Scopes, allScopes.Names()) || got.Expires == nil || !got.Expires.Equal(nine) {
		t.Errorf("the key until-nine is told %+v", got)
	}
	ask("three")
	c.ns.Store(int64(18*time.Second + 500*time.Millisecond))
	want := api.KeyInfo{ID: "three", Scopes: allScopes.Names(), Limit: 3, Remaining: 1, Reset: 42}
	if diff := cmp.Diff(want, ask("three")); diff != "" {
		t.Errorf("the second request in a minute (-want +got):\n%s", diff)
	}
	ask("three")
	s.do(t, http.MethodGet, "/api/v1/key", "three").wantStatus(t, http.StatusTooManyRequests)
	want = api.KeyInfo{ID: "sixty", Scopes: []string{}, Limit: 60, Remaining: 59, Reset: 60}
	if diff := cmp.Diff(want, ask("sixty")); diff != "" {
		t.Errorf("a key without scopes (-want +got):\n%s", diff)
	}
	want = api.KeyInfo{Anonymous: true, Scopes: []string{}, Limit: 7, Remaining: 6, Reset: 60}
	if diff := cmp.Diff(want, ask("")); diff != "" {
		t.Errorf("without a key (-want +got):\n%s", diff)
	}
	r := s.get(t, "/api/v1/key")
	if r.Header.Get("ETag") != "" || r.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("the answer may be kept: ETag %q, Cache-Control %q", r.Header.Get("ETag"), r.Header.Get("Cache-Control"))
	}
}
