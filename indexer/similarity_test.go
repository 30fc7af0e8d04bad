package indexer_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"bencao/indexer"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"
	"bencao/store"
)

// TestSimilarityFull measures the similarity of formulas on the full-size data: the share of
// formulas whose five most similar formulas include the expected ones.
func TestSimilarityFull(t *testing.T) {
	d := fullFormulas(t)
	name := map[string]int{}
	for i := range d {
		name[string(d[i].Name)]++
	}
	for _, measure := range []struct {
		name string
		list func(*store.Formula) []store.Similar
	}{
		{"jaccard", func(f *store.Formula) []store.Similar { return f.SimilarJaccard }},
		{"euclidean", func(f *store.Formula) []store.Similar { return f.SimilarEuclidean }},
	} {
		var asked, found, large, lone int
		for i := range d {
			f := &d[i]
			list := measure.list(f)
			first := list[:min(5, len(list))]
			if n := name[string(f.Name)]; utf8.RuneCountInString(string(f.Name)) >= 4 && n >= 2 && n <= 10 {
				asked++
				for _, s := range first {
					if d[s.Formula].Name == f.Name {
						found++
						break
					}
				}
			}
			if len(f.Ingredients) >= 4 {
				large++
				if slices.ContainsFunc(first, func(s store.Similar) bool { return sharedHerbs(f, &d[s.Formula]) < 2 }) {
					lone++
				}
			}
		}
		t.Logf("%s: a namesake among the first five: %d of %d, %.1f %%", measure.name, found, asked, 100*float64(found)/float64(asked))
		t.Logf("%s: a formula with one shared herb among the first five: %d of %d, %.1f %%", measure.name, lone, large, 100*float64(lone)/float64(large))
		if 100*found < 75*asked {
			t.Errorf("%s: a namesake is among the first five for %d of %d; 75 %% are wanted", measure.name, found, asked)
		}
		if 100*lone > 5*large {
			t.Errorf("%s: %d of %d formulas have a formula with a single shared herb among the first five; at most 5 %% are wanted", measure.name, lone, large)
		}
	}
}

// sharedHerbs counts the plain names that two formulas share.
func sharedHerbs(f, g *store.Formula) int {
	herbs := map[string]int{}
	for bit, formula := range []*store.Formula{f, g} {
		for _, in := range formula.Ingredients {
			for _, name := range in.Plain {
				herbs[name] |= 1 << bit
			}
		}
	}
	n := 0
	for _, of := range herbs {
		if of == 3 {
			n++
		}
	}
	return n
}

// fullFormulas returns the formulas of the full-size package. Each formula has its similar
// formulas.
func fullFormulas(tb testing.TB) []store.Formula {
	tb.Helper()
	p, err := datapackage.Read(tb.Context(), checklisttest.Full(tb, "china-plants.zip"), datapackage.Options{}, &finding.Log{})
	must(tb, err)
	formulas, err := indexer.LikeFormulas(tb.Context(), p)
	must(tb, err)
	return formulas
}
