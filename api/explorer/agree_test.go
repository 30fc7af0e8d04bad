package explorer_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/store"
)

// asked lists, for each kind of record, texts and filters of searches. The test tries each text with
// each of the filters.
var asked = map[string]struct{ texts, filters []string }{
	"species": {
		[]string{"", "人参", "ginseng", "renshen", "参", "Panax", "Panax ginseng", "Araliaceae", "五加科", "人叁"},
		[]string{"", "family=Araliaceae", "genus=Panax", "rank=species", "hasFormulas=true", "sort=name", "sort=prominence"},
	},
	"herbs": {
		[]string{"", "人参", "renshen", "参", "Ginseng", "炙甘草"},
		[]string{"", "herbKind=plant", "part=root", "species=人参", "sort=name", "sort=prominence"},
	},
	"formulas": {
		[]string{"", "桂枝汤", "桂枝汤 清", "伤寒论 桂枝汤", "麻黄 桂枝", "人参 附子", "人参 附子 宋", "清 人参 附子", "半夏 茯苓", "伤寒论 甘草", "张仲景", "guizhitang", "guizhi", "宋 汤", "汤", "gzt", "头痛", "桂支汤", "石高 知母", "219年 桂枝", "桂枝 白芍 炙甘草 生姜 大枣", "治咳嗽 麻黄"},
		[]string{"", "dynasty=宋", "dynasty=东汉", "source=伤寒论", "author=张仲景", "fromYear=1000", "toYear=600", "herbs=人参", "without=甘草", "herbs=甘草&forms=together", "herbs=renshen", "dynasty=Song", "in=indications", "in=composition", "name=桂枝汤", "sort=name", "sort=year", "sort=prominence"},
	},
	"papers": {
		[]string{"", "Panax ginseng", "ginseng", "antioxid", "人参"},
		[]string{"", "fromYear=2010", "toYear=2005", "species=Panax ginseng", "family=Araliaceae", "sort=name", "sort=year"},
	},
}

// sampleSite returns a site with the sample's data.
func sampleSite(t *testing.T) *site {
	t.Helper()
	return start(t, config{dir: sample.Dir(t)})
}

var (
	hitList    = regexp.MustCompile(`(?s)<ol class="hits".*?</aside>`)
	recordLink = regexp.MustCompile(`href="/(?:species|herbs|formulas|papers)/([^"?]+)`)
	comparison = regexp.MustCompile(`/compare\?formulas=([^"&]+)`)
	// searchLink matches a link to a search, but for that of the list that is shown. Its number
	// stands in a span. Links in linked have it in their text.
	searchLink = regexp.MustCompile(`<a href="(/search\?[^"]*kind=[^"]*)">(.*?)</a>`)
	// barRow matches a row of a bar chart: the link to a search, and the number of records, after
	// their share if the row has it.
	barRow  = regexp.MustCompile(`<tr><th scope="row"><a href="(/search\?[^"]*)">[^\n]*?<td class="num">(?:<b>[^<]*</b> <span class="sub">)?([\d,]+)`)
	linked  = regexp.MustCompile(`<p class="links linked">.*?</p>`)
	number  = regexp.MustCompile(`<span class="num">([\d,]+)</span>`)
	firstIn = regexp.MustCompile(`\d[\d,]*`)
	hereTab = regexp.MustCompile(`aria-current="page">[^<]*<span class="num">([^<]*)<`)
	noDigit = regexp.MustCompile(`\D`)
)

// listed returns the ids of the records that a search page lists, in their order.
func listed(t *testing.T, body string) (ids []string) {
	t.Helper()
	for _, m := range recordLink.FindAllStringSubmatch(hitList.FindString(body), -1) {
		id, err := url.PathUnescape(m[1])
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// fromAPI is a page of a list of the API.
type fromAPI struct {
	Total int
	Items []struct{ GUID, ID string }
}

// listed asks the API what an address of a search page asks. more has further parameters.
func (s *site) listed(t *testing.T, kind string, query url.Values, more ...string) fromAPI {
	t.Helper()
	query = maps.Clone(query)
	for _, ofPage := range []string{"kind", "for", "lang", "page"} {
		query.Del(ofPage)
	}
	if query.Has("herbKind") {
		query.Set("kind", query.Get("herbKind"))
		query.Del("herbKind")
	}
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return answerOf[fromAPI](t, s, kind+"?"+query.Encode())
}

// inAPI returns the ids of all records that the API finds, in its order.
func (s *site) inAPI(t *testing.T, kind string, query url.Values) (ids []string) {
	t.Helper()
	for page := 1; ; page++ {
		list := s.listed(t, kind, query, "pageSize", "100", "page", strconv.Itoa(page))
		for _, item := range list.Items {
			ids = append(ids, item.GUID+item.ID)
		}
		if len(ids) == list.Total {
			return ids
		}
	}
}

// checkNumbers checks that each link of a page to a search has the number of records that the API finds
// for it. known has the numbers that the API gave before. It returns how many numbers there are.
func (s *site) checkNumbers(t *testing.T, at, body string, known map[string]int) (numbers int) {
	t.Helper()
	said := map[string]string{} // the number of each address
	for _, m := range searchLink.FindAllStringSubmatch(body, -1) {
		if n := number.FindStringSubmatch(m[2]); n != nil {
			said[m[1]] = n[1]
		}
	}
	for _, part := range linked.FindAllString(body, -1) {
		for _, m := range searchLink.FindAllStringSubmatch(part, -1) {
			said[m[1]] = firstIn.FindString(m[2])
		}
	}
	for _, m := range barRow.FindAllStringSubmatch(body, -1) {
		said[m[1]] = m[2]
	}
	for link, n := range said {
		address, err := url.Parse(html.UnescapeString(link))
		if err != nil {
			t.Fatal(err)
		}
		if n == "" {
			continue
		}
		key := address.RequestURI()
		if _, ok := known[key]; !ok {
			known[key] = s.listed(t, address.Query().Get("kind"), address.Query(), "pageSize", "1").Total
		}
		if numbers++; noDigit.ReplaceAllString(n, "") != strconv.Itoa(known[key]) {
			t.Errorf("%s says %s of %s, for which the API finds %d", at, n, key, known[key])
		}
	}
	return numbers
}

// TestPagesAgree asks the same questions of the pages, of the API and of the pages' files. Each
// record that a page lists or compares must be in the answer of the API, each number beside a link
// must be that of the API, and the file must have all records of the answer, those of the page
// first.
func TestPagesAgree(t *testing.T) {
	s := sampleSite(t)
	addresses, numbers, known := 0, 0, map[string]int{}
	for kind, of := range asked {
		for _, text := range of.texts {
			for _, filter := range of.filters {
				query, err := url.ParseQuery(filter)
				if err != nil {
					t.Fatal(err)
				}
				query.Set("q", text)
				query.Set("kind", kind)
				address := query.Encode()
				all := s.inAPI(t, kind, query)
				file := s.file(t, "/search.csv?"+address)
				var shown []string
				for page := 1; page <= 3; page++ {
					at := fmt.Sprintf("/search?%s&page=%d", address, page)
					body := s.page(t, at).body
					addresses++
					here := listed(t, body)
					numbers += s.checkNumbers(t, at, body, known)
					if page > 1 && len(here) == 0 {
						break
					}
					shown = append(shown, here...)
					if m := hereTab.FindStringSubmatch(body); m == nil || noDigit.ReplaceAllString(m[1], "") != strconv.Itoa(len(all)) {
						t.Errorf("%s counts %q, the API %d", at, m, len(all))
					}
					for _, m := range comparison.FindAllStringSubmatch(body, -1) {
						compared, err := url.QueryUnescape(m[1])
						if err != nil {
							t.Fatal(err)
						}
						here = append(here, strings.Split(compared, ",")...)
					}
					for _, id := range here {
						if !slices.Contains(all, id) {
							t.Errorf("%s lists %s, which the API does not find", at, id)
							break
						}
					}
				}
				if len(shown) > len(file) || !slices.Equal(shown, file[:len(shown)]) {
					t.Errorf("/search.csv?%s has not the order of the page", address)
				}
				slices.Sort(file)
				slices.Sort(all)
				if !slices.Equal(file, all) {
					t.Errorf("/search.csv?%s has %d records, the API %d", address, len(file), len(all))
				}
			}
		}
	}
	t.Logf("%d addresses with %d numbers beside links", addresses, numbers)
	if addresses < 500 || numbers < 5000 {
		t.Errorf("only %d addresses with %d numbers beside links were tried", addresses, numbers)
	}
}

// TestPlacesAgree searches for random beginnings of the names of formulas, without a kind. If the API finds
// formulas by these names, the page shows them, or records with a name that begins so. It never shows
// formulas or other records that only mention the text.
func TestPlacesAgree(t *testing.T) {
	s := sampleSite(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, seed))
	var names []string
	for _, name := range s.names(t) {
		if utf8.RuneCountInString(name) > 2 {
			names = append(names, name)
		}
	}
	judged := 0
	for range 300 {
		name := []rune(names[r.IntN(len(names))])
		text := string(name[:2+r.IntN(len(name)-2)])
		address := "q=" + url.QueryEscape(text)
		api := answerOf[explained](t, s, "formulas?explain=true&pageSize=1&"+address)
		if api.Total == 0 || api.Explanation.Forgiven != "" {
			continue // a complaint
		}
		judged++
		body := s.page(t, "/search?"+address).body
		if strings.Contains(body, `aria-current="true">indications</a>`) {
			t.Errorf("seed %d: the page of %s shows formulas that mention it, and the API finds %d by their names", seed, text, api.Total)
			continue
		}
		shown := shownKind.FindStringSubmatch(body)
		if shown == nil {
			t.Fatalf("seed %d: the page of %s shows no kind", seed, text)
		}
		if kind := shown[1]; kind != "formulas" {
			other := answerOf[explained](t, s, kind+"?explain=true&pageSize=1&"+address)
			if e := other.Explanation; other.Total == 0 || e.Forgiven != "" || e.Part == "inside" {
				t.Errorf("seed %d: the page of %s shows %d %s (%+v), and the API finds %d formulas by their names", seed, text, other.Total, kind, e, api.Total)
			}
		} else if n := hereTab.FindStringSubmatch(body); n == nil || noDigit.ReplaceAllString(n[1], "") != strconv.Itoa(api.Total) {
			t.Errorf("seed %d: the page of %s counts %q formulas, the API %d", seed, text, n, api.Total)
		}
	}
	t.Logf("seed %d: %d beginnings judged", seed, judged)
	if judged < 100 {
		t.Errorf("seed %d: only %d beginnings judged", seed, judged)
	}
}

var shownKind = regexp.MustCompile(`kind=(\w+)[^"]*" aria-current="page">`)

// explained is an answer of the API with its explanation.
type explained struct {
	Total       int
	Explanation struct {
		Forgiven, Part string
		Elsewhere      []struct{ Text string }
	}
}

// names returns the names of the formulas.
func (s *site) names(t *testing.T) (names []string) {
	t.Helper()
	for page := 1; ; page++ {
		list := answerOf[struct {
			Total int
			Items []struct{ Name string }
		}](t, s, "formulas?pageSize=100&page="+strconv.Itoa(page))
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		if len(names) == list.Total {
			return names
		}
	}
}

// file returns the ids of the records in a CSV file.
func (s *site) file(t *testing.T, path string) (ids []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(s.page(t, path).body, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	id := slices.IndexFunc(rows[0], func(name string) bool { return name == "guid" || name == "id" })
	for _, row := range rows[1:] {
		ids = append(ids, row[id])
	}
	return ids
}

// TestFilesOfRecords checks that the file of formulas that the page of a plant or herb offers has the
// formulas that the page lists, in its order.
func TestFilesOfRecords(t *testing.T) {
	s := sampleSite(t)
	formula, file := regexp.MustCompile(`<(?:th scope="row"|li><span class="num sub">[^<]*</span) ?> ?<a href="/formulas/([^"?]+)`), regexp.MustCompile(`href="(/search\.csv\?[^"]+)"`)
	for kind, name := range map[string]string{"species": "Panax ginseng", "herbs": "甘草"} {
		ids := s.inAPI(t, kind, url.Values{"q": {name}})
		if len(ids) == 0 {
			t.Fatalf("the sample has no %s", name)
		}
		body := s.page(t, "/"+kind+"/"+ids[0]).body
		if kind == "species" { // a head sorts all pages of the list, and its file
			head := regexp.MustCompile(`<a class="sort" href="([^"]+sort=name)#formulas"`).FindStringSubmatch(body)
			if head == nil {
				t.Fatal("no head of the list of formulas sorts it")
			}
			sorted := s.page(t, html.UnescapeString(head[1]), `aria-sort="ascending"><a class="sort"`).body
			if rows := s.file(t, html.UnescapeString(file.FindStringSubmatch(sorted)[1])); !slices.Equal(rows, s.inAPI(t, "formulas", url.Values{"species": {ids[0]}, "sort": {"name"}})) {
				t.Error("the file of the sorted list has another order than the API")
			}
			if first := formula.FindStringSubmatch(sorted); first == nil || strings.Contains(body, first[0]) {
				t.Error("the list sorted by name begins with a formula of the first page by year")
			}
		}
		link := file.FindStringSubmatch(body)
		if link == nil {
			t.Fatalf("the page of %s offers no file", name)
		}
		var shown []string
		for _, m := range formula.FindAllStringSubmatch(body, -1) {
			shown = append(shown, m[1])
		}
		rows := s.file(t, html.UnescapeString(link[1]))
		if len(shown) < 5 || len(rows) < len(shown) || !slices.Equal(shown, rows[:len(shown)]) {
			t.Errorf("the page of %s lists %q, and its file %q", name, shown, rows[:min(len(rows), len(shown))])
		}
	}
}

// TestFilesOfPapers checks that the files of the papers about a species have the order of its page:
// those without a title come last.
func TestFilesOfPapers(t *testing.T) {
	s := start(t, config{})
	const willow = "/species/5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d07"
	for _, file := range []string{"", "/papers.bib", "/papers.ris", "/papers.json"} {
		inOrder(t, willow+file, s.page(t, willow+file).body, "evil.example", "10.1234/jama.1")
	}
}

// TestUnknownFilterOnPage checks that a page says which value of a filter no record has, and links to
// close values.
func TestUnknownFilterOnPage(t *testing.T) {
	s := start(t, config{})
	a := s.page(t, "/search?kind=formulas&source="+url.QueryEscape("伤寒轮"), "No record has this value. Source: 伤寒轮.", "伤寒论</span></a>")
	if !strings.Contains(a.body, "source="+url.QueryEscape("伤寒论")) {
		t.Error("the close value is no link")
	}
	s.page(t, "/search?kind=herbs&herbKind=plants", "No record has this value. Kind: plants.", "herbKind=plant&amp;kind=herbs")
	q := url.QueryEscape("桂枝汤")
	for address, texts := range map[string][]string{
		// Without a close value, the page offers the frequent ones.
		"/search?kind=formulas&dynasty=xyz&q=" + q:                {"No record has this value. Dynasty: xyz.", "dynasty=%E5%94%90&amp;kind=formulas"},
		"/search?kind=formulas&herbs=" + url.QueryEscape("人叁、甘草"): {"No formula has one drug called “人叁”.", "herbs=%E4%BA%BA%E5%8F%82%E3%80%81%E7%94%98%E8%8D%89&amp;kind=formulas"},
		"/search?kind=formulas&fromYear=300&toYear=200":           {"the first year is 300, after the last year, 200"},
		"/search?kind=formulas&sort=smell":                        {"sort is"},
		"/search?kind=xyz&q=" + q:                                 {"<code>kind=xyz</code>", `kind=formulas&amp;q=%E6%A1%82%E6%9E%9D%E6%B1%A4" aria-current="page"`},
		"/search?kind=formulas&herbs=renshen":                     {"(“renshen” read as 人参)"},
	} {
		if body := s.page(t, address, texts...).body; strings.Contains(body, "in its name") {
			t.Errorf("%s blames the name", address)
		}
	}
	if body := s.page(t, "/search?kind=formulas&dynasty="+url.QueryEscape("清")).body; strings.Contains(body, "No record has this value") {
		t.Error("a value that records have is called unknown")
	}
}

// TestPastTheEnd checks that a page after the last one says so and links to the last one.
func TestPastTheEnd(t *testing.T) {
	s := start(t, config{})
	body := s.page(t, "/search?kind=species&page=99999", "The search has 1 page.", "kind=species&amp;page=1").body
	if strings.Contains(body, "Try fewer characters") {
		t.Error("the page gives advice for a search that found nothing")
	}
	if a := s.get(t, "/search?q=a%ffb"); a.status != http.StatusBadRequest || !utf8.ValidString(a.body) {
		t.Errorf("a byte that is no character: %d, and the page is valid UTF-8: %t", a.status, utf8.ValidString(a.body))
	}
}

// TestHeadings checks that the heading of a filtered list names the filters, and that a link to records
// about the plant of a query keeps the query in the search box and the tabs.
func TestHeadings(t *testing.T) {
	s := start(t, config{})
	body := s.page(t, "/search?q="+url.QueryEscape("人参"), "3 formulas with the herb 人参").body
	link := regexp.MustCompile(`href="(/search\?for=[^"]*kind=papers[^"]*)"`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("no link leads to the papers about 人参")
	}
	s.page(t, html.UnescapeString(link[1]), `<h1 class="h1">Papers: Species 人参`, `name="q" value="人参"`, `kind=herbs&amp;q=%E4%BA%BA%E5%8F%82`)
	s.page(t, "/search?kind=papers", `<h1 class="h1">All papers`)
}

// TestComplaintLeadsToFormulas checks that a query that is a complaint leads to the formulas with it in
// their indications, if it is no name.
func TestComplaintLeadsToFormulas(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/search?q="+url.QueryEscape("骨蒸"), `aria-current="page">Formulas <span class="num">1<`, `aria-current="true">indications</a>`, "独")
	s.page(t, "/search?q="+url.QueryEscape("人参"), `aria-current="page">Species`)
	// The API counts, the API finds, and the page shows the same number of formulas for a modern name.
	for path, want := range map[string]string{"q=肺痨": "; indications=1", "q=肺痨&in=indications": "exact", "q=tuberculosis&in=indications": "exact; readAs=%E8%82%BA%E7%97%A8; in=indications"} {
		a := s.get(t, "/api/v1/formulas?"+path, "X-Api-Key", s.key, "Accept", "application/json")
		if got := a.header.Get("X-Search"); !strings.HasSuffix(got, want) || strings.Contains(a.body, `"total":1,`) != strings.HasPrefix(want, "exact") {
			t.Errorf("%s: X-Search is %q, want %q at its end; %s", path, got, want, a.body)
		}
	}
	s.page(t, "/search?q="+url.QueryEscape("肺痨"), `aria-current="page">Formulas <span class="num">1<`, "独", "or its other names 骨蒸, 劳瘵")
}

// TestPlacesWithoutSigns checks that the API and the page name the text that is also in the indications
// without the signs around the query.
func TestPlacesWithoutSigns(t *testing.T) {
	s := start(t, config{})
	for q, text := range map[string]string{"中风？": "中风", "《中风》": "中风", "stroke?": "中风", "中风旧": ""} {
		api := answerOf[explained](t, s, "formulas?explain=true&q="+url.QueryEscape(q))
		places := api.Explanation.Elsewhere
		if found := text != ""; found != (len(places) == 1) || found && places[0].Text != text {
			t.Errorf("%q is elsewhere in %+v, want the text %q", q, places, text)
		}
		if len(places) > 0 {
			s.page(t, "/search?kind=species&q="+url.QueryEscape(q), "1 formula with “"+text+"” in the indications")
		}
	}
}

// TestChoosingFormulas checks how formulas are added to a comparison by their names.
func TestChoosingFormulas(t *testing.T) {
	s := start(t, config{})
	add := func(name, more string, texts ...string) string {
		t.Helper()
		return s.page(t, "/compare?add="+url.QueryEscape(name)+more, texts...).body
	}
	choice := regexp.MustCompile(`<li><a href="(/compare\?add=[^"]*)"`)
	add("独参汤", "", "Chosen, add another one to compare:", `name="formulas" value="9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d03"`)
	add("桂枝汤 伤寒论", "", "Chosen, add another one to compare:", guizhiTang)
	if found := choice.FindAllString(add("桂枝汤", "", "Add one of these", "备急千金要方", "千金翼方"), -1); len(found) != 3 {
		t.Errorf("%d of 3 formulas of the name can be chosen", len(found))
	}
	add("独参丸", "", "No formula has the name 独参丸.", `<li><a href="/compare?add=`)
	add("囧", "", "No formula has the name 囧.")
	// Two of a name are chosen by a link of the search and one of the page to which it leads.
	first := regexp.MustCompile(`href="(/compare\?add=[^"]*)">compare`).FindStringSubmatch(s.page(t, "/search?q="+url.QueryEscape("桂枝汤")).body)
	if first == nil {
		t.Fatal("the search for 桂枝汤 does not offer to compare each of its formulas")
	}
	body := s.page(t, html.UnescapeString(first[1]), "Chosen, add another one to compare:").body
	second := choice.FindAllStringSubmatch(body, -1)
	if len(second) != 2 || strings.Count(body, "chosen</span></li>") != 1 {
		t.Fatalf("beside the chosen formula %d others can be chosen", len(second))
	}
	s.page(t, html.UnescapeString(second[0][1]), "2 formulas with")
	// A parameter may be repeated, and a formula counts once.
	s.page(t, "/compare?formulas="+guizhiTang+","+guizhiTang+"&formulas=9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02", "2 formulas with")
	add("独参汤", "&formulas=9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d03", "<h2>Chosen already</h2>", "chosen</span></li>")
	sample := sampleSite(t)
	all := sample.inAPI(t, "formulas", url.Values{"q": {"汤"}})
	sample.page(t, "/compare?add="+url.QueryEscape("桂枝汤")+"&formulas="+strings.Join(all[:6], ","), "<h2>Six are chosen; remove one to add another</h2>")
	sample.page(t, "/compare?formulas="+strings.Join(all[:7], ","), "Only 6 formulas fit side by side; 1 left out.")
}

// TestFoundByNameAlone checks that API and page tell how many formulas have the herbs of a query in
// their names alone, and that the page links to the others.
func TestFoundByNameAlone(t *testing.T) {
	s := sampleSite(t)
	total := func(query string) (n int, header string) {
		t.Helper()
		a := s.get(t, "/api/v1/formulas?"+query, "X-Api-Key", s.key, "Accept", "application/json")
		var list struct{ Total int }
		if err := json.Unmarshal([]byte(a.body), &list); err != nil {
			t.Fatal(err)
		}
		return list.Total, a.header.Get("X-Search")
	}
	q := url.QueryEscape("半夏 茯苓")
	all, header := total("q=" + q)
	both, _ := total("herbs=" + q)
	if want := fmt.Sprintf("; recognised=herb,herb; named=%d", all-both); all == both || !strings.HasSuffix(header, want) {
		t.Fatalf("%d formulas, %d of them with both herbs: X-Search %q, want %q at its end", all, both, header, want)
	}
	body := s.page(t, "/search?q="+q, fmt.Sprintf("%d formulas with all of these herbs; found by the name alone: %d", both, all-both)).body
	link := regexp.MustCompile(`<a href="([^"]*)">[^<]*found by the name alone`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("the page does not link to the formulas with both herbs")
	}
	s.page(t, html.UnescapeString(link[1]), fmt.Sprintf("%d formulas", both), `name="q" value="半夏 茯苓"`)
	if body := s.page(t, "/search?q="+url.QueryEscape("伤寒论 甘草"), "the herb 甘草").body; strings.Contains(body, "names that begin with it") {
		t.Error("names are said to begin with a herb that only the compositions have")
	}
}

// TestNamedBesideFilter checks that the number of formulas by an author whom the query names leads
// nowhere if a filter names another author: the link would replace the filter.
func TestNamedBesideFilter(t *testing.T) {
	s := packageSite(t, map[string]string{
		"formulas.csv": "entry_id,guid,name,dynasty,year,original_source,original_author\n" +
			"1," + oldFormula + ",麻黄汤,东汉,219,伤寒论,张仲景\n2," + newFormula + ",仲景三黄丸,唐,652,备急千金要方,孙思邈\n",
		"formula_ingredients.csv": "formula_id,seq,herb,dose\n1,1,麻黄,三两\n2,1,黄连,三两\n",
	})
	said := regexp.MustCompile(`(<a href="[^"]*">)?1 formula of the author; found by the name alone: 1|(<a href="[^"]*">)?0 formulas of the author; found by the name alone: 1`)
	const path = "/search?kind=formulas&q=仲景"
	if m := said.FindStringSubmatch(s.page(t, path).body); m == nil || m[1] == "" {
		t.Errorf("without a filter the page says %q", m)
	}
	if m := said.FindStringSubmatch(s.page(t, path+"&author=孙思邈").body); m == nil || m[2] != "" || !strings.HasPrefix(m[0], "0") {
		t.Errorf("with a filter the page says %q", m)
	}
}

// TestNamedWithout checks that the link to the formulas that were found by their herbs excludes
// each herb that the query excludes.
func TestNamedWithout(t *testing.T) {
	s := packageSite(t, map[string]string{
		"formulas.csv": "entry_id,guid,name,dynasty,year,original_source,original_author\n" +
			"1," + oldFormula + ",甲汤,东汉,219,伤寒论,张仲景\n2," + newFormula + ",麻黄甘草不含朱砂黄连汤,唐,652,备急千金要方,孙思邈\n3,3c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d05,乙汤,唐,652,备急千金要方,孙思邈\n",
		"formula_ingredients.csv": "formula_id,seq,herb,dose\n1,1,麻黄,三两\n1,2,甘草,一两\n2,1,生姜,三两\n3,1,朱砂,一两\n3,2,黄连,一两\n",
	})
	body := s.page(t, "/search?kind=formulas&q="+url.QueryEscape("麻黄 甘草 不含朱砂、黄连")).body
	if !strings.Contains(body, "without="+url.QueryEscape("朱砂、黄连")) {
		t.Errorf("no link excludes both herbs: %s", regexp.MustCompile(`[^"]*without=[^"]*`).FindAllString(body, -1))
	}
}

// TestChosenFacets checks the numbers beside the values of facets if one of the facets is a filter
// already. A paper about plants of two families counts for both.
func TestChosenFacets(t *testing.T) {
	s := start(t, config{})
	const path = "/search?kind=papers&family=Salicaceae"
	s.checkNumbers(t, path, s.page(t, path).body, map[string]int{})
}

// TestUnknownIdentifiers checks that a DOI or a PubMed id that no paper has is not read as a name.
func TestUnknownIdentifiers(t *testing.T) {
	s := sampleSite(t)
	for _, id := range []string{"10.1038/s41586-020-2649-2", "https://doi.org/10.1038/s41586-020-2649-2", "99999999"} {
		for _, kind := range []string{"species", "herbs", "formulas", "papers"} {
			if n := s.listed(t, kind, url.Values{"q": {id}}).Total; n != 0 {
				t.Errorf("%d %s have the name %s", n, kind, id)
			}
		}
		s.page(t, "/search?q="+url.QueryEscape(id), "No paper has the DOI or PubMed id “"+id+"”.")
	}
}

// TestPapersAboutPlant checks for which queries a page links to the papers about a plant: for each
// name of it, once, and not for the beginning of a name.
func TestPapersAboutPlant(t *testing.T) {
	s := sampleSite(t)
	for query, want := range map[string]int{"人参": 1, "人参 人参": 1, "Radix Ginseng": 1, "Ginseng Radix et Rhizoma": 1, "x": 0, "t": 0} {
		if n := strings.Count(s.page(t, "/search?q="+url.QueryEscape(query)).body, " about "); n != want {
			t.Errorf("the search for %s has %d links to papers about plants, want %d", query, n, want)
		}
	}
}

// TestBooksInOrder checks that the title of a book alone, or another title of it, finds the formulas of
// the book in their order there, in the API, on the page and in its file.
func TestBooksInOrder(t *testing.T) {
	s := sampleSite(t)
	for title, book := range map[string]string{"伤寒论": "伤寒论", "千金方": "备急千金要方"} {
		q := "q=" + url.QueryEscape(title)
		list := answerOf[struct{ Items []store.FormulaDetail }](t, s, "formulas?pageSize=100&"+q).Items
		if len(list) < 50 {
			t.Fatalf("%s: %d formulas", title, len(list))
		}
		var ids []string
		for i, f := range list {
			if ids = append(ids, f.GUID); string(f.OriginalSource) != "《"+book+"》" || i > 0 && f.EntryID < list[i-1].EntryID {
				t.Errorf("%s: formula %d of %s has the number %d", title, i, f.OriginalSource, f.EntryID)
			}
		}
		shown := listed(t, s.page(t, "/search?"+q, "in the order of the book").body)
		file := s.file(t, "/search.csv?kind=formulas&"+q)
		if len(shown) < 20 || !slices.Contains(shown[:3], ids[0]) || !slices.Equal(shown, file[:len(shown)]) { // formulas of one name stand together
			t.Errorf("%s: the page begins with %q, its file with %q, the API with %q", title, shown[:2], file[:2], ids[:2])
		}
	}
}
