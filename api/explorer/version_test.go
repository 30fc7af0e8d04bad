package explorer_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// link matches the target of a link and of a form in a page.
var link = regexp.MustCompile(`(<a [^>]*?href|<form [^>]*?action)="([^"]*)"`)

// TestEarlierVersion follows the links of the start page of an earlier version. Each page must say
// which version it shows and link to today's, and every other link must stay in the version.
func TestEarlierVersion(t *testing.T) {
	s := start(t, config{earlier: true})
	const version = "version=" + pinnedVersion
	queue, seen := []string{"/?" + version, "/search?q=桂枝汤&lang=zh&" + version, "/patterns?herb=人参&" + version, "/compare?add=桂枝汤&" + version}, map[string]bool{}
	for len(queue) > 0 && len(seen) < 150 {
		at := queue[0]
		queue = queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		page := s.get(t, at)
		if page.status != 200 || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			if page.status >= 400 {
				t.Errorf("%s: %d", at, page.status)
			}
			continue
		}
		if got := page.header.Get("X-Data-Version"); got != pinnedVersion {
			t.Errorf("%s is answered from %s", at, got)
		}
		canonical, ok := strings.CutPrefix(between(page.body, `<link rel="canonical" href="`, `"`), s.URL)
		if !ok || strings.Contains(canonical, "version=") || !strings.Contains(page.body, `<a href="`+canonical+`">`) {
			t.Errorf("%s: canonical is %q, want the address of this page in the current version, with a link to it", at, canonical)
		}
		for _, m := range link.FindAllStringSubmatch(page.body, -1) {
			target := html.UnescapeString(m[2])
			if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "/openapi/") || strings.HasPrefix(target, "/api/") || target == html.UnescapeString(canonical) {
				continue
			}
			u, err := url.Parse(target)
			must(t, err)
			if strings.HasPrefix(m[1], "<form") && u.RawQuery == "" {
				form, _, _ := strings.Cut(page.body[strings.Index(page.body, m[0]):], "</form>")
				if !strings.Contains(form, `name="version" value="`+pinnedVersion+`"`) {
					t.Errorf("%s: the form to %s leaves the version", at, target)
				}
				continue
			}
			if u.Query().Get("version") != pinnedVersion {
				t.Errorf("%s: the link to %s leaves the version", at, target)
				continue
			}
			u.Fragment = ""
			queue = append(queue, u.String())
		}
	}
	if len(seen) < 30 {
		t.Errorf("followed only %d links", len(seen))
	}
	now := s.page(t, "/")
	if strings.Contains(now.body, "canonical") || strings.Contains(now.body, "version=") {
		t.Error("a page of the current version names a version")
	}
	if gone := s.get(t, "/?version=20200101T000000Z-000001"); gone.status != 410 || !strings.Contains(gone.body, "not kept any more") {
		t.Errorf("a version that is not kept: %d %.200s", gone.status, gone.body)
	}
}

// between returns the text between two others, or "".
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}
