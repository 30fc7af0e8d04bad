package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"bencao/api"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// TestPlainNumbers reads the OpenAPI document with plain numbers by an independent library, and
// validates the answers to all example requests against it.
func TestPlainNumbers(t *testing.T) {
	s := start(t, config{})
	text := s.get(t, "/openapi/v1.json?numbers=plain").wantStatus(t, http.StatusOK)
	if either := s.get(t, "/openapi/v1.json"); !bytes.Equal(either.body, api.OpenAPI()) || either.Header.Get("ETag") == text.Header.Get("ETag") {
		t.Error("without numbers=plain the document is another one, or both have one ETag")
	}
	s.get(t, "/openapi/v1.json?numbers=roman").wantStatus(t, http.StatusBadRequest)
	doc, err := openapi3.NewLoader().LoadFromData(text.body)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	must(t, err)
	if bytes.Contains(text.body, []byte(`"anyOf"`)) {
		t.Error("the document with plain numbers still has alternatives")
	}
	router, err := gorillamux.NewRouter(doc)
	must(t, err)
	for _, e := range endpoints(t) {
		r := s.get(t, e.path).wantStatus(t, http.StatusOK)
		req := r.Request.Clone(context.Background())
		route, params, err := router.FindRoute(req)
		must(t, err)
		if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
			Status:                 r.StatusCode, Header: r.Header, Body: io.NopCloser(bytes.NewReader(r.body)),
		}); err != nil {
			t.Errorf("%s: %v", e.op, err)
		}
	}
}

// TestDocumentForbidsWhatTheServerRefuses sends values with control characters. The server refuses
// them, so the schemas of the OpenAPI document must exclude them.
func TestDocumentForbidsWhatTheServerRefuses(t *testing.T) {
	s := start(t, config{})
	router, err := contract()
	must(t, err)
	for _, path := range []string{"/api/v1/species?q=a%00b", "/api/v1/species?q=%C2%85", "/api/v1/formulas?herbs=a%7F", "/api/v1/names/match?name=%20", "/api/v1/names/matches?name=Poa%0A"} {
		r := s.get(t, path).wantStatus(t, http.StatusBadRequest)
		req := r.Request.Clone(context.Background())
		route, params, err := router.FindRoute(req)
		must(t, err)
		if err := openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route,
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}); err == nil {
			t.Errorf("%s is refused, but the document allows it", path)
		}
	}
	var doc struct {
		Components struct {
			Headers map[string]struct{ Schema struct{ Pattern string } }
			Schemas map[string]struct {
				Properties map[string]json.RawMessage
			}
		}
	}
	must(t, json.Unmarshal(api.OpenAPI(), &doc))
	if p := doc.Components.Headers["X-Data-Version"].Schema.Pattern; !strings.Contains(p, "[0-9]{8}T") {
		t.Errorf("X-Data-Version has the pattern %q", p)
	}
	if text := string(doc.Components.Schemas["SiteStats"].Properties["reconciledPct"]); text == "" || strings.Contains(text, `"null"`) {
		t.Errorf("reconciledPct, which is absent and never null, is described as %s", text)
	}
}
