package reconcile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/ask"
	"bencao/api/reconcile"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/indextest"
	"bencao/internal/test/testkit"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
	"bencao/store/snapshot"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// must ends the test if there is an error.
var must = testkit.Must

const ginseng = "af3292fc-12d3-59b2-83b2-9deda4bc842a"

// schemas returns a function that compiles a JSON Schema of the specification by its name.
func schemas(t *testing.T) func(name string) *jsonschema.Schema {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "specification", "*.json"))
	if err != nil || len(files) != 10 {
		t.Fatalf("%d schemas, %v; want 10", len(files), err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	ids := map[string]string{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		must(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		must(t, err)
		schema := doc.(map[string]any)
		delete(schema, "$schema") // its value "whichever is newest" is not the name of a draft of JSON Schema
		if fields, ok := schema["properties"].(map[string]any); ok {
			delete(fields, "authentication") // it refers to a schema on another site, and this service has no authentication
		}
		id := schema["$id"].(string)
		must(t, c.AddResource(id, schema))
		ids[strings.TrimSuffix(filepath.Base(file), ".json")] = id
	}
	return func(name string) *jsonschema.Schema {
		s, err := c.Compile(ids[name])
		must(t, err)
		return s
	}
}

// start runs a service on the sample until the test ends.
func start(t *testing.T) *httptest.Server {
	t.Helper()
	n, err := indextest.WithChecklists(t.Context(), t.TempDir())
	must(t, err)
	return serve(t, source(t, n.Dir, false))
}

// source returns a source that asks the API about the snapshot in dir.
func source(t *testing.T, dir string, public bool) reconcile.Source {
	t.Helper()
	c := ask.Here(func(parts snapshotfiles.Part) (*api.Backend, error) {
		return api.OpenBackend(dir, api.Meta{ID: "test", SiteURL: "https://plants.example", Public: public, Parts: parts})
	}, access.Open, slog.New(slog.DiscardHandler), "test")
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return reconcile.Asking(c)
}

func serve(t *testing.T, source reconcile.Source) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = reconcile.New(source, reconcile.Options{
		Base: "http://" + s.Listener.Addr().String(), Site: "https://plants.example", Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// request sends form in a POST request, or sends a GET request if form is nil. It returns the status
// and the body.
func request(t *testing.T, s *httptest.Server, path string, form url.Values) (int, []byte) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var resp *http.Response
	var err error
	if form != nil {
		resp, err = client.PostForm(s.URL+path, form)
	} else {
		resp, err = client.Get(s.URL + path)
	}
	must(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("%s: Access-Control-Allow-Origin is %q; the specification wants every page to be answered", path, got)
	}
	return resp.StatusCode, b
}

// TestService runs the checks below against a service on the sample.
func TestService(t *testing.T) {
	s := start(t)
	t.Run("specification", func(t *testing.T) { specification(t, s) })
	t.Run("cursor", func(t *testing.T) { cursor(t, s) })
	t.Run("every property", func(t *testing.T) { everyProperty(t, s) })
	t.Run("pages for people, and what is wrong", func(t *testing.T) { pagesForPeople(t, s) })
}

// specification validates each kind of answer against the schemas of the specification. It also
// checks the candidates and values in the answers.
func specification(t *testing.T, s *httptest.Server) {
	schema := schemas(t)
	queries := `{"a":{"query":"Panax ginsen","limit":2},"b":{"query":"人参","type":"taxon"},"c":{"query":"Panax","type":["variety"]},
		"d":{"properties":[{"pid":"wfoId","v":["wfo-0000263606"]}]},"e":{"query":"` + ginseng + `"},"f":{"query":"Xqzwklerty vbnmasdfgh"},
		"g":{"query":"Polygonum multiflorum","properties":[{"pid":"author","v":"Thunb."},{"pid":"nobody","v":{"id":"x"}}],"type_strict":"any"},
		"h":{"query":"ginseng","properties":[{"pid":"genus","v":"Panax"},{"pid":"family","v":"五加科"},{"pid":"chineseName","v":"人参"},{"pid":"region","v":"china"}]},
		"i":{"query":"Panax ginseng","properties":[{"pid":"kingdom","v":"Animalia"}]}}`
	extend := `{"ids":["` + ginseng + `","wfo-0000263606","wcvp:1","nobody"],"properties":[{"id":"chineseName"},{"id":"wcvpId"},{"id":"formulas"},{"id":"taxonStatus"}]}`
	for name, asked := range map[string]string{"reconciliation-query-batch": queries, "data-extension-query": extend} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(asked))
		must(t, err)
		if err := schema(name).Validate(doc); err != nil {
			t.Fatalf("what this test asks is not %s: %v", name, err)
		}
	}
	for _, tt := range []struct {
		schema, path string
		form         url.Values
		want         []string
	}{
		{"manifest", "/", nil, []string{`"versions":["0.1","0.2"]`, `"identifierSpace":"https://plants.example/species/"`, `"service_url":"` + s.URL + `"`}},
		{"reconciliation-result-batch", "/", url.Values{"queries": {queries}}, []string{
			`"a":{"result":[{"id":"` + ginseng + `","name":"Panax ginseng","description":"人参 · C.A.Mey. · Araliaceae · species"`, `"score":92,"match":true`,
			`"c":{"result":[]}`, `"d":{"result":[{"id":"` + ginseng, `"e":{"result":[{"id":"` + ginseng, `"f":{"result":[]}`, `"i":{"result":[]}`, `"name":"Reynoutria multiflora"`, "synonym Polygonum multiflorum",
			`"h":{"result":[{"id":"` + ginseng + `","name":"Panax ginseng","description":"人参 · C.A.Mey. · Araliaceae · species","type":[{"id":"species","name":"Species 种"},{"id":"taxon","name":"Plant name 植物名称"}],"score":100,"match":true`,
		}},
		{"reconciliation-result-batch", "/?queries=" + url.QueryEscape(`{"q":{"query":"renshen"}}`), nil, []string{ginseng}},
		{"reconciliation-result-batch", "/", url.Values{"queries": {"{}"}}, []string{"{}"}},
		{"data-extension-response", "/", url.Values{"extend": {extend}}, []string{
			`"` + ginseng + `":{"chineseName":[{"str":"人参"}],"formulas":[{"int":73}]`, `"wfo-0000263606":{"chineseName":[{"str":"人参"}]`, `"nobody":{"chineseName":[],"formulas":[]`,
		}},
		{"data-extension-response", "/?extend=" + url.QueryEscape(`{"ids":[],"properties":[]}`), nil, []string{`"rows":{}`}},
		{"data-extension-property-proposal", "/properties?type=taxon&limit=3", nil, []string{`"id":"scientificName"`, `"type":"taxon"`}},
		{"suggest-entities-response", "/suggest/entity?prefix=rensh", nil, []string{ginseng, "西洋参"}},
		{"suggest-entities-response", "/suggest/entity?prefix=" + ginseng, nil, []string{"Panax ginseng"}},
		{"suggest-entities-response", "/suggest/entity?prefix=Panax&cursor=1", nil, []string{`"notable"`}},
		{"suggest-properties-response", "/suggest/property?prefix=Chinese", nil, []string{`"id":"chineseName"`, `"id":"familyChinese"`}},
		{"suggest-types-response", "/suggest/type?prefix=spec", nil, []string{`"id":"species"`, `"broader"`}},
	} {
		status, body := request(t, s, tt.path, tt.form)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil || status != http.StatusOK {
			t.Errorf("%s %v: %d, %v: %s", tt.path, tt.form, status, err, body)
			continue
		}
		if err := schema(tt.schema).Validate(doc); err != nil {
			t.Errorf("%s %v is not %s: %v\n%s", tt.path, tt.form, tt.schema, err, body)
		}
		for _, want := range tt.want {
			if !strings.Contains(string(body), want) {
				t.Errorf("%s %v lacks %s: %s", tt.path, tt.form, want, body)
			}
		}
	}
}

// cursor skips each number of suggestions. The list must be the rest of all suggestions.
func cursor(t *testing.T, s *httptest.Server) {
	suggestions := func(from int) (list []any) {
		var found struct{ Result []any }
		_, b := request(t, s, fmt.Sprintf("/suggest/entity?prefix=a&cursor=%d", from), nil)
		must(t, json.Unmarshal(b, &found))
		return found.Result
	}
	all := append(suggestions(0), suggestions(10)...)
	if len(all) < 3 {
		t.Fatalf("%d suggestions are too few", len(all))
	}
	for from := range all {
		if got, want := suggestions(from), all[from:min(from+10, len(all))]; len(got) < len(want) || !reflect.DeepEqual(got[:len(want)], want) {
			t.Errorf("cursor=%d: %v, want %v", from, got, want)
		}
	}
}

// TestPublicSnapshot checks that a species of a public snapshot has no number of formulas and uses,
// because these are not known there. A complete snapshot of the same package has both numbers.
func TestPublicSnapshot(t *testing.T) {
	complete, public := t.TempDir(), t.TempDir()
	must(t, indextest.Public(t.Context(), complete, public))
	for dir, want := range map[string]string{
		complete: `"` + ginseng + `":{"formulas":[{"int":73}],"papers":[{"int":19}],"useRecords":[{"int":2}]}`,
		public:   `"` + ginseng + `":{"formulas":[],"papers":[{"int":19}],"useRecords":[]}`,
	} {
		held, err := snapshot.At(dir).OpenCurrent(t.Context())
		must(t, err)
		t.Cleanup(func() {
			if err := held.Close(); err != nil {
				t.Error(err)
			}
		})
		s := serve(t, source(t, held.Path(), snapshotfiles.Public(held.Manifest)))
		extend := `{"ids":["` + ginseng + `"],"properties":[{"id":"formulas"},{"id":"papers"},{"id":"useRecords"}]}`
		status, body := request(t, s, "/", url.Values{"extend": {extend}})
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil || status != http.StatusOK || !strings.Contains(string(body), want) {
			t.Fatalf("%d, %v: %s; want %s", status, err, body, want)
		}
		if err := schemas(t)("data-extension-response").Validate(doc); err != nil {
			t.Error(err)
		}
		_, preview := request(t, s, "/preview?id="+ginseng, nil)
		if shown := strings.Contains(string(preview), "Number of formulas"); shown != (dir == complete) {
			t.Errorf("the preview shows a number of formulas: %v", shown)
		}
	}
}

// everyProperty checks that 人参 has a value for each property that the service proposes.
func everyProperty(t *testing.T, s *httptest.Server) {
	var proposed struct{ Properties []struct{ ID string } }
	_, b := request(t, s, "/properties", nil)
	must(t, json.Unmarshal(b, &proposed))
	asked, err := json.Marshal(map[string]any{"ids": []string{ginseng}, "properties": proposed.Properties})
	must(t, err)
	var got struct {
		Rows map[string]map[string][]map[string]any
	}
	_, b = request(t, s, "/", url.Values{"extend": {strings.ReplaceAll(string(asked), `"ID"`, `"id"`)}})
	must(t, json.Unmarshal(b, &got))
	for _, p := range proposed.Properties {
		if len(got.Rows[ginseng][p.ID]) == 0 {
			t.Errorf("人参 has no %s", p.ID)
		}
	}
}

func pagesForPeople(t *testing.T, s *httptest.Server) {
	for path, want := range map[string]string{
		"/preview?id=" + ginseng:          "200 <h1><i>Panax ginseng</i></h1>",
		"/preview?id=<b>":                 "404 nothing has this id",
		"/view?id=" + ginseng:             `303 https://plants.example/species/` + ginseng,
		"/view?id=nobody":                 "404 nothing has this id",
		"/flyout/entity?id=" + ginseng:    "200 人参",
		"/flyout/entity?id=nobody":        "400 nothing has the id",
		"/flyout/property?id=wcvpId":      "200 WCVP id",
		"/flyout/property?id=x":           "400 there is no property",
		"/flyout/type?id=species":         "200 Species",
		"/flyout/type?id=x":               "400 there is no type",
		"/suggest/entity?prefix=":         `200 {"result":[]}`,
		"/suggest/entity?cursor=-1":       "400 use a whole number",
		"/?queries=x":                     "400 not a batch of queries",
		"/?queries=[]":                    "400 not a batch of queries",
		"/?queries={} {}":                 "400 not a batch of queries",
		`/?queries={"q":{"query":"Poa"`:   "400 not a batch of queries",
		`/?queries={"q":{"query":7}}`:     "400 query must not be of the type number",
		`/?queries={"q":{"limit":1e999}}`: "400 query",
		`/?queries={"q":{"type":{}}}`:     "400 type must not be of the type object",
		`/?queries={"q":{"properties":[{"pid":"score","v":[[1]]}]}}`:        "400 property",
		`/?queries={"q":{"properties":[{"pid":"wfoId","v":{"id":1e999}}]}}`: `200 {"q":{"result":[]}}`,
		`/?queries={"q":{"query":"` + strings.Repeat("P", 257) + `"}}`:      `200 {"q":{"result":[]}}`,
		`/?queries={"q":{"query":"` + strings.Repeat("P", 65<<10) + `"}}`:   "400 bytes; send up to",
		`/?extend={"ids":["` + strings.Repeat("P", 257<<10) + `"]}`:         "400 bytes; send up to",
		"/?extend=x":                           "400 not an extension",
		`/?extend={"properties":[{"id":"x"}]}`: "400 there is no property",
		"/nowhere":                             "404 ",
	} {
		asked, err := url.Parse(path)
		must(t, err)
		asked.RawQuery = asked.Query().Encode()
		status, body := request(t, s, asked.String(), nil)
		if got := fmt.Sprintf("%d %s", status, body); got[:4] != want[:4] || !strings.Contains(got, want[4:]) {
			t.Errorf("%s gives %s, want %s", path, got, want)
		}
	}
	if status, body := request(t, s, "/", url.Values{"query": {"x"}}); status != 400 || !strings.Contains(string(body), "neither queries nor extend") {
		t.Errorf("another form gives %d %s", status, body)
	}
	if status, body := request(t, s, "/", url.Values{"queries": {strings.Repeat(" ", 5<<20)}}); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of 5 MiB gives %d %.200s, want 413", status, body)
	}
	many := map[string]any{}
	for i := range 1001 {
		many[fmt.Sprint(i)] = map[string]string{"query": "Poa"}
	}
	b, err := json.Marshal(many)
	must(t, err)
	if status, body := request(t, s, "/", url.Values{"queries": {string(b)}}); status != 400 || !strings.Contains(string(body), "up to 1000") {
		t.Errorf("1001 queries give %d %.200s", status, body)
	}
}

// broken is a source whose methods all return errors.
type broken struct{}

func (broken) Match(context.Context, []names.Query) ([]bulk.Answer, error) {
	return nil, errors.New("the secret file is gone")
}

func (broken) Species(context.Context, string) (s store.SpeciesDetail, found bool, err error) {
	return s, false, errors.New("the secret file is gone")
}

func (broken) Public(context.Context) (bool, error) {
	return false, errors.New("the secret file is gone")
}

func (broken) Search(context.Context, string, int, int) ([]store.SpeciesSummary, error) {
	return nil, errors.New("the secret file is gone")
}

// TestSourceFails checks that an error of the source is answered with a server error that shows the
// client no internal details.
func TestSourceFails(t *testing.T) {
	s := serve(t, broken{})
	for _, path := range []string{
		"/?queries=" + url.QueryEscape(`{"q":{"query":"Poa"}}`), "/?queries=" + url.QueryEscape(`{"q":{"query":"`+ginseng+`"}}`),
		"/?extend=" + url.QueryEscape(`{"ids":["x"],"properties":[]}`), "/suggest/entity?prefix=Poa", "/preview?id=x", "/view?id=x", "/flyout/entity?id=x",
	} {
		if status, body := request(t, s, path, nil); status != http.StatusBadGateway || strings.Contains(string(body), "secret") {
			t.Errorf("%s gives %d %s, want 502 that tells nothing", path, status, body)
		}
	}
}

// busy is a source that refuses every request because a limit is used up.
type busy struct{ broken }

func (busy) Match(context.Context, []names.Query) ([]bulk.Answer, error) {
	return nil, &ask.BusyError{Limit: true, Wait: 1500 * time.Millisecond, Err: errors.New("over the limit")}
}

// single is a source that answers every query with the same entry.
type single struct {
	broken
	entry names.Entry
}

func (s single) Match(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
	all := make([]bulk.Answer, len(queries))
	for i := range all {
		all[i].MatchedVia, all[i].Results = "identifier", []names.Entry{s.entry}
	}
	return all, nil
}

// TestUnplacedNames checks that a name that no checklist places is a candidate and an entity.
func TestUnplacedNames(t *testing.T) {
	s := serve(t, single{entry: names.Entry{MatchedName: "Alyssum murale", MatchedAuthor: "Waldst. & Kit.", MatchedWCVPID: "10063952", Rank: "species", TaxonStatus: "unplaced", Score: 0.98}})
	_, body := request(t, s, "/", url.Values{"queries": {`{"q":{"query":"Alyssum murale"}}`}})
	if want := `{"id":"wcvp:10063952","name":"Alyssum murale",`; !strings.Contains(string(body), want) {
		t.Errorf("the candidates are %s, want %s", body, want)
	}
	_, body = request(t, s, "/", url.Values{"extend": {`{"ids":["wcvp:10063952"],"properties":[{"id":"scientificName"},{"id":"taxonStatus"}]}`}})
	if want := `"scientificName":[{"str":"Alyssum murale"}],"taxonStatus":[{"str":"unplaced"}]`; !strings.Contains(string(body), want) {
		t.Errorf("the values are %s, want %s", body, want)
	}
}

// TestSourceSays checks what a client gets if the source is busy, and if the source returns scores
// that are out of range.
func TestSourceSays(t *testing.T) {
	queries := url.Values{"queries": {`{"q":{"query":"Poa"}}`}}
	s := serve(t, busy{})
	resp, err := http.PostForm(s.URL, queries)
	must(t, err)
	must(t, resp.Body.Close())
	if after := resp.Header.Get("Retry-After"); resp.StatusCode != http.StatusTooManyRequests || after != "2" {
		t.Errorf("a busy source gives %d, Retry-After %q, want 429 and 2", resp.StatusCode, after)
	}
	for _, score := range []float64{-1, 2, 1e308, math.Inf(1), math.NaN()} {
		if status, body := request(t, serve(t, single{entry: names.Entry{GUID: ginseng, AcceptedName: "Panax ginseng", Score: score}}), "/", queries); status != http.StatusBadGateway {
			t.Errorf("a score of %v gives %d %s, want 502", score, status, body)
		}
	}
}

// bombs returns batches of queries, and an extension query, in which one element is repeated n
// times.
func bombs(n int) []string {
	return []string{
		`{` + strings.Repeat(`"":{},`, n) + `"":{}}`,
		`{"q":{"properties":[` + strings.Repeat(`{},`, n) + `{}]}}`,
		`{"q":{"type":[` + strings.Repeat(`"",`, n) + `""]}}`,
		`{"q":{"properties":[{"v":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}]}}`,
		`{"ids":[` + strings.Repeat(`"x",`, n) + `"x"],"properties":[` + strings.Repeat(`{},`, n) + `{}]}`,
	}
}

// holdsQueries checks that a batch of queries and an extension query are answered or refused
// without using much memory.
func holdsQueries(t *testing.T, queries, extend string) {
	handler := reconcile.New(empty{}, reconcile.Options{Base: "http://x", Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	for _, form := range []url.Values{{"queries": {queries}}, {"extend": {extend}}} {
		w := httptest.NewRecorder()
		body := form.Encode()
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Host = "x"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		testkit.LimitAlloc(t, 16<<20+16*uint64(len(body)), func() { handler.ServeHTTP(w, r) })
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%.500v gives %d %.500s", form, w.Code, w.Body)
		}
	}
}

func TestBombs(t *testing.T) {
	for _, bomb := range bombs(1 << 16) {
		holdsQueries(t, bomb, bomb)
	}
}

func FuzzQueries(f *testing.F) {
	f.Add(`{"q":{"query":"Poa","type":["x"],"limit":1e9,"properties":[{"pid":"author","v":[1,{"id":"x"}]}]}}`, `{"ids":["x"],"properties":[{"id":"rank"}]}`)
	for _, queries := range append(bombs(4),
		"null", "[]", `{"q":null}`, `{"":{"properties":[{"pid":"wcvpId","v":2429875}]}}`, `{"q":{"properties":[{"v":[[]]},{"v":1e999}]}}`) {
		f.Add(queries, queries)
	}
	f.Fuzz(holdsQueries)
}

// empty is a source that finds no species and no names.
type empty struct{}

func (empty) Match(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
	return make([]bulk.Answer, len(queries)), nil
}

func (empty) Species(context.Context, string) (s store.SpeciesDetail, found bool, err error) {
	return s, false, nil
}

func (empty) Public(context.Context) (bool, error) { return false, nil }

func (empty) Search(context.Context, string, int, int) ([]store.SpeciesSummary, error) {
	return nil, nil
}
