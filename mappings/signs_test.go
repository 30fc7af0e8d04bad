package mappings_test

import (
	"context"
	"path/filepath"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// TestSigns checks titles that contain signs with several forms. Each title must find itself, also
// in the self-check, and a query with another form of its signs must find it too.
func TestSigns(t *testing.T) {
	titles := []string{
		"青蒿素ⅡB的结构", "在60℃下的提取", "The µ-receptor and its ligands", "Extract™ of ginkgo", "Collection № 7 of ferns", "½ strength medium for orchids",
		"ｶﾞﾝｾﾝの栽培", "浓度为５％的溶液", "②号样品的测定", "ﬁeld study of ﬂora", "N₂O and Ca²⁺ in leaves", "黃芪皂苷與免疫", "Zn²⁺®",
	}
	papers := make([]store.Paper, len(titles))
	for i, title := range titles {
		papers[i] = store.Paper{PaperSummary: store.PaperSummary{ID: title, Title: store.Text(title)}, Num: store.Num(i)}
	}
	dir := filepath.Join(t.TempDir(), "papers.bleve")
	must(t, index.Build(t.Context(), dir, mappings.Papers, papers))
	ix, err := openPapers(dir)
	must(t, err)
	defer closeAll(t, ix)
	check, err := search.Check(context.Background(), ix, mappings.Papers, papers)
	if err != nil || len(check.Failures) > 0 || check.Checked < len(titles) {
		t.Errorf("of %d titles checked %v do not find themselves (%v)", check.Checked, check.Failures, err)
	}
	for q, want := range map[string]store.Num{
		"青蒿素IIB": 0, "60°C": 1, "μ-receptor": 2, "extract ginkgo": 3, "No 7 ferns": 4, "ガンセン": 6, "field flora": 9, "N2O Ca2+": 10, "黄芪皂苷与免疫": 11,
	} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 2}); len(hits.Nums) == 0 || hits.Nums[0] != want || hits.Forgiven != "" {
			t.Errorf("%q finds %v (forgiven %q), want %q", q, hits.Nums, hits.Forgiven, titles[want])
		}
	}
	for _, tt := range []struct{ q, forgiven string }{{"recept ligan", "wordBeginnings"}, {"ginkgo extracct", "letters"}} {
		if hits := ask(t, ix, search.Query{Text: tt.q, Size: 2}); len(hits.Nums) == 0 || hits.Forgiven != tt.forgiven {
			t.Errorf("%q finds %v, forgiven %q, want %q", tt.q, hits.Nums, hits.Forgiven, tt.forgiven)
		}
	}
}
