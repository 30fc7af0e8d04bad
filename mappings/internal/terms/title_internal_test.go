package terms

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTitlesInASCII holds that titles in ASCII are cut as all others are.
func TestTitlesInASCII(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const signs = "abcXYZ019 .,-_'/()&:;\t\n\x00\x7f%"
	for range 20_000 {
		title := make([]byte, r.IntN(40))
		for i := range title {
			title[i] = signs[r.IntN(len(signs))]
		}
		all := titleAnalyzers()
		want := all.ofTitle.Analyze([]byte(foldTitle(string(title))))
		if diff := cmp.Diff(want, cutTitle(string(title), all.ofTitle)); diff != "" {
			t.Fatalf("%q is cut otherwise (-all +ASCII):\n%s", title, diff)
		}
		if diff := cmp.Diff(all.ofQuery.Analyze([]byte(foldTitle(string(title)))), cutTitle(string(title), all.ofQuery)); diff != "" {
			t.Fatalf("as a query %q is cut otherwise (-all +ASCII):\n%s", title, diff)
		}
	}
}
