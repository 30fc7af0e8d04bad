package api_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"
)

// TestClockJumps sets the clock forward and back, as on a machine that starts with a wrong clock.
// Keys must expire by the clock, and no client may wait longer than one window of the rate limit.
func TestClockJumps(t *testing.T) {
	var c clock
	s := start(t, config{now: c.now})
	path := "/api/v1/stats"
	s.do(t, http.MethodGet, path, "until-nine").wantStatus(t, http.StatusOK)
	for range 4 {
		s.do(t, http.MethodGet, path, "three")
	}
	for _, jump := range []time.Duration{time.Hour, 100 * 365 * 24 * time.Hour, 0, -time.Hour, -20 * 365 * 24 * time.Hour, -time.Second, 0} {
		c.ns.Store(int64(jump))
		want := http.StatusOK
		if jump >= time.Hour { // the clock starts at eight, and the key expires at nine
			want = http.StatusUnauthorized
		}
		s.do(t, http.MethodGet, path, "until-nine").wantStatus(t, want)
		for range 5 {
			r := s.do(t, http.MethodGet, path, "three")
			switch r.StatusCode {
			case http.StatusOK:
			case http.StatusTooManyRequests:
				if wait, err := strconv.Atoi(r.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
					t.Errorf("clock %v off: Retry-After %q, want 1 to 60", jump, r.Header.Get("Retry-After"))
				}
			default:
				t.Errorf("clock %v off: status %d, want 200 or 429", jump, r.StatusCode)
			}
		}
		s.do(t, http.MethodGet, path, "").wantStatus(t, http.StatusUnauthorized)
		s.get(t, path).wantStatus(t, http.StatusOK)
	}
	// A client that waits as long as Retry-After says must then get an answer.
	r := s.do(t, http.MethodGet, path, "three").wantStatus(t, http.StatusTooManyRequests)
	wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
	must(t, err)
	c.ns.Add(int64(wait) * int64(time.Second))
	s.do(t, http.MethodGet, path, "three").wantStatus(t, http.StatusOK)
}
