package api_test

import (
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
)

// TestScopeBeforeRecord checks that the 403 for a missing scope hides whether a guid exists, and comes
// before errors of the parameters.
func TestScopeBeforeRecord(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/api/v1/formulas/" + guizhiTang, "/api/v1/formulas/" + nobody, "/api/v1/formulas?page=0"} {
		r := s.do(t, http.MethodGet, path, "open").wantStatus(t, http.StatusForbidden)
		if p := decode[problem.Problem](t, r); p.Type != "/problems/scope-missing" || !strings.Contains(p.Detail, "prescriptions") {
			t.Errorf("%s: %+v, want scope-missing that names the scope", path, p)
		}
	}
}

// TestOneKindOf401 checks that a 401 does not reveal its reason.
func TestOneKindOf401(t *testing.T) {
	s := start(t, config{})
	tail := "A"
	if strings.HasSuffix(s.keys["all"], tail) {
		tail = "B"
	}
	mistyped := s.keys["all"][:len(s.keys["all"])-1] + tail
	bodies := map[string]string{}
	refused := func(what string, r reply) {
		t.Helper()
		r.wantStatus(t, http.StatusUnauthorized)
		bodies[strings.ReplaceAll(string(r.body), r.Header.Get("X-Request-Id"), "ID")] = what
		if r.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no WWW-Authenticate", what)
		}
	}
	path := "/api/v1/stats"
	refused("missing", s.do(t, http.MethodGet, path, ""))
	refused("empty", s.do(t, http.MethodGet, path, "", "X-Api-Key", ""))
	refused("mistyped", s.do(t, http.MethodGet, path, "", "X-Api-Key", mistyped))
	refused("unknown", s.do(t, http.MethodGet, path, "", "X-Api-Key", "bencao_"+strings.Repeat("A", 32)))
	refused("no key at all", s.do(t, http.MethodGet, path, "", "X-Api-Key", "' OR 1=1"))
	refused("disabled", s.do(t, http.MethodGet, path, "disabled"))
	refused("expired", s.do(t, http.MethodGet, path, "expired"))
	refused("twice", s.do(t, http.MethodGet, path, "all", "X-Api-Key", s.keys["all"]))
	refused("in the query", s.do(t, http.MethodGet, path+"?X-Api-Key="+s.keys["all"], ""))
	if len(bodies) != 1 {
		t.Errorf("%d different bodies, want one: %v", len(bodies), bodies)
	}
	if log := s.log.String(); strings.Contains(log, s.keys["all"][7:]) {
		t.Errorf("the log holds a key: %s", log)
	}
}

// clock is a clock that tests set.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time {
	return time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).Add(time.Duration(c.ns.Load()))
}

func TestLimit(t *testing.T) {
	var c clock
	s := start(t, config{now: c.now, addressRate: 5})
	// A stolen key, used from a foreign address, must not use up the limit of its owner.
	for range 4 {
		s.do(t, http.MethodGet, "/api/v1/stats", "away").wantStatus(t, http.StatusForbidden)
	}
	for i := range 3 {
		r := s.do(t, http.MethodGet, "/api/v1/stats", "three").wantStatus(t, http.StatusOK)
		if l, left := r.Header.Get("X-RateLimit-Limit"), r.Header.Get("X-RateLimit-Remaining"); l != "3" || left != strconv.Itoa(2-i) {
			t.Errorf("request %d: %s of %s left, want %d of 3", i+1, left, l, 2-i)
		}
	}
	c.ns.Store(int64(18*time.Second + 500*time.Millisecond))
	r := s.do(t, http.MethodGet, "/api/v1/stats", "three").wantStatus(t, http.StatusTooManyRequests)
	if r.Close {
		t.Error("the connection of a key above its limit is closed")
	}
	if got := r.Header.Get("Retry-After"); got != "42" {
		t.Errorf("Retry-After is %q, want 42, the whole seconds until the minute ends", got)
	}
	if got := r.Header.Get("X-RateLimit-Remaining"); got != "0" {
		t.Errorf("X-RateLimit-Remaining is %q on a 429, want 0", got)
	}
	if got := r.Header.Get("X-RateLimit-Reset"); got != "42" {
		t.Errorf("X-RateLimit-Reset is %q on a 429, want 42 as Retry-After", got)
	}
	c.ns.Add(int64(42 * time.Second))
	s.do(t, http.MethodGet, "/api/v1/stats", "three").wantStatus(t, http.StatusOK)

	// Without a valid key, the limit of the address applies, also to the OpenAPI document.
	c.ns.Add(int64(time.Hour))
	for range 4 {
		s.do(t, http.MethodGet, "/api/v1/nowhere", "").wantStatus(t, http.StatusUnauthorized)
	}
	s.do(t, http.MethodGet, "/openapi/v1.json", "").wantStatus(t, http.StatusOK)
	s.do(t, http.MethodGet, "/openapi/v1.json", "all").wantStatus(t, http.StatusTooManyRequests)
	s.do(t, http.MethodGet, "/api/v1/stats", "").wantStatus(t, http.StatusTooManyRequests)
	s.do(t, http.MethodGet, "/api/v1/stats", "all").wantStatus(t, http.StatusOK)
}

// TestLimitIsExact sends concurrent requests. Exactly as many as the limit must be answered.
func TestLimitIsExact(t *testing.T) {
	s := start(t, config{})
	var passed, refused atomic.Int32
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			switch s.do(t, http.MethodGet, "/api/v1/stats", "three").StatusCode {
			case http.StatusOK:
				passed.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if passed.Load() != 3 || refused.Load() != 9 {
		t.Errorf("%d passed and %d got 429, want 3 and 9", passed.Load(), refused.Load())
	}
}

func TestClientAddress(t *testing.T) {
	direct := start(t, config{})
	for _, forged := range []string{"198.51.100.7", "garbage", "", "198.51.100.7, 127.0.0.1"} {
		// This server trusts no proxy, so it must ignore the header X-Forwarded-For.
		direct.do(t, http.MethodGet, "/api/v1/stats", "all", "X-Forwarded-For", forged, "X-Real-IP", "198.51.100.7", "Forwarded", "for=198.51.100.7").wantStatus(t, http.StatusOK)
		direct.do(t, http.MethodGet, "/api/v1/stats", "away", "X-Forwarded-For", forged, "X-Real-IP", "198.51.100.7").wantStatus(t, http.StatusForbidden)
	}
	behind := start(t, config{trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	tests := []struct {
		forwarded, key string
		want           int
	}{
		{"198.51.100.7", "away", 200},
		{"198.51.100.7", "all", 403},
		{"127.0.0.9, 198.51.100.7", "away", 200},
		{"198.51.100.7, 203.0.113.1", "away", 403}, // only the last address counts: the client may have invented the first
		{"198.51.100.7, 127.0.0.1", "away", 200},
		{"garbage", "all", 403}, // the key must not be checked against the proxy's own address
		{"", "all", 403},
		{"127.0.0.2", "all", 200},
	}
	for _, tt := range tests {
		if got := behind.do(t, http.MethodGet, "/api/v1/stats", tt.key, "X-Forwarded-For", tt.forwarded).StatusCode; got != tt.want {
			t.Errorf("X-Forwarded-For %q with the key %q: status %d, want %d", tt.forwarded, tt.key, got, tt.want)
		}
	}
	if log := behind.log.String(); !strings.Contains(log, `"client":"198.51.100.7"`) {
		t.Errorf("the log does not name the client behind the proxy: %s", log)
	}
}

// TestRightsChange revokes rights of a key while a connection is open. The next request with the
// key on this connection must be refused.
func TestRightsChange(t *testing.T) {
	var c clock
	s := start(t, config{now: c.now})
	var reused atomic.Bool
	trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused.Store(i.Reused) }})
	ask := func(key string, want int) {
		t.Helper()
		req, err := http.NewRequestWithContext(trace, http.MethodGet, s.URL+"/api/v1/stats", nil)
		must(t, err)
		req.Header.Set("X-Api-Key", s.keys[key])
		s.send(t, req).wantStatus(t, want)
	}
	ask("until-nine", http.StatusOK)
	c.ns.Store(int64(time.Hour)) // the clock starts at eight, and the key expires at nine
	ask("until-nine", http.StatusUnauthorized)
	ask("open", http.StatusOK)
	if _, err := access.Update(s.path, "open", func(e *access.Entry) error { e.Disabled = true; return nil }); err != nil {
		t.Fatal(err)
	}
	s.access.Look()
	ask("open", http.StatusUnauthorized)
	if !reused.Load() {
		t.Error("every request had a connection of its own; this tests less than it should")
	}
}

// TestAnonymous checks requests without a key. If the operator allows requests without a key, they
// get the open data only. Wrong keys are still refused.
func TestAnonymous(t *testing.T) {
	s := start(t, config{anonymous: 5, now: new(clock).now})
	r := s.do(t, http.MethodGet, "/api/v1/stats", "").wantStatus(t, http.StatusOK)
	if got := r.Header.Get("X-RateLimit-Limit"); got != "5" {
		t.Errorf("X-RateLimit-Limit is %q, want 5", got)
	}
	s.do(t, http.MethodGet, "/api/v1/formulas", "").wantStatus(t, http.StatusForbidden)
	s.do(t, http.MethodGet, "/api/v1/stats", "", "X-Api-Key", "bencao_typo").wantStatus(t, http.StatusUnauthorized)
	for range 2 {
		s.do(t, http.MethodGet, "/api/v1/stats", "")
	}
	s.do(t, http.MethodGet, "/api/v1/stats", "").wantStatus(t, http.StatusTooManyRequests)
	s.do(t, http.MethodGet, "/api/v1/stats", "all").wantStatus(t, http.StatusOK)
}
