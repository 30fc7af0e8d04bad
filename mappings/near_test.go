package mappings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/names/herb"
	"bencao/store"
)

// TestNear asks for herbs that no formula has together. Those that lack the fewest come first, then
// those with the fewest other herbs.
func TestNear(t *testing.T) {
	formula := func(n int32, name string, herbs string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Dynasty: "宋"}, Num: store.Num(n)}
		f.Ingredients = ingredients(strings.Split(herbs, " ")...)
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "人参 甘草 白术 茯苓 生姜"), formula(1, "四君子汤", "人参 甘草 白术 茯苓"), formula(2, "乙汤", "人参 甘草 白术"),
		formula(3, "丙汤", "半夏 陈皮 人参 甘草 白术"), formula(4, "丁汤", "牛黄"),
	})
	type difference struct{ lacks, more string }
	for _, tt := range []struct {
		q    string
		want []store.Num
		how  string
		by   difference // of the first
	}{
		{"人参 甘草 白术 茯苓 牛黄", []store.Num{1, 0}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参 甘草 白术 牛黄", []store.Num{2, 1, 0, 3}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参、白术、生姜、牛黄", []store.Num{0}, "herbsLeftOut", difference{"牛黄", "甘草 茯苓"}},
		{"人参 甘草 白术 茯苓 牛黄 半夏", []store.Num{1, 0, 3}, "herbsLeftOut", difference{"牛黄 半夏", ""}},
		{"牛黄、人参、甘草、白术、茯苓、生姜", []store.Num{0, 1}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参甘草白术茯苓牛黄", []store.Num{1, 0}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参 甘草 鱼腥草 白术 茯苓", []store.Num{1, 0}, "herbsLeftOut", difference{"鱼腥草", ""}}, // a herb that no formula has
		{"宋代 人参 甘草 白术 茯苓 牛黄", []store.Num{1, 0}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参 甘草 白术 茯苓 牛黄 不含生姜", []store.Num{1}, "herbsLeftOut", difference{"牛黄", ""}},
		{"人参、甘草、白术、茯苓、鱼腥草，水煎服", []store.Num{1, 0}, "herbsLeftOut", difference{"鱼腥草", ""}},
		{"人参 甘草 白术 茯苓", []store.Num{1, 0}, "", difference{}},
		{"人参 甘草 牛黄", []store.Num{}, "", difference{}},
	} {
		ex, err := ix.Explain(context.Background(), search.Query{Text: tt.q, Size: 9})
		must(t, err)
		if !slices.Equal(ex.Nums, tt.want) || ex.Forgiven != tt.how {
			t.Errorf("%s finds %v (%s), want %v (%s)", tt.q, ex.Nums, ex.Forgiven, tt.want, tt.how)
			continue
		}
		var got difference
		if len(ex.Hits) > 0 {
			more := slices.Sorted(slices.Values(ex.Hits[0].More))
			got = difference{strings.Join(ex.Hits[0].Lacks, " "), strings.Join(more, " ")}
		}
		if got != tt.by {
			t.Errorf("%s: the first lacks %q and has %q more, want %q and %q", tt.q, got.lacks, got.more, tt.by.lacks, tt.by.more)
		}
		found, told, err := ix.Found(context.Background(), search.Query{Text: tt.q})
		must(t, err)
		if near := tt.how != ""; near && (told.Total != 0 || told.Near != len(tt.want) || slices.ContainsFunc(found, func(w uint64) bool { return w != 0 })) || !near && told.Near != 0 {
			t.Errorf("%s chooses the population %v of %d formulas, near %d", tt.q, found, told.Total, told.Near)
		}
	}
}

// TestNearIsMost compares the formulas near random lists of herbs with those that filters by all but one
// or two of these herbs find.
func TestNearIsMost(t *testing.T) { compareNear(t, sample(t), 100) }

// TestNearIsMostFull does the same with the full package.
func TestNearIsMostFull(t *testing.T) { compareNear(t, full(t), 100) }

func compareNear(t *testing.T, p *pack, lists int) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	ix, _ := p.endpoint("formulas")
	herbs := p.herbsOf(t)
	var absent []string // the herbs that no formula has
	for _, h := range herb.All() {
		if names, err := ix.Meant(mappings.HerbsField, h.Name); err == nil && len(names) == 0 {
			absent = append(absent, h.Name)
		}
	}
	compared := 0
	for range 20 * lists {
		if compared == lists {
			break
		}
		list := slices.Concat(herbs[r.IntN(len(herbs))], herbs[r.IntN(len(herbs))])
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if len(list) < 4 {
			continue
		}
		list = list[:4+r.IntN(min(5, len(list)-3))]
		if r.IntN(3) == 0 {
			list[r.IntN(len(list))] = absent[r.IntN(len(absent))]
		}
		ex, err := ix.Explain(context.Background(), search.Query{Text: strings.Join(list, " "), Size: len(p.Formulas)})
		must(t, err)
		if ex.Forgiven != "herbsLeftOut" || slices.ContainsFunc(ex.Recognised, func(r mappings.Recognised) bool { return r.Field != mappings.HerbsField }) {
			continue // 汉中防己 is read as 防己 in formulas of Han
		}
		compared++
		var filters []search.Filter
		for _, part := range ex.Recognised {
			filters = append(filters, search.Filter{Field: mappings.HerbsField, Any: part.Values})
		}
		want := map[store.Num]bool{}
		without := func(leave ...int) {
			q := search.Query{Size: len(p.Formulas)}
			for i, f := range filters {
				if !slices.Contains(leave, i) {
					q.Filters = append(q.Filters, f)
				}
			}
			for _, n := range ask(t, ix, q).Nums {
				want[n] = true
			}
		}
		for i := range filters {
			without(i)
			for j := range i {
				if len(filters) >= 6 {
					without(i, j)
				}
			}
		}
		if len(want) != ex.Total || slices.ContainsFunc(ex.Nums, func(n store.Num) bool { return !want[n] }) {
			t.Errorf("%v: %d formulas are near, and filters by most of them find %d", list, ex.Total, len(want))
		}
		for i, hit := range ex.Hits[:min(len(ex.Hits), 5)] {
			if len(hit.Lacks) == 0 || i > 0 && len(hit.Lacks) < len(ex.Hits[i-1].Lacks) {
				t.Errorf("%v: hit %d lacks %v, the one before %v", list, i, hit.Lacks, ex.Hits[max(i-1, 0)].Lacks)
			}
		}
	}
	if compared < lists/2 {
		t.Errorf("only %d of %d random lists have near formulas", compared, lists)
	}
}

// herbsOf returns the herbs of each formula, as it writes them, each once.
func (p *pack) herbsOf(tb testing.TB) [][]string {
	tb.Helper()
	tx, err := p.store.Begin()
	must(tb, err)
	defer tx.Close()
	all := make([][]string, len(p.Formulas))
	for n := range all {
		var f store.FormulaDetail
		must(tb, json.Unmarshal(tx.FormulaDetail(store.Num(n), store.Composition).Append(nil, "", store.Composition), &f))
		for _, in := range f.Ingredients {
			if !slices.Contains(all[n], in.Herb) {
				all[n] = append(all[n], in.Herb)
			}
		}
	}
	return all
}

// BenchmarkNear asks 100,000 formulas, made of the herbs of the full package, for lists of herbs that
// none of them has.
func BenchmarkNear(b *testing.B) {
	const many = 100_000
	p := full(b)
	r := rand.New(rand.NewPCG(1, 1))
	herbs := p.herbsOf(b)
	formulas := make([]store.Formula, many)
	for i := range formulas {
		of := r.IntN(len(herbs))
		formulas[i] = store.Formula{FormulaDetail: store.FormulaDetail{EntryID: int32(i), Name: p.Formulas[of].Name}, Num: store.Num(i)}
		for _, herb := range herbs[of] {
			if r.IntN(8) > 0 {
				formulas[i].Ingredients = append(formulas[i].Ingredients, store.Ingredient{Herb: herb, Plain: []string{herb}})
			}
		}
	}
	dir := filepath.Join(b.TempDir(), "formulas")
	must(b, index.Build(context.Background(), dir, mappings.Formulas, formulas))
	ix, err := openFormulas(dir)
	must(b, err)
	defer ix.Close()
	for _, n := range []int{4, 6, 10, 20} {
		var lists []string
		for len(lists) < 100 {
			list := slices.Concat(herbs[r.IntN(len(herbs))], herbs[r.IntN(len(herbs))])
			if len(list) < n {
				continue
			}
			text := strings.Join(list[:n], " ")
			if hits := ask(b, ix, search.Query{Text: text, Size: 1}); hits.Near > 0 {
				lists = append(lists, text)
			}
		}
		b.Run(fmt.Sprintf("herbs %d", n), func(b *testing.B) {
			measureEach(b, lists, func(text string) { ask(b, ix, search.Query{Text: text, Size: 20}) })
		})
	}
}
