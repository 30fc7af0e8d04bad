package terms

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTitlesInASCII checks that the analyzer for ASCII gives the same words for ASCII titles as the
// general analyzers.
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

// TestSimpleTitles checks that eachSimple gives the same words for simple titles as the analyzers.
func TestSimpleTitles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	const signs = "abcXYZ019zk   .,-_'/()&:;\"\t\n\x00\x7f%@#+"
	simple := 0
	check := func(title string) {
		var got, want []string
		eachWord(title, titleAnalyzers().ofTitle, func(w string) { got = append(got, w) })
		for _, token := range cutTitle(title, titleAnalyzers().ofTitle) {
			if w := titleWord(token); w != "" {
				want = append(want, w)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q has other words (-analyzed +simple):\n%s", title, diff)
		}
		if isSimple(title) {
			simple++
		}
	}
	for range 50_000 {
		title := make([]byte, r.IntN(30))
		for i := range title {
			title[i] = signs[r.IntN(len(signs))]
		}
		check(string(title))
	}
	for _, title := range []string{"", "don't", "3.5 mg", "e.g. this", "a_b", "IL-6", "28123456", "end.", strings.Repeat("long", 40), strings.Repeat("a", 60) + " b"} {
		check(title)
	}
	if simple < 5000 {
		t.Errorf("%d titles are simple, too few to tell", simple)
	}
}
