package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/mcp"

	"github.com/getkin/kin-openapi/openapi3"
)

// parameters returns the query parameters of an operation of the API that flags and arguments must
// offer.
func parameters(t *testing.T, doc *openapi3.T, path string) (names []string) {
	t.Helper()
	item := doc.Paths.Value("/api/v1/" + path)
	if item == nil {
		t.Fatalf("the API has no %s", path)
	}
	// Flags and arguments of other names stand for most of these. entryId is for programs that know
	// the records of the source.
	others := []string{"q", "explain", "trace", "page", "pageSize", "bom", "header", "format", "entryId"}
	for _, p := range item.GetOperation(http.MethodGet).Parameters {
		if p.Value.In == "query" && !slices.Contains(others, p.Value.Name) {
			names = append(names, p.Value.Name)
		}
	}
	return names
}

// searchArguments returns the arguments of the tool search of "bencao mcp".
func searchArguments(t *testing.T) map[string]any {
	t.Helper()
	var out bytes.Buffer
	api := func(context.Context, string, url.Values) (mcp.Answer, error) { return mcp.Answer{}, nil }
	if err := mcp.Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"), &out, api, mcp.Options{}); err != nil {
		t.Fatal(err)
	}
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Result.Tools {
		if tool.Name == "search" {
			return tool.InputSchema.Properties
		}
	}
	t.Fatalf("there is no tool search: %s", out.Bytes())
	return nil
}

// TestEveryFilterEverywhere checks that the filters of the API are flags of "bencao search" and
// "bencao patterns", and arguments of the tool search of "bencao mcp".
func TestEveryFilterEverywhere(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range patternTables {
		for _, name := range parameters(t, doc, "patterns/"+table) {
			if !slices.ContainsFunc(slices.Concat(populationFlags, countFlags), func(f patternFlag) bool {
				return f.parameter == name && (f.of == "" || slices.Contains(strings.Fields(f.of), table))
			}) && name != "in" { // --indication sets in
				t.Errorf("bencao patterns %s has no flag for the parameter %s", table, name)
			}
		}
	}
	arguments := searchArguments(t)
	for table := range searchables {
		for _, name := range parameters(t, doc, table) {
			if !slices.ContainsFunc(narrowings(), func(n narrowing) bool {
				return parameterOf(n.flag) == name && (n.tables == "" || slices.Contains(strings.Fields(n.tables), table))
			}) {
				t.Errorf("bencao search %s has no flag for the parameter %s", table, name)
			}
			if name == "kind" { // the tool's argument kind is the table
				name = "herbKind"
			}
			if _, ok := arguments[name]; !ok {
				t.Errorf("the tool search of bencao mcp has no argument %s, a parameter of %s", name, table)
			}
		}
	}
}
