package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/problem"
	"bencao/store"
)

// TestFilters combines searches with filters and orders.
func TestFilters(t *testing.T) {
	s := start(t, config{})
	for _, tt := range []struct{ path, want string }{
		{"/species?family=五加科", "人参"},
		{"/species?family=araliaceae&rank=种", "人参"},
		{"/species?genus=人参属", "人参"},
		{"/species?family=Leguminosae", "甘草"},
		{"/species?family=nowhere", ""},
		{"/species?q=甘草&family=五加科", ""},
		{"/species?hasFormulas=false", ""}, // only the willow has no formulas, and it has no Chinese name to show
		{"/species?sort=name&pageSize=3", "甘草 姜 人参"},
		{"/species?sort=prominence&pageSize=1", "人参"},
		{"/formulas?source=《伤寒论》&author=张仲景", "桂枝汤"},
		{"/formulas?fromYear=200&toYear=220", "桂枝汤 桂枝加葛根汤"},
		{"/formulas?toYear=-1", ""},
		{"/formulas?dynasty=元", "独参汤"},
		{"/formulas?herbs=桂枝、生姜&without=葛根", "桂枝汤"},
		{"/formulas?herbs=桂枝、姜枣&without=葛根", "桂枝汤"}, // 姜枣 is 生姜 and 大枣
		{"/formulas?herbs=人参,桂枝", ""},
		{"/formulas?herbs=guizhi, , gancao", "桂枝汤 桂枝加葛根汤"},
		{"/formulas?species=" + strings.ToUpper(ginseng), "独参汤"},
		{"/formulas?species=Panax ginseng&q=参", "独参汤"},
		{"/formulas?species=人参&dynasty=东汉", ""},
		{"/formulas?species=nothing", ""},
		{"/formulas?q=太阳中风&in=indications", "桂枝汤"},
		{"/formulas?q=去皮 大枣&in=composition", "桂枝汤"},
		{"/formulas?q=桂枝汤&in=indications", ""},
		{"/formulas?q=独参汤&dynasty=东汉", ""},
		{"/formulas?sort=year&pageSize=1", "桂枝汤"},
		{"/papers?author=Li", "Ginsenosides of Panax ginseng"},
		{"/papers?author=l wang", "Ginsenosides of Panax ginseng"},
		{"/papers?author=Lim", ""},
		{"/papers?fromYear=2000&toYear=2010", "人参皂苷的研究进展"},
		{"/papers?species=" + ginseng + "&sort=year", "Ginsenosides of Panax ginseng/人参皂苷的研究进展"},
		{"/papers?species=人参&toYear=2005", "人参皂苷的研究进展"},
		{"/papers?species=renshen", "Ginsenosides of Panax ginseng/人参皂苷的研究进展"},
		{"/papers?species=棒槌", "Ginsenosides of Panax ginseng/人参皂苷的研究进展"},
		{"/papers?species=Aralia ginseng (C.A.Mey.) Baill.", "Ginsenosides of Panax ginseng/人参皂苷的研究进展"},
		{"/papers?species=P. ginseng&fromYear=2010", "Ginsenosides of Panax ginseng"},
		{"/papers?species=人参属", ""}, // a genus
		{"/papers?species=人", ""},   // a part of a name
		{"/papers?species=Panax ginsen", ""},
		{"/papers?species=Paeonia lactiflora", ""},
		{"/papers?species=nothing", ""},
		{"/papers?family=五加科", "Ginsenosides of Panax ginseng/人参皂苷的研究进展"},
		{"/papers?q=Ginsenosides&family=araliaceae", "Ginsenosides of Panax ginseng"},
		{"/papers?q=Paeoniflorin&family=Araliaceae", ""},
	} {
		path, query, _ := strings.Cut(tt.path, "?")
		values, err := url.ParseQuery(query)
		must(t, err)
		r := s.get(t, "/api/v1"+path+"?"+values.Encode()).wantStatus(t, http.StatusOK)
		var got []string
		for _, item := range decode[pageOf[struct{ ChineseName, Name, Title string }]](t, r).Items {
			if text := item.ChineseName + item.Name + item.Title; text != "" {
				got = append(got, text)
			}
		}
		separator := " "
		if path == "/papers" {
			separator = "/"
		}
		if strings.Join(got, separator) != tt.want {
			t.Errorf("%s: found %q, want %q", tt.path, got, tt.want)
		}
	}
}

// TestLongTitles checks that facets count the results of a query as long as a title.
func TestLongTitles(t *testing.T) {
	s := start(t, config{})
	for runes, want := range map[int]int{500: http.StatusOK, 501: http.StatusBadRequest} {
		q := url.QueryEscape(strings.Repeat("药", runes))
		s.get(t, "/api/v1/papers?q="+q).wantStatus(t, want)
		s.get(t, "/api/v1/papers/facets?by=year&q="+q).wantStatus(t, want)
	}
}

// TestPaperInPath asks for a paper by its id in the path. The answer gives the address that works.
func TestPaperInPath(t *testing.T) {
	s := start(t, config{})
	for id, want := range map[string]string{"123": "/api/v1/papers/detail?id=123", "doi:10.1038/nature.2013.1": "/api/v1/papers/detail?id=doi%3A10.1038%2Fnature.2013.1"} {
		r := s.get(t, "/api/v1/papers/"+id).wantStatus(t, http.StatusNotFound)
		if !strings.Contains(string(r.body), want) {
			t.Errorf("papers/%s: %s; want %q in it", id, r.body, want)
		}
	}
}

// TestFiltersRefused uses filters with invalid values.
func TestFiltersRefused(t *testing.T) {
	s := start(t, config{})
	for path, want := range map[string]string{
		"/species?sort=year":                          `sort is "year"; use relevance, name or prominence`,
		"/species?sort=":                              `sort is ""; use relevance, name or prominence`,
		"/species?hasFormulas=1":                      `hasFormulas is "1"; use true or false`,
		"/species?fromYear=1":                         `there is no parameter "fromYear" here`,
		"/formulas?distinct=guid":                     `distinct is "guid"; use name`,
		"/formulas?in=smell":                          `in is "smell"; use name, indications or composition`,
		"/formulas?fromYear=10.5":                     `fromYear is "10.5"; use a whole number from -9999 to 9999`,
		"/formulas?fromYear=-0":                       `fromYear is "-0"`,
		"/formulas?fromYear=300&toYear=200":           "fromYear is 300, after toYear 200; exchange them",
		"/formulas?herbs=" + strings.Repeat("桂枝", 20): "did you mean 桂枝?",
		"/formulas?herbs=" + strings.Repeat("桂枝", 21): "桂枝\", which no formula has; /api/v1/formulas/facets?by=herbs lists all herbs",
		"/formulas?herbs=桂枝、桂技":                       `herbs names "桂技", which no formula has; did you mean 桂枝? /api/v1/formulas/facets?by=herbs lists all herbs`,
		"/formulas?without=、":                         "name 1 to 20 herbs with 、 between them",
		"/papers?fromYear=-1":                         "use a whole number from 0 to 9999",
		"/species/facets?by=colour":                   `by names "colour", which is no facet here; use family, genus, rank, hasFormulas`,
		"/species/facets?by=family,family":            `by names "family" twice`,
		"/species/facets":                             "by is missing",
		"/formulas/facets?by=dynasty&limit=10001":     "use a whole number from 1 to 10000",
		"/suggest": "q is missing",
	} {
		path, query, _ := strings.Cut(path, "?")
		name, value, ok := strings.Cut(query, "=")
		if ok && !strings.Contains(query, "&") {
			query = name + "=" + url.QueryEscape(value)
		}
		r := s.get(t, "/api/v1"+path+"?"+query).wantStatus(t, http.StatusBadRequest)
		if p := decode[problem.Problem](t, r); !strings.Contains(p.Detail, want) {
			t.Errorf("%s?%s: detail is %q, want %q", path, query, p.Detail, want)
		}
	}
}

// TestFiltersTellNothingHidden uses filters with every key. A key without the scope must not learn
// which herbs a formula has, nor whether a herb exists.
func TestFiltersTellNothingHidden(t *testing.T) {
	s := start(t, config{})
	herb, none := url.QueryEscape("桂枝"), url.QueryEscape("桂技")
	for key, may := range map[string]bool{"all": true, "composition": true, "formulas": false, "similarity": false, "open": false, "species-formulas": false} {
		for _, query := range []string{"?herbs=" + herb, "?without=" + herb, "?herbs=" + none, "/facets?by=herbs", "/facets?by=dynasty,herbs", "/facets?by=dynasty&herbs=" + herb, "/facets?by=dynasty&without=" + none} {
			want := http.StatusForbidden
			if may && strings.Contains(query, none) {
				want = http.StatusBadRequest
			} else if may {
				want = http.StatusOK
			}
			r := s.do(t, http.MethodGet, "/api/v1/formulas"+query, key).wantStatus(t, want)
			if want == http.StatusForbidden && decode[problem.Problem](t, r).Type != "/problems/scope-missing" {
				t.Errorf("%s with the key %s: %s", query, key, r.body)
			}
		}
		for _, query := range []string{"?species=", "/facets?by=dynasty&species="} {
			for _, name := range []string{"人参", "nothing"} {
				want := http.StatusForbidden
				if key == "all" {
					want = http.StatusOK
				}
				s.do(t, http.MethodGet, "/api/v1/formulas"+query+url.QueryEscape(name), key).wantStatus(t, want)
			}
		}
		kinds := map[string]bool{}
		r := s.do(t, http.MethodGet, "/api/v1/suggest?q=gui", key).wantStatus(t, http.StatusOK)
		for _, line := range decode[api.Suggestions](t, r).Items {
			kinds[line.Kind] = true
		}
		if formulas := key != "open" && key != "species-formulas"; kinds["formula"] != formulas || !kinds["species"] {
			t.Errorf("suggest shows the key %s %v, want formulas: %t", key, kinds, formulas)
		}
	}
}

// TestFacetsCountPages compares facets with counts over all pages of the results of the same query.
func TestFacetsCountPages(t *testing.T) {
	s := start(t, config{})
	for _, tt := range []struct{ path, by, query string }{
		{"species", "family", ""}, {"species", "family", "q=人"}, {"species", "family", "hasFormulas=true"}, {"species", "family", "q=gui&sort=name"},
		{"formulas", "dynasty", ""}, {"formulas", "originalSource", "q=桂枝"}, {"formulas", "dynasty", "without=人参"}, {"formulas", "dynasty", "q=中风&in=indications"},
		{"formulas", "dynasty", "species=Cinnamomum cassia"},
		{"papers", "source", ""}, {"papers", "year", "author=Li"},
	} {
		values, err := url.ParseQuery(tt.query)
		must(t, err)
		want := map[string]int{}
		total, without := 0, 0
		for page := 1; ; page++ {
			values.Set("page", fmt.Sprint(page))
			values.Set("pageSize", "2")
			items := decode[pageOf[map[string]any]](t, s.get(t, "/api/v1/"+tt.path+"?"+values.Encode()).wantStatus(t, http.StatusOK)).Items
			if len(items) == 0 {
				break
			}
			for _, item := range items {
				total++
				if v, ok := item[tt.by].(string); ok {
					want[v]++
				} else {
					without++
				}
			}
		}
		for _, name := range []string{"page", "pageSize", "sort"} {
			values.Del(name)
		}
		field := strings.ToLower(strings.TrimPrefix(tt.by, "original"))
		values.Set("by", field)
		got := decode[api.Facets](t, s.get(t, "/api/v1/"+tt.path+"/facets?"+values.Encode()).wantStatus(t, http.StatusOK))
		counts := map[string]int{}
		for _, c := range got.Facets[0].Counts {
			counts[c.Value] = int(c.Count)
		}
		if int(got.Total) != total || int(got.Facets[0].Without) != without || !maps.Equal(counts, want) || int(got.Facets[0].Values) != len(want) {
			t.Errorf("%+v: counted %+v, the pages have %v of %d and %d without", tt, got, want, total, without)
		}
	}
}

// TestCountsSayHow checks that facets and patterns say how the records that they count match the query,
// as the search does.
func TestCountsSayHow(t *testing.T) {
	s := start(t, config{})
	for query, want := range map[string]string{
		"":                    "exact",
		"q=独参汤":               "exact",
		"q=独身汤":               "forgiven; how=sameSound",
		"q=桂枝":                "part; where=beginning",
		"q=没有":                "none",
		"dynasty=火星":          "none; unknown=dynasty",
		"q=桂枝汤 张仲景":           "exact; recognised=author",
		"q=去皮&in=composition": "exact",
	} {
		values, err := url.ParseQuery(query)
		must(t, err)
		for _, path := range []string{"/formulas", "/formulas/facets", "/patterns/herbs", "/patterns/pairs", "/patterns/sets", "/patterns/formulas"} {
			values.Del("by")
			if path == "/formulas/facets" {
				values.Set("by", "dynasty")
			}
			r := s.get(t, "/api/v1"+path+"?"+values.Encode()).wantStatus(t, http.StatusOK)
			got, _, _ := strings.Cut(r.Header.Get("X-Search"), "; indications")
			got, _, _ = strings.Cut(got, "; herbs")
			if got, _, _ = strings.Cut(got, "; composition"); got != want {
				t.Errorf("%s?%s: X-Search is %q, want %q", path, query, got, want)
			}
		}
	}
	if got := s.get(t, "/api/v1/species/facets?by=family&q="+url.QueryEscape("仁参")).Header.Get("X-Search"); got != "forgiven; how=sameSound" {
		t.Errorf("facets of species: X-Search is %q", got)
	}
}

// TestDistinct requests one line per name with the number of other records that have this name,
// also as CSV.
func TestDistinct(t *testing.T) {
	d := records()
	for i := range 3 {
		f := d.Formulas[2]
		f.Num, f.EntryID, f.GUID = store.Num(3+i), int32(4+i), fmt.Sprintf("9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d1%d", i)
		f.OriginalSource = store.Text(fmt.Sprint("book ", i))
		d.Formulas = append(d.Formulas, f)
	}
	s := start(t, config{data: d})
	r := s.get(t, "/api/v1/formulas?distinct=name&sort=prominence").wantStatus(t, http.StatusOK)
	page := decode[pageOf[store.FormulaSummary]](t, r)
	if page.Total != 3 || len(page.Items) != 3 || page.Items[0].Name != "独参汤" || page.Items[0].EntryID != 3 || *page.Items[0].Namesakes != 3 || *page.Items[1].Namesakes != 0 {
		t.Errorf("one line a name: %s", r.body)
	}
	both := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?distinct=name&group=name").wantStatus(t, http.StatusOK))
	if both.Total != 3 || both.Items[0].Namesakes == nil {
		t.Errorf("with group=name, distinct=name lists %d formulas", both.Total)
	}
	if r := s.get(t, "/api/v1/formulas?q="+url.QueryEscape("独参汤")).wantStatus(t, http.StatusOK); strings.Contains(string(r.body), "namesakes") {
		t.Errorf("without distinct: %s", r.body)
	}
	csv := s.get(t, "/api/v1/formulas?distinct=name&pageSize=1", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	if header, _, _ := strings.Cut(string(csv.body), "\r\n"); !strings.HasSuffix(header, ",url,namesakes") {
		t.Errorf("CSV begins with %q", header)
	}
	plain := s.get(t, "/api/v1/formulas", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	if header, _, _ := strings.Cut(string(plain.body), "\r\n"); !strings.HasSuffix(header, ",url") {
		t.Errorf("CSV begins with %q", header)
	}
}

// TestSuggest requests suggestions.
func TestSuggest(t *testing.T) {
	s := start(t, config{})
	for q, want := range map[string]string{"guizhi": "桂枝汤", "ren": "人参", "Panax g": "Panax ginseng", "Pan": "Panax ginseng", "棒槌": "人参"} {
		r := s.get(t, "/api/v1/suggest?q="+url.QueryEscape(q)).wantStatus(t, http.StatusOK)
		lines := decode[api.Suggestions](t, r).Items
		if !slices.ContainsFunc(lines, func(l api.Suggestion) bool { return l.Text == want }) || len(lines) > 10 {
			t.Errorf("%q: %s, want a line %s", q, r.body, want)
		}
	}
	// A dynasty is a part of names here, not a list of its formulas.
	for _, l := range decode[api.Suggestions](t, s.get(t, "/api/v1/suggest?q="+url.QueryEscape("唐")).wantStatus(t, http.StatusOK)).Items {
		if !strings.Contains(l.Text, "唐") {
			t.Errorf("唐 suggests %s", l.Text)
		}
	}
	// For a single character the kinds take turns, and names that begin with it come first.
	var found []string
	for _, l := range decode[api.Suggestions](t, s.get(t, "/api/v1/suggest?q="+url.QueryEscape("桂")).wantStatus(t, http.StatusOK)).Items {
		found = append(found, l.Kind+" "+l.Text)
	}
	if want := []string{"herb 桂枝", "species 肉桂", "formula 桂枝汤"}; len(found) < 3 || !slices.Equal(found[:3], want) {
		t.Errorf("桂: %v, want first %v", found, want)
	}
}
