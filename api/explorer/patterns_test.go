package explorer_test

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"bencao/api/access"
)

// numbered matches a link to a list of formulas whose text is the number of these formulas.
var numbered = regexp.MustCompile(`<a href="(/search\?[^"]*)">([\d,]+)(?: formulas?)?</a>`)

// TestPatterns checks the page of patterns. Each number with a link must equal the number of
// formulas that the link finds. The page must tell how it counts. The paragraph for a methods
// section must have the same numbers as the page.
func TestPatterns(t *testing.T) {
	s := start(t, config{})
	body := s.page(t, "/patterns", "5 formulas with a composition, 4 distinct compositions", "Counted here: each of the", "data version 2026-11-20", "N·n(xy)", "/herbs/"+ginsengHerb).body
	if strings.Contains(body, "Odds ratio</th>") {
		t.Error("all formulas are compared with no others")
	}
	some := s.page(t, "/patterns?indication=太阳", "indications with “太阳”", "Odds ratio", "compared with all other formulas").body
	joined := s.page(t, "/patterns?forms=together", `name="forms" value="together"`, "were counted as the drug that they are made from").body
	for path, body := range map[string]string{"all": body, "some": some, "joined": joined} {
		found := numbered.FindAllStringSubmatch(body, -1)
		if len(found) < 2 {
			t.Errorf("%s: only %d numbers have links: %s", path, len(found), body)
		}
		for _, m := range found {
			list := s.page(t, html.UnescapeString(m[1])).body
			if want := m[2] + " formula"; !strings.Contains(list, want) {
				t.Errorf("%s: %s leads to another number than %s", path, m[1], want)
			}
		}
	}
	together := numbered.FindAllStringSubmatch(s.page(t, "/patterns?forms=together&herbs=人参").body, -1)
	if len(together) < 2 {
		t.Errorf("only %d numbers have links", len(together))
	}
	for _, m := range together {
		if !strings.Contains(m[1], "forms=together") {
			t.Errorf("with forms and drugs together, %s leads to %s, which counts them apart", m[2], m[1])
		}
	}
	s.page(t, "/patterns?distinct=composition", "Counted here: each of the", "compositions once", "Each distinct composition was counted once")
	s.page(t, "/patterns?dynasty=唐&vs-dynasty=元", "Side by side", "dynasty Tang", "compared: dynasty Yuan")
	s.page(t, "/patterns?fromYear=1900", "No formula with a composition passes")
	s.page(t, "/patterns?lang=zh", "逐首计数", "方剂用药规律", "供论文“方法”部分引用")
	for _, file := range []string{"network.svg", "heat-map.svg"} {
		a := s.page(t, "/patterns/"+file, "人参", `href="`+s.URL+"/search?")
		if got := a.header.Get("Content-Type"); got != "image/svg+xml" {
			t.Errorf("%s is %s", file, got)
		}
		for d := xml.NewDecoder(strings.NewReader(a.body)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
	s.page(t, "/patterns/drugs.csv", "id,name,formulas", ginsengHerb+",人参,3,0.6,")
	s.page(t, "/patterns/pairs.csv", "人参,甘草,2,3,2,1.2,")
	limited := start(t, config{limited: true, scopes: access.Prescriptions})
	if a := limited.get(t, "/patterns"); a.status != http.StatusForbidden || !strings.Contains(a.body, "lack the scope prescription_composition") {
		t.Errorf("pages with the scope prescriptions answer %d: %s", a.status, a.body)
	}
	for _, path := range []string{"/patterns/other.svg", "/patterns?herbs=无此药", "/patterns?fromYear=x", "/patterns?vs-fromYear=x"} {
		if a := s.get(t, path); a.status != http.StatusNotFound && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}
