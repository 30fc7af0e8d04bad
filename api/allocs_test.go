package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"bencao/internal/test/race"
)

// TestAllocations limits the number of allocations on the most frequent paths, because they
// determine the work of the garbage collector. Each ceiling is the present number of allocations
// plus a small margin for changes of the Go runtime. Lower the ceiling when possible.
func TestAllocations(t *testing.T) {
	if race.On {
		t.Skip("SKIPPED: the race detector allocates")
	}
	s := start(t, config{})
	tag := s.get(t, "/api/v1/species/"+ginseng).Header.Get("ETag")
	for _, tt := range []struct {
		name, path, query, tag string
		ceiling                float64
	}{
		{"detail", "/api/v1/species/" + ginseng, "", "", 30},
		{"304", "/api/v1/species/" + ginseng, "", tag, 22},
		{"stats", "/api/v1/stats", "", "", 27},
		{"exact name", "/api/v1/names/match", "name=Panax+ginseng", "", 34},
		{"search", "/api/v1/species", "q=%E4%BA%BA%E5%8F%82", "", 42},
		{"list", "/api/v1/species", "", "", 35},
	} {
		header := http.Header{"X-Api-Key": {s.keys["all"]}}
		if tt.tag != "" {
			header.Set("If-None-Match", tt.tag)
		}
		got := testing.AllocsPerRun(200, func() {
			r := &http.Request{
				Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				URL: &url.URL{Path: tt.path, RawQuery: tt.query}, Header: header, RemoteAddr: "127.0.0.1:1",
			}
			w := &nowhere{header: http.Header{}}
			if s.server.ServeHTTP(w, r); w.status >= 400 {
				t.Fatalf("%s: status %d", tt.name, w.status)
			}
		})
		if got > tt.ceiling {
			t.Errorf("%s allocates %.0f times, want %.0f at most", tt.name, got, tt.ceiling)
		}
	}
}
