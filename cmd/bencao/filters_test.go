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
	"bencao/api/ask"
	"bencao/api/mcp"
	"bencao/mappings"

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
	// Flags and arguments of other names stand for most of these.
	others := []string{"q", "explain", "trace", "page", "pageSize", "bom", "header", "format"}
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
	api := func(context.Context, string, url.Values) (ask.Answer, error) { return ask.Answer{}, nil }
	must(t, mcp.Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"), &out, api, mcp.Options{}))
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}
	must(t, json.Unmarshal(out.Bytes(), &list))
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
	must(t, err)
	search, _, err := newRoot().Find([]string{"search"})
	must(t, err)
	patterns, _, err := newRoot().Find([]string{"patterns"})
	must(t, err)
	for _, table := range patternTables {
		for _, name := range parameters(t, doc, "patterns/"+table) {
			if patterns.Flag(flagOf(name)) == nil && name != "in" { // --indication sets in
				t.Errorf("bencao patterns %s has no flag for the parameter %s", table, name)
			}
		}
	}
	arguments := searchArguments(t)
	for _, table := range mappings.Tables {
		for _, name := range parameters(t, doc, table) {
			if search.Flag(flagOf(name)) == nil {
				t.Errorf("bencao search %s has no flag for the parameter %s", table, name)
			}
			for _, f := range mappings.Filters[table] {
				if f.Name == name {
					name = f.BesideKind()
				}
			}
			if _, ok := arguments[name]; !ok {
				t.Errorf("the tool search of bencao mcp has no argument %s, a parameter of %s", name, table)
			}
		}
	}
}
