package mappings_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/mappings"
	"bencao/store"
)

// TestOneTitle checks that a table with a second title is refused. A second title would change the
// order of existing answers.
func TestOneTitle(t *testing.T) {
	second := mappings.Field[store.Paper]{Name: "container", Analyzer: mappings.Title, Values: func(p *store.Paper) []string { return []string{string(p.Source)} }}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "title and container") {
			t.Errorf("two titles in a table: %q; want a panic that names them", said)
		}
	}()
	mappings.Rows(append(slices.Clone(mappings.Papers), second))
}
