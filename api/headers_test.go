package api_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bencao/api"
	"bencao/store"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var linkEntry = regexp.MustCompile(`<([^>]*)>; rel="([a-z-]+)"`)

// links returns the addresses of a header Link by relation.
func links(r reply) map[string]string {
	found := map[string]string{}
	for _, m := range linkEntry.FindAllStringSubmatch(r.Header.Get("Link"), -1) {
		found[m[2]] = m[1]
	}
	return found
}

func TestLinks(t *testing.T) {
	s := start(t, config{opt: api.Options{License: "https://licence.example/", CiteAs: "https://doi.example/1"}})
	at := func(page int) string { return siteURL + "/api/v1/species?page=" + strconv.Itoa(page) + "&pageSize=3" }
	tests := []struct {
		page                    int
		first, prev, next, last string
	}{
		{1, at(1), "", at(2), at(3)},
		{2, at(1), at(1), at(3), at(3)},
		{3, at(1), at(2), "", at(3)},
		{4, at(1), at(3), "", at(3)},
		{2147483647, at(1), at(3), "", at(3)},
	}
	for _, tt := range tests {
		got := links(s.get(t, strings.TrimPrefix(at(tt.page), siteURL)))
		for rel, want := range map[string]string{
			"first": tt.first, "prev": tt.prev, "next": tt.next, "last": tt.last,
			"license": "https://licence.example/", "cite-as": "https://doi.example/1",
		} {
			if got[rel] != want {
				t.Errorf("page %d: rel=%s is %q, want %q", tt.page, rel, got[rel], want)
			}
		}
	}
	if got := links(s.get(t, "/api/v1/formulas?dynasty=%E4%B8%9C%E6%B1%89&pageSize=1"))["next"]; got != siteURL+"/api/v1/formulas?dynasty=%E4%B8%9C%E6%B1%89&page=2&pageSize=1" {
		t.Errorf("rel=next loses the question: %q", got)
	}
	if got := links(s.get(t, "/api/v1/species?q=zzzzzz")); got["last"] != siteURL+"/api/v1/species?q=zzzzzz&page=1" || got["next"] != "" {
		t.Errorf("links of an empty list are %v, want last to be page 1 and no next", got)
	}
	if got := links(s.do(t, http.MethodGet, "/api/v1/stats", "")); got["license"] == "" {
		t.Errorf("a 401 has the links %v, want rel=license everywhere", got)
	}
	// A cache replaces the headers of the answer that it keeps by those of a 304.
	list := strings.TrimPrefix(at(1), siteURL)
	full := s.get(t, list)
	for _, match := range []string{full.Header.Get("ETag"), "*"} {
		kept := full.Header.Clone()
		maps.Copy(kept, s.get(t, list, "If-None-Match", match).wantStatus(t, http.StatusNotModified).Header)
		if got := kept.Get("Link"); got != full.Header.Get("Link") {
			t.Errorf("a cache that revalidates a page with %s keeps the links %s, want those of the page", match, got)
		}
	}
}

// TestEveryAnswer checks the headers that all answers have.
func TestEveryAnswer(t *testing.T) {
	s := start(t, config{})
	tag := s.get(t, "/api/v1/stats").Header.Get("ETag")
	answers := map[int]reply{
		200: s.get(t, "/api/v1/stats", "Origin", "https://elsewhere.example"),
		304: s.get(t, "/api/v1/stats", "If-None-Match", tag),
		400: s.get(t, "/api/v1/stats?x=1"),
		401: s.do(t, http.MethodGet, "/api/v1/stats", ""),
		403: s.do(t, http.MethodGet, "/api/v1/stats", "away"),
		404: s.get(t, "/nowhere"),
		405: s.do(t, http.MethodDelete, "/api/v1/stats", "all"),
		406: s.get(t, "/api/v1/stats", "Accept", "text/csv"),
		417: s.get(t, "/api/v1/stats", "Expect", "a-miracle"),
	}
	seen := map[string]bool{}
	for status, r := range answers {
		r.wantStatus(t, status)
		for name, want := range map[string]string{
			"X-Data-Version":         "20261120T021500Z-000001",
			"X-Content-Type-Options": "nosniff",
			"Cache-Control":          "private, no-cache",
			"Vary":                   "X-Api-Key, Accept-Encoding, Accept, X-Data-Version",
		} {
			if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%d: %s is %q, want %q once", status, name, got, want)
			}
		}
		for name := range r.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%d: has %s; pages of other sites may not read answers", status, name)
			}
		}
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			if _, err := strconv.Atoi(r.Header.Get(name)); err != nil {
				t.Errorf("%d: %s is %q, want a number", status, name, r.Header.Get(name))
			}
		}
		if id := r.Header.Get("X-Request-Id"); id == "" || seen[id] {
			t.Errorf("%d: X-Request-Id is %q, want one of its own", status, id)
		} else {
			seen[id] = true
		}
	}
	if got := answers[405].Header.Get("Allow"); got != "GET, HEAD" {
		t.Errorf("405: Allow is %q, want GET, HEAD", got)
	}
	if got := answers[401].Header.Get("ETag"); got != "" {
		t.Errorf("401: ETag is %q, want none on an error", got)
	}
}

// TestAnswersToEverybody checks the caching headers of a server that needs no key. Pages of other
// sites may read the answer to a request without a key, and shared caches may store it. Neither may
// be permitted for the answer to a request with a key.
func TestAnswersToEverybody(t *testing.T) {
	s := start(t, config{anonymous: 12})
	const keep, ask, withoutKey = "public, max-age=0, s-maxage=300", "private, no-cache", "Accept-Encoding, Accept, X-Data-Version"
	tag := s.do(t, http.MethodGet, "/api/v1/stats", "").Header.Get("ETag")
	for _, tt := range []struct {
		name, path, key string
		status          int
		cache, vary     string
		headers         []string
	}{
		{"no key", "/api/v1/stats", "", 200, keep, withoutKey, nil},
		{"no key, nothing new", "/api/v1/stats", "", 304, keep, withoutKey, []string{"If-None-Match", tag}},
		{"no key, a page", "/api/v1/species?q=%E4%BA%BA%E5%8F%82", "", 200, keep, withoutKey, []string{"Origin", "https://elsewhere.example"}},
		{"no key, changes", "/api/v1/changes?since=" + secondVersion, "", 200, keep, "X-Api-Key, Accept-Encoding, Accept, X-Data-Version", nil},
		{"no key, what holds for the moment", "/api/v1/key", "", 200, ask, withoutKey, nil},
		{"no key, CSV", "/api/v1/species", "", 200, keep, withoutKey, []string{"Accept", "text/csv"}},
		{"no key, what scopes decide on", "/api/v1/suggest?q=%E4%BA%BA", "", 200, keep, "X-Api-Key, Accept-Encoding, Accept, X-Data-Version", nil},
		{"the description", "/openapi/v1.json", "", 200, keep, withoutKey, nil},
		{"no key, a mistake", "/api/v1/stats?x=1", "", 400, ask, withoutKey, nil},
		{"no key, nothing there", "/api/v1/species/nobody", "", 404, ask, withoutKey, nil},
		{"no key, no scope", "/api/v1/formulas", "", 403, ask, withoutKey, nil},
		{"a key", "/api/v1/stats", "all", 200, ask, "X-Api-Key, Accept-Encoding, Accept, X-Data-Version", nil},
		{"a key, the description", "/openapi/v1.json", "all", 200, ask, "X-Api-Key, Accept-Encoding, Accept, X-Data-Version", nil},
		{"no valid key", "/api/v1/stats", "", 401, ask, "X-Api-Key, Accept-Encoding, Accept, X-Data-Version", []string{"X-Api-Key", "bencao_wrong"}},
		{"no key, too often", "/api/v1/stats", "", 429, ask, withoutKey, nil},
	} {
		r := s.do(t, http.MethodGet, tt.path, tt.key, tt.headers...)
		for tt.status == 429 && r.StatusCode == 200 {
			r = s.do(t, http.MethodGet, tt.path, tt.key, tt.headers...)
		}
		r.wantStatus(t, tt.status)
		if got := r.Header.Get("Cache-Control"); got != tt.cache {
			t.Errorf("%s: Cache-Control is %q, want %q", tt.name, got, tt.cache)
		}
		if got := r.Header.Get("Vary"); got != tt.vary {
			t.Errorf("%s: Vary is %q, want %q", tt.name, got, tt.vary)
		}
		origin := "*"
		if tt.key != "" || tt.status == 401 {
			origin = ""
		}
		if got := r.Header.Get("Access-Control-Allow-Origin"); got != origin {
			t.Errorf("%s: Access-Control-Allow-Origin is %q, want %q", tt.name, got, origin)
		}
		if exposed := r.Header.Get("Access-Control-Expose-Headers"); origin != "" && !strings.Contains(exposed, "Link, Retry-After") || origin == "" && exposed != "" {
			t.Errorf("%s: Access-Control-Expose-Headers is %q", tt.name, exposed)
		}
	}
}

func TestETag(t *testing.T) {
	s := start(t, config{})
	tag := func(path, key string, headers ...string) string {
		t.Helper()
		got := s.do(t, http.MethodGet, path, key, headers...).wantStatus(t, http.StatusOK).Header.Get("ETag")
		if !strings.HasPrefix(got, `W/"`) {
			t.Errorf("%s: ETag is %q, want a weak one", path, got)
		}
		return got
	}
	detail := "/api/v1/formulas/" + guizhiTang
	all := tag(detail, "all")
	different := map[string]string{
		"other scopes":       tag(detail, "composition"),
		"fewer scopes":       tag(detail, "formulas"),
		"other record":       tag("/api/v1/formulas/9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02", "all"),
		"list":               tag("/api/v1/species", "all"),
		"page 2":             tag("/api/v1/species?page=2", "all"),
		"list as csv":        tag("/api/v1/species", "all", "Accept", "text/csv"),
		"csv with bom":       tag("/api/v1/species?bom=1", "all", "Accept", "text/csv"),
		"parameters swapped": tag("/api/v1/formulas?q=a&dynasty=b", "all"),
		"swapped back":       tag("/api/v1/formulas?q=b&dynasty=a", "all"),
	}
	seen := map[string]string{all: "all scopes"}
	for what, got := range different {
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s have the same ETag %s", what, other, got)
		}
		seen[got] = what
	}
	for _, same := range []string{"/api/v1/species?page=1", "/api/v1/species?pageSize=20&page=1&q=", "/api/v1/species?q=%20&bom=0"} {
		if got := tag(same, "all"); got != different["list"] {
			t.Errorf("%s has the ETag %s, want that of /api/v1/species, which asks the same", same, got)
		}
	}

	strong := strings.TrimPrefix(all, "W/")
	for match, want := range map[string]int{
		all: 304, strong: 304, `"x", ` + all: 304, "*": 304,
		`"x"`: 200, strings.Trim(strong, `"`): 200, "": 200,
	} {
		r := s.get(t, detail, "If-None-Match", match).wantStatus(t, want)
		if want == 304 && (len(r.body) > 0 || r.Header.Get("ETag") != all) {
			t.Errorf("If-None-Match %s: 304 with %d bytes and ETag %q, want none and %s", match, len(r.body), r.Header.Get("ETag"), all)
		}
	}
	s.get(t, "/api/v1/formulas/"+nobody, "If-None-Match", "*").wantStatus(t, http.StatusNotFound)
	s.do(t, http.MethodGet, detail, "", "If-None-Match", all).wantStatus(t, http.StatusUnauthorized)
	s.do(t, http.MethodGet, detail, "formulas", "If-None-Match", all).wantStatus(t, http.StatusOK)
}

func TestCompression(t *testing.T) {
	s := start(t, config{})
	path := "/api/v1/formulas/" + guizhiTang
	plain := s.get(t, path).wantStatus(t, http.StatusOK)
	if got := plain.ContentLength; got != int64(len(plain.body)) {
		t.Errorf("Content-Length is %d, want %d", got, len(plain.body))
	}
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		r := s.get(t, path, "Accept-Encoding", encoding).wantStatus(t, http.StatusOK)
		if got := r.Header.Get("Content-Encoding"); got != encoding {
			t.Fatalf("Accept-Encoding %s: Content-Encoding is %q", encoding, got)
		}
		z, err := open(bytes.NewReader(r.body))
		must(t, err)
		got, err := io.ReadAll(z)
		must(t, err)
		if !bytes.Equal(got, plain.body) {
			t.Errorf("%s: unpacked answer differs from the plain one", encoding)
		}
		if a, b := r.Header.Get("ETag"), plain.Header.Get("ETag"); a != b {
			t.Errorf("%s: ETag is %s, want the plain answer's %s", encoding, a, b)
		}
		if got := r.Header.Values("Vary"); len(got) != 1 || got[0] != "X-Api-Key, Accept-Encoding, Accept, X-Data-Version" {
			t.Errorf("%s: Vary is %q", encoding, got)
		}
		s.get(t, path, "Accept-Encoding", encoding, "If-None-Match", r.Header.Get("ETag")).wantStatus(t, http.StatusNotModified)
	}
}

func TestHead(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/api/v1/species", "/api/v1/species/" + ginseng, "/api/v1/species/" + nobody, "/api/v1/stats?x=1", "/openapi/v1.json"} {
		get, head := s.get(t, path), s.do(t, http.MethodHead, path, "all")
		if head.StatusCode != get.StatusCode || len(head.body) != 0 {
			t.Errorf("HEAD %s: status %d with %d bytes, want %d with none", path, head.StatusCode, len(head.body), get.StatusCode)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Link"} {
			if g, h := get.Header.Get(name), head.Header.Get(name); g != h {
				t.Errorf("HEAD %s: %s is %q, GET says %q", path, name, h, g)
			}
		}
	}
}

func TestAccept(t *testing.T) {
	s := start(t, config{})
	for accept, want := range map[string]string{
		"":                                  "application/json",
		",,":                                "application/json", // a header without elements
		"*/*":                               "application/json",
		"application/*":                     "application/json",
		"application/json; charset=utf-8":   "application/json",
		"text/csv":                          "text/csv; charset=utf-8; header=present",
		"TEXT/CSV":                          "text/csv; charset=utf-8; header=present",
		"text/*":                            "text/csv; charset=utf-8; header=present",
		"text/csv, */*;q=0.5":               "text/csv; charset=utf-8; header=present",
		"text/csv, */*":                     "text/csv; charset=utf-8; header=present",
		"text/csv, application/json":        "application/json",
		"text/csv;q=0.5, application/json":  "application/json",
		"application/json;q=0, text/csv":    "text/csv; charset=utf-8; header=present",
		"*/*, application/json;q=0":         "text/csv; charset=utf-8; header=present",
		"text/html, */*;q=0.1":              "application/json",
		"text/html":                         "",
		"application/json;q=0":              "",
		"text/html, */*;q=0":                "",
		"application/problem+json":          "",
		"text/csv;q=0, application/json;q0": "application/json",
	} {
		var headers []string
		if accept != "" {
			headers = []string{"Accept", accept}
		}
		r := s.get(t, "/api/v1/species", headers...)
		got := r.Header.Get("Content-Type")
		if want == "" {
			r.wantStatus(t, http.StatusNotAcceptable)
		} else if got != want {
			t.Errorf("Accept %q: Content-Type is %q, want %q", accept, got, want)
		}
	}
	s.get(t, "/api/v1/species/"+ginseng, "Accept", "text/csv").wantStatus(t, http.StatusNotAcceptable)
}

// TestNDJSON compares every list as NDJSON with the same list as JSON.
func TestNDJSON(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{
		"/api/v1/species", "/api/v1/formulas?distinct=name", "/api/v1/papers", "/api/v1/herbs",
		"/api/v1/species/" + ginseng + "/flora", "/api/v1/species/" + ginseng + "/papers", "/api/v1/species/" + ginseng + "/uses", "/api/v1/species/" + ginseng + "/formulas",
	} {
		var items []json.RawMessage
		whole := s.get(t, path).wantStatus(t, http.StatusOK).body
		if json.Unmarshal(whole, &items) != nil {
			items = decode[pageOf[json.RawMessage]](t, s.get(t, path)).Items
		}
		var want strings.Builder
		for _, item := range items {
			want.WriteString(string(item) + "\n")
		}
		r := s.get(t, path, "Accept", "application/x-ndjson").wantStatus(t, http.StatusOK)
		if string(r.body) != want.String() || len(items) == 0 {
			t.Errorf("%s as NDJSON is\n%s\nwant\n%s", path, r.body, want.String())
		}
		if got := r.Header.Get("Content-Type"); got != "application/x-ndjson" {
			t.Errorf("%s: Content-Type is %s", path, got)
		}
		if r.Header.Get("Content-Disposition") != "" {
			t.Errorf("%s has a file's name that nobody asked for", path)
		}
		address, _ := url.Parse(path)
		query := address.Query()
		query.Set("format", "ndjson")
		address.RawQuery = query.Encode()
		named := s.get(t, address.String(), "Accept", "application/json").wantStatus(t, http.StatusOK)
		if string(named.body) != want.String() || !strings.HasSuffix(named.Header.Get("Content-Disposition"), `.ndjson"`) {
			t.Errorf("%s is %s with %s", address, named.body, named.Header.Get("Content-Disposition"))
		}
	}
	s.get(t, "/api/v1/species/"+ginseng, "Accept", "application/x-ndjson").wantStatus(t, http.StatusNotAcceptable)
}

func TestCSV(t *testing.T) {
	s := start(t, config{})
	r := s.get(t, "/api/v1/formulas?pageSize=2", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	rows, err := csv.NewReader(bytes.NewReader(r.body)).ReadAll()
	must(t, err)
	if len(rows) != 3 {
		t.Fatalf("%d lines, want field names and 2 formulas: %s", len(rows), r.body)
	}
	if got := strings.Join(rows[0], ","); got != "entryId,guid,name,namePinyin,dynasty,year,originalSource,url" {
		t.Errorf("field names are %s", got)
	}
	items := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?pageSize=2")).Items
	for i, item := range items {
		if row := rows[i+1]; row[1] != item.GUID || row[2] != string(item.Name) || row[5] != strconv.Itoa(int(*item.Year)) || row[7] != item.URL {
			t.Errorf("line %d is %q, want %+v", i+2, row, item)
		}
	}
	if got := links(r)["next"]; got != siteURL+"/api/v1/formulas?page=2&pageSize=2" {
		t.Errorf("rel=next is %q", got)
	}
	if bytes.HasPrefix(r.body, []byte("\xef\xbb\xbf")) {
		t.Error("CSV begins with a byte order mark that nobody asked for")
	}
	with := s.get(t, "/api/v1/formulas?pageSize=2&bom=1", "Accept", "text/csv")
	if want := "\xef\xbb\xbf" + string(r.body); string(with.body) != want {
		t.Errorf("bom=1 gives %q, want the same with a byte order mark", with.body)
	}
	bare := s.get(t, "/api/v1/formulas?pageSize=2&header=0&format=csv").wantStatus(t, http.StatusOK)
	if _, want, _ := strings.Cut(string(r.body), "\r\n"); string(bare.body) != want {
		t.Errorf("header=0 gives %q, want the same without the field names", bare.body)
	}
	if got := bare.Header.Get("Content-Type"); got != "text/csv; charset=utf-8; header=absent" {
		t.Errorf("without field names it is %s", got)
	}
	if none := s.get(t, "/api/v1/formulas?q=xyzzyx&header=0&format=csv").wantStatus(t, http.StatusOK); len(none.body) != 0 {
		t.Errorf("no rows without field names are %q", none.body)
	}
	for _, path := range []string{"/api/v1/species", "/api/v1/papers", "/api/v1/species/" + ginseng + "/flora", "/api/v1/species/" + ginseng + "/papers", "/api/v1/species/" + ginseng + "/uses", "/api/v1/species/" + ginseng + "/formulas"} {
		r := s.get(t, path, "Accept", "text/csv").wantStatus(t, http.StatusOK)
		rows, err := csv.NewReader(bytes.NewReader(r.body)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("%s: %d lines, error %v, want field names and rows", path, len(rows), err)
		}
	}
	s.do(t, http.MethodGet, "/api/v1/formulas", "open", "Accept", "text/csv").wantStatus(t, http.StatusForbidden)
	if uses := string(s.get(t, "/api/v1/species/"+ginseng+"/uses", "Accept", "text/csv").body); !strings.Contains(uses, `"tonic, ""大补元气"""`) {
		t.Errorf("a text with quotes and a comma is not quoted: %s", uses)
	}
}
