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
		{"治咳嗽的中药", "咳嗽", 1}, {"cough remedy", "咳嗽", 1}, {"best Chinese medicine for chronic coughs", "咳嗽", 1}, {"治慢性咳嗽的方剂", "咳嗽", 1},
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

// TestComplaintsBeside asks for formulas against a complaint beside a herb or a dynasty. A name comes before
// a complaint.
func TestComplaintsBeside(t *testing.T) {
	formula := func(n int32, name, dynasty, indications, herb string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Dynasty: store.Text(dynasty), Indications: store.Text(indications)}, Num: store.Num(n)}
		f.Ingredients = []store.Ingredient{{Herb: herb, Plain: []string{herb}}}
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "宋", "治咳嗽", "麻黄"), formula(1, "乙汤", "唐", "治咳嗽", "桂枝"), formula(2, "丙汤", "宋", "治不得眠", "麻黄"), formula(3, "麻黄头痛汤", "唐", "治头痛", "桂枝"),
	})
	for _, tt := range []struct {
		q, readAs string
		found     []store.Num
	}{
		{"咳嗽 宋代", "咳嗽", []store.Num{0}}, {"唐 咳嗽", "咳嗽", []store.Num{1}}, {"麻黄 咳嗽", "咳嗽", []store.Num{0}}, {"失眠、麻黄", "不得眠", []store.Num{2}},
		{"麻黄 宋 失眠", "不得眠", []store.Num{2}}, {"咳嗽 明", "", []store.Num{}}, {"麻黄 头痛汤", "", []store.Num{3}}, {"头痛汤 唐", "", []store.Num{3}},
	} {
		hits := ask(t, ix, search.Query{Text: tt.q, Size: 9})
		if !slices.Equal(hits.Nums, tt.found) || hits.ReadAs != tt.readAs {
			t.Errorf("%s finds %v, read as %q; want %v, read as %q", tt.q, hits.Nums, hits.ReadAs, tt.found, tt.readAs)
		}
		if hits.ReadAs != "" && (hits.In != "indications" || len(hits.Recognised) == 0 || hits.Part != "") {
			t.Errorf("%s: in %q, recognised %v, part %q", tt.q, hits.In, hits.Recognised, hits.Part)
		}
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
	must(t, index.Build(t.Context(), dir, mappings.Formulas, formulas))
	ix, err := openFormulas(dir)
	must(t, err)
	t.Cleanup(func() { closeAll(t, ix) })
	return ix
}
