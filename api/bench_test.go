package api_test

import (
	"net/http"
	"net/url"
	"testing"
)

// nowhere is a ResponseWriter that discards the answer.
type nowhere struct {
	header http.Header
	status int
}

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(status int)      { n.status = status }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkServe measures how long the server takes to answer a request, without a network
// connection.
func BenchmarkServe(b *testing.B) {
	s := start(b, config{})
	tag := s.get(b, "/api/v1/species/"+ginseng).Header.Get("ETag")
	for _, bb := range []struct {
		name, path, query string
		header            string
		value             string
		want              int
	}{
		{"detail", "/api/v1/species/" + ginseng, "", "", "", 200},
		{"detail-304", "/api/v1/species/" + ginseng, "", "If-None-Match", tag, 304},
		{"detail-gzip", "/api/v1/formulas/" + guizhiTang, "", "Accept-Encoding", "gzip", 200},
		{"list", "/api/v1/species", "", "", "", 200},
		{"search", "/api/v1/species", "q=%E4%BA%BA%E5%8F%82", "", "", 200},
		{"match", "/api/v1/names/match", "name=Panax+ginseng", "", "", 200},
		{"401", "/api/v1/stats", "", "X-Api-Key", "none", 401},
	} {
		b.Run(bb.name, func(b *testing.B) {
			header := http.Header{"X-Api-Key": {s.keys["all"]}}
			if bb.header != "" {
				header.Set(bb.header, bb.value)
			}
			b.ReportAllocs()
			for b.Loop() {
				r := &http.Request{
					Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
					URL: &url.URL{Path: bb.path, RawQuery: bb.query}, Header: header, RemoteAddr: "127.0.0.1:1",
				}
				w := &nowhere{header: http.Header{}}
				if s.server.ServeHTTP(w, r); w.status != bb.want {
					b.Fatalf("status %d, want %d", w.status, bb.want)
				}
			}
		})
	}
}
