package api_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/internal/test/race"
	"bencao/mappings"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestDocs runs the curl examples of docs/api.md against the sample. Each answer must match the
// text on the page, where "…" stands for omitted text.
func TestDocs(t *testing.T) {
	const documented = "http://127.0.0.1:8080"
	s := startSample(t, documented)
	b, err := os.ReadFile(filepath.Join("..", "docs", "api.md"))
	must(t, err)
	asked, compared := 0, 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```\n(?:```(?:json)?\n(.*?)```)?").FindAllStringSubmatch(string(b), -1) {
		var answer string
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			req, headers := curl(strings.Replace(line, "$SINCE", "20261120T021500Z-000001", 1))
			if req == nil {
				continue
			}
			asked++
			req.URL.Host, req.URL.Scheme = s.addr, "http"
			req.Header.Set("X-Api-Key", s.keys["all"])
			r := s.send(t, req)
			if r.StatusCode != http.StatusOK && !strings.Contains(block[2], "/problems/") {
				t.Errorf("%s\nis answered with %d: %s", line, r.StatusCode, r.body)
			}
			answer = strings.ReplaceAll(string(r.body), "\r\n", "\n")
			if headers != "" {
				answer = headers + ": " + r.Header.Get(headers)
			}
		}
		if want := strings.TrimSpace(block[2]); want != "" {
			compared++
			want = regexp.MustCompile(`"instance":"\w+"`).ReplaceAllString(want, `"instance":"…"`)
			if !shows(want, answer) {
				t.Errorf("docs/api.md says below\n%s\n%s\nThe answer is\n%s", block[1], want, answer)
			}
		}
	}
	if asked < 15 || compared < 7 {
		t.Errorf("docs/api.md has %d examples that can be asked and %d with an answer; 15 and 7 are wanted", asked, compared)
	}
}

// shows reports whether an answer matches the text on a page of the docs, where "…" matches
// anything.
func shows(page, answer string) bool {
	pattern := "^" + regexp.MustCompile(`\s*…\s*`).ReplaceAllLiteralString(regexp.QuoteMeta(page), "(?s:.*)") + "\\s*$"
	return regexp.MustCompile(pattern).MatchString(answer)
}

// TestDocsEndpoints checks that docs/api.md has a row for each path in the OpenAPI document, in both
// languages, with the parameters of the path. Filters and the parameters of every list have sections
// of their own.
func TestDocsEndpoints(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	must(t, err)
	elsewhere := []string{"bom", "header", "format"}
	for _, filters := range mappings.Filters {
		for _, f := range filters {
			if f.Narrows() {
				elsewhere = append(elsewhere, f.Name)
			}
		}
	}
	for _, name := range []string{"api.md", "zh/api.md"} {
		page, err := os.ReadFile(filepath.Join("..", "docs", name))
		must(t, err)
		for path, at := range doc.Paths.Map() {
			_, row, ok := strings.Cut(string(page), "\n| `"+path+"` |")
			if !ok {
				t.Errorf("docs/%s has no row for %s", name, path)
			}
			row, _, _ = strings.Cut(row, "|")
			words := regexp.MustCompile("[A-Za-z]+").FindAllString(row, -1)
			for _, p := range at.Get.Parameters {
				if p.Value.In == "query" && !slices.Contains(words, p.Value.Name) && !slices.Contains(elsewhere, p.Value.Name) {
					t.Errorf("docs/%s: the row of %s lacks %s", name, path, p.Value.Name)
				}
			}
		}
	}
}

// startSample starts a server on a complete build of the sample. Under the race detector it skips
// the test: the build takes a minute there, and sequential tests gain nothing from the detector.
func startSample(t *testing.T, address string) *site {
	t.Helper()
	if race.On {
		t.Skip("NOT TESTED with the race detector: the answers from the sample")
	}
	return start(t, config{dir: sample.Dir(t), site: address})
}

// curl returns the request of a curl command, or nil if the line needs a shell. header is the
// response header that a following grep selects.
func curl(line string) (req *http.Request, header string) {
	line, grep, _ := strings.Cut(strings.Split(line, "  #")[0], " | grep -i ^")
	address, query := "", url.Values{}
	headers := http.Header{}
	words := regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1)
	for i, w := range words {
		switch {
		case strings.Contains(w, "/api/v1/"):
			address = strings.Trim(w, `"`)
		case w == "--data-urlencode":
			name, value, _ := strings.Cut(strings.Trim(words[i+1], `'"`), "=")
			query.Add(name, value)
		case w == "-H":
			name, value, _ := strings.Cut(strings.Trim(words[i+1], `'"`), ": ")
			headers.Set(name, strings.ReplaceAll(value, "$VERSION", nightOne))
		}
	}
	address = strings.NewReplacer("$SERVER", "", "$GUID", ginseng).Replace(address)
	if len(words) == 0 || words[0] != "curl" || strings.Contains(line, "$TAG") || address == "" {
		return nil, ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, ""
	}
	if len(query) > 0 {
		u.RawQuery = query.Encode()
	}
	return &http.Request{Method: http.MethodGet, URL: u, Header: headers}, http.CanonicalHeaderKey(strings.TrimSpace(grep))
}
