package explorer_test

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer"
	"bencao/internal/test/race"
)

var (
	links      = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	headerLink = regexp.MustCompile(`<([^>]*)>; rel=`)
)

// forms has the addresses of forms that are sent by POST.
var forms = map[string]bool{"/match/table": true}

// walk follows all links within this server, from the start page and the pages in more, and calls
// visit for each page, for at most the given number. from is the page that has the link, or "" for a
// page in more.
func walk(t *testing.T, s *site, most int, more []string, visit func(path, from string, a answer)) {
	t.Helper()
	type step struct{ path, from string }
	todo := []step{{"/", ""}, {"/?lang=zh", ""}}
	for _, path := range more {
		todo = append(todo, step{path, ""})
	}
	seen, places, bodies := map[string]bool{}, map[step]string{}, map[string]string{}
	for len(todo) > 0 && len(seen) < most {
		at := todo[0]
		todo = todo[1:]
		// Links that sort and filter would multiply the number of pages, so of the links with many
		// parameters one is followed for each set of names of parameters.
		address, err := url.Parse(at.path)
		if err != nil {
			t.Fatalf("%s links to %s: %v", at.from, at.path, err)
		}
		key := at.path
		if query := address.Query(); len(query) > 2 && at.from != "" {
			key = address.Path + "?" + query.Get("kind") + strings.Join(slices.Sorted(maps.Keys(query)), "&")
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		a := s.get(t, at.path)
		visit(at.path, at.from, a)
		if a.status == http.StatusOK {
			bodies[at.path] = a.body
		}
		found := links.FindAllStringSubmatch(a.body, -1)
		if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			found = nil
		}
		found = append(found, headerLink.FindAllStringSubmatch(strings.Join(a.header.Values("Link"), ","), -1)...)
		if to := a.header.Get("Location"); to != "" {
			found = append(found, []string{"", to})
		}
		for _, m := range found {
			link := strings.TrimPrefix(html.UnescapeString(m[1]), s.URL)
			link, place, _ := strings.Cut(link, "#")
			if link == "" {
				link = at.path
			}
			if place != "" {
				places[step{link, at.path}] = place
			}
			// A page that is refused is refused in the other language, too.
			same := a.status >= http.StatusBadRequest && strings.HasPrefix(link, address.EscapedPath()+"?")
			if strings.HasPrefix(link, "/") && !forms[link] && !same {
				todo = append(todo, step{link, at.path})
			}
		}
	}
	for link, place := range places {
		_, part, ok := strings.Cut(bodies[link.path], ` id="`+place+`"`)
		part, _, _ = strings.Cut(part, "</section>")
		if shut := "does not show this part of the data"; bodies[link.path] != "" && (!ok || place != "main" && strings.Contains(part, shut)) {
			t.Errorf("%s links to %s#%s, which shows nothing", link.from, link.path, place)
		}
	}
}

// everyKind has pages of every kind.
var everyKind = []string{"/species/" + ginseng, "/species/" + ginseng + "?by=dose", "/formulas/" + guizhiTang, "/formulas/" + guizhiTang + "?by=dose", "/herbs/" + ginsengHerb, "/papers/p2", "/search?kind=herbs", "/search.csv?kind=herbs", "/herbs/" + ginsengHerb + "/cite.bib", "/search?q=renshen", "/search?q=gzt&kind=formulas",
	"/search.csv?kind=formulas", "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02", "/suggest?q=gui", "/search?kind=formulas&herbs=人参", "/search?q=nosuchname", "/patterns", "/patterns?herbs=人参&vs-dynasty=唐", "/patterns?distinct=composition&lang=zh", "/formulas/" + guizhiTang + "/cite.ris", "/match", "/prescriptions"}

// TestEveryScopeSet walks through all pages with every set of scopes. Pages must show nothing that
// the API would not show, and have no dead link and no error.
func TestEveryScopeSet(t *testing.T) {
	for scopes := range allScopes + 1 {
		// Every set of scopes sends the same requests, so one set is enough under the race
		// detector.
		if (testing.Short() && scopes%5 != 1 || race.On) && scopes != allScopes {
			continue
		}
		t.Run(scopes.String(), func(t *testing.T) {
			s := start(t, config{limited: true, scopes: scopes})
			pages, most := 0, 400
			if scopes == allScopes {
				most = 4000 // more than there are
			}
			walk(t, s, most, everyKind, func(path, from string, a answer) {
				pages++
				if a.status != http.StatusOK && (from != "" || a.status != http.StatusForbidden || scopes.Has(access.Prescriptions|access.PrescriptionComposition)) {
					t.Errorf("%s, linked from %q: %d %.200s", path, from, a.status, a.body)
				}
				if strings.HasPrefix(path, "/openapi/") {
					return
				}
				if got := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; style-src 'self'; script-src 'self';") {
					t.Errorf("%s: policy %q", path, got)
				}
				if page := strings.HasPrefix(a.header.Get("Content-Type"), "text/html"); page && (strings.Contains(a.body, " style=") || strings.Contains(a.body, "<style")) {
					t.Errorf("%s has a style that the policy forbids", path)
				}
				hidden := func(need access.Scopes, what, text string) {
					if !scopes.Has(need) && strings.Contains(a.body, text) {
						t.Errorf("%s shows %s without %s", path, what, need)
					}
				}
				hidden(access.PlantUses, "a use", secretUse)
				hidden(access.PrescriptionComposition, "a processing", secretHerb)
				hidden(access.PrescriptionComposition, "a code", secretCode)
				hidden(access.PrescriptionComposition, "how formulas write a herb", secretWritten)
				hidden(access.PrescriptionComposition, "an ingredient", "黄芪")
				hidden(access.Prescriptions, "a herb", "神草")
				hidden(access.PrescriptionComposition, "a heat map", `class="heat`)
				hidden(access.PrescriptionSimilarity, "likeness", `class="fig net"`)
				if !scopes.Has(access.Prescriptions) && !strings.HasPrefix(path, "/species/") && !strings.HasPrefix(path, "/docs/") && strings.Contains(a.body, "独参汤") {
					t.Errorf("%s shows a formula without prescriptions", path)
				}
				if !scopes.Has(access.SpeciesPrescriptions) && strings.HasPrefix(path, "/species/") && strings.Contains(a.body, "独参汤") {
					t.Errorf("%s shows a formula of the species", path)
				}
			})
			if pages < 40 {
				t.Errorf("only %d pages were found", pages)
			}
		})
	}
}

// TestAddresses checks that every url of a record that the API returns has a page, and that clients
// that prefer JSON get the same record there, and with a key from the API.
func TestAddresses(t *testing.T) {
	s := start(t, config{})
	for _, list := range []string{"species", "herbs", "formulas", "papers"} {
		a := s.get(t, "/api/v1/"+list, "X-Api-Key", s.key, "Accept", "application/json")
		var got struct{ Items []struct{ URL string } }
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || len(got.Items) < 2 {
			t.Fatalf("%s: %v: %s", list, err, a.body)
		}
		for _, item := range got.Items {
			path := strings.TrimPrefix(item.URL, s.URL)
			s.page(t, path)
			if own := s.get(t, path, "Accept", "application/json"); own.status != http.StatusOK || !strings.Contains(own.body, item.URL) {
				t.Errorf("%s as JSON: %d %s", path, own.status, own.body)
			}
			to := s.get(t, path, "Accept", "application/json", "X-Api-Key", s.key)
			if to.status != http.StatusSeeOther {
				t.Fatalf("%s as JSON: %d", path, to.status)
			}
			if at := s.get(t, to.header.Get("Location"), "X-Api-Key", s.key); at.status != http.StatusOK || !strings.Contains(at.body, item.URL) {
				t.Errorf("%s leads to %s: %d %s", path, to.header.Get("Location"), at.status, at.body)
			}
		}
		for _, m := range regexp.MustCompile(`<([^>]*)>; rel="(?:license|cite-as)"`).FindAllStringSubmatch(a.header.Get("Link"), -1) {
			s.page(t, strings.TrimPrefix(m[1], s.URL))
		}
	}
	table, err := os.ReadFile("../../docs/api.md")
	must(t, err)
	kinds := regexp.MustCompile("`(/problems/[a-z-]+)`").FindAllStringSubmatch(string(table), -1)
	if len(kinds) < 15 {
		t.Fatalf("docs/api.md names %d kinds of problems", len(kinds))
	}
	for _, k := range kinds {
		s.page(t, k[1], k[1])
	}
}

// TestEveryURL checks that every address of this site in an answer of the API has a page.
func TestEveryURL(t *testing.T) {
	s := start(t, config{})
	todo := map[string]bool{}
	for _, path := range []string{
		"species", "species/" + ginseng, "species/" + ginseng + "/formulas", "species/" + ginseng + "/papers", "herbs", "herbs/" + ginsengHerb, "herbs/" + ginsengHerb + "/formulas",
		"formulas", "formulas/" + guizhiTang, "papers", "papers/detail?id=p2", "names/match?name=Panax+ginseng", "suggest?q=ren",
	} {
		a := s.get(t, "/api/v1/"+path, "X-Api-Key", s.key, "Accept", "application/json")
		if a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		for _, m := range regexp.MustCompile(`"`+regexp.QuoteMeta(s.URL)+`(/[^"]*)"`).FindAllStringSubmatch(a.body, -1) {
			todo[m[1]] = true
		}
	}
	if len(todo) < 9 {
		t.Errorf("the answers hold only %d addresses", len(todo))
	}
	for path := range todo {
		s.page(t, path)
	}
}

// TestPages checks the main contents of each page.
func TestPages(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/", "Plants, formulas", `name="q"`, "Araliaceae")
	s.page(t, "/herbs/"+ginsengHerb, "Ginseng Radix et Rhizoma", "神草", "《名医别录》", "陶弘景，约500", "–1900", secretWritten, "甘草", "67 %", "Eastern Han", "BibTeX")
	s.page(t, "/herbs/"+ginsengHerb, "3 species", "japonicus", "not in the data", "国家药典委员会，2015", "In formulas of these years 人参 means another herb", "The composition of 7 further formulas lists the herb")
	s.page(t, "/herbs/"+ginsengHerb+"?lang=zh", "3 种", "数据中没有这个物种", "在下列年代的方剂中，“人参”指另一味药，计入那味药：", "用于 1116 年及以前的方剂", "另有 7 首方剂的组成原文列有此药")
	s.page(t, "/species/"+ginseng, "Crude drugs from it", "/herbs/"+ginsengHerb, "Formulas with drugs from it")
	s.page(t, "/docs", "<h2>Formulas</h2>")
	s.page(t, "/species/"+ginseng+"?lang=zh", "Bencao 本草，<i", "，数据版本 2026")
	s.page(t, "/stats", ">Eastern Han</a>", "Changes since the previous version", "Ginsenosides of Panax ginseng</a>", "桂枝汤 (《伤寒论》, 219)")
	s.page(t, "/about", "World Checklist", "v13", `"@type":"Dataset"`, `"url":"`+s.URL+`/"`)
	s.page(t, "/herbs/6c259b2c-f365-59f7-a694-c86e85eb9bec", "mineral", "It is not a plant")
	s.page(t, "/search?q=炙甘草&kind=herbs", `by a processed form: <span class="nw" lang="zh-Hans">炙甘草`, "gān")
	s.page(t, "/search.csv?kind=herbs", "Ginseng Radix et Rhizoma")
	s.page(t, "/search?q=renshen", "Read as pinyin", "<mark>人</mark>")
	s.page(t, "/search?q=人参+大枣、炙甘草", "Read as the herb 人参, the herb 大枣, the herb 甘草", "219")
	s.page(t, "/search?q=仲景+人参&lang=zh", "识别为作者张仲景，药物“人参”", "桂")
	s.page(t, "/search?q=壬申", "No name contains “壬申”.", "Shown instead")
	s.page(t, "/search?q=guizhitang", "<mark>guì</mark>", "219–652", "备急千金要方")
	s.page(t, "/search?q=10.1038/nature.2013.1", "Read as a DOI", "Ginsenosides")
	s.page(t, "/search?q=Panax+ginzeng", "No name contains “Panax ginzeng”.", "a letter more, fewer or different")
	s.page(t, "/search?q=Panax+ginsen", `<i lang="la"><mark>Panax`)
	s.page(t, "/search?q=桂枝汤", "1–1 of 1 name, 3 formulas", `<details class="grp" open>`, "/compare?formulas="+guizhiTang)
	papers := s.page(t, "/search?q=人参&kind=papers", "No paper has “人参” in its title.", "Found among", "2 papers about 人参 (Panax ginseng)", "kind=papers&amp;species="+ginseng)
	if strings.Contains(papers.body, "For example") {
		t.Error("a query that found something elsewhere is answered with examples")
	}
	s.page(t, "/search?q=人参", "2 papers about 人参 (Panax ginseng)", `&amp;kind=papers&amp;species=`+ginseng+`">Papers <span class="num">2</span>`)
	for _, kind := range []string{"papers", "herbs", "formulas"} {
		if body := s.page(t, "/search?kind="+kind+"&species="+ginseng, "人参 Panax ginseng").body; strings.Contains(body, "read as") {
			t.Errorf("%s of a species: the page says that its guid was read as something", kind)
		}
	}
	s.page(t, "/search?q=Panax", "2 papers about Panax", "genus=Panax&amp;kind=papers")
	s.page(t, "/search?q=五加科", "2 papers about 五加科")
	s.page(t, "/search?q=中风&kind=species", "1 formula with “中风” in the indications", "in=indications")
	s.page(t, "/search?q=stroke", "Read as “中风” in the indications", `aria-current="page">Formulas`)
	s.page(t, "/search?q=Shanghan+Lun", "1–", "Read as “伤寒论”", `<ol class="hits"`)
	s.page(t, "/search?q=中风&kind=formulas&lang=zh", "主治含“中风”的方剂 1 首", `>主治</a>`)
	s.page(t, "/search?q=中风&kind=formulas&in=indications", `aria-current="true">indications</a>`, `<input type="hidden" name="in" value="indications">`)
	s.page(t, "/search?q=桂枝&kind=formulas&in=composition", "formulas with “桂枝” in the name")
	s.page(t, "/search?q=治中风的方", "Read as “中风” in the indications", "219")
	s.page(t, "/search?q=人参的功效", "No name contains “人参的功效”.", "Read as “人参”", "Panax")
	s.page(t, "/species/"+ginseng, "rén", "https://powo.science.kew.org/taxon/urn:lsid:ipni.org:names:91472-1", "https://www.worldfloraonline.org/taxon/wfo-0000263606", "Aralia ginseng", secretUse, `"@type":"Taxon"`)
	f := s.page(t, "/formulas/"+guizhiTang, "人参三两 甘草二两", "三两", "≈ 41 g", "weighed about 13.8 g", secretCode, `author=%E5%BC%A0%E4%BB%B2%E6%99%AF&amp;kind=formulas"><span lang="zh-Hans">张仲景`, `class="c k0"`, `<span class="plus"><span lang="zh-Hans">黄芪</span></span>`, "0.75")
	if strings.Contains(f.body, "擘，十二枚") || !strings.Contains(f.body, "擘") {
		t.Error("a remark says the dose again")
	}
	if strings.Count(f.body, "<tr class=\"self\"") != 2 {
		t.Error("the formula does not stand once in each of its two heat maps")
	}
	s.page(t, "/formulas/"+guizhiTang+"?by=dose", "0.20")
	s.page(t, "/papers/doi:10.1038%2Fnature.2013.1", `<meta name="citation_doi" content="10.1038/nature.2013.1">`, `<meta name="citation_author" content="Li, M.">`, "https://pubmed.ncbi.nlm.nih.gov/23000001/", ginseng)
	s.page(t, "/papers/doi:10.1038%2Fnature.2013.1", "Li, M.; Wang, L. Ginsenosides of Panax ginseng. Phytochemistry, 2013. <a href=\"https://doi.org/10.1038/nature.2013.1\">")
	s.page(t, "/papers/p3", `<h1 class="h1 h1--title">10.<wbr>1234/<wbr>jama.<wbr>1</h1>`, "The data give no title", "[Title missing].")
	s.page(t, "/search?kind=papers", "10.1234/jama.1 (without a title)")
	s.page(t, "/papers/p3?as=bib", "@misc{bencao-p3,\n", "note = {The data give no title.}")
	s.page(t, "/papers/doi:10.1038%2Fnature.2013.1?as=bib", "@article{bencao-", "author = {Li, M. and Wang, L.}")
	s.page(t, "/species/"+ginseng+"/papers.ris", "TY  - JOUR\r\n", "DO  - 10.1038/nature.2013.1\r\n")
	s.page(t, "/species/"+ginseng+"/cite.json", `"type": "dataset"`)
	s.page(t, "/docs/species.search", "relevance | name | prominence", "default relevance", "integer 1–100", "default 20", "integer ≥ 1", s.URL+"/species/")
	s.page(t, "/docs", "GET /api/v1/species", "Needs the scope prescriptions.")
	if stats := s.page(t, "/stats", "Completeness of the species", "/search?hasFormulas=true").body; strings.Contains(stats, "<dd>0</dd>") {
		t.Error("the statistics count what there is none of")
	}
	if about := s.page(t, "/about", "This site", "no advice for treatment", "data version 2026-11-20", "20261120T021500Z-000001").body; strings.Index(about, `id="what"`) > strings.Index(about, `id="license"`) {
		t.Error("the page about the data begins with terms")
	}
	s.page(t, "/docs/names.match", "curl -s -H", "req_headers", "await fetch")
	if got := s.page(t, "/search.csv?kind=papers").body; !strings.Contains(got, `"'=HYPERLINK(`) {
		t.Errorf("a formula goes out as it is: %s", got)
	}
}

// TestFilteredNamesakes checks that a search result lists only those formulas of a name that pass
// the filters.
func TestFilteredNamesakes(t *testing.T) {
	s := start(t, config{})
	for _, query := range []string{"dynasty=唐", "dynasty=唐&q=桂枝汤", "species=" + ginseng} {
		body := s.page(t, "/search?kind=formulas&"+query, "备急千金要方").body
		if tang := strings.HasPrefix(query, "dynasty"); strings.Contains(body, "《伤寒论》") == tang || strings.Contains(body, "《千金翼方》") != tang {
			t.Errorf("%s: the formulas of a name are not those of the filter", query)
		}
	}
}

// TestWordsAreNoHerbs checks the page of a formula whose list of ingredients lacks herbs and has
// entries that are not herbs. The page must name the missing herbs and the entries that are not
// herbs. These entries must be neither counted nor compared with other formulas.
func TestWordsAreNoHerbs(t *testing.T) {
	s := start(t, config{})
	const formula = "/formulas/9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d04"
	body := s.page(t, formula, "This list is incomplete", "附子、麻黄", "3 other texts of the source", "故峻补其卫气；充皮肤；上气奄然而极", "3 herbs").body
	if strings.Count(body, "故峻补其卫气") != 1 {
		t.Error("a piece of a sentence stands among the herbs")
	}
	s.page(t, formula+"?lang=zh", "组成表不完整", "没有识别为药物")
	s.page(t, "/formulas/9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d05", "no ingredient that is known as a herb", "阳邪传里")
	for _, path := range []string{"/formulas/" + guizhiTang, "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d04"} {
		if body := s.page(t, path).body; strings.Contains(body, "故峻补其卫气") || strings.Contains(body, "上气奄然而极") {
			t.Errorf("%s: a piece of a sentence is compared as a herb", path)
		}
	}
}

// TestAddedHerbs uses a formula in which one ingredient is a herb with other text attached. A
// comparison with another formula must name the herb only.
func TestAddedHerbs(t *testing.T) {
	body := start(t, config{}).page(t, "/formulas/"+guizhiTang, `<span class="plus"><span lang="zh-Hans">石膏</span></span>`).body
	if strings.Contains(body, "日不解而烦") {
		t.Error("a piece of text stands among the herbs that a formula adds")
	}
}

// TestLanguages checks that pages are in the user's language, as given by Accept-Language or by the
// address.
func TestLanguages(t *testing.T) {
	s := start(t, config{})
	for _, c := range []struct{ path, header, want string }{
		{"/", "zh-CN,zh;q=0.9,en;q=0.5", `<html lang="zh-Hans">`},
		{"/", "fr", `<html lang="en">`},
		{"/?lang=zh", "en", `<html lang="zh-Hans">`},
		{"/?lang=zh", "en", `href="/stats?lang=zh"`},
		{"/species/" + ginseng, "zh", `hreflang="en" href="` + s.URL + "/species/"},
		{"/nothing", "zh", "没有这个页面"},
		{"/search?page=0", "zh", "地址中有误"},
		{"//evil.example/x", "zh", `class="tongue" href="/evil.example/x?lang=en"`}, // not an address of evil.example
	} {
		if a := s.get(t, c.path, "Accept-Language", c.header); !strings.Contains(a.body, c.want) {
			t.Errorf("%s in %s lacks %s", c.path, c.header, c.want)
		}
	}
}

// TestFaults checks that errors are pages, with the same statuses as in the API.
func TestFaults(t *testing.T) {
	s := start(t, config{})
	for path, want := range map[string]int{
		"/search?page=0": 400, "/species/nobody": 404, "/papers/none": 404, "/nothing": 404, "/problems/none": 404, "/compare?formulas=a,b": 404,
		"/species/" + ginseng + "/cite.doc": 404, "/assets/none.css": 404, "/docs/none": 404, "/search?kind=formulas&herbs=人参&page=0": 400,
	} {
		a := s.get(t, path)
		if a.status != want || !strings.Contains(a.body, "Go to") {
			t.Errorf("%s: %d, want %d as a page: %.200s", path, a.status, want, a.body)
		}
		if a.header.Get("ETag") != "" {
			t.Errorf("%s: an error has a tag", path)
		}
	}
	if a := s.get(t, "/nothing", "Accept", "application/json"); a.status != http.StatusUnauthorized || !strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json") {
		t.Errorf("a program gets %d %s", a.status, a.header.Get("Content-Type"))
	}
	few := start(t, config{rate: 3})
	for _, path := range []string{"/formulas/" + guizhiTang, "/", "/search?q=renshen"} { // each page sends many requests to the API, but counts once
		few.page(t, path)
	}
	if a := few.get(t, "/about"); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, "Too many pages") {
		t.Errorf("the fourth page: %d %.200s", a.status, a.body)
	}
	if a := few.get(t, "/api/v1/stats", "X-Api-Key", few.key); a.status != http.StatusOK {
		t.Errorf("pages use up a key's limit: %d", a.status)
	}
	elsewhere := start(t, config{network: "198.51.100.0/24"})
	if a := elsewhere.get(t, "/"); a.status != http.StatusForbidden {
		t.Errorf("from an address that is not listed: %d", a.status)
	}
}

// TestTags checks that an unchanged page is answered with 304.
func TestTags(t *testing.T) {
	s := start(t, config{})
	for _, path := range []string{"/", "/formulas/" + guizhiTang, "/search?q=gzt"} {
		tag := s.page(t, path).header.Get("ETag")
		if a := s.get(t, path, "If-None-Match", tag); tag == "" || a.status != http.StatusNotModified {
			t.Errorf("%s: tag %q, asked again %d", path, tag, a.status)
		}
		if a := s.get(t, path, "If-None-Match", tag, "Accept-Language", "zh"); a.status != http.StatusOK {
			t.Errorf("%s: in another language %d", path, a.status)
		}
	}
	for _, m := range links.FindAllStringSubmatch(s.page(t, "/").body, -1) {
		if strings.HasPrefix(m[1], "/assets/") {
			if a := s.page(t, m[1]); !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %s", m[1], a.header.Get("Cache-Control"))
			}
		}
	}
}

// TestSign checks that a server without the explorer has only a page that introduces it.
func TestSign(t *testing.T) {
	s := start(t, config{pages: explorer.Sign()})
	s.page(t, "/", "/openapi/v1.json", "read-only API")
	if a := s.get(t, "/search?q=x"); a.status != http.StatusUnauthorized {
		t.Errorf("a search: %d", a.status)
	}
	for path, record := range map[string]string{
		"/species/" + ginseng: "/api/v1/species/" + ginseng, "/formulas/" + guizhiTang: "/api/v1/formulas/" + guizhiTang, "/herbs/" + ginsengHerb: "/api/v1/herbs/" + ginsengHerb,
		"/papers/doi:10.1038%2Fnature.2013.1": "/api/v1/papers/detail?id=doi%3A10.1038%2Fnature.2013.1",
	} {
		body := s.page(t, path, "no pages of records", s.URL+record).body
		if strings.Contains(body, "人参") || strings.Contains(body, "桂枝汤") {
			t.Errorf("%s shows the record, which needs a key", path)
		}
		if a := s.get(t, record, "X-Api-Key", s.key); a.status != http.StatusOK {
			t.Errorf("%s: %d", record, a.status)
		}
		if a := s.get(t, path, "Accept", "application/json"); a.status != http.StatusSeeOther || a.header.Get("Location") != record || strings.Contains(a.body, "人参") {
			t.Errorf("%s as JSON: %d to %s", path, a.status, a.header.Get("Location"))
		}
	}
}

// TestRecordsAsJSON checks that a visitor gets each record as JSON, with the rights of the pages, by
// the link of its page and by the header Accept.
func TestRecordsAsJSON(t *testing.T) {
	for _, c := range []config{{}, {limited: true, scopes: access.Prescriptions}} {
		s := start(t, c)
		for path, op := range map[string]string{"/species/" + ginseng: "species/" + ginseng, "/formulas/" + guizhiTang: "formulas/" + guizhiTang, "/herbs/" + ginsengHerb: "herbs/" + ginsengHerb, "/papers/p2": "papers/detail?id=p2"} {
			linked := s.page(t, path, path+"?format=json")
			a := s.get(t, path+"?format=json")
			b := s.get(t, path, "Accept", "application/json")
			if a.status != http.StatusOK || a.body != b.body || a.header.Get("Content-Type") != "application/json" || strings.Contains(linked.body, "/api/v1/"+op) {
				t.Errorf("%s: %d %s", path, a.status, a.header)
			}
			whole := s.get(t, "/api/v1/"+op, "X-Api-Key", s.key, "Accept", "application/json").body
			if same := a.body == whole; same == (c.limited && (strings.HasPrefix(op, "formulas") || strings.HasPrefix(op, "herbs"))) {
				t.Errorf("limited: %t; %s is the answer to a key with all scopes: %t", c.limited, path, same)
			}
			if strings.Contains(a.body, secretCode) && c.limited {
				t.Errorf("%s shows what needs a scope", path)
			}
		}
	}
}

// TestGuessedAddresses follows the addresses that people guess, and those of the list of pages. The
// list has the records that a visitor may read.
func TestGuessedAddresses(t *testing.T) {
	s := start(t, config{})
	for path, to := range map[string]string{"/species": "/search?kind=species", "/herbs?lang=zh": "/search?kind=herbs&lang=zh", "/formulas": "/search?kind=formulas", "/papers": "/search?kind=papers", "/about/": "/about"} {
		if a := s.get(t, path); a.status != http.StatusMovedPermanently || a.header.Get("Location") != to {
			t.Errorf("%s: %d to %s, want %s", path, a.status, a.header.Get("Location"), to)
		}
	}
	address := regexp.MustCompile(`<loc>([^<]*)</loc>`)
	for _, c := range []config{{}, {limited: true}} {
		s := start(t, c)
		records := map[string]int{}
		for _, m := range address.FindAllStringSubmatch(s.page(t, "/sitemap.xml").body, -1) {
			for _, r := range address.FindAllStringSubmatch(s.page(t, strings.TrimPrefix(m[1], s.URL)).body, -1) {
				path := strings.TrimPrefix(r[1], s.URL)
				s.page(t, path)
				records[strings.Split(path, "/")[1]]++
			}
		}
		if want := map[bool]int{false: 5, true: 0}[c.limited]; records["formulas"] != want || records["species"] != 2 || records["papers"] != 3 || records["about"] != 1 {
			t.Errorf("limited: %t; the list of pages has %v", c.limited, records)
		}
	}
	if a := start(t, config{}).get(t, "/sitemap/species-2.xml"); a.status != http.StatusNotFound {
		t.Errorf("a list without records: %d", a.status)
	}
	few := start(t, config{limited: true, scopes: access.Prescriptions})
	if body := few.page(t, "/about").body; strings.Contains(body, `href="/compare"`) {
		t.Error("the menu offers a comparison that needs a scope")
	}
}

// TestPublicPages checks that pages without records are served without a key: by a server without
// the explorer, and to clients that may not use the explorer. These pages must show no data that
// needs a scope.
func TestPublicPages(t *testing.T) {
	for name, c := range map[string]config{"no explorer": {pages: explorer.Sign()}, "closed explorer": {network: "192.0.2.0/24"}} {
		s := start(t, c)
		for path, want := range map[string]string{
			"/about": "<html", "/problems/not-found": "<html", "/robots.txt": "Disallow: /search.csv\n", "/sitemap.xml": "/about</loc>",
			"/favicon.ico": "<svg", "/llms.txt": "/openapi/v1.json",
		} {
			a := s.get(t, path)
			if a.status != http.StatusOK || !strings.Contains(a.body, want) || strings.Contains(a.body, secretUse) {
				t.Errorf("%s: %s is answered %d %.200q, want 200 and %q", name, path, a.status, a.body, want)
			}
			if asset := regexp.MustCompile(`/assets/bencao\.[0-9a-f]+\.css`).FindString(a.body); strings.Contains(a.body, "<html") && s.get(t, asset).status != http.StatusOK {
				t.Errorf("%s: the style sheet %q of %s is not served", name, asset, path)
			}
		}
		walk(t, s, 500, everyKind, func(path, from string, a answer) {
			if a.status != http.StatusOK && from != "" {
				t.Errorf("%s: %s, linked from %s: %d %.200s", name, path, from, a.status, a.body)
			}
		})
		if a := s.get(t, "/species/"+ginseng); a.status == http.StatusOK && strings.Contains(a.body, "Panax") {
			t.Errorf("%s: a record is served", name)
		}
	}
}

// TestHiddenFormulas reads the pages with the rights of the key that "bencao init" makes. They offer
// no search for formulas, and a search for a formula says that the formulas are hidden.
func TestHiddenFormulas(t *testing.T) {
	says := "This site does not show herbs and formulas"
	for _, c := range []config{{}, {limited: true}} {
		s := start(t, c)
		home := s.page(t, "/?lang=en").body
		for _, text := range []string{"桂枝湯", "gzt", "/compare"} {
			if shown := strings.Contains(home, text); shown == c.limited {
				t.Errorf("formulas hidden: %v; the start page has %q: %v", c.limited, text, shown)
			}
		}
		for _, q := range []string{"独参汤", "桂枝湯", "zzzz"} {
			body := s.page(t, "/search?lang=en&q="+url.QueryEscape(q)).body
			if said := strings.Contains(body, says); said != c.limited {
				t.Errorf("formulas hidden: %v; the search for %q says so: %v", c.limited, q, said)
			}
			if strings.Contains(body, "does not show the herbs of formulas") {
				t.Errorf("the search for %q says that lists of herbs are hidden", q)
			}
		}
		if body := s.page(t, "/search?lang=en&q="+url.QueryEscape("人参")).body; strings.Contains(body, says) {
			t.Errorf("formulas hidden: %v; the search for a species says that they are", c.limited)
		}
	}
}

// TestHiddenLists reads the pages of a site that shows formulas without their herbs. A search for a
// list of herbs says that such lists are hidden.
func TestHiddenLists(t *testing.T) {
	s := start(t, config{limited: true, scopes: access.Prescriptions})
	s.page(t, "/search?lang=en&q="+url.QueryEscape("人参 附子"), "does not show the herbs of formulas")
	s.page(t, "/search?lang=zh&q="+url.QueryEscape("人参 附子"), "本站不显示方剂的组成")
	if body := s.page(t, "/search?lang=en&q="+url.QueryEscape("桂枝汤")).body; strings.Contains(body, "does not show the herbs of formulas") {
		t.Error("the search for a formula says that lists of herbs are hidden")
	}
}

// TestTabKeepsFilters checks that the tab of the page leads to the records that it counts, and the
// other tabs to all records.
func TestTabKeepsFilters(t *testing.T) {
	s := start(t, config{})
	body := s.page(t, "/search?kind=species&genus=Panax&page=1").body
	if m := regexp.MustCompile(`<a href="([^"]*)" aria-current="page">`).FindStringSubmatch(body); m == nil || html.UnescapeString(m[1]) != "/search?genus=Panax&kind=species" {
		t.Errorf("the tab of the page leads to %q; want its filter", m)
	}
	if !strings.Contains(body, `href="/search?kind=herbs"`) {
		t.Error("another tab has the filter too, or is missing")
	}
}

// TestTry checks that the page of a query without records proposes what the query is not yet.
func TestTry(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/search?lang=en&kind=species&q="+url.QueryEscape("Qwertya asdfensis"), "or the Chinese name")
	s.page(t, "/search?lang=en&kind=species&q="+url.QueryEscape("甴曱"), "pinyin or the scientific name")
}

// TestDocsOfTheSnapshot checks that the example of every operation is a request that the served
// snapshot answers, whatever records it has, and that the form on the page can send another
// request.
func TestDocsOfTheSnapshot(t *testing.T) {
	s := start(t, config{})
	pages := slices.Compact(regexp.MustCompile(`/docs/[a-zA-Z.]+`).FindAllString(s.page(t, "/docs").body, -1))
	if len(pages) < 20 {
		t.Fatalf("/docs lists %d operations", len(pages))
	}
	for _, page := range pages {
		text := html.UnescapeString(s.page(t, page, "/problems/bad-parameter").body)
		if strings.Contains(text, "/problems/foreign-form") || strings.Contains(text, "/problems/form-running") {
			t.Errorf("%s says that the operation refuses forms", page)
		}
		m := regexp.MustCompile(`\$KEY" "https?://[^/]+([^"]+)"`).FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s has no curl command", page)
			continue
		}
		if a := s.get(t, m[1], "X-Api-Key", s.key); a.status != http.StatusOK {
			t.Errorf("%s shows %s, which is answered %d %.300s", page, m[1], a.status, a.body)
		}
	}
	s.page(t, "/docs/herbs.detail?id="+ginsengHerb, "神草", `value="`+ginsengHerb)
	if a := s.get(t, "/docs/names.match?name="+strings.Repeat("x", 5000)); a.status != http.StatusBadRequest {
		t.Errorf("a form with a bad parameter is answered %d", a.status)
	}
}

// TestContact checks that the page about the data has a link to the operator's mail or web address.
func TestContact(t *testing.T) {
	start(t, config{contact: "plants@example.org"}).page(t, "/about", `<a href="mailto:plants@example.org">plants@example.org</a>`)
	start(t, config{contact: "https://plants.example/help"}).page(t, "/about", `<a href="https://plants.example/help">`)
	for _, contact := range []string{"someone", "Plants <plants@example.org>", "javascript:alert(1)"} {
		if api.CheckContact(contact) == nil {
			t.Errorf("%q is taken for a contact", contact)
		}
	}
}

// TestInChinese checks that Chinese pages have Chinese texts where the data and the OpenAPI
// document have English words.
func TestInChinese(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/species/"+ginseng+"?lang=zh", "药用", "根", "中国植物志（FRPS）", "五加科</span> Araliaceae")
	s.page(t, "/species/"+ginseng+"?lang=zh", "世界维管植物名录 v13", "嫩枝、for dogs")
	s.page(t, "/docs?lang=zh", "检索方剂")
	s.page(t, "/docs/formulas.search?lang=zh", "最早收录该方的书", "需要权限 prescriptions")
	operations := regexp.MustCompile(`/docs/[a-zA-Z.]+\?lang=zh`).FindAllString(s.page(t, "/docs?lang=zh").body, -1)
	if len(operations) < 15 {
		t.Fatalf("only %d operations are listed", len(operations))
	}
	for _, path := range append(operations, "/docs?lang=zh") {
		if english := regexp.MustCompile(`<span lang="en">[^<]*`).FindString(s.page(t, path).body); english != "" {
			t.Errorf("%s has no Chinese for %s", path, english)
		}
	}
	s.page(t, "/docs/formulas.search?lang=en", "The oldest book that has the formula.", "Needs the scope prescriptions.")
}
