package explorer_test

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
	"bencao/mappings/patterns"
	"bencao/store"
)

// mostRecords is the number of records of each kind whose pages TestNumbersInText reads.
const mostRecords = 12

// TestNumbersInText checks the numbers in the running text of pages: each is that of the API's answer
// to the question that the text is about.
func TestNumbersInText(t *testing.T) {
	s := sampleSite(t)
	numbers, known := 0, map[string]int{}
	// page reads a page that must have the texts, and in it the numbers beside links to searches.
	page := func(path string, texts ...string) (body string) {
		t.Helper()
		body = s.page(t, path, texts...).body
		numbers += len(texts) + s.checkNumbers(t, path, body, known)
		return body
	}
	say, n := texts.Of("en").Say, typeset.Thousands
	records := func(kind string, more ...string) []string {
		query := url.Values{"sort": {"prominence"}}
		for i := 0; i < len(more); i += 2 {
			query.Set(more[i], more[i+1])
		}
		return s.inAPI(t, kind, query)[:mostRecords]
	}

	for _, id := range records("species") {
		d := answerOf[store.SpeciesDetail](t, s, "species/"+id)
		formulas, papers, uses := s.total(t, "formulas", "species", id), s.total(t, "papers", "species", id), len(answerOf[[]struct{}](t, s, "species/"+id+"/uses"))
		synonyms := len(d.Synonyms)
		for _, c := range answerOf[store.SpeciesNames](t, s, "species/"+id+"/names").Checklists {
			here := 0
			for _, g := range c.Synonyms {
				here += len(g.Names)
			}
			synonyms = max(synonyms, here)
		}
		page("/species/"+id, `Synonyms <small>`+n(synonyms)+"<", "Formulas that use it <small>"+n(formulas)+"<", say("herb.all", n(formulas)), say("search.shown", 1, min(20, formulas), n(formulas)), `Papers <small>`+n(papers)+"<", `Recorded uses <small>`+n(uses)+"<")
	}
	for _, id := range records("herbs") {
		d := answerOf[store.HerbDetail](t, s, "herbs/"+id)
		formulas := s.total(t, "formulas", "herbs", d.Name)
		body := page("/herbs/"+id, say("herb.all", n(formulas)), "<small>"+say("herb.of", n(formulas)), "<small>"+say("herb.species", len(d.Species)))
		for _, m := range regexp.MustCompile(`<a href="/herbs/[^"]*"><span lang="zh-Hans">([^<]*)</span></a> <span class="num mut">([^<]*)<`).FindAllStringSubmatch(body, -1) {
			if numbers++; m[2] != "0" && m[2] != n(s.total(t, "formulas", "herbs", m[1])) {
				t.Errorf("%s says that %s formulas have %s, the API finds another number", d.Name, m[2], m[1])
			}
		}
		all := s.total(t, "formulas")
		_, with, _ := strings.Cut(body, `<section id="with">`)
		for i, m := range regexp.MustCompile(`<td class="num">([^<]*) %</td><td class="num sub">×([^<]*)</td>`).FindAllStringSubmatch(with, -1) {
			other := d.GoesWith[i].Name
			share := float64(s.total(t, "formulas", "herbs", d.Name+"、"+other)) / float64(formulas)
			times := share / (float64(s.total(t, "formulas", "herbs", other)) / float64(all))
			digits := 0
			if share < .0995 {
				digits = 1
			}
			if numbers += 2; m[1] != strconv.FormatFloat(100*share, 'f', digits, 64) || m[2] != strconv.FormatFloat(times, 'f', 1, 64) {
				t.Errorf("%s with %s: the page says %s %% and ×%s, by the API it is %.3f and ×%.2f", d.Name, other, m[1], m[2], 100*share, times)
			}
		}
	}
	for _, id := range records("formulas", "distinct", "name") {
		d := answerOf[store.FormulaDetail](t, s, "formulas/"+id)
		var herbs []string
		for _, in := range d.Ingredients {
			for _, h := range in.Species {
				herbs = append(herbs, h.GUID)
			}
		}
		slices.Sort(herbs)
		descent := answerOf[api.Descent](t, s, "formulas/"+id+"/descent")
		wants := []string{"<small>" + say("formula.counts", len(d.Ingredients), len(slices.Compact(herbs))), "<small>" + say("search.books", s.total(t, "formulas", "name", string(d.Name))) + " · "}
		if len(descent.Descendants) > 0 {
			wants = append(wants, "<small>"+say("descent.to", len(descent.Descendants)))
		}
		page("/formulas/"+id, wants...)
	}

	stats := answerOf[store.SiteStats](t, s, "stats")
	years := answerOf[api.Facets](t, s, "formulas/facets?by=year").Facets[0].Values
	var counters []string
	for text, count := range map[string]int32{"count.species": stats.PlantTaxa, "count.formulas": stats.Formulas, "count.papers": stats.Papers, "count.synonyms": stats.Synonyms, "count.uses": stats.UseRecords, "count.floras": stats.FloraTreatments} {
		counters = append(counters, say(text)+"</a></dt><dd>"+n(count), say(text)+"</dt><dd>"+n(count))
	}
	for _, path := range []string{"/", "/stats"} {
		body := page(path, say("start.timesNote", years))
		for i := 0; i < len(counters); i += 2 {
			if numbers++; !strings.Contains(body, counters[i]) && !strings.Contains(body, counters[i+1]) {
				t.Errorf("%s lacks %s", path, counters[i+1])
			}
		}
	}
	body := page("/stats", say("known.chinese"), n(stats.SpeciesWithChineseName), n(stats.ReconciledChineseNamed))
	for _, f := range answerOf[api.Facets](t, s, "formulas/facets?by=source,dynasty").Facets {
		if got := strings.Count(body, `kind=formulas&amp;`+f.By+"=") + strings.Count(body, "?"+f.By+"="); got != int(f.Values) {
			t.Errorf("/stats has %d values of %s, the API %d", got, f.By, f.Values)
		}
	}

	for _, query := range []string{"", "dynasty=唐", "indication=头痛", "herbs=人参"} {
		p := answerOf[struct{ Population patterns.Population }](t, s, "patterns/herbs?"+strings.Replace(query, "indication=", "in=indications&q=", 1))
		page("/patterns?"+query, say("patterns.size", n(p.Population.Formulas), n(p.Population.Distinct)), say("patterns.nowEach", n(p.Population.Formulas)))
	}
	page("/patterns?herb=甘草&with=大枣", "this pair has p &lt; 0.0001")
	for text, query := range map[string]string{"半夏 茯苓": "", "人参": "", "汤": "&dynasty=宋", "桂枝汤": "", "guizhi": ""} {
		asked := url.Values{"q": {text}, "distinct": {"name"}}
		if query != "" {
			asked.Set("dynasty", "宋")
		}
		names := s.listed(t, "formulas", asked).Total
		asked.Del("distinct")
		all := s.listed(t, "formulas", asked).Total
		body := page("/search?kind=formulas&q="+url.QueryEscape(text)+query, say("search.names", 1, min(20, names), n(names), n(all)))
		for _, m := range regexp.MustCompile(`<span class="zi">(.*?)</span><span class="when">.*?<span class="n">([\d,]+) formula`).FindAllStringSubmatch(body, -1) {
			asked.Set("name", tags.ReplaceAllString(m[1], ""))
			if numbers++; m[2] != n(s.listed(t, "formulas", asked).Total) {
				t.Errorf("the search for %s has %s formulas called %s, the API finds another number", text, m[2], asked.Get("name"))
			}
		}
	}
	t.Logf("%d numbers", numbers)
	if numbers < 800 {
		t.Errorf("only %d numbers were compared", numbers)
	}
}
