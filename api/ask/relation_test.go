package ask_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/ask"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/indextest"
	"bencao/internal/test/race"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
	"bencao/store"
)

// The relation of queries and filters: a text in the search box that names herbs, a book, an author,
// a dynasty or a complaint finds all formulas that the same filters find. The tests draw the parts,
// their spelling, their order and what stands between them. No list of right answers is needed, so
// nobody can tune the search to one.

var (
	seed = flag.Uint64("seed", 0, "the seed of the random queries; 0 draws one")
	show = flag.Bool("show", false, "show all queries that break the relation")
)

// parts are the texts that a query may consist of, by filter. Each has its spellings.
type parts struct {
	client *ask.Client
	herbs  []spelled
	other  map[string][]spelled // by filter: source, author, dynasty; "q" for complaints
}

// spelled is the value of a filter with the texts that mean the same.
type spelled struct {
	value string
	texts []string // the first in characters
}

// relationPage is a page of formulas, with what the relation needs.
type relationPage struct {
	Total       int
	Items       []struct{ EntryID int }
	Explanation struct {
		Named    int
		Forgiven string
		Readings []struct{ Means []string }
	}
}

// asked returns the page of formulas that the parameters select.
func (p *parts) asked(tb testing.TB, in url.Values, more ...string) relationPage {
	tb.Helper()
	page, err := p.tried(tb.Context(), in, more...)
	if err != nil {
		tb.Fatalf("%v: %v", in, err)
	}
	return page
}

func (p *parts) tried(ctx context.Context, in url.Values, more ...string) (page relationPage, err error) {
	all := url.Values{"explain": {"true"}, "pageSize": {"100"}}
	for name, values := range in {
		all[name] = values
	}
	for i := 0; i < len(more); i += 2 {
		all.Set(more[i], more[i+1])
	}
	return page, p.client.Get(ctx, "/formulas", all, &page)
}

// mostPages is the number of pages of which the relation compares the records. Of longer lists it
// compares the totals.
const mostPages = 4

// found returns the records of the first pages, and whether these are all.
func (p *parts) found(tb testing.TB, in url.Values) (entries map[int]bool, all bool) {
	tb.Helper()
	entries = map[int]bool{}
	for n := 1; n <= mostPages; n++ {
		page := p.asked(tb, in, "page", fmt.Sprint(n))
		for _, item := range page.Items {
			entries[item.EntryID] = true
		}
		if n*100 >= page.Total {
			return entries, true
		}
	}
	return entries, false
}

// sounds returns the spellings of a name in pinyin: the syllables joined, and with spaces.
func sounds(toned string) []string {
	spaced := strings.ReplaceAll(pinyin.Letters(toned), "ü", "v")
	return []string{strings.ReplaceAll(spaced, " ", ""), spaced}
}

// traditional returns a text in other characters that are folded into those of the text.
func traditional(text string) string {
	return strings.Map(func(r rune) rune {
		for _, pair := range []string{"黄黃", "参參", "当當", "归歸", "术朮", "药藥", "姜薑", "连連", "苓苓", "麦麥", "门門", "陈陳", "实實", "枣棗", "泻瀉", "车車", "独獨", "细細", "龙龍", "骨骨", "牡牡", "蛎蠣", "胶膠", "苏蘇", "叶葉", "栀梔", "子子", "论論", "伤傷", "张張", "汉漢", "汤湯", "仲仲", "圣聖", "济濟", "头頭", "热熱", "泄洩", "呕嘔", "发發", "肿腫", "风風", "丝絲", "杨楊", "孙孫", "钱錢", "许許", "严嚴"} {
			two := []rune(pair)
			if r == two[0] {
				return two[1]
			}
		}
		return r
	}, text)
}

// relationParts collects the parts that occur in a snapshot. Names in letters that mean several herbs,
// which a filter refuses, are left out.
func relationParts(tb testing.TB, client *ask.Client) *parts {
	tb.Helper()
	ctx := tb.Context()
	p := &parts{client: client, other: map[string][]spelled{}}
	model := pinyin.Train(nil)
	get := func(path string, in url.Values, answer any) {
		tb.Helper()
		if err := client.Get(ctx, path, in, answer); err != nil {
			tb.Fatalf("%s %v: %v", path, in, err)
		}
	}
	var herbs struct{ Items []store.HerbSummary }
	get("/herbs", url.Values{"sort": {"prominence"}, "pageSize": {"100"}}, &herbs)
	for _, h := range herbs.Items {
		if h.Formulas == 0 || len([]rune(h.Name)) < 2 {
			continue
		}
		one, err := p.tried(ctx, url.Values{"herbs": {h.Name}})
		if err != nil || one.Total == 0 {
			continue
		}
		s := spelled{h.Name, []string{h.Name, traditional(h.Name)}}
		for _, text := range append(sounds(string(h.NamePinyin)), vernacular.English().OfHerb(h.Name)...) {
			same, err := p.tried(ctx, url.Values{"herbs": {text}})
			if err == nil && same.Total == one.Total && !slices.Contains(s.texts, text) {
				s.texts = append(s.texts, text)
			}
		}
		p.herbs = append(p.herbs, s)
	}
	for _, by := range []string{"source", "author", "dynasty"} {
		var counted api.Facets
		get("/formulas/facets", url.Values{"by": {by}, "limit": {"60"}}, &counted)
		for _, c := range counted.Facets[0].Counts {
			name := strings.Trim(c.Value, "《》")
			s := spelled{c.Value, []string{name, traditional(name)}}
			if !han.Has(name) || len([]rune(name)) < 2 && by != "dynasty" || strings.ContainsAny(name, "、，· 《") {
				continue
			}
			switch by {
			case "source":
				s.texts = append(s.texts, "《"+name+"》")
				if len([]rune(name)) > 2 {
					s.texts = append(s.texts, sounds(model.Read(name))...)
				}
			case "author":
				runes := []rune(name)
				s.texts = append(s.texts, sounds(model.Read(string(runes[:1])))[0]+" "+sounds(model.Read(string(runes[1:])))[0])
			case "dynasty":
				s.texts = append(s.texts, name+"代", name+"朝")
				for english, chinese := range map[string]string{"Song": "宋", "Northern Song": "北宋", "Southern Song": "南宋", "Ming": "明", "Qing": "清", "Yuan": "元", "Tang": "唐", "Eastern Han": "东汉", "Jurchen Jin": "金", "Eastern Jin": "东晋"} {
					if chinese == name {
						s.texts = append(s.texts, english+" dynasty", english+" Dynasty")
						if strings.Contains(english, " ") {
							s.texts = append(s.texts, english)
						}
					}
				}
			}
			p.other[by] = append(p.other[by], s)
		}
	}
	for _, year := range []string{"219", "652", "1078", "1117", "1174", "1253", "1584"} {
		p.other["fromYear"] = append(p.other["fromYear"], spelled{year, []string{"公元" + year + "年", year + "年", "AD " + year}})
	}
	for _, name := range []string{"咳嗽", "头痛", "泄泻", "失眠", "腹泻", "呕吐", "水肿", "发热", "痢疾", "黄疸", "眩晕", "心悸", "便秘", "腹痛", "感冒", "中风", "痰", "遗精", "崩漏", "霍乱"} {
		p.other["q"] = append(p.other["q"], spelled{name, []string{name, traditional(name)}})
	}
	for _, english := range []string{"cough", "headache", "diarrhea", "insomnia", "vomiting", "edema", "dysentery", "dizziness", "constipation", "abdominal pain"} {
		p.other["q"] = append(p.other["q"], spelled{complaint.Chinese(english)[0], []string{english}})
	}
	for _, list := range p.other {
		slices.SortFunc(list, func(a, b spelled) int { return strings.Compare(a.value, b.value) })
	}
	return p
}

// relationQuery is a text for the search box, with the filters that say the same.
type relationQuery struct {
	text    string
	kinds   string // what it consists of, for the report
	filters url.Values
}

// draw returns a random query.
func (p *parts) draw(r *rand.Rand) relationQuery {
	one := func(list []spelled) spelled { return list[r.IntN(len(list))] }
	text := func(s spelled) string { return s.texts[r.IntN(len(s.texts))] }
	q := relationQuery{filters: url.Values{}}
	type piece struct {
		text  string
		herb  bool
		last  bool // must be at the end, as it holds for the list behind it
		kinds string
	}
	var pieces []piece
	herbs := []string{}
	for range r.IntN(4) {
		h := one(p.herbs)
		if slices.Contains(herbs, h.value) {
			continue
		}
		herbs = append(herbs, h.value)
		written, kind := text(h), "herb"
		if !han.Has(written) {
			kind = "herbInLetters"
		}
		switch r.IntN(8) {
		case 0:
			written, kind = written+[]string{"10g", " 10 g", "9克", "三钱", " 15g", " 三錢"}[r.IntN(6)], kind+"Dose"
		case 1:
			written, kind = written+[]string{" 10", "10", " 9"}[r.IntN(3)], kind+"Number"
		case 2:
			written, kind = written+[]string{"（炙）", "(去皮)", "（三两，切）"}[r.IntN(3)], kind+"Note"
		}
		pieces = append(pieces, piece{written, true, false, kind})
	}
	if len(herbs) > 0 {
		q.filters.Set("herbs", strings.Join(herbs, "、"))
	}
	if len(herbs) > 0 && r.IntN(4) == 0 {
		if h := one(p.herbs); !slices.Contains(herbs, h.value) {
			q.filters.Set("without", h.value)
			if written := text(h); han.Has(written) {
				pieces = append(pieces, piece{[]string{"不含", "不含 ", "无", "没有", "不要", "不加"}[r.IntN(6)] + written, true, true, "without"})
			} else {
				pieces = append(pieces, piece{[]string{"without ", "not ", "no ", "but not ", "but no "}[r.IntN(5)] + written, true, true, "withoutInLetters"})
			}
		}
	}
	for _, by := range []string{"source", "author", "dynasty", "q", "fromYear"} {
		if r.IntN(4) > 0 || len(p.other[by]) == 0 {
			continue
		}
		s := one(p.other[by])
		q.filters.Set(by, s.value)
		written, kind := text(s), by
		switch by {
		case "q":
			q.filters.Set("in", "indications")
		case "fromYear":
			q.filters.Set("toYear", s.value)
		}
		if !han.Has(written) {
			kind += "InLetters"
		}
		pieces = append(pieces, piece{written, false, false, kind})
	}
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	slices.SortStableFunc(pieces, func(a, b piece) int {
		switch {
		case a.last == b.last:
			return 0
		case a.last:
			return 1
		}
		return -1
	})
	separators := []string{" ", " ", "、", "，", ", ", "；", ";", "+", "/", " 和 ", " and ", " with ", "\t", "\n", "，\n"}
	if !slices.ContainsFunc(pieces, func(p piece) bool { return strings.ContainsFunc(p.text, func(r rune) bool { return r < 0x2E80 }) }) {
		separators = append(separators, "", "", "和")
	}
	between := separators[r.IntN(len(separators))]
	kinds := []string{}
	for i, piece := range pieces {
		if i > 0 {
			if piece.last && (strings.TrimSpace(between) == "with" || strings.TrimSpace(between) == "and" || strings.Contains(between, "和")) {
				q.text += " "
			} else {
				q.text += between
			}
		}
		q.text += piece.text
		kinds = append(kinds, piece.kinds)
	}
	slices.Sort(kinds)
	if len(herbs) > 1 && r.IntN(6) == 0 && !slices.ContainsFunc(pieces, func(p piece) bool { return p.last }) {
		q.text += []string{" 水煎服", "，水煎服，日一剂", "；七剂，早晚分服", "\n水煎，分两次温服", " ×7剂", " 7剂", "。每日1剂"}[r.IntN(7)]
		kinds = append(kinds, "instruction")
	}
	if len(herbs) > 1 && r.IntN(10) == 0 {
		q.text = []string{"处方：", "1. ", "(1) ", "一、"}[r.IntN(4)] + q.text
		kinds = append(kinds, "label")
	}
	q.kinds = strings.Join(slices.Compact(kinds), "+")
	if len(pieces) < 2 { // one alone may be a name
		q.text = ""
	}
	return q
}

// holds reports whether a query finds all that its filters find, with the reason if it does not. none
// is true if the filters find nothing.
func (p *parts) holds(tb testing.TB, q relationQuery) (ok, none bool, why string) {
	tb.Helper()
	ctx := tb.Context()
	want, err := p.tried(ctx, q.filters)
	if err != nil {
		tb.Fatalf("%v: %v", q.filters, err)
	}
	if want.Total == 0 {
		return true, true, ""
	}
	filters := q.filters
	got, err := p.tried(ctx, url.Values{"q": {q.text}})
	switch {
	case err != nil:
		return false, false, err.Error()
	case got.Explanation.Forgiven == "forms": // no formula has the drugs as written
		filters = url.Values{"forms": {"together"}}
		for name, values := range q.filters {
			filters[name] = values
		}
		want = p.asked(tb, filters)
	}
	if got.Total != want.Total+got.Explanation.Named {
		return false, false, fmt.Sprintf("finds %d, of these %d by name, and the filters find %d", got.Total, got.Explanation.Named, want.Total)
	}
	found, all := p.found(tb, url.Values{"q": {q.text}})
	wanted, _ := p.found(tb, filters)
	if all {
		for entry := range wanted {
			if !found[entry] {
				return false, false, fmt.Sprintf("formula %d is missing", entry)
			}
		}
	}
	return true, false, ""
}

// relate draws queries until the filters of so many have found something, and fails if the relation
// holds for less than the share least of them.
func relate(t *testing.T, p *parts, queries int, least float64) {
	t.Helper()
	n := *seed
	if n == 0 {
		n = uint64(time.Now().UnixNano())
	}
	r := rand.New(rand.NewPCG(n, n))
	held, asked := 0, 0
	var broken []string
	for drawn := 0; asked < queries && drawn < 100*queries; drawn++ {
		q := p.draw(r)
		if q.text == "" {
			continue
		}
		ok, none, why := p.holds(t, q)
		if none {
			continue
		}
		asked++
		if ok {
			held++
		} else {
			broken = append(broken, fmt.Sprintf("%-40q %s: %s; %v", q.text, q.kinds, why, q.filters))
		}
	}
	t.Logf("seed %d: the relation holds for %d of %d queries", n, held, asked)
	if asked == 0 || float64(held) < least*float64(asked) || *show {
		slices.Sort(broken)
		if !*show {
			broken = broken[:min(20, len(broken))]
		}
		for _, line := range broken {
			t.Log(line)
		}
	}
	if asked < queries/2 || float64(held) < least*float64(asked) {
		t.Errorf("the relation holds for %d of %d queries with the seed %d; want %.0f %%", held, asked, n, 100*least)
	}
}

// leastRelated is the share of queries for which the relation must hold.
const leastRelated = 0.98

var sample, full indextest.Shared

// fullSnapshot returns the folder of a snapshot of the full-size data.
func fullSnapshot(t *testing.T) string {
	t.Helper()
	if race.On || testing.Short() {
		t.Skip("NOT TESTED: the full package takes too long under -race and -short")
	}
	return full.Of(t, fullsize.Path(t, "data/china-plants.zip"))
}

// TestRelation draws queries from the sample.
func TestRelation(t *testing.T) {
	relate(t, relationParts(t, here(t, sample.Dir(t))), 200, leastRelated)
}

// TestRelationFull draws queries from the full-size data.
func TestRelationFull(t *testing.T) {
	relate(t, relationParts(t, here(t, fullSnapshot(t))), 660, leastRelated)
}

// here returns a client of a snapshot in this process that may see everything.
func here(t *testing.T, dir string) *ask.Client {
	t.Helper()
	c := ask.Here(func(parts snapshotfiles.Part) (*api.Backend, error) {
		return api.OpenBackend(dir, api.Meta{ID: "test", SiteURL: "https://plants.example", Parts: parts})
	}, access.Prescriptions|access.PrescriptionComposition|access.SpeciesPrescriptions, slog.New(slog.DiscardHandler), "test")
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}
