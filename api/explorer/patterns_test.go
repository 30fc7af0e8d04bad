package explorer_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/api/access"
	"bencao/mappings/patterns"
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
	some = start(t, config{limited: true, scopes: access.Prescriptions | access.PrescriptionComposition}).page(t, "/patterns?species="+ginseng, "<code>species</code>").body
	if strings.Contains(some, `name="species"`) {
		t.Error("pages that may not use the filter by species offer it")
	}
	if a := s.get(t, "/patterns/other.svg"); a.status != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", a.status)
	}
	if a := s.get(t, "/patterns/drugs.csv?herbs=无此药"); a.status != http.StatusBadRequest || !strings.Contains(a.body, "With drugs: No formula has one drug called “无此药”.") {
		t.Errorf("a file with a wrong field: %d %s", a.status, a.body)
	}
}

// herbLine matches a row of the table of herbs: the name, the number of formulas, and the rest.
var herbLine = regexp.MustCompile(`(?s)<tr><th scope="row">(.*?)</th><td class="bw gone">.*?<td class="r num"><a href="[^"]*">([\d,]+)</a>(.*?)</tr>`)

var tags = regexp.MustCompile(`<rt[^>]*>.*?</rt>|<rp>.*?</rp>|<[^>]*>`)

// TestPatternsAgree compares the herbs on the page, in its CSV and in the API: the same herbs in the
// same order, and no odds ratio of a herb by which the formulas were chosen.
func TestPatternsAgree(t *testing.T) {
	s := start(t, config{})
	for _, c := range []struct{ page, api string }{
		{"", ""},
		{"indication=太阳", "q=太阳&in=indications"},
		{"herbs=人参", "herbs=人参"},
		{"herbs=renshen", "herbs=人参"},
		{"herbs=甘草&sort=q", "herbs=甘草&sort=q"},
		{"dynasty=唐&sort=oddsRatio", "dynasty=唐&sort=oddsRatio"},
		{"species=" + ginseng, "species=" + ginseng},
		{"dynasty=唐&vs-herbs=人参", "dynasty=唐&against=" + url.QueryEscape("herbs=人参")},
		{"fromYear=200-700", "fromYear=200&toYear=700"},
	} {
		want := answerOf[struct{ Items []patterns.HerbCount }](t, s, "patterns/herbs?pageSize=100&"+c.api)
		if len(want.Items) == 0 {
			t.Fatalf("%s: the API has no herbs", c.api)
		}
		_, table, _ := strings.Cut(s.page(t, "/patterns?"+c.page).body, `<section id="drugs">`)
		rows := herbLine.FindAllStringSubmatch(table, -1)
		file, err := csv.NewReader(strings.NewReader(s.page(t, "/patterns/drugs.csv?"+c.page).body)).ReadAll()
		if err != nil || len(rows) != len(want.Items) || len(file) != 1+len(want.Items) {
			t.Fatalf("%s: %d drugs on the page, %d in CSV, %d in the API; %v", c.page, len(rows), len(file)-1, len(want.Items), err)
		}
		for i, h := range want.Items {
			name, line := tags.ReplaceAllString(rows[i][1], ""), file[i+1]
			if name != h.Name || line[1] != h.Name || rows[i][2] != strconv.Itoa(int(h.Formulas)) || line[2] != rows[i][2] {
				t.Errorf("%s: row %d is %s %s on the page, %v in CSV, %s %d in the API", c.page, i, name, rows[i][2], line, h.Name, h.Formulas)
			}
			untested := h.ShareElse != nil && h.OddsRatio == nil
			if shown := strings.Contains(rows[i][3], "chosen by it"); shown != untested || (line[6] == "") != (h.OddsRatio == nil) || (line[10] == "") != (h.Q == nil) {
				t.Errorf("%s: %s is chosen by: page %v, CSV %v, API %v", c.page, h.Name, shown, line, h.OddsRatio == nil)
			}
		}
	}
}

// TestPatternsForm types texts in the fields of the form. The page gives each text back, says how it
// was read or what is wrong, and never answers 400.
func TestPatternsForm(t *testing.T) {
	s := start(t, config{})
	for _, c := range []struct {
		name, typed string
		says        []string
	}{
		{"herbs", "renshen", []string{"Read as 人参.", "with 人参", "chosen by it"}},
		{"herbs", "Ginseng Radix et Rhizoma", []string{"Read as 人参."}},
		{"herbs", "神草、国老", []string{"with"}},
		{"herbs", "人叁", []string{"No formula has one drug called “人叁”.", `>人参</a>`, "Some field cannot be used."}},
		{"herbs", "无此药", []string{"No formula has one drug called “无此药”."}},
		{"without", "rénshēn", []string{"Read as 人参."}},
		{"herb", "renshen", []string{"Read as 人参.", "Pairs of 人参"}},
		{"fromYear", "960-1279", []string{"Read as 960.", "Read as 1279.", "from 960", "to 1279"}},
		{"fromYear", "x", []string{"“x” is not a year."}},
		{"vs-toYear", "99999", []string{"“99999” is not a year."}},
		{"dynasty", "Tang", []string{"Read as 唐.", "dynasty Tang"}},
		{"dynasty", "唐朝", []string{"dynasty"}},
		{"dynasty", "无", []string{"No formula is of the dynasty “无”."}},
		{"source", "伤寒杂", []string{"No formula is of a book “伤寒杂”.", `>伤寒论</a>`}},
		{"author", "某人", []string{"No formula is by “某人”."}},
		{"species", "Panax ginseng", []string{"using", "Panax ginseng"}},
		{"species", "无此物", []string{"No species with formulas is called “无此物”."}},
		{"indication", "肺痨", []string{"Read as 肺痨、骨蒸、", "Old books may write:", ">骨蒸 (1)</a>"}},
		{"indication", "太阳", []string{"indications with “太阳”"}},
		{"herbs", strings.Repeat("长", 300), []string{"at most 200 characters"}},
	} {
		body := s.page(t, "/patterns?"+url.Values{c.name: {c.typed}}.Encode(), c.says...).body
		if want := `name="` + c.name + `" value="` + c.typed + `"`; !strings.Contains(body, want) {
			t.Errorf("%s=%s is not given back", c.name, c.typed)
		}
	}
	s.page(t, "/patterns?fromYear=700&toYear=200", "The first year, 700, is after the last, 200.", ">from 200 to 700</a>", `value="700"`)
	s.page(t, "/patterns?herbs=人参&herb=renshen&with=国老", "人参 and", "Taken alone, this pair has p = 1.00 (two-sided)", "two-sided hypergeometric")
	s.page(t, "/patterns?dynasty=元&herb=甘草", "is in no formula of the population")
	for _, path := range []string{"/patterns?q=咳嗽&in=indications", "/patterns?q=咳嗽&in=indications&lang=zh", "/patterns?sort=x", "/patterns?forms=x&distinct=y"} {
		body := s.page(t, path, `class="notice"`).body
		parts := strings.Split(body, "<code>")
		for name := range strings.SplitSeq(strings.SplitN(path, "?", 2)[1], "&") {
			name, value, _ := strings.Cut(name, "=")
			if unknown := slices.ContainsFunc(parts, func(p string) bool {
				return strings.HasPrefix(p, name+"</code>") || strings.HasPrefix(p, name+"="+value+"</code>")
			}); unknown == (name == "lang") {
				t.Errorf("%s: the page says %v of %s", path, unknown, name)
			}
		}
	}
	s.page(t, "/patterns?q=咳嗽", "/patterns?indication="+url.QueryEscape("咳嗽"))
	for _, a := range regexp.MustCompile(`class="said".*?</p>`).FindAllString(s.page(t, "/patterns?herbs=人叁&indication=肺痨").body, -1) {
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(a, -1) {
			s.page(t, html.UnescapeString(m[1]))
		}
	}
}

// TestOlderNames searches for a complaint by its modern name. The page must link to the formulas with
// old names, and each number must be the API's total for the link.
func TestOlderNames(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/search?q=肺痨", "/search?q=肺痨&kind=formulas&in=indications", "/patterns?indication=肺痨"} {
		found := regexp.MustCompile(`<a href="([^"]*)">([^<]*) \((\d+)\)</a>`).FindAllStringSubmatch(s.page(t, path, "Old books may write:").body, -1)
		if len(found) == 0 {
			t.Errorf("%s names no old words", path)
		}
		for _, m := range found {
			if n := s.total(t, "formulas", "in", "indications", "q", m[2]); strconv.Itoa(n) != m[3] {
				t.Errorf("%s: %s has %s formulas, the API finds %d", path, m[2], m[3], n)
			}
			s.page(t, html.UnescapeString(m[1]), m[2])
		}
	}
	if body := s.page(t, "/search?q=桂枝汤").body; strings.Contains(body, "Old books") {
		t.Error("a formula is no complaint")
	}
}

// TestUnknownParameters checks that pages name the parameters that they do not know, and no others.
func TestUnknownParameters(t *testing.T) {
	s := start(t, config{})
	for path, unknown := range map[string]string{
		"/search?q=人参&herb=甘草":                                                              "herb",
		"/search?kind=formulas&plant=<b>":                                                   "plant",
		"/search?kind=formulas&herbs=人参&herbs=甘草":                                           "herbs=甘草",
		"/search?kind=herbs&herbKind=plant&sort=name":                                       "",
		"/search?kind=formulas&herbs=人参&dynasty=唐&fromYear=1&in=indications&lang=zh&page=1": "",
		"/compare?formula=" + guizhiTang:                                                    "formula",
		"/compare?formulas=" + guizhiTang:                                                   "",
		"/compare":                                                                          "",
		"/?q=人参":                                                                            "q",
		"/stats?year=1":                                                                     "year",
		"/match?q=人参":                                                                       "q",
		"/docs?op=suggest":                                                                  "op",
		"/docs/suggest?q=ren":                                                               "",
		"/docs/suggest?query=ren":                                                           "query",
		"/formulas/" + guizhiTang + "?by=dose":                                              "",
		"/formulas/" + guizhiTang + "?order=dose":                                           "order",
		"/about?x=1":                                                                        "x",
	} {
		found := regexp.MustCompile(`class="notice" role="status"><p><strong>[^<]*</strong> <code>(.*?)</code>`).FindStringSubmatch(s.page(t, path).body)
		if got := strings.Join(found[min(1, len(found)):], ""); got != unknown {
			t.Errorf("%s: the page does not know %q, want %q", path, got, unknown)
		}
	}
}

// TestPatternsBeside checks that the tables side by side have the most frequent herbs first, in
// whatever order the table of herbs is.
func TestPatternsBeside(t *testing.T) {
	s := start(t, config{})
	beside := func(path string) string {
		_, after, _ := strings.Cut(s.page(t, path).body, `<section id="beside">`)
		tables, _, _ := strings.Cut(after, "</section>")
		return strings.Join(strings.Fields(tags.ReplaceAllString(tables, " ")), " ")
	}
	if usual, sorted := beside("/patterns?herbs=甘草&vs-dynasty=元"), beside("/patterns?herbs=甘草&vs-dynasty=元&sort=q"); usual == "" || usual != sorted {
		t.Errorf("side by side: %s; sorted by q: %s", usual, sorted)
	}
}
