package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"bencao/api/problem"
	"bencao/internal/null"
	"bencao/names"
	"bencao/store"
)

// pageOf is a page as decoded by a client.
type pageOf[T any] struct {
	Page, PageSize, Total int
	Items                 []T
}

// TestErrorsHideKeys sends a key in the address instead of the header. No error may repeat it.
func TestErrorsHideKeys(t *testing.T) {
	s := start(t, config{})
	key := s.keys["all"]
	long := url.QueryEscape(strings.Repeat("参", 60)) + key
	for _, path := range []string{"/" + key, "/species/" + key, "/species?page=" + key, "/species?" + key + "=1", "/species?q=%" + key, "/papers?fromYear=" + long,
		"/formulas?herbs=" + key, "/patterns/pairs?herb=" + key, "/changes?since=" + key, "/species/facets?by=" + key, "/patterns/herbs?against=" + key} {
		r := s.get(t, "/api/v1"+path)
		if r.StatusCode < 400 || strings.Contains(string(r.body), key[:20]) {
			t.Errorf("%s: status %d, %s", strings.ReplaceAll(path, key, "KEY"), r.StatusCode, strings.ReplaceAll(string(r.body), key[:20], "KEY"))
		}
	}
	if strings.Contains(s.log.String(), key[:20]) {
		t.Error("the log has the key")
	}
}

func TestParametersRefused(t *testing.T) {
	s := start(t, config{})
	long := strings.Repeat("参", 201)
	tests := []struct {
		path string
		says []string // texts that the error's detail must contain
	}{
		{"/api/v1/species?page=0", []string{`page is "0"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=-1", []string{`page is "-1"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=01", []string{`page is "01"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=%2B1", []string{`page is "+1"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=+1", []string{`page is " 1"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=1.0", []string{`page is "1.0"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=1e1", []string{`page is "1e1"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=0x1", []string{`page is "0x1"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=１", []string{`page is "１"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=", []string{`page is ""`, "from 1 to 2147483647"}},
		{"/api/v1/species?page", []string{`page is ""`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=2147483648", []string{`page is "2147483648"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=3000000000", []string{`page is "3000000000"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=99999999999999999999", []string{`page is "99999999999999999999"`, "from 1 to 2147483647"}},
		{"/api/v1/species?page=x", []string{`page is "x"`, "from 1 to 2147483647"}},
		{"/api/v1/species?pageSize=101", []string{`pageSize is "101"`, "from 1 to 100"}},
		{"/api/v1/species?pageSize=0", []string{`pageSize is "0"`, "from 1 to 100"}},
		{"/api/v1/species?page=1&page=1", []string{"page is given twice", `"1"`}},
		{"/api/v1/species?q=a&q=b", []string{"q is given twice", `"a"`, `"b"`}},
		{"/api/v1/species?Page=1", []string{`no parameter "Page"`, `did you mean page? It takes q, family, genus`}},
		{"/api/v1/species?pagesize=1", []string{`did you mean pageSize?`}},
		{"/api/v1/formulas?dinasty=x", []string{`did you mean dynasty?`}},
		{"/api/v1/species?=1", []string{`no parameter ""`}},
		{"/api/v1/species?dynasty=x", []string{`no parameter "dynasty"`}},
		{"/api/v1/stats?q=x", []string{`no parameter "q"`, "takes none"}},
		{"/api/v1/species/" + ginseng + "?guid=x", []string{`no parameter "guid"`, "takes none"}},
		{"/api/v1/species?q=%zz", []string{`q is "%zz"`, "percent-encoded"}},
		{"/api/v1/species?q=%", []string{`q is "%"`, "percent-encoded"}},
		{"/api/v1/species?%zz=1", []string{`"%zz"`, "percent-encoded"}},
		{"/api/v1/species?q=%ff", []string{`q is "\xff"`, "not UTF-8", "at most 500"}},
		{"/api/v1/species?q=a%00b", []string{`q is "a\x00b"`, "control characters"}},
		{"/api/v1/formulas?dynasty=%0d%0aSet-Cookie:x", []string{`dynasty is "\r\n`, "control characters"}},
		{"/api/v1/species?q=%C2%85", []string{`q is "\u0085"`, "control characters"}},
		{"/api/v1/species?q=" + url.QueryEscape(strings.Repeat(long, 3)), []string{`q is "` + strings.Repeat("参", 80) + `"…`, "has 603 characters", "at most 500"}},
		{"/api/v1/formulas?dynasty=" + url.QueryEscape(long), []string{"dynasty is", "has 201 characters", "at most 200"}},
		{"/api/v1/species?bom=2", []string{`bom is "2"`, "0 or 1"}},
		{"/api/v1/names/match", []string{"name is missing", "1 to 256"}},
		{"/api/v1/names/match?name=", []string{`name is ""`, "1 to 256"}},
		{"/api/v1/names/match?name=%20%20", []string{`name is "  "`, "1 to 256"}},
		{"/api/v1/names/match?name=" + strings.Repeat("a", 257), []string{"has 257 characters", "1 to 256"}},
		{"/api/v1/names/match?name=x&limit=0", []string{`limit is "0"`, "from 1 to 20"}},
		{"/api/v1/names/match?name=x&limit=21", []string{`limit is "21"`, "from 1 to 20"}},
		{"/api/v1/names/match?name=x&fuzzy=1", []string{`fuzzy is "1"`, "true or false"}},
		{"/api/v1/names/match?name=x&explain=", []string{`explain is ""`, "true or false"}},
		{"/api/v1/names/match?name=x&bom=1", []string{`no parameter "bom"`}},
	}
	for _, tt := range tests {
		r := s.get(t, tt.path).wantStatus(t, http.StatusBadRequest)
		p := decode[problem.Problem](t, r)
		for _, want := range tt.says {
			if !strings.Contains(p.Detail, want) {
				t.Errorf("%s: detail is %q, want it to say %q", tt.path, p.Detail, want)
			}
		}
		if p.Type != "/problems/bad-parameter" || p.Status != 400 || p.Instance != r.Header.Get("X-Request-Id") {
			t.Errorf("%s: type %q, status %d, instance %q; want /problems/bad-parameter, 400 and the request's id %q", tt.path, p.Type, p.Status, p.Instance, r.Header.Get("X-Request-Id"))
		}
		if got := r.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s: Content-Type is %q, want application/problem+json", tt.path, got)
		}
	}
}

func TestParametersTaken(t *testing.T) {
	s := start(t, config{})
	tests := []struct {
		path  string
		total int // -1 allows any number
	}{
		{"/api/v1/species", 7},
		{"/api/v1/species?", 7},
		{"/api/v1/species?q=", 7},
		{"/api/v1/species?q", 7},
		{"/api/v1/species?&&page=1&", 7},
		{"/api/v1/species?q=%20%E3%80%80", 7},
		{"/api/v1/species?q=%20%E4%BA%BA%E5%8F%82%20", 1},
		{"/api/v1/species?q=" + url.QueryEscape(strings.Repeat("参", 200)), -1},
		{"/api/v1/species?page=2147483647&pageSize=100", 7},
		{"/api/v1/species?q=%E4%BA%BA%E5%8F%82&page=2147483647&pageSize=100", 1},
		{"/api/v1/species/" + ginseng + "/formulas?page=2147483647", 1},
		{"/api/v1/formulas?dynasty=%E4%B8%9C%E6%B1%89", 2},
		{"/api/v1/formulas?dynasty=%E4%B8%9C%E6%B1%89&q=%E6%A1%82%E6%9E%9D%E6%B1%A4", 1},
		{"/api/v1/formulas?dynasty=", 3},
		{"/api/v1/papers?q=ginsenosides", 1},
	}
	for _, tt := range tests {
		p := decode[pageOf[struct{}]](t, s.get(t, tt.path).wantStatus(t, http.StatusOK))
		if tt.total >= 0 && p.Total != tt.total {
			t.Errorf("%s: total is %d, want %d", tt.path, p.Total, tt.total)
		}
		if strings.Contains(tt.path, "2147483647") && len(p.Items) != 0 {
			t.Errorf("%s: %d items past the end, want none", tt.path, len(p.Items))
		}
	}
	// Spaces before and after a text do not count towards its length.
	if w := s.serve("/api/v1/species", "q="+strings.Repeat("+", 300)+"%E4%BA%BA%E5%8F%82", nil); w.Code != http.StatusOK {
		t.Errorf("人参 behind 300 spaces: status %d, want 200: %s", w.Code, w.Body)
	}
}

// TestPagesCoverTheList walks through a list with every page size. Each record must appear exactly
// once.
func TestPagesCoverTheList(t *testing.T) {
	s := start(t, config{})
	for size := 1; size <= 8; size++ {
		seen := map[string]bool{}
		path := "/api/v1/species?pageSize=" + string(rune('0'+size))
		for pages := 0; path != ""; pages++ {
			if pages > 7 {
				t.Fatalf("pageSize %d: rel=next leads past the last page to %s", size, path)
			}
			r := s.get(t, path).wantStatus(t, http.StatusOK)
			for _, item := range decode[pageOf[store.SpeciesSummary]](t, r).Items {
				if seen[item.GUID] {
					t.Errorf("pageSize %d: %s is on two pages", size, item.GUID)
				}
				seen[item.GUID] = true
			}
			path = strings.TrimPrefix(links(r)["next"], siteURL)
		}
		if len(seen) != 7 {
			t.Errorf("pageSize %d: rel=next leads to %d records, want 7", size, len(seen))
		}
	}
}

func TestUnknownIdentifiers(t *testing.T) {
	s := start(t, config{})
	for _, id := range []string{nobody, strings.ToUpper(nobody), "x", "1", "-1", "%00", "%ff", "人参", ginseng + "%20", "a%2Fb", "..", "%3Cscript%3E"} {
		for _, path := range []string{"/species/" + id, "/species/" + id + "/flora", "/species/" + id + "/papers", "/species/" + id + "/formulas", "/species/" + id + "/uses", "/formulas/" + id} {
			s.get(t, "/api/v1"+path).wantStatus(t, http.StatusNotFound)
		}
	}
	for _, path := range []string{"/", "/api", "/api/v1", "/api/v1/", "/api/v1/species/", "/api/v1/species/" + ginseng + "/", "/api/v1/species/" + ginseng + "/x", "/api/v1/Species", "//api/v1/species", "/api/v1/names", "/openapi/v2.json"} {
		s.get(t, path).wantStatus(t, http.StatusNotFound)
		s.do(t, http.MethodGet, path, "").wantStatus(t, http.StatusUnauthorized)
	}
}

func TestNameMatch(t *testing.T) {
	s := start(t, config{})
	r := decode[names.Response](t, s.get(t, "/api/v1/names/match?name=Panax+ginseng+C.A.Mey.").wantStatus(t, http.StatusOK))
	if len(r.Results) == 0 || r.Results[0].GUID != ginseng {
		t.Fatalf("results are %+v, want %s first", r.Results, ginseng)
	}
	if want := null.Text(siteURL + "/species/" + ginseng); r.Results[0].URL != want {
		t.Errorf("url is %q, want %q", r.Results[0].URL, want)
	}
	if r.Results[0].Steps != nil {
		t.Errorf("steps are %q without explain", r.Results[0].Steps)
	}
	if got := s.get(t, "/api/v1/names/match?name=Xqzwklerty+Vbnmasdfgh").wantStatus(t, http.StatusOK); !strings.Contains(string(got.body), `"results":[]`) {
		t.Errorf("a name that nothing fits gives %s, want an empty list of results", got.body)
	}
}

// TestTabInText checks that a tab in a text, as in a cell copied from a spreadsheet, is a space.
func TestTabInText(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/api/v1/names/match?name=Panax%sginseng", "/api/v1/species?q=Panax%sginseng"} {
		want := s.get(t, fmt.Sprintf(path, "%20")).wantStatus(t, http.StatusOK)
		if got := s.get(t, fmt.Sprintf(path, "%09")).wantStatus(t, http.StatusOK); string(got.body) != string(want.body) {
			t.Errorf(path+": the answer is\n%s\nwith a tab, and\n%s\nwith a space", "", got.body, want.body)
		}
	}
}
