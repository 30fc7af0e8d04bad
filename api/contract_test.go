package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/access"

	"github.com/google/go-cmp/cmp"
)

// scopes has the scopes that each operation needs. The tests compare the OpenAPI document with it,
// and use it to choose keys.
var scopes = map[string]access.Scopes{
	"species.search":       access.Open,
	"species.detail":       access.Open,
	"species.names":        access.Open,
	"species.distribution": access.Open,
	"species.flora":        access.Open,
	"species.papers":       access.Open,
	"species.formulas":     access.SpeciesPrescriptions,
	"species.uses":         access.PlantUses,
	"species.facets":       access.Open,
	"formulas.facets":      access.Prescriptions,
	"formulas.ingredients": access.Prescriptions | access.PrescriptionComposition,
	"formulas.descent":     access.Prescriptions | access.PrescriptionComposition,
	"patterns.herbs":       access.Prescriptions | access.PrescriptionComposition,
	"patterns.pairs":       access.Prescriptions | access.PrescriptionComposition,
	"patterns.formulas":    access.Prescriptions | access.PrescriptionComposition,
	"patterns.sets":        access.Prescriptions | access.PrescriptionComposition,
	"papers.facets":        access.Open,
	"papers.detail":        access.Open,
	"suggest":              access.Open,
	"formulas.search":      access.Prescriptions,
	"formulas.detail":      access.Prescriptions,
	"papers.search":        access.Open,
	"herbs.search":         access.Prescriptions,
	"herbs.detail":         access.Prescriptions,
	"herbs.facets":         access.Prescriptions,
	"herbs.formulas":       access.Prescriptions | access.PrescriptionComposition,
	"names.match":          access.Open,
	"names.matches":        access.Open,
	"stats":                access.Open,
	"version":              access.Open,
	"changes":              access.Open,
	"key":                  access.Open,
}

// keyFor returns the id of a key of the tests. If with is true, the key has exactly the scopes s;
// otherwise it has none of the scopes s.
func keyFor(tb testing.TB, s access.Scopes, with bool) string {
	tb.Helper()
	for _, e := range keyEntries() {
		plain := !e.Disabled && e.Expires.IsZero() && e.Rate == access.MaxRate && e.ID != "away"
		if plain && (with && e.Scopes == s || !with && e.Scopes&s == access.Open) {
			return e.ID
		}
	}
	tb.Fatalf("no key of the tests has the scopes %s; add one to keyEntries", s)
	return ""
}

// TestMedia requests each operation in every format of the document. Each operation must answer in
// the formats that it declares and refuse all others. The first declared format must be JSON,
// because client generators take the first one.
func TestMedia(t *testing.T) {
	var doc struct {
		Paths map[string]struct {
			Get struct {
				OperationID string
				Responses   map[string]struct{ Content json.RawMessage }
			}
		}
	}
	must(t, json.Unmarshal(api.OpenAPI(), &doc))
	declared := map[string][]string{} // formats by operation, in the order of the document
	known := map[string]bool{"text/html": true, "application/problem+json": true}
	for _, item := range doc.Paths {
		dec := json.NewDecoder(bytes.NewReader(item.Get.Responses["200"].Content))
		if _, err := dec.Token(); err != nil { // the opening brace
			t.Fatal(err)
		}
		for dec.More() {
			name, err := dec.Token()
			must(t, err)
			var ignored json.RawMessage
			must(t, dec.Decode(&ignored))
			declared[item.Get.OperationID] = append(declared[item.Get.OperationID], fmt.Sprint(name))
			known[fmt.Sprint(name)] = true
		}
	}
	single := []string{
		"species.detail", "species.names", "species.distribution", "species.facets", "formulas.detail", "formulas.facets", "formulas.descent", "herbs.detail", "herbs.facets", "papers.facets",
		"suggest", "names.match", "names.matches", "stats", "version", "key",
	}
	s := start(t, config{})
	for _, e := range endpoints(t) {
		forms := declared[e.op]
		if len(forms) == 0 || forms[0] != "application/json" {
			t.Errorf("%s: the document declares %q, want application/json first", e.op, forms)
		}
		if slices.Contains(single, e.op) != (len(forms) == 1) {
			t.Errorf("%s: the document declares %q; lists and papers have several forms, all others JSON alone", e.op, forms)
		}
		for form := range known {
			r := s.get(t, e.path, "Accept", form)
			if !slices.Contains(forms, form) {
				r.wantStatus(t, http.StatusNotAcceptable)
				continue
			}
			if got, _, err := mime.ParseMediaType(r.wantStatus(t, http.StatusOK).Header.Get("Content-Type")); err != nil || got != form {
				t.Errorf("%s: Accept: %s is answered with %s, error %v", e.op, form, got, err)
			}
		}
	}
}

// TestContract requests every documented answer of every endpoint. [site.send] checks that the
// document describes each answer.
func TestContract(t *testing.T) {
	s := start(t, config{})
	for _, e := range endpoints(t) {
		t.Run(e.op, func(t *testing.T) {
			answer := s.get(t, e.path).wantStatus(t, http.StatusOK)
			if answer.operation != e.op {
				t.Errorf("%s: the document says that this is %q, want %q", e.path, answer.operation, e.op)
			}
			s.do(t, http.MethodHead, e.path, keyFor(t, e.needs, true)).wantStatus(t, http.StatusOK)
			tag, kept := answer.Header.Get("ETag"), http.StatusNotModified
			if e.momentary {
				tag, kept = "*", http.StatusOK
			}
			s.get(t, e.path, "If-None-Match", tag).wantStatus(t, kept)
			separator := "?"
			if strings.Contains(e.path, "?") {
				separator = "&"
			}
			s.get(t, e.path+separator+"unheard=of").wantStatus(t, http.StatusBadRequest)
			s.do(t, http.MethodGet, e.path, "").wantStatus(t, http.StatusUnauthorized)
			s.do(t, http.MethodGet, e.path, "away").wantStatus(t, http.StatusForbidden)
			if e.needs != access.Open {
				s.do(t, http.MethodGet, e.path, keyFor(t, e.needs, false)).wantStatus(t, http.StatusForbidden)
			}
			unknown := strings.NewReplacer(ginseng, nobody, guizhiTang, nobody, cassiaTwig, nobody).Replace(e.path)
			if unknown != e.path {
				s.get(t, unknown).wantStatus(t, http.StatusNotFound)
			} else if e.ofRecord {
				t.Errorf("%s: no test asks for a record that does not exist; name the record of the example above", e.path)
			}
			s.do(t, http.MethodPost, e.path, "all").wantStatus(t, http.StatusMethodNotAllowed)
			s.get(t, e.path, "Accept", "image/png").wantStatus(t, http.StatusNotAcceptable)
		})
	}
	t.Run("429", func(t *testing.T) {
		for _, e := range endpoints(t) {
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
