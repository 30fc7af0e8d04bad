package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"bencao/api/problem"
)

// serve passes a request directly to the server's handler, without a connection.
func (s *site) serve(path, query string, headers http.Header) *httptest.ResponseRecorder {
	r := &http.Request{
		Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL: &url.URL{Path: path, RawQuery: query}, Header: headers, RemoteAddr: "127.0.0.1:1",
	}
	if headers == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("X-Api-Key", s.keys["all"])
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, r)
	return w
}

// FuzzQuery checks that every query is answered with JSON or with a problem.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "q=人参", "q=%E4%BA%BA&page=2&pageSize=100", "page=0", "page=01", "page=2147483648", "q=a&q=b", "q=%zz", "q=%ff", "&&=&",
		"q=a;b", "name=Panax+ginseng&limit=20&fuzzy=false", "dynasty=宋", "q=" + "%00", "bom=1", "q=renshen", "q=P. ginseng", "since=" + secondVersion + "&page=2", "since=x", "entryId=1",
	} {
		f.Add(seed)
	}
	s := start(f, config{})
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{"/api/v1/species", "/api/v1/formulas", "/api/v1/papers", "/api/v1/names/match", "/api/v1/stats", "/api/v1/version", "/api/v1/key", "/api/v1/changes"} {
			w := s.serve(path, query, nil)
			switch w.Code {
			case http.StatusOK:
				if !json.Valid(w.Body.Bytes()) {
					t.Errorf("%s?%s: not JSON: %s", path, query, w.Body)
				}
			case http.StatusNotFound:
				var p problem.Problem
				if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Type != "/problems/unknown-version" || path != "/api/v1/changes" {
					t.Errorf("%s?%s: problem %s, error %v; want an unknown-version, of changes alone", path, query, w.Body, err)
				}
			case http.StatusBadRequest:
				var p problem.Problem
				if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Type != "/problems/bad-parameter" || p.Detail == "" {
					t.Errorf("%s?%s: problem %s, error %v; want a bad-parameter that says what is wrong", path, query, w.Body, err)
				}
			default:
				t.Errorf("%s?%s: status %d, want 200 or 400: %s", path, query, w.Code, w.Body)
			}
		}
	})
}

// FuzzHeaders checks that all values of Accept and If-None-Match are accepted, and that the format
// of the answer was requested.
func FuzzHeaders(f *testing.F) {
	f.Add("text/csv, */*;q=0.1", `W/"abc", *`)
	f.Add("application/json;q=0", `"`)
	f.Add(";;;q=,,", ",,,W/")
	f.Add("", "")
	s := start(f, config{})
	f.Fuzz(func(t *testing.T, accept, match string) {
		w := s.serve("/api/v1/papers", "", http.Header{"Accept": {accept}, "If-None-Match": {match}})
		switch w.Code {
		case http.StatusOK:
			if json.Valid(w.Body.Bytes()) != (w.Header().Get("Content-Type") == "application/json") {
				t.Errorf("Accept %q: Content-Type %s of %s", accept, w.Header().Get("Content-Type"), w.Body)
			}
		case http.StatusNotModified, http.StatusNotAcceptable:
		default:
			t.Errorf("Accept %q, If-None-Match %q: status %d: %s", accept, match, w.Code, w.Body)
		}
	})
}
