package store_test

import (
	"bytes"
	"fmt"
	"testing"

	"bencao/store"
)

// TestAppendFormula checks that AppendFormula renders the same bytes as FormulaDetail followed by
// Append. It tries each combination of parts, and record numbers whose bytes equal marks.
func TestAppendFormula(t *testing.T) {
	d := data()
	for n := store.Num(len(d.Species)); n < 300; n++ {
		d.Species = append(d.Species, store.Species{SpeciesDetail: store.SpeciesDetail{EntryID: int32(100 + n), GUID: fmt.Sprintf("00000000-0000-5000-8000-%012d", 100+n), ChineseName: "种"}, Num: n, Formulas: []store.Num{1}})
	}
	for n := store.Num(0); n < 300; n++ {
		d.Formulas[1].Ingredients = append(d.Formulas[1].Ingredients, store.Ingredient{Seq: int32(n + 1), Herb: "种", Species: []store.Num{n}, Herbs: []store.Num{n % 2}})
	}
	d.Formulas[1].SimilarJaccard = []store.Similar{{Formula: 2, Value: 0.25}, {Formula: 0, Value: 1}}
	tx := open(t, d)
	for n, f := range d.Formulas {
		for show := range (store.Composition | store.Similarity) + 1 {
			want := tx.FormulaDetail(store.Num(n), show).Append(nil, site, show)
			got, ok := tx.AppendFormula([]byte("before"), f.GUID, site, show)
			if !ok || string(got) != "before"+string(want) {
				t.Errorf("formula %d, parts %b:\n%s\nwant\n%s", n, show, got, want)
			}
			if marks := bytes.IndexFunc(got, func(r rune) bool { return r < ' ' }); marks >= 0 {
				t.Errorf("formula %d, parts %b: a mark is left: %q", n, show, got[marks:])
			}
			// The parts that are not shown must be null, and the others complete.
			part, whole := decode[store.FormulaDetail](t, store.Template(got[len("before"):]), show), decode[store.FormulaDetail](t, tx.FormulaDetail(store.Num(n), 3), 3)
			if (part.Ingredients == nil) != (show&store.Composition == 0) || len(part.Ingredients) > 0 && len(part.Ingredients) != len(whole.Ingredients) {
				t.Errorf("formula %d, parts %b: %d ingredients of %d", n, show, len(part.Ingredients), len(whole.Ingredients))
			}
			if (part.SimilarJaccard == nil) != (show&store.Similarity == 0) || len(part.SimilarJaccard) > 0 && len(part.SimilarJaccard) != len(whole.SimilarJaccard) {
				t.Errorf("formula %d, parts %b: %d similar formulas of %d", n, show, len(part.SimilarJaccard), len(whole.SimilarJaccard))
			}
		}
	}
	if got, ok := tx.AppendFormula(nil, "00000000-0000-5000-9000-0000000000ff", site, 0); ok || len(got) > 0 {
		t.Errorf("an unknown GUID gives the formula %s", got)
	}
}
