package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/problem"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestHerbs searches, filters and lists herbs.
func TestHerbs(t *testing.T) {
	s := start(t, config{})
	for _, tt := range []struct{ query, want string }{
		{"", "桂枝 甘草 石膏 桂枝尖"},
		{"q=桂枝", "桂枝 桂枝尖"},
		{"q=柳桂", "桂枝"},
		{"q=炒桂枝", "桂枝"},
		{"q=guizhi", "桂枝 桂枝尖"},
		{"q=Gypsum Fibrosum", "石膏"},
		{"q=Radix Glycyrrhizae", "甘草"},
		{"q=肉桂", "桂枝"},
		{"q=Glycyrrhiza uralensis", "甘草"},
		{"kind=mineral", "石膏"},
		{"kind=植物", "桂枝 甘草"},
		{"part=root", "甘草"},
		{"species=肉桂", "桂枝"},
		{"species=Salix babylonica", ""},
		{"q=甘草&kind=mineral", ""},
		{"sort=name", "甘草 桂枝 桂枝尖 石膏"},
	} {
		values, err := url.ParseQuery(tt.query)
		must(t, err)
		r := s.get(t, "/api/v1/herbs?"+values.Encode()).wantStatus(t, http.StatusOK)
		var got []string
		for _, h := range decode[pageOf[store.HerbSummary]](t, r).Items {
			got = append(got, h.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q finds %v, want %s", tt.query, got, tt.want)
		}
	}
	csv := s.get(t, "/api/v1/herbs?pageSize=2", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	rows := strings.Split(string(csv.body), "\r\n")
	if rows[0] != "id,name,namePinyin,latinName,kind,noPlant,scientificNames,formulas,url" || !strings.Contains(rows[1], ",plant,false,Cinnamomum cassia,2,") {
		t.Errorf("CSV: %q", rows)
	}
	none := decode[store.HerbDetail](t, s.get(t, "/api/v1/herbs/"+gypsum).wantStatus(t, http.StatusOK))
	if !none.NoPlant || none.Kind != "mineral" || len(none.Species) != 0 || none.GoesWith == nil {
		t.Errorf("what is no plant: %+v", none)
	}
	lines := decode[api.Suggestions](t, s.get(t, "/api/v1/suggest?q=shigao").wantStatus(t, http.StatusOK)).Items
	if !slices.ContainsFunc(lines, func(l api.Suggestion) bool { return l.Kind == "herb" && l.GUID == gypsum && l.Text == "石膏" }) {
		t.Errorf("suggestions for shigao: %+v", lines)
	}
	lines = decode[api.Suggestions](t, s.do(t, http.MethodGet, "/api/v1/suggest?q=shigao", "open").wantStatus(t, http.StatusOK)).Items
	if slices.ContainsFunc(lines, func(l api.Suggestion) bool { return l.Kind != "species" }) {
		t.Errorf("suggestions without the scope: %+v", lines)
	}
}

// TestHerbsAgree compares the herbs of the sample with its formulas: the formulas that a herb lists
// and counts must be those that the filter herbs finds.
func TestHerbsAgree(t *testing.T) {
	s := startSample(t, siteURL)
	asked, noted := 0, 0
	for page := 1; ; page++ {
		herbs := decode[pageOf[store.HerbSummary]](t, s.get(t, fmt.Sprintf("/api/v1/herbs?pageSize=100&page=%d", page)).wantStatus(t, http.StatusOK))
		if asked += len(herbs.Items); len(herbs.Items) == 0 {
			if noted < 100 {
				t.Errorf("notes give %d formulas to herbs; more are wanted: 甘草（炙） is found by 炙甘草", noted)
			}
			if asked != int(herbs.Total) || asked < 700 {
				t.Errorf("%d herbs of %d; 700 are wanted", asked, herbs.Total)
			}
			return
		}
		for _, h := range herbs.Items {
			d := decode[store.HerbDetail](t, s.get(t, "/api/v1/herbs/"+h.GUID).wantStatus(t, http.StatusOK))
			noted += int(d.FormulasByNote)
			if h.Formulas == 0 {
				if d.FormulasByNote > 0 { // 炙甘草, which no formula of the sample writes
					byNote := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape(h.Name)).wantStatus(t, http.StatusOK))
					if byNote.Total != int(d.FormulasByNote) {
						t.Errorf("notes give %d formulas to %s, the filter finds %d", d.FormulasByNote, h.Name, byNote.Total)
					}
				}
				continue
			}
			list := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/herbs/"+h.GUID+"/formulas").wantStatus(t, http.StatusOK))
			filtered := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape(h.Name)).wantStatus(t, http.StatusOK))
			written := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?forms=written&herbs="+url.QueryEscape(h.Name)).wantStatus(t, http.StatusOK))
			if int32(list.Total) != h.Formulas || written.Total != list.Total || list.Items[0].GUID != written.Items[0].GUID || filtered.Total != list.Total+int(d.FormulasByNote) {
				t.Errorf("%s has %d formulas and %d by notes, its list %d, the filter finds %d, and %d as written", h.Name, h.Formulas, d.FormulasByNote, list.Total, filtered.Total, written.Total)
			}
			for _, other := range d.GoesWith[:min(1, len(d.GoesWith))] {
				both := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?forms=written&herbs="+url.QueryEscape(h.Name+"、"+other.Name)).wantStatus(t, http.StatusOK))
				if int32(both.Total) != other.Formulas {
					t.Errorf("%s stands with %s %d times, the filter finds %d", h.Name, other.Name, other.Formulas, both.Total)
				}
			}
			if h.NoPlant != (d.NoPlant && len(d.Species) == 0) || len(h.ScientificNames) > len(d.Species)+len(d.Absent) {
				t.Errorf("%s: the list says %+v, the detail %+v", h.Name, h, d)
			}
		}
	}
}

// TestHerbAlias finds a herb of the sample by an alias, which is another herb that was merged into
// it: by the alias's old id, by a search for its old name, and with that name as a filter.
func TestHerbAlias(t *testing.T) {
	s := startSample(t, siteURL)
	hits := decode[pageOf[store.HerbSummary]](t, s.get(t, "/api/v1/herbs?q="+url.QueryEscape("麦门冬")).wantStatus(t, http.StatusOK)).Items
	if len(hits) == 0 || hits[0].Name != "麦冬" || hits[0].AliasOf == nil || hits[0].AliasOf.Alias != "麦门冬" || hits[0].AliasOf.GUID != hits[0].GUID {
		t.Fatalf("麦门冬 finds %+v", hits)
	}
	id := "007efe44-50b0-5578-aa1c-b1589324200b" // id that 麦门冬 had when it was a record of its own
	d := decode[store.HerbDetail](t, s.get(t, "/api/v1/herbs/"+id).wantStatus(t, http.StatusOK))
	if d.GUID != hits[0].GUID || d.AliasOf == nil || d.AliasOf.Name != "麦冬" {
		t.Errorf("the id of 麦门冬 leads to %+v", d)
	}
	if again := decode[store.HerbDetail](t, s.get(t, "/api/v1/herbs/"+d.GUID).wantStatus(t, http.StatusOK)); again.AliasOf != nil {
		t.Errorf("the id of 麦冬 says that it is an alias: %+v", again.AliasOf)
	}
	one := decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape("麦门冬")).wantStatus(t, http.StatusOK))
	if one.Total != int(d.Formulas) {
		t.Errorf("the filter herbs=麦门冬 finds %d formulas, 麦冬 has %d", one.Total, d.Formulas)
	}
}

// TestHerbOfTwoMeanings uses 地精, which is among the other names of two herbs, where one herb is
// needed: as a filter and in a question about patterns. The error must name both herbs.
func TestHerbOfTwoMeanings(t *testing.T) {
	s := startSample(t, siteURL)
	name := url.QueryEscape("地精")
	for path, parameter := range map[string]string{
		"/formulas?herbs=" + name:                                         "herbs",
		"/formulas?without=" + name:                                       "without",
		"/formulas/facets?by=dynasty&herbs=" + name:                       "herbs",
		"/patterns/herbs?herbs=" + name:                                   "herbs",
		"/patterns/pairs?herb=" + name:                                    "herb",
		"/patterns/pairs?herb=" + url.QueryEscape("人参") + "&with=" + name: "with",
		"/patterns/sets?herb=" + name:                                     "herb",
	} {
		r := s.get(t, "/api/v1"+path).wantStatus(t, http.StatusBadRequest)
		want := parameter + ` names "地精", which can mean 人参, 何首乌; give the name of the herb that you mean`
		if p := decode[problem.Problem](t, r); p.Detail != want {
			t.Errorf("%s: detail is %q, want %q", path, p.Detail, want)
		}
	}
	// 银精石 is among the other names of 云母, but also the standard name of a herb that no formula has.
	r := s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape("银精石")).wantStatus(t, http.StatusBadRequest)
	if p := decode[problem.Problem](t, r); !strings.Contains(p.Detail, `"银精石", which no formula has`) {
		t.Errorf("银精石: detail is %q", p.Detail)
	}
	// 白薇 is in the composition of a formula, which does not have it as an ingredient.
	r = s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape("白薇")).wantStatus(t, http.StatusBadRequest)
	if p := decode[problem.Problem](t, r); !strings.Contains(p.Detail, `"白薇", which no formula has as an ingredient; `) || !strings.HasSuffix(p.Detail, "/api/v1/formulas?q=白薇&in=composition") {
		t.Errorf("白薇: detail is %q", p.Detail)
	}
	// The names in the error are accepted.
	s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape("人参")).wantStatus(t, http.StatusOK)
	s.get(t, "/api/v1/patterns/pairs?herb="+url.QueryEscape("何首乌")+"&minFormulas=1").wantStatus(t, http.StatusOK)
}

// TestHerbsKeepTheirNames checks that a herb whose name is also a spelling of another herb is found
// only by its own formulas, as facets count them, and that another name of a herb counts before what
// remains of it without words for processing.
func TestHerbsKeepTheirNames(t *testing.T) {
	d := records()
	add := func(formula int, written, plain string) {
		f := &d.Formulas[formula]
		f.Ingredients = append(f.Ingredients, store.Ingredient{Seq: int32(len(f.Ingredients) + 1), Herb: written, Plain: []string{plain}})
	}
	add(0, "青木香", "木香")
	add(1, "青木香", "青木香")
	add(1, "砂糖", "砂糖")
	add(2, "白糖", "白糖")
	d.Herbs = append(d.Herbs, store.Herb{
		Num: store.Num(len(d.Herbs)), GUID: "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d05", Name: "白糖", NamePinyin: "bái táng",
		Aliases: []store.HerbName{{Reading: store.Reading{Name: "白砂糖", Pinyin: "bái shā táng"}, Kind: "folk"}}, Formulas: []store.Num{2},
	})
	add(2, "云母", "云母")
	for _, h := range []store.Herb{
		{GUID: "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d06", Name: "云母", NamePinyin: "yún mǔ", Aliases: []store.HerbName{{Reading: store.Reading{Name: "银精石", Pinyin: "yín jīng shí"}, Kind: "book"}}, Formulas: []store.Num{2}},
		{GUID: "2c1e0f0e-6f0a-5d55-8a4c-1d7a2b3c4d07", Name: "银精石", NamePinyin: "yín jīng shí"},
	} {
		h.Num = store.Num(len(d.Herbs))
		d.Herbs = append(d.Herbs, h)
	}
	s := start(t, config{data: d})
	s.get(t, "/api/v1/formulas?herbs="+url.QueryEscape("银精石")).wantStatus(t, http.StatusBadRequest) // a herb that no formula has, though 云母 is also called so
	found := func(query url.Values) []store.FormulaSummary {
		t.Helper()
		return decode[pageOf[store.FormulaSummary]](t, s.get(t, "/api/v1/formulas?"+query.Encode()).wantStatus(t, http.StatusOK)).Items
	}
	for _, c := range decode[api.Facets](t, s.get(t, "/api/v1/formulas/facets?by=herbs").wantStatus(t, http.StatusOK)).Facets[0].Counts {
		if n := len(found(url.Values{"herbs": {c.Value}})); n != int(c.Count) || c.Chinese != nil {
			t.Errorf("the facet counts %d formulas with %s, with the Chinese name %v; the filter finds %d", c.Count, c.Value, c.Chinese, n)
		}
	}
	for _, q := range []url.Values{{"q": {"青木香 砂糖"}}, {"herbs": {"青木香"}}} {
		if f := found(q); len(f) != 1 || f[0].EntryID != 2 {
			t.Errorf("%v finds %+v", q, f)
		}
	}
	if f := found(url.Values{"q": {"木香 不含青木香"}}); len(f) != 1 || f[0].EntryID != 1 {
		t.Errorf("木香 不含青木香 finds %+v, want the formula with 木香, which is written 青木香 there", f)
	}
	if f := found(url.Values{"herbs": {"白砂糖"}}); len(f) != 1 || f[0].EntryID != 3 {
		t.Errorf("白砂糖 finds %+v, want the formula with 白糖", f)
	}
}

// TestHerbsInQueries names each herb of the sample's formulas, and other names of herbs, in q and in
// the filter herbs. Both must mean the same formulas, or neither may accept the name.
func TestHerbsInQueries(t *testing.T) {
	s := startSample(t, siteURL)
	type answer struct {
		Total       int
		Explanation struct {
			Recognised []api.Recognition
			Readings   []api.ReadValue
			Broader    []api.ReadValue
			WithForms  *int
			Forgiven   string
		}
	}
	ask := func(query url.Values) (a answer, ok bool) {
		t.Helper()
		query.Set("explain", "true")
		query.Set("pageSize", "1")
		r := s.get(t, "/api/v1/formulas?"+query.Encode())
		if ok = r.StatusCode == http.StatusOK; ok {
			a = decode[answer](t, r)
		}
		return a, ok
	}
	names := []string{"附子", "白附子", "炮附子", "制附子", "熟地", "北杏", "云苓", "麦门冬", "炙甘草", "地精", "桂技"}
	for _, c := range decode[api.Facets](t, s.get(t, "/api/v1/formulas/facets?by=herbs&limit=400").wantStatus(t, http.StatusOK)).Facets[0].Counts {
		if names = append(names, c.Value); c.Chinese != nil {
			t.Errorf("%s has the name %s in Chinese", c.Value, *c.Chinese)
		}
	}
	compared, withForms := 0, 0
	for _, name := range names {
		filtered, accepted := ask(url.Values{"herbs": {name + "、甘草"}})
		asked, _ := ask(url.Values{"q": {name + " 甘草"}})
		herbs := 0
		for _, r := range asked.Explanation.Recognised {
			if r.As == "herb" {
				herbs++
			}
		}
		if herbs != 2 {
			continue
		}
		if !accepted { // the search then reads a processed form as its herb, and says so
			continue
		}
		compared++
		if filtered.Total == 0 && asked.Explanation.Forgiven == "forms" { // no formula has both as written
			filtered, _ = ask(url.Values{"herbs": {name + "、甘草"}, "forms": {"together"}})
		}
		if asked.Total != filtered.Total {
			t.Errorf("q=%s 甘草 finds %d formulas, the filter %d", name, asked.Total, filtered.Total)
		}
		together, _ := ask(url.Values{"q": {name + " 甘草"}, "forms": {"together"}})
		filtered, _ = ask(url.Values{"herbs": {name + "、甘草"}, "forms": {"together"}})
		if together.Total != filtered.Total {
			t.Errorf("with forms=together, q=%s 甘草 finds %d formulas, the filter %d", name, together.Total, filtered.Total)
		}
		if n := asked.Explanation.WithForms; n != nil {
			withForms++
			if *n != together.Total || *n == asked.Total {
				t.Errorf("%s 甘草: withForms is %d, the search finds %d and %d", name, *n, asked.Total, together.Total)
			}
		} else if together.Total != asked.Total {
			t.Errorf("%s 甘草: withForms is null, the search finds %d and %d", name, asked.Total, together.Total)
		}
	}
	if compared < 100 || withForms < 5 {
		t.Errorf("only %d names of %d were compared, %d of them with processed forms", compared, len(names), withForms)
	}
	a, _ := ask(url.Values{"herbs": {"renshen、地黄"}})
	if want := []api.ReadValue{{Parameter: "herbs", Value: "renshen", Means: []string{"人参"}}}; !cmp.Equal(a.Explanation.Readings, want) {
		t.Errorf("renshen was read as %+v", a.Explanation.Readings)
	}
	if want := []api.ReadValue{{Parameter: "herbs", Value: "地黄", Means: []string{"生地黄", "鲜地黄"}}}; !cmp.Equal(a.Explanation.Broader, want) {
		t.Errorf("地黄 covers %+v", a.Explanation.Broader)
	}
}
