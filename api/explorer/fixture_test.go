package explorer_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer"
	"bencao/internal/test/indextest"
	"bencao/internal/test/snapshottest"
	"bencao/internal/test/testkit"
	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// must ends the test if there is an error.
var must = testkit.Must

const (
	ginseng     = "af3292fc-12d3-59b2-83b2-9deda4bc842a"
	ginsengHerb = "f313ccd0-db2b-573f-885b-649a75cc6419"
	mergedHerb  = "b3b1f0a2-8c5c-5f0e-9d5f-2f0a5b1f7a11" // 国老, which is 甘草
	guizhiTang  = "7c0dea0f-00af-56ad-9a48-171a85941d9e"
	allScopes   = access.Scopes(1<<5 - 1)
)

// Texts that occur in the data only once. Each is in a field that needs a scope.
const (
	secretUse  = "用途之密"
	secretHerb = "药味之密"
	// secretWritten is in the record of a herb.
	secretWritten = "写法之密"
	secretCode    = "CODE-OF-A-FORMULA"
)

func ptr[T any](v T) *T { return &v }

// records returns two species, three herbs, five formulas, three of them with the same name, and
// papers. One paper has an id with a slash and a title that a spreadsheet would execute.
func records() *store.Data {
	species := []store.Species{
		{
			SpeciesDetail: store.SpeciesDetail{
				GUID: ginseng, EntryID: 1, ChineseName: "人参", ChineseNamePinyin: "rén shēn", ScientificName: "Panax ginseng", Author: "C.A.Mey.", Rank: "species",
				Family: "Araliaceae", FamilyChinese: "五加科", Genus: "Panax", GenusChinese: "人参属",
				NameMatch: &store.NameMatchInfo{MatchSource: "WCVP", MatchType: "exact", Score: ptr(1.0), AcceptedName: "Panax ginseng", AcceptedAuthor: "C.A.Mey.", AcceptedFamily: "Araliaceae",
					TaxonStatus: "accepted", WCVPID: "146697", IPNIID: "91472-1", WFOID: "wfo-0000263606", ChineseNameColChina: "人参", ChecklistVersion: "World Checklist of Vascular Plants v13"},
			},
			Synonyms: []store.Synonym{{ID: 1, Name: "Aralia ginseng", Author: "(C.A.Mey.) Baill."}},
			Flora:    []store.FloraTreatment{{ID: 1, Flora: "FRPS", NameInFlora: "Panax ginseng C. A. Mey.", ChineseNameInFlora: "人参", Volume: "54", Page: "180", URL: "https://flora.example/54"}},
			Uses:     []store.PlantUse{{ID: 1, Collection: "folk", Category: "medicine", Part: "root", Description: secretUse}, {ID: 2, Collection: "folk", Category: "fodder", Part: "Young branch, for dogs"}},
			Papers:   []store.Num{1, 2}, Formulas: []store.Num{0, 1, 2},
		},
		{SpeciesDetail: store.SpeciesDetail{GUID: "5f1d0f0e-6f0a-5d55-8a4c-1d7a2b3c4d07", EntryID: 2, ScientificName: "Salix babylonica", Family: "Salicaceae"}, Papers: []store.Num{0, 2}},
	}
	herbs := []store.Ingredient{{Seq: 1, Herb: "人参", Plain: []string{"人参"}, Dose: "三两", Species: []store.Num{0}, Herbs: []store.Num{0}}, {Seq: 2, Herb: "炙甘草", Plain: []string{"甘草"}, Dose: "二两", Note: secretHerb, Herbs: []store.Num{1}}, {Seq: 3, Herb: "大枣", Dose: "十二枚", Note: "擘，十二枚"}}
	formulas := []store.Formula{
		{
			FormulaDetail: store.FormulaDetail{
				GUID: guizhiTang, EntryID: 1, Name: "桂枝汤", NamePinyin: "guì zhī tāng", Composition: "人参三两 甘草二两", Indications: "太阳中风", Preparation: "以水七升，煮取三升（去滓）", Dynasty: "东汉", Year: ptr(int32(219)), OriginalSource: "伤寒论", OriginalAuthor: "张仲景", Codes: []store.FormulaCode{{System: "local", Code: secretCode}},
			},
			Ingredients: herbs, Species: []store.Num{0},
			SimilarJaccard: []store.Similar{{Formula: 1, Value: .75}, {Formula: 2, Value: .5}}, SimilarEuclidean: []store.Similar{{Formula: 1, Value: .2}},
		},
		{
			FormulaDetail: store.FormulaDetail{
				GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02", EntryID: 2, Name: "桂枝汤", NamePinyin: "guì zhī tāng", Dynasty: "唐", Year: ptr(int32(652)), OriginalSource: "备急千金要方",
			},
			Ingredients: []store.Ingredient{{Seq: 1, Herb: "人参", Plain: []string{"人参"}, Dose: "一两", Species: []store.Num{0}, Herbs: []store.Num{0}}, {Seq: 2, Herb: "甘草", Plain: []string{"甘草"}, Herbs: []store.Num{1}}, {Seq: 3, Herb: "黄芪", Dose: "半两"}, {Seq: 4, Herb: "日不解而烦石膏", Plain: []string{"石膏"}, Herbs: []store.Num{2}}}, Species: []store.Num{0},
		},
		{FormulaDetail: store.FormulaDetail{GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d03", EntryID: 3, Name: "独参汤", NamePinyin: "dú shēn tāng", Indications: "骨蒸", Dynasty: "元", OriginalSource: "十药神书"}, Ingredients: []store.Ingredient{{Seq: 1, Herb: "人参", Plain: []string{"人参"}, Herbs: []store.Num{0}}}, Species: []store.Num{0}},
		{
			FormulaDetail: store.FormulaDetail{
				GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d04", EntryID: 4, Name: "桂枝汤", NamePinyin: "guì zhī tāng", Dynasty: "唐", OriginalSource: "千金翼方", Unlisted: []string{"附子", "麻黄"},
			},
			Ingredients: []store.Ingredient{{Seq: 1, Herb: "桂枝", Dose: "三两"}, {Seq: 2, Herb: "芍药"}, {Seq: 3, Herb: "故峻补其卫气"}, {Seq: 4, Herb: "充皮肤"}, {Seq: 5, Herb: "石三棱"}, {Seq: 6, Herb: "上气奄然而极", Dose: "一两"}},
		},
		{FormulaDetail: store.FormulaDetail{GUID: "9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d05", EntryID: 5, Name: "四逆散", NamePinyin: "sì nì sǎn", Dynasty: "清", OriginalSource: "医方集解"}, Ingredients: []store.Ingredient{{Seq: 1, Herb: "阳邪传里"}}},
	}
	araliaceae, salicaceae, panax := store.Taxon{Name: "Araliaceae", Chinese: "五加科"}, store.Taxon{Name: "Salicaceae", Chinese: "杨柳科"}, []store.Taxon{{Name: "Panax", Chinese: "人参属"}}
	papers := []store.Paper{
		{PaperSummary: store.PaperSummary{ID: "p3", DOI: "10.1234/jama.1"}, Species: []store.Num{1}, Families: []store.Taxon{salicaceae}},
		{PaperSummary: store.PaperSummary{ID: "doi:10.1038/nature.2013.1", Title: "Ginsenosides of Panax ginseng", Authors: "Li, M.; Wang, L.", Source: "Phytochemistry", Year: "2013", DOI: "10.1038/nature.2013.1", PubMedID: "23000001"}, Species: []store.Num{0}, Families: []store.Taxon{araliaceae}, Genera: panax},
		{PaperSummary: store.PaperSummary{ID: "p2", Title: "=HYPERLINK(\"https://evil.example\")", Source: "Phytochemistry 57(3): 1–12", Year: "2001"}, Species: []store.Num{0, 1}, Families: []store.Taxon{araliaceae, salicaceae}, Genera: panax},
	}
	plants := []store.Herb{
		{GUID: ginsengHerb, Name: "人参", NamePinyin: "rén shēn", Latin: []string{"Ginseng Radix et Rhizoma"}, Aliases: []store.HerbName{{Reading: store.Reading{Name: "神草", Pinyin: "shén cǎo"}, Kind: "book", Source: "名医别录", Edition: "陶弘景，约500"}}, Parts: []string{"root"}, Kind: "plant",
			Species: []store.HerbSource{{Species: 0, ChineseName: "人参", ScientificName: "Panax ginseng", Part: "root", ToYear: ptr(int32(1900)), Evidence: []store.HerbEvidence{{By: "table", Source: "神农本草经"}}}}, Formulas: []store.Num{0, 1, 2},
			Others: []store.HerbSource{{Species: 1, ChineseName: "垂柳", ScientificName: "Salix babylonica", Evidence: []store.HerbEvidence{{By: "pharmacopoeia", Source: "中国药典", Edition: "国家药典委员会，2020"}}}},
			Apart:  []store.HerbApart{{Herb: 2, Source: "中国药典"}}, LeftYear: 2005, LeftBy: "《中国药典》2005年版起不再收载", InText: 7,
			Absent:  []store.HerbAbsent{{ScientificName: "Panax japonicus", Evidence: []store.HerbEvidence{{By: "pharmacopoeia", Source: "中国药典", Edition: "国家药典委员会，2015"}}}},
			Meant:   []store.HerbMeant{{Herb: 1, ToYear: ptr(int32(1116)), Source: "本草纲目"}},
			Doses:   []store.HerbDose{{Dynasty: "唐", Doses: 3, Quarter: 13.8, Median: 27.6, Quarter3: 41.4}},
			Written: []store.HerbWritten{{Herb: secretWritten, Formulas: 3}}, With: []store.HerbTogether{{Herb: 1, Formulas: 2}}},
		{GUID: "6c259b2c-f365-59f7-a694-c86e85eb9beb", Name: "甘草", NamePinyin: "gān cǎo", Forms: []string{"炙甘草"}, Kind: "plant", Merged: []store.MergedHerb{{GUID: mergedHerb, Name: "国老"}}, VariantOf: []store.HerbVariant{{Herb: 0, How: "part"}}, Formulas: []store.Num{0, 1}},
		{GUID: "6c259b2c-f365-59f7-a694-c86e85eb9bec", Name: "石膏", Kind: "mineral", NoPlant: true},
	}
	for i := range plants {
		plants[i].Num = store.Num(i)
	}
	for i := range species {
		species[i].Num = store.Num(i)
	}
	for i := range formulas {
		formulas[i].Num = store.Num(i)
	}
	for i := range papers {
		papers[i].Num = store.Num(i)
	}
	return &store.Data{Species: species, Formulas: formulas, Papers: papers, Herbs: plants, Stats: store.SiteStats{PlantTaxa: 2, Formulas: 5, Papers: 2, ComputedAt: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC)}}
}

// usual is the snapshot of records, shared by all tests.
var usual = snapshottest.Shared{Data: records, WCVP: []names.Usage{
	{ID: "10182837", Name: "Panax", Author: "L.", Rank: "genus", Status: names.Accepted, Family: "Araliaceae"},
	{ID: "146697", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted, Family: "Araliaceae", IPNIID: "91472-1"},
}}

// sample is the snapshot of the sample, shared by all tests.
var sample indextest.Shared

func TestMain(m *testing.M) { usual.Run(m, sample.Remove) }

// site is a server with pages.
type site struct {
	*httptest.Server
	key string // a key with all scopes
}

// config configures a site. The zero value shows everything.
type config struct {
	scopes  access.Scopes
	limited bool // the pages show only the data of scopes
	rate    int
	network string // networks of the clients, separated by spaces
	pages   api.Pages
	as      string
	dir     string // folder of the snapshot
	contact string
	proxy   bool // the server trusts this machine as a proxy
	earlier bool // the same snapshot is pinned as an earlier version
}

func start(tb testing.TB, c config) *site {
	tb.Helper()
	s := &site{}
	// The snapshot contains the server's address, so the server must listen before the snapshot is
	// built.
	var server *api.Server
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { server.ServeHTTP(w, r) }))
	tb.Cleanup(s.Close)
	server, s.key = newServer(tb, c, s.URL)
	return s
}

// newServer returns a server with pages for a site, and a key with all scopes.
func newServer(tb testing.TB, c config, site string) (server *api.Server, key string) {
	tb.Helper()
	if !c.limited {
		c.scopes = allScopes
	}
	if c.rate == 0 {
		c.rate = access.MaxRate
	}
	if c.network == "" {
		c.network = "127.0.0.0/8"
	}
	if c.pages == nil {
		c.pages, c.as = explorer.New(explorer.Options{}), "explorer"
	}
	var changes map[string]api.Changes
	if c.dir == "" {
		c.dir = usual.Dir(tb)
		changes = map[string]api.Changes{"species": {Before: 1, Added: 1, AddedFirst: []string{ginseng}}, "formulas": {Before: 2, Changed: 1, ChangedFirst: []string{guizhiTang}}, "papers": {Before: 1, Added: 1, AddedFirst: []string{"doi:10.1038/nature.2013.1"}}, "herbs": {Before: 0, Added: 3}}
	}
	path := filepath.Join(tb.TempDir(), "access.toml")
	var networks []netip.Prefix
	for network := range strings.FieldsSeq(c.network) {
		networks = append(networks, netip.MustParsePrefix(network))
	}
	if _, err := access.Create(path, access.Entry{ID: "explorer", Networks: networks, Scopes: c.scopes, Rate: c.rate}); err != nil {
		tb.Fatal(err)
	}
	secret, err := access.Create(path, access.Entry{ID: "all", Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Scopes: allScopes, Rate: access.MaxRate})
	must(tb, err)
	keys, err := access.OpenFile(path, access.FileOptions{})
	must(tb, err)
	var proxies []netip.Prefix
	if c.proxy {
		proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	gate := access.NewGate(keys.Table, access.NewClients(proxies), access.GateOptions{})
	backend, err := api.OpenBackend(c.dir, api.Meta{ID: "20261120T021500Z-000001", Built: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC), SiteURL: site, Dataset: []byte(`{"@context": "https://schema.org", "@type": "Dataset", "name": "Plants"}`),
		Sources: []snapshot.Source{{Kind: "WCVP", Name: "World Checklist", Version: "v13"}},
		Changes: changes})
	must(tb, err)
	live := snapshot.NewLive(backend, func(b *api.Backend) {
		if err := b.Close(); err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() {
		if err := live.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	opt := api.Options{Log: slog.New(slog.DiscardHandler), Pages: c.pages, PagesKey: c.as, Contact: c.contact}
	if c.earlier {
		live.Keep(1)
		opt.Earlier = pinned{c.dir, site}
	}
	if server, err = api.New(live, gate, opt); err != nil {
		tb.Fatal(err)
	}
	return server, secret.Reveal()
}

// pinnedVersion is the id of the earlier version of a site.
const pinnedVersion = "20260601T021500Z-000001"

// pinned has one earlier version, which is the snapshot in dir.
type pinned struct{ dir, site string }

func (p pinned) IDs() []string { return []string{pinnedVersion} }

func (p pinned) Open(context.Context, string) (*api.Backend, error) {
	return api.OpenBackend(p.dir, api.Meta{ID: pinnedVersion, Built: time.Date(2026, 6, 1, 2, 15, 0, 0, time.UTC), SiteURL: p.site})
}

// answer is a complete response.
type answer struct {
	status int
	header http.Header
	body   string
}

// get sends a request as an English browser does, with additional headers, given as alternating
// names and values.
func (s *site) get(tb testing.TB, path string, headers ...string) answer {
	tb.Helper()
	r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
	must(tb, err)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	r.Header.Set("Accept-Language", "en")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.do(tb, r)
}

// answerOf decodes the answer of the API at a path below /api/v1/.
func answerOf[T any](t *testing.T, s *site, path string) (out T) {
	t.Helper()
	a := s.get(t, "/api/v1/"+path, "X-Api-Key", s.key, "Accept", "application/json")
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %d %v %.300s", path, a.status, err, a.body)
	}
	return out
}

// total returns the number of records that the API finds. params are alternating names and values.
func (s *site) total(t *testing.T, kind string, params ...string) int {
	t.Helper()
	q := url.Values{}
	for i := 0; i < len(params); i += 2 {
		q.Set(params[i], params[i+1])
	}
	return answerOf[fromAPI](t, s, kind+"?"+q.Encode()).Total
}

func (s *site) do(tb testing.TB, r *http.Request) answer {
	tb.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	must(tb, err)
	defer func() {
		if err := resp.Body.Close(); err != nil {
			tb.Error(err)
		}
	}()
	body, err := io.ReadAll(resp.Body)
	must(tb, err)
	return answer{resp.StatusCode, resp.Header, string(body)}
}

// page requests a page and checks that it contains all of the texts.
func (s *site) page(tb testing.TB, path string, texts ...string) answer {
	tb.Helper()
	a := s.get(tb, path)
	if a.status != http.StatusOK {
		tb.Fatalf("GET %s: %d %.300s", path, a.status, a.body)
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			tb.Errorf("GET %s lacks %q", path, text)
		}
	}
	return a
}
