package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/access"
	"bencao/store/snapshot"
)

// admin sends a request to the admin listener.
func admin(tb testing.TB, srv *httptest.Server, path string, status int) string {
	tb.Helper()
	resp, err := srv.Client().Get(srv.URL + path)
	must(tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(tb, err)
	if resp.StatusCode != status {
		tb.Errorf("%s: status %d, want %d: %s", path, resp.StatusCode, status, body)
	}
	return string(body)
}

func TestAdmin(t *testing.T) {
	health := new(api.Health)
	s := start(t, config{opt: api.Options{Health: health}})
	srv := httptest.NewServer(s.server.Admin())
	defer srv.Close()

	if got := admin(t, srv, "/healthz", 200); !strings.Contains(got, `"ok":true`) {
		t.Errorf("/healthz says %s", got)
	}
	want := `{"ready":true,"snapshot":"20261120T021500Z-000001","stale":false,"reason":null,"accessStale":false,"accessReason":null}`
	if got := strings.TrimSpace(admin(t, srv, "/readyz", 200)); got != want {
		t.Errorf("/readyz says %s, want %s", got, want)
	}

	s.get(t, "/api/v1/stats")
	s.do(t, http.MethodGet, "/api/v1/stats", "")
	s.do(t, http.MethodGet, "/api/v1/stats", "away")
	for range 4 {
		s.do(t, http.MethodGet, "/api/v1/stats", "three")
	}
	s.do(t, http.MethodGet, "/api/v1/stats", "", "X-Data-Version", nightTwo) // a client without a key learns only that it needs a key
	s.get(t, "/api/v1/version", "X-Data-Version", nightTwo).wantStatus(t, http.StatusServiceUnavailable)
	health.Snapshot(snapshot.Status{Serving: snapshot.Pointer{ID: "a"}})
	health.Snapshot(snapshot.Status{Serving: snapshot.Pointer{ID: "b"}})
	health.Snapshot(snapshot.Status{Serving: snapshot.Pointer{ID: "b"}, Err: errors.New("species.bleve is broken")})
	health.Access(access.Change{Err: errors.New("access.toml:3: no such scope")})

	got := admin(t, srv, "/readyz", 200)
	// The snapshot's id and the reasons must come from the same report. Otherwise /readyz would
	// call a new snapshot stale for a reason that applies to the previous snapshot.
	for _, want := range []string{`"ready":true`, `"snapshot":"b"`, `"stale":true`, `"species.bleve is broken"`, `"accessStale":true`, `"access.toml:3: no such scope"`} {
		if !strings.Contains(got, want) {
			t.Errorf("/readyz says %s, want %s in it", got, want)
		}
	}
	metrics := admin(t, srv, "/metrics", 200)
	for _, want := range []string{
		`bencao_http_requests_total{operation="stats",status="200"} 4`,
		`bencao_http_requests_total{operation="stats",status="401"} 2`,
		`bencao_http_requests_total{operation="stats",status="429"} 1`,
		`bencao_http_request_duration_seconds_count{operation="stats"} 8`,
		`bencao_http_version_ahead_total 1`,
		`bencao_http_requests_in_flight 0`,
		`bencao_http_rate_limited_total{by="key"} 1`,
		`bencao_http_refused_total{reason="key_missing"} 2`,
		`bencao_http_refused_total{reason="network"} 1`,
		`bencao_http_connections_open 1`,
		`bencao_snapshot_info{snapshot="20261120T021500Z-000001"} 1`,
		`bencao_snapshot_checked_age_seconds `,
		`bencao_snapshot_stale 1`,
		`bencao_snapshot_swaps_total 1`,
		`bencao_snapshot_swap_failures_total 1`,
		`bencao_access_stale 1`,
		`bencao_key_expires_timestamp_seconds{key="expired"} 1.5778368e+09`,
		`bencao_access_reload_failures_total 1`,
		`go_goroutines `,
	} {
		if !strings.Contains(metrics, "\n"+want) {
			t.Errorf("/metrics lacks %s:\n%s", want, grep(metrics, want[:strings.IndexAny(want, "{ ")]))
		}
	}
	health.Snapshot(snapshot.Status{Serving: snapshot.Pointer{ID: "b"}})
	if got := admin(t, srv, "/readyz", 200); !strings.Contains(got, `"stale":false`) {
		t.Errorf("/readyz says %s after the snapshot is fresh again", got)
	}
}

func grep(text, word string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, word) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestAccessLog checks that the log has one line per request, and checks the attributes of the
// line.
func TestAccessLog(t *testing.T) {
	s := start(t, config{})
	r := s.get(t, "/api/v1/species?q=%E4%BA%BA%E5%8F%82")
	s.do(t, http.MethodGet, "/nowhere", "")
	if err := s.stop(); err != nil { // stopping the server writes all log lines
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines for 2 requests:\n%s", len(lines), s.log)
	}
	for _, want := range []string{`"time":"`, `"request":"` + r.Header.Get("X-Request-Id") + `"`, `"key":"all"`, `"client":"127.0.0.1"`, `"operation":"species.search"`, `"status":200`, `"ms":`, `"bytes":`, `"snapshot":"20261120T021500Z-000001"`} {
		if !strings.Contains(lines[0], want) {
			t.Errorf("the line lacks %s: %s", want, lines[0])
		}
	}
	if !strings.Contains(lines[1], `"operation":"none"`) || !strings.Contains(lines[1], `"status":401`) || !strings.Contains(lines[1], "missing") {
		t.Errorf("the line of a 401 is %s, want the operation none and why the key was refused", lines[1])
	}
}
