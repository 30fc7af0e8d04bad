package api_test

import (
	"context"
	"flag"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"bencao/api"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/openapi.json")

const goldenDocument = "testdata/openapi.json"

// TestDocument holds the OpenAPI document against its golden file, so that a
// change of the contract is seen in review.
func TestDocument(t *testing.T) {
	got := api.OpenAPI()
	if *update {
		if err := os.WriteFile(goldenDocument, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenDocument)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the contract has changed; if that is meant, run \"go test ./api -run TestDocument -update\" (-golden +now):\n%s", diff)
	}
}

// contract is the document as an independent library reads it.
var contract = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// conforms fails the test unless the document allows the answer: its status,
// headers and body. It returns the operation, "" if the document has none.
func conforms(tb testing.TB, r reply) string {
	tb.Helper()
	router, err := contract()
	if err != nil {
		tb.Fatalf("the OpenAPI document is not valid: %v", err)
	}
	req := r.Request.Clone(context.Background())
	req.Method = http.MethodGet // HEAD and other methods are answered by the same operation
	route, params, err := router.FindRoute(req)
	if err != nil {
		return ""
	}
	operation := route.Operation.OperationID
	documented := route.Operation.Responses.Status(r.StatusCode)
	if documented == nil {
		tb.Errorf("%s: status %d is not in the document: %s", operation, r.StatusCode, r.body)
		return operation
	}
	for name := range documented.Value.Headers {
		if r.Header.Get(name) == "" {
			tb.Errorf("%s: answer %d to %s %s lacks the documented header %s", operation, r.StatusCode, r.Request.Method, r.Request.URL.RequestURI(), name)
		}
	}
	asked := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true},
	}
	if r.StatusCode == http.StatusOK {
		if err := openapi3filter.ValidateRequest(context.Background(), asked); err != nil {
			tb.Errorf("%s: %s was answered, but the document forbids it: %v", operation, r.Request.URL.RequestURI(), err)
		}
	}
	if r.Request.Method == http.MethodHead || r.Header.Get("Content-Encoding") != "" {
		return operation
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: asked,
		Status:                 r.StatusCode,
		Header:                 r.Header,
		Body:                   io.NopCloser(strings.NewReader(string(r.body))),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	if err != nil {
		tb.Errorf("%s: answer %d to %s is not as documented: %v", operation, r.StatusCode, r.Request.URL.RequestURI(), err)
	}
	return operation
}

// endpoints are all operations with a request that finds something.
var endpoints = []struct {
	op, path string
	needs    string // id of a key that has the scope and no other
	lacks    string // id of a key without the scope, "" when every key has it
}{
	{"species.search", "/api/v1/species?q=%E4%BA%BA%E5%8F%82", "open", ""},
	{"species.detail", "/api/v1/species/" + ginseng, "open", ""},
	{"species.flora", "/api/v1/species/" + ginseng + "/flora", "open", ""},
	{"species.papers", "/api/v1/species/" + ginseng + "/papers", "open", ""},
	{"species.formulas", "/api/v1/species/" + ginseng + "/formulas", "species-formulas", "formulas"},
	{"species.uses", "/api/v1/species/" + ginseng + "/uses", "uses", "formulas"},
	{"formulas.search", "/api/v1/formulas?q=%E6%A1%82%E6%9E%9D%E6%B1%A4", "formulas", "uses"},
	{"formulas.detail", "/api/v1/formulas/" + guizhiTang, "formulas", "species-formulas"},
	{"papers.search", "/api/v1/papers?q=ginseng", "open", ""},
	{"names.match", "/api/v1/names/match?name=Panax+ginseng&explain=true", "open", ""},
	{"stats", "/api/v1/stats", "open", ""},
}

// TestContract asks every endpoint for every answer that it has. That each is
// as documented is checked where it is received.
func TestContract(t *testing.T) {
	s := start(t, config{})
	for _, e := range endpoints {
		t.Run(e.op, func(t *testing.T) {
			answer := s.get(t, e.path).wantStatus(t, http.StatusOK)
			if answer.operation != e.op {
				t.Errorf("%s: the document says that this is %q, want %q", e.path, answer.operation, e.op)
			}
			s.do(t, http.MethodHead, e.path, e.needs).wantStatus(t, http.StatusOK)
			s.get(t, e.path, "If-None-Match", answer.Header.Get("ETag")).wantStatus(t, http.StatusNotModified)
			separator := "?"
			if strings.Contains(e.path, "?") {
				separator = "&"
			}
			s.get(t, e.path+separator+"unheard=of").wantStatus(t, http.StatusBadRequest)
			s.do(t, http.MethodGet, e.path, "").wantStatus(t, http.StatusUnauthorized)
			s.do(t, http.MethodGet, e.path, "away").wantStatus(t, http.StatusForbidden)
			if e.lacks != "" {
				s.do(t, http.MethodGet, e.path, e.lacks).wantStatus(t, http.StatusForbidden)
			}
			if strings.Contains(e.path, ginseng) || strings.Contains(e.path, guizhiTang) {
				unknown := strings.NewReplacer(ginseng, nobody, guizhiTang, nobody).Replace(e.path)
				s.get(t, unknown).wantStatus(t, http.StatusNotFound)
			}
			s.do(t, http.MethodPost, e.path, "all").wantStatus(t, http.StatusMethodNotAllowed)
			s.get(t, e.path, "Accept", "image/png").wantStatus(t, http.StatusNotAcceptable)
		})
	}
	t.Run("429", func(t *testing.T) {
		for _, e := range endpoints {
			last := 0
			for range 4 {
				last = s.do(t, http.MethodGet, e.path, "three").StatusCode
			}
			if last != http.StatusTooManyRequests {
				t.Errorf("%s: status %d after the limit is used up, want 429", e.op, last)
			}
		}
	})
	t.Run("document", func(t *testing.T) {
		r := s.do(t, http.MethodGet, "/openapi/v1.json", "").wantStatus(t, http.StatusOK)
		if diff := cmp.Diff(string(api.OpenAPI()), string(r.body)); diff != "" {
			t.Errorf("/openapi/v1.json is not the document:\n%s", diff)
		}
	})
}
