package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/api"
	"bencao/api/access"
	"bencao/internal/test/race"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/openapi.json")

const goldenDocument = "testdata/openapi.json"

// TestDocument compares the OpenAPI document with its golden file, so that reviews show changes of
// the contract.
func TestDocument(t *testing.T) {
	got := api.OpenAPI()
	if *update {
		must(t, os.WriteFile(goldenDocument, got, 0o644))
	}
	want, err := os.ReadFile(goldenDocument)
	must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the contract has changed; if that is meant, run \"go test ./api -run TestDocument -update\" (-golden +now):\n%s", diff)
	}
}

// contract is the document as read by an independent library.
var contract = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	var options []openapi3.ValidationOption
	if *update { // then the examples are those of the answers before
		options = append(options, openapi3.DisableExamplesValidation())
	}
	if err := doc.Validate(context.Background(), options...); err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// conforms fails the test unless the document allows the status, headers and body of an answer. It
// returns the id of the operation, or "" if the document has no operation for the request.
func conforms(tb testing.TB, r reply) string {
	tb.Helper()
	router, err := contract()
	if err != nil {
		tb.Fatalf("the OpenAPI document is not valid: %v", err)
	}
	req := r.Request.Clone(context.Background())
	req.Method = http.MethodGet // HEAD and other methods belong to the same operation
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
		if r.Header.Get(name) == "" && name != "Content-Disposition" { // only answers that are files have this header
			tb.Errorf("%s: answer %d to %s %s lacks the documented header %s", operation, r.StatusCode, r.Request.Method, r.Request.URL.RequestURI(), name)
		}
	}
	if race.On { // the body is not validated then, because that takes most of the time of this test
		return operation
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

// endpoint is an operation with its example request.
type endpoint struct {
	op, path string
	needs    access.Scopes
	example  any // the example answer
	// momentary reports that the document has no 304 for the operation.
	momentary bool
	ofRecord  bool // the path names a record
}

// endpoints returns all operations. It fails the test unless each has an example request, an
// example answer, and the same scopes as in the variable scopes.
func endpoints(tb testing.TB) []endpoint {
	tb.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	must(tb, err)
	var all []endpoint
	seen := map[string]bool{}
	for _, path := range doc.Paths.InMatchingOrder() {
		for method, o := range doc.Paths.Value(path).Operations() {
			e := endpoint{op: o.OperationID}
			seen[e.op] = true
			var known bool
			if e.needs, known = scopes[e.op]; !known {
				tb.Errorf("%s: no test knows which scope it needs; add a row to scopes", e.op)
			}
			if method != http.MethodGet {
				tb.Errorf("%s: the method is %s, and the tests ask by GET alone", e.op, method)
			}
			if got := documentedScopes(tb, o); got != e.needs {
				tb.Errorf("%s: the document says that it needs %s, want %s", e.op, got, e.needs)
			}
			e.path = exampleRequest(tb, path, o)
			e.ofRecord = strings.Contains(path, "{")
			e.momentary = o.Responses.Status(http.StatusNotModified) == nil
			e.example = o.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Example
			if e.example == nil && !*update {
				tb.Errorf("%s: the document has no example of an answer; run \"go test ./api -run TestExamples -update\"", e.op)
			}
			all = append(all, e)
		}
	}
	for op := range scopes {
		if !seen[op] {
			tb.Errorf("%s: has a row in scopes, but is not in the document", op)
		}
	}
	slices.SortFunc(all, func(a, b endpoint) int { return strings.Compare(a.op, b.op) })
	return all
}

// documentedScopes returns the scopes that the document requires for an operation.
func documentedScopes(tb testing.TB, o *openapi3.Operation) (all access.Scopes) {
	tb.Helper()
	if o.Security == nil {
		return access.Open // the operation takes the document's default: any key
	}
	for _, either := range *o.Security {
		for _, name := range either["ApiKey"] {
			s, err := access.ParseScope(name)
			if err != nil {
				tb.Errorf("%s: %v", o.OperationID, err)
			}
			all |= s
		}
	}
	return all
}

// exampleRequest builds the example request.
func exampleRequest(tb testing.TB, path string, o *openapi3.Operation) string {
	tb.Helper()
	query := url.Values{}
	for _, ref := range o.Parameters {
		p := ref.Value
		if p.Example == nil {
			if p.Required {
				tb.Errorf("%s: the parameter %s has no example", o.OperationID, p.Name)
			}
			continue
		}
		if list, several := p.Example.([]any); several {
			for _, one := range list {
				query.Add(p.Name, fmt.Sprint(one))
			}
			continue
		}
		text := fmt.Sprint(p.Example)
		if p.In == openapi3.ParameterInPath {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(text))
		} else {
			query.Set(p.Name, text)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// TestExamples compares the example answers with those of a server.
func TestExamples(t *testing.T) {
	usually := start(t, config{})
	for _, e := range endpoints(t) {
		s := usually
		if e.momentary { // the example is the answer to the first request of a minute
			s = start(t, config{now: new(clock).now})
		}
		r := s.get(t, e.path).wantStatus(t, http.StatusOK)
		if *update {
			var out bytes.Buffer
			must(t, json.Indent(&out, r.body, "", "  "))
			out.WriteByte('\n')
			must(t, os.WriteFile(filepath.Join("examples", e.op+".json"), out.Bytes(), 0o644))
			continue
		}
		if diff := cmp.Diff(e.example, decode[any](t, r)); diff != "" {
			t.Errorf("%s: the example is not what a server answers; run \"make golden\" (-example +answer):\n%s", e.op, diff)
		}
		if strings.HasSuffix(e.op, ".search") && decode[pageOf[struct{}]](t, r).Total == 0 {
			t.Errorf("%s: the example request %s finds nothing", e.op, e.path)
		}
	}
}
