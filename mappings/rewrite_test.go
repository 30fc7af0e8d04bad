package mappings_test

import (
	"path/filepath"
	"slices"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// TestIncompleteLast checks that of the formulas with the herbs of a query those come last of which
// herbs are known to be missing, even if they have no other herb.
func TestIncompleteLast(t *testing.T) {
	formula := func(n int32, name string, unlisted []string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Unlisted: unlisted}, Num: store.Num(n)}
		for _, h := range herbs {
			f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: h, Plain: []string{h}})
		}
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", []string{"茯苓"}, "人参", "甘草"),
		formula(1, "乙汤", nil, "人参", "甘草", "白术", "附子", "干姜", "大枣", "黄芪", "当归", "川芎", "桂枝", "芍药", "生姜"),
		formula(2, "丙汤", nil, "人参", "甘草"),
	})
	hits := ask(t, ix, search.Query{Text: "人参 甘草", Size: 9})
	if want := []store.Num{2, 1, 0}; !slices.Equal(hits.Nums, want) {
		t.Errorf("人参 甘草 finds %v, want %v", hits.Nums, want)
	}
}

// TestComplaints asks for formulas against complaints whose modern or English names no indications
// have.
func TestComplaints(t *testing.T) {
	ix := indexOf(t, []store.Formula{
		{FormulaDetail: store.FormulaDetail{EntryID: 0, Name: "甲汤", Indications: "治虚烦不得眠"}, Num: 0},
		{FormulaDetail: store.FormulaDetail{EntryID: 1, Name: "乙汤", Indications: "治咳嗽"}, Num: 1},
	})
	for _, tt := range []struct {
		q, readAs string
		found     store.Num
	}{
		{"治失眠的方", "不得眠", 0}, {"失眠用什么方", "不得眠", 0}, {"formulas for insomnia", "不得眠", 0}, {"insomnia formulas", "不得眠", 0},
		{"which formulas treat coughs?", "咳嗽", 1}, {"哪些方剂可以治咳嗽", "咳嗽", 1},
	} {
		hits := ask(t, ix, search.Query{Text: tt.q, Size: 9})
		if !slices.Equal(hits.Nums, []store.Num{tt.found}) || hits.ReadAs != tt.readAs || hits.In != "indications" {
			t.Errorf("%s finds %v, read as %q in %q; want %d, read as %q", tt.q, hits.Nums, hits.ReadAs, hits.In, tt.found, tt.readAs)
		}
	}
	if hits := ask(t, ix, search.Query{Text: "sleeplessness", Size: 9}); hits.Total != 0 || !slices.Equal(hits.Elsewhere, []mappings.Place{{In: "indications", Text: "不得眠", Total: 1}}) {
		t.Errorf("sleeplessness finds %v, and elsewhere %v", hits.Nums, hits.Elsewhere)
	}
}

// TestRareReadings checks that a wrong character is taken for one that looks like it before it is read
// as hardly anybody reads it: 洋 is also xiáng, and 洋活散 a slip for 羌活散.
func TestRareReadings(t *testing.T) {
	ix := indexOf(t, []store.Formula{
		{FormulaDetail: store.FormulaDetail{EntryID: 0, Name: "翔火散", NamePinyin: "xiáng huǒ sǎn"}, Num: 0},
		{FormulaDetail: store.FormulaDetail{EntryID: 1, Name: "羌活散", NamePinyin: "qiāng huó sǎn"}, Num: 1},
	})
	for q, want := range map[string]store.Num{"洋活散": 1, "洋火伞": 0, "强活散": 1} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 9}); !slices.Equal(hits.Nums, []store.Num{want}) || hits.Forgiven == "" {
			t.Errorf("%s finds %v (%s), want %d", q, hits.Nums, hits.Forgiven, want)
		}
	}
}

// indexOf returns an index of formulas.
func indexOf(t *testing.T, formulas []store.Formula) *search.Searcher {
	t.Helper()
	dir := filepath.Join(t.TempDir(), mappings.FormulasDir)
	if err := index.Build(t.Context(), dir, mappings.Formulas, formulas); err != nil {
		t.Fatal(err)
	}
	ix, err := openFormulas(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(t, ix) })
	return ix
}
