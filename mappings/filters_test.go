package mappings_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/mappings"
)

// TestTableOfFilters checks that each filter by a field has a field whose values it can compare, and that
// its description is a sentence.
func TestTableOfFilters(t *testing.T) {
	facets := map[string][]string{
		"species": mappings.Facets(mappings.Species), "formulas": mappings.Facets(mappings.Formulas),
		"herbs": append(mappings.Facets(mappings.Herbs), "species"), "papers": append(mappings.Facets(mappings.Papers), "species"), // numbers of records are no facets
	}
	found := 0
	for _, table := range mappings.Tables {
		names := map[string]bool{}
		for _, f := range mappings.Filters[table] {
			found++
			if f.Field != "" && !slices.Contains(facets[table], f.Field) || f.Field == "" && f.Kind == mappings.HasValue {
				t.Errorf("%s: the filter %s has the field %q; use one of %s", table, f.Name, f.Field, strings.Join(facets[table], ", "))
			}
			if names[f.Name] || !strings.HasSuffix(f.Doc, ".") || f.Short() == "" {
				t.Errorf("%s: the filter %s is there twice, or its description is no sentence: %q", table, f.Name, f.Doc)
			}
			names[f.Name] = true
		}
	}
	if found < 20 || len(mappings.Filters) != len(mappings.Tables) {
		t.Errorf("the test finds %d filters of %d tables", found, len(mappings.Filters))
	}
}
