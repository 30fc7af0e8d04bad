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

// ingredients returns the ingredients of a formula with these herbs.
func ingredients(herbs ...string) (all []store.Ingredient) {
	for _, h := range herbs {
		all = append(all, store.Ingredient{Herb: h, Plain: []string{h}})
	}
	return all
}

// TestIncompleteLast checks that of the formulas with the herbs of a query those come last of which
// herbs are known to be missing, even if they have no other herb.
func TestIncompleteLast(t *testing.T) {
	formula := func(n int32, name string, unlisted []string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Unlisted: unlisted}, Num: store.Num(n)}
		f.Ingredients = ingredients(herbs...)
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
		{"治失眠的方", "失眠", 0}, {"失眠用什么方", "失眠", 0}, {"formulas for insomnia", "失眠", 0}, {"insomnia formulas", "失眠", 0},
		{"which formulas treat coughs?", "咳嗽", 1}, {"哪些方剂可以治咳嗽", "咳嗽", 1},
		{"治咳嗽的中药", "咳嗽", 1}, {"cough remedy", "咳嗽", 1}, {"best Chinese medicine for chronic coughs", "咳嗽", 1}, {"治慢性咳嗽的方剂", "慢性咳嗽", 1},
	} {
		hits := ask(t, ix, search.Query{Text: tt.q, Size: 9})
		if !slices.Equal(hits.Nums, []store.Num{tt.found}) || hits.ReadAs != tt.readAs || hits.In != "indications" {
			t.Errorf("%s finds %v, read as %q in %q; want %d, read as %q", tt.q, hits.Nums, hits.ReadAs, hits.In, tt.found, tt.readAs)
		}
	}
	if hits := ask(t, ix, search.Query{Text: "sleeplessness", Size: 9}); hits.Total != 0 || !slices.Equal(hits.Elsewhere, []mappings.Place{{In: "indications", Text: "失眠", Total: 1}}) {
		t.Errorf("sleeplessness finds %v, and elsewhere %v", hits.Nums, hits.Elsewhere)
	}
}

// TestComplaintsBeside asks for formulas against a complaint beside a herb or a dynasty. A name
// comes before a complaint.
func TestComplaintsBeside(t *testing.T) {
	formula := func(n int32, name, dynasty, indications, herb string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Dynasty: store.Text(dynasty), Indications: store.Text(indications)}, Num: store.Num(n)}
		f.Ingredients = []store.Ingredient{{Herb: herb, Plain: []string{herb}}}
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "宋", "治咳嗽", "麻黄"), formula(1, "乙汤", "唐", "治咳嗽", "桂枝"), formula(2, "丙汤", "宋", "治不得眠", "麻黄"), formula(3, "麻黄头痛汤", "唐", "治头痛", "桂枝"),
		formula(4, "丁汤", "唐", "服理中汤不效", "生姜"), formula(5, "理中汤", "汉", "治呕", "干姜"),
	})
	for _, tt := range []struct {
		q, readAs string
		found     []store.Num
	}{
		{"咳嗽 宋代", "咳嗽", []store.Num{0}}, {"唐 咳嗽", "咳嗽", []store.Num{1}}, {"麻黄 咳嗽", "咳嗽", []store.Num{0}}, {"失眠、麻黄", "失眠", []store.Num{2}},
		{"麻黄 宋 失眠", "失眠", []store.Num{2}}, {"咳嗽 明", "", []store.Num{}}, {"麻黄 头痛汤", "", []store.Num{3}}, {"头痛汤 唐", "", []store.Num{3}},
		{"生姜 理中汤", "", []store.Num{5}}, {"生姜 不效", "不效", []store.Num{4}}, {"生姜 不效 散", "", []store.Num{}}, {"生姜 散", "", []store.Num{}}, {"麻黄、咳嗽的方剂", "咳嗽", []store.Num{0}}, {"含有麻黄和阿司匹林的方剂", "", []store.Num{}},
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

// TestPartsOfQuestions asks with several parts in one question, with herbs that formulas must not
// have, with dose forms, and with the doses and notes of a prescription.
func TestPartsOfQuestions(t *testing.T) {
	formula := func(n int32, name, author, source, dynasty, indications string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{
			EntryID: n, Name: store.Text(name), OriginalAuthor: store.Text(author), OriginalSource: store.Text(source), Dynasty: store.Text(dynasty), Indications: store.Text(indications),
		}, Num: store.Num(n)}
		f.Ingredients = ingredients(herbs...)
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "张仲景", "伤寒论", "东汉", "治咳嗽", "麻黄", "甘草"),
		formula(1, "乙丸", "许叔微", "普济本事方", "宋", "治骨折", "麻黄", "朱砂"),
		formula(2, "丙膏", "许叔微", "普济本事方", "宋", "治头痛", "麻黄", "乌头", "半夏"),
	})
	for _, tt := range []struct {
		q, readAs string
		found     []store.Num
	}{
		{"许叔微的方 含朱砂", "许叔微 朱砂", []store.Num{1}}, {"半夏和乌头一起用的方", "半夏 乌头", []store.Num{2}}, {"伤寒论里有多少首方", "伤寒论", []store.Num{0}},
		{"谁写的《普济本事方》", "普济本事方", []store.Num{1, 2}}, {"张仲景的含麻黄的方", "张仲景 麻黄", []store.Num{0}}, {"宋代治头痛的方", "头痛", []store.Num{2}},
		{"含麻黄不含甘草的方", "麻黄 不含甘草", []store.Num{1, 2}}, {"麻黄 不含甘草", "", []store.Num{1, 2}}, {"不含甘草", "", []store.Num{1, 2}}, {"没有 甘草", "", []store.Num{1, 2}}, {"张仲景 不含甘草", "", []store.Num{}}, {"含麻黄而无朱砂的方", "麻黄 无朱砂", []store.Num{0, 2}},
		{"许叔微 麻黄 丸", "", []store.Num{1}}, {"膏 麻黄 宋代", "", []store.Num{2}}, {"麻黄膏剂", "麻黄 膏剂", []store.Num{2}}, {"宋代的膏", "宋代 膏", []store.Num{2}},
		{"普济本事方 骨折", "骨折", []store.Num{1}}, {"许叔微 骨断", "", []store.Num{}},
		{"①麻黄9g ②甘草（炙）6克", "麻黄 甘草", []store.Num{0}}, {"麻黄（去节，三两） 朱砂（研，一两）", "麻黄 朱砂", []store.Num{1}},
		{"ephedra without licorice", "麻黄 不含甘草", []store.Num{1, 2}}, {"formulas with ephedra but without licorice", "麻黄 不含甘草", []store.Num{1, 2}}, {"ephedra without", "", []store.Num{}}, {"formulas with ephedra without", "", []store.Num{}},
		{"麻黄 不含甘草、朱砂", "", []store.Num{2}}, {"麻黄 不含甘草， 朱砂", "", []store.Num{2}}, {"麻黄 不含甘草 朱砂", "", []store.Num{1}}, {"麻黄 不含 甘草", "", []store.Num{1, 2}},
		{"不含甘草和朱砂的方", "不含甘草 不含朱砂", []store.Num{2}}, {"没有甘草、朱砂的方", "没有甘草 没有朱砂", []store.Num{2}}, {"麻黄 不含甘草或朱砂", "麻黄 不含甘草 不含朱砂", []store.Num{2}},
		{"不含甘草，含朱砂的方", "不含甘草 朱砂", []store.Num{1}}, {"不含甘草、朱砂 头痛", "头痛", []store.Num{2}}, {"含麻黄、不含甘草与朱砂的方", "麻黄 不含甘草 不含朱砂", []store.Num{2}},
		{"ephedra without licorice and cinnabar", "麻黄 不含甘草 不含朱砂", []store.Num{2}}, {"ephedra without licorice or cinnabar", "麻黄 不含甘草 不含朱砂", []store.Num{2}},
		{"formulas without licorice", "不含甘草", []store.Num{1, 2}}, {"formulas without licorice but with cinnabar", "不含甘草 朱砂", []store.Num{1}},
		{"which formulas do not contain licorice, cinnabar?", "不含甘草 不含朱砂", []store.Num{2}}, {"麻黄或甘草的方", "", []store.Num{}},
		{"甲汤 Jia Tang", "甲汤", []store.Num{0}}, {"甲汤 Yi Wan", "", []store.Num{}}, {"甲汤 Jia Tang Wan", "", []store.Num{}}, {"Jia Decoction (甲汤)", "甲汤", []store.Num{0}}, {"（三）甲汤", "", []store.Num{0}}, {"一、甲汤", "", []store.Num{0}},
		{"甲汤的方子", "甲汤", []store.Num{0}}, {"cinnabar formula", "朱砂", []store.Num{1}}, {"半夏和阿司匹林一起用的方", "", []store.Num{}},
	} {
		hits := ask(t, ix, search.Query{Text: tt.q, Size: 9})
		slices.Sort(hits.Nums)
		if !slices.Equal(hits.Nums, tt.found) || hits.ReadAs != tt.readAs {
			t.Errorf("%s finds %v, read as %q; want %v, read as %q", tt.q, hits.Nums, hits.ReadAs, tt.found, tt.readAs)
		}
	}
	if hits := ask(t, ix, search.Query{Text: "麻黄 不含甘草", NoHerbs: true, Size: 9}); hits.Total != 0 || len(hits.Recognised) != 0 {
		t.Errorf("without the right to see herbs, 麻黄 不含甘草 finds %v and recognises %v", hits.Nums, hits.Recognised)
	}
}

// TestAsTyped asks questions as patients and physicians type them. A query for a child, a woman or an old
// person finds formulas for these. Words that say how to decoct a drug change nothing.
func TestAsTyped(t *testing.T) {
	formula := func(n int32, name, indications string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: store.Text(name), Dynasty: "宋", Indications: store.Text(indications)}, Num: store.Num(n)}
		f.Ingredients = ingredients(herbs...)
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "治咳嗽", "麻黄", "甘草"), formula(1, "乙丸", "治骨折", "麻黄", "朱砂"), formula(2, "丙膏", "治头痛", "麻黄", "乌头", "半夏"), formula(3, "丁散", "治小儿头痛", "天麻", "钩藤"),
		formula(4, "戊汤", "治老人便秘", "当归", "肉苁蓉"), formula(5, "己汤", "治产后腹痛", "当归", "生姜"), formula(6, "庚丸", "治腹痛", "干姜"),
		formula(7, "辛散", "治厥逆", "柴胡", "枳实"), formula(8, "壬饮", "治厥逆", "柴胡", "枳实", "芍药", "陈皮"),
	})
	for q, want := range map[string][]store.Num{
		"小儿头痛": {3}, "小儿头痛怎么治": {3}, "治儿童头痛的方": {3}, "formulas for headache in children": {3}, "pediatric headache": {3}, "小兒頭痛": {3}, "小儿咳嗽": {}, "治头痛的方": {2, 3},
		"辛散 柴胡 枳实 芍药 甘草": {7}, "辛散（柴胡、枳实、芍药、甘草）": {7}, "辛散：柴胡12g 枳实9g 芍药9g": {7}, "柴胡 枳实 芍药 甘草": {8}, "甲汤 柴胡 枳实 芍药 甘草": {8},
		"老人便秘": {4}, "老年人便秘": {4}, "产后腹痛怎么治": {5}, "治产后腹痛的方": {5}, "妇人腹痛怎么治": {}, "治腹痛的方": {5, 6}, "postpartum abdominal pain": {5},
		"麻黄先煎6g，甘草6g": {0}, "麻黄 先煎 9g 朱砂冲服1g": {1}, "烏頭先煎 半夏後下": {2}, "Rp. 1) 麻黄 9g; 2) 甘草 6g": {0}, "rx 麻黄 甘草": {0},
		"what can treat cough?": {0}, "which formulas could help with cough": {0}, "can you recommend a formula for cough?": {0}, "is there a formula for cough": {0}, "I am looking for formulas with cinnabar": {1},
	} {
		hits := ask(t, ix, search.Query{Text: q, Size: 9})
		slices.Sort(hits.Nums)
		if !slices.Equal(hits.Nums, want) {
			t.Errorf("%s finds %v, want %v", q, hits.Nums, want)
		}
	}
}

// TestInFamily asks for names beside that of their family.
func TestInFamily(t *testing.T) {
	dir := filepath.Join(t.TempDir(), mappings.SpeciesDir)
	species := func(n int32, chinese, latin, family, familyChinese, genus, genusChinese string) store.Species {
		return store.Species{SpeciesDetail: store.SpeciesDetail{
			EntryID: n, ChineseName: store.Text(chinese), ScientificName: store.Text(latin), Family: store.Text(family), FamilyChinese: store.Text(familyChinese),
			Genus: store.Text(genus), GenusChinese: store.Text(genusChinese),
		}, Num: store.Num(n)}
	}
	must(t, index.Build(t.Context(), dir, mappings.Species, []store.Species{
		species(0, "夹竹桃", "Nerium oleander", "Apocynaceae", "夹竹桃科", "Nerium", "夹竹桃属"), species(1, "络石", "Trachelospermum jasminoides", "Apocynaceae", "夹竹桃科", "Trachelospermum", "络石属"),
		species(2, "黄连", "Coptis chinensis", "Ranunculaceae", "毛茛科", "Coptis", "黄连属"),
		species(3, "桔梗", "Platycodon grandiflorus", "Campanulaceae", "桔梗科", "Platycodon", "桔梗属"),
		species(4, "稻", "Oryza sativa", "Poaceae", "禾本科", "Oryza", "稻属"), species(5, "龙胆", "Gentiana scabra", "Gentianaceae", "龙胆科", "Gentiana", "龙胆属"), species(6, "芒果", "Mangifera indica", "Anacardiaceae", "漆树科", "Mangifera", "杧果属"),
	}))
	ix, err := openSpecies(dir)
	must(t, err)
	t.Cleanup(func() { closeAll(t, ix) })
	for q, want := range map[string][]store.Num{
		"Apocynaceae Nerium": {0}, "夹竹桃科 络石属": {1}, "Nerium (Apocynaceae)": {0}, "毛茛科、黄连": {2}, "Apocynaceae": {0, 1}, "夹竹桃科 植物": {0, 1}, "夹竹桃科的络石": {1}, "夹竹桃科的植物": {0, 1}, "plants of Apocynaceae": {0, 1}, "Apocynaceae plants": {0, 1}, "what are the plants of Apocynaceae": {0, 1}, "毛茛科 夹竹桃": {0}, "黄连 9g": {2}, "黄连多少不拘": {2}, "黄连重三两": {2}, "黄连 均等": {2}, "黄连伍钱": {2}, "·络石": {1}, "②黄连": {2}, "三、黄连": {2},
		"which family does Coptis belong to": {2}, "is Coptis chinensis poisonous?": {2}, "黄连 Coptidis (Huang Lian)": {2},
		"黄连 C. chinensis (Huang Lian)": {2}, "黄连 P. grandiflorus": {}, "黄连 Platycodon grandiflorus": {}, "黄连 Coptis chinensis": {2}, "黄连 goldthread root": {2}, "黄连 Jiegeng": {},
		"稻 rice": {4}, "芒果 mango": {6}, "Mango (芒果)": {6}, "龙胆 gentian": {5}, "龙胆 Gentiana": {5}, "黄连 Gentiana": {}, "黄连 flower": {2}, "黄连 mango": {2}, "桔梗 banana": {},
		"what is balloon flower": {3}, "uses of balloon flower": {3}, "what is the balloon flower plant used for?": {3}, "Platycodon plant": {3},
	} {
		hits := ask(t, ix, search.Query{Text: q, Size: 9})
		slices.Sort(hits.Nums)
		if !slices.Equal(hits.Nums, want) {
			t.Errorf("%s finds %v, want %v", q, hits.Nums, want)
		}
	}
}

// TestAllNamesOfComplaint checks that a complaint is searched by all its names wherever it is searched,
// and that the number of formulas that a search counts in the indications is what such a search finds.
func TestAllNamesOfComplaint(t *testing.T) {
	formulas := []store.Formula{{FormulaDetail: store.FormulaDetail{Name: "甲汤", Dynasty: "宋", Indications: "治脚气"}}}
	for n := int32(1); n < 15; n++ {
		f := store.FormulaDetail{EntryID: n, Name: "乙汤", Dynasty: "宋", Indications: "治香港脚"}
		if n > 11 {
			f.Dynasty = "唐"
		}
		formulas = append(formulas, store.Formula{FormulaDetail: f, Num: store.Num(n)})
	}
	formulas[13].Indications = "治香港脚，头痛"
	ix := indexOf(t, formulas)
	for _, tt := range []struct {
		q      search.Query
		readAs string
		total  int
	}{
		{search.Query{Text: "治脚气的方"}, "脚气", 15}, {search.Query{Text: "脚气 宋"}, "脚气", 12}, {search.Query{Text: "脚气", In: "indications"}, "", 15}, {search.Query{Text: "beriberi", In: "indications"}, "脚气", 15},
		{search.Query{Text: "脚气", In: "indications", Dynasty: "唐"}, "", 3}, {search.Query{Text: "治脚气的方", Dynasty: "宋"}, "脚气", 12}, {search.Query{Text: "脚气 头痛"}, "脚气 头痛", 1}, {search.Query{Text: "脚气头痛"}, "脚气 头痛", 1},
	} {
		if hits := ask(t, ix, tt.q); hits.Total != tt.total || hits.ReadAs != tt.readAs || !slices.Contains(hits.Names, "脚气") || !slices.Contains(hits.Names, "香港脚") {
			t.Errorf("%+v finds %d, read as %q by the names %q; want %d, read as %q", tt.q, hits.Total, hits.ReadAs, hits.Names, tt.total, tt.readAs)
		}
	}
	for _, q := range []string{"脚气", "beriberi", "香港脚", "脚气？", "beriberi?"} {
		counted, found := ask(t, ix, search.Query{Text: q}).Elsewhere, ask(t, ix, search.Query{Text: q, In: "indications"}).Total
		if len(counted) != 1 || counted[0].Total != found || found == 0 {
			t.Errorf("%s: a search counts %v, and one in the indications finds %d", q, counted, found)
		}
	}
}

// TestWordsOfComplaints checks that no word crosses a stop or a comma, that names of one character do not
// count inside words that mean something else, and that all names in a line of the table mean the same.
func TestWordsOfComplaints(t *testing.T) {
	indications := []string{"咽喉肿痛。经曰", "经前痛经", "治喉痹", "治痹痛喉痹", "治泄利", "治泄泻", "淋漓汗出", "小便淋，涩痛", "头痛：痹也", "治牙疼", "治齿痛", "治破伤风", "治伤风", "治卒中恶", "治天花", "天花粉二钱"}
	var formulas []store.Formula
	for n, text := range indications {
		formulas = append(formulas, store.Formula{FormulaDetail: store.FormulaDetail{EntryID: int32(n), Name: store.Text("甲汤"), Indications: store.Text(text)}, Num: store.Num(n)})
	}
	ix := indexOf(t, formulas)
	for q, want := range map[string][]store.Num{
		"痛经": {1}, "痹": {3, 8}, "喉痹": {2, 3}, "腹泻": {4, 5}, "泄泻": {4, 5}, "diarrhea": {4, 5}, "拉肚子": {4, 5}, "泄利": {4}, "淋": {7}, "尿路感染": {7}, "toothache": {9, 10}, "牙痛": {9, 10}, "感冒": {12}, "破伤风": {11}, "中风": {}, "天花": {14},
		"肿痛。经曰": {0}, "痛痹": {}, "淋涩": {}, "淋，涩痛": {7},
	} {
		hits := ask(t, ix, search.Query{Text: q, In: "indications", Size: 9})
		slices.Sort(hits.Nums)
		if !slices.Equal(hits.Nums, want) {
			t.Errorf("%s finds %v, want %v", q, hits.Nums, want)
		}
		place := ask(t, ix, search.Query{Text: q, Size: 9}).Elsewhere
		if total := len(want); total > 0 && (len(place) != 1 || place[0].Total != total) {
			t.Errorf("%s: a search of the names counts %v in the indications, want %d", q, place, total)
		}
	}
}

// TestWithHerb checks that a search for the name of a herb counts the formulas that the filter by this
// herb finds.
func TestWithHerb(t *testing.T) {
	formula := func(n int32, herb string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: "甲汤"}, Num: store.Num(n)}
		f.Ingredients = []store.Ingredient{{Herb: herb, Plain: []string{herb}}}
		return f
	}
	ix := indexOf(t, []store.Formula{formula(0, "黄芪"), formula(1, "黄芪"), formula(2, "甘草")})
	for q, want := range map[string]int{"黄芪": 2, "黃耆": 2, "甘草": 1, "石膏": 0, "甲汤": 0, "黄芪 甘草": 0} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 9}); hits.WithHerb != want {
			t.Errorf("%s counts %d formulas with the herb, want %d", q, hits.WithHerb, want)
		}
	}
	if hits := ask(t, ix, search.Query{Text: "黄芪", Size: 9, NoHerbs: true}); hits.WithHerb != 0 {
		t.Errorf("without herbs, 黄芪 counts %d formulas with the herb", hits.WithHerb)
	}
}

// TestHerbNamed checks which names mean a herb of formulas, and that a filter may leave out the names that
// notes add.
func TestHerbNamed(t *testing.T) {
	ix := indexOf(t, []store.Formula{{FormulaDetail: store.FormulaDetail{Name: "甲汤"}, Ingredients: []store.Ingredient{
		{Herb: "当归", Plain: []string{"当归"}}, {Herb: "地黄", Plain: []string{"地黄"}}, {Herb: "甘草", Plain: []string{"甘草"}, Note: "炙", Noted: []string{"炙甘草"}},
	}}})
	for _, tt := range []struct {
		name string
		cut  bool
		want string
	}{
		{"当归", false, "当归"}, {"酒炒当归", true, "当归"}, {"酒炒当归", false, ""}, {"炙甘草", false, "炙甘草"},
		{"熟地黄", true, ""}, // a herb of its own
	} {
		got, ok, err := ix.HerbNamed(tt.name, tt.cut, func(name string) string { return name })
		must(t, err)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s, cut %v, is the herb %q, want %q", tt.name, tt.cut, got, tt.want)
		}
	}
	for written, want := range map[bool]int{false: 1, true: 0} {
		q := search.Query{Filters: []search.Filter{{Field: mappings.HerbsField, Any: []string{"炙甘草"}, Written: written}}}
		if hits := ask(t, ix, q); hits.Total != want {
			t.Errorf("炙甘草, written %v, passes %d formulas, want %d", written, hits.Total, want)
		}
	}
}

// TestMiswrittenHerb asks for a herb by a miswritten name alone, which finds the names with the herb.
func TestMiswrittenHerb(t *testing.T) {
	ix := indexOf(t, []store.Formula{
		{FormulaDetail: store.FormulaDetail{Name: "人参汤"}, Ingredients: []store.Ingredient{{Herb: "人参", Plain: []string{"人参"}}}},
		{FormulaDetail: store.FormulaDetail{EntryID: 1, Name: "甲汤"}, Num: 1, Ingredients: []store.Ingredient{{Herb: "人参", Plain: []string{"人参"}}}},
	})
	if hits := ask(t, ix, search.Query{Text: "人叁", Size: 9}); !slices.Equal(hits.Nums, []store.Num{0}) || hits.Forgiven != "lookAlike" || hits.ReadAs != "人参" {
		t.Errorf("人叁 finds %v (%s), read as %q; want 0, read as 人参", hits.Nums, hits.Forgiven, hits.ReadAs)
	}
	if hits := ask(t, ix, search.Query{Text: "人叁", Size: 9, Unforgiving: true}); hits.Total != 0 {
		t.Errorf("人叁 finds %v without tolerance", hits.Nums)
	}
}

// TestLoneDynasty checks that a dynasty of one character means the same with filters, that names with
// the character come after its formulas, and that such names can be asked for alone.
func TestLoneDynasty(t *testing.T) {
	const ofDynasty = 22
	indexWith := func(named int32) *search.Searcher {
		var formulas []store.Formula
		for n := range ofDynasty + named {
			f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: n, Name: "甲汤", Dynasty: "清", Indications: "治热"}, Num: store.Num(n)}
			if n >= ofDynasty {
				f.Name, f.Dynasty, f.Indications = "清骨散", "明", "清热"
			}
			if n%ofDynasty == 0 {
				f.Ingredients = []store.Ingredient{{Herb: "人参", Plain: []string{"人参"}}}
			}
			formulas = append(formulas, f)
		}
		return indexOf(t, formulas)
	}
	few, many := indexWith(2), indexWith(3)
	ofGinseng := []search.Filter{{Field: mappings.HerbsField, Name: "herbs", Value: "人参", Any: []string{"人参"}}}
	for _, tt := range []struct {
		ix          *search.Searcher
		q           search.Query
		total       int
		first, last store.Num
		recognised  int
	}{
		{few, search.Query{}, 24, 0, 23, 1}, {few, search.Query{Filters: ofGinseng}, 2, 0, 22, 1}, {few, search.Query{NamesAlone: true}, 2, 22, 23, 0},
		{many, search.Query{}, 3, 22, 24, 0}, {many, search.Query{Filters: ofGinseng}, 1, 22, 22, 0},
	} {
		tt.q.Text, tt.q.Size = "清", 30
		hits := ask(t, tt.ix, tt.q)
		if hits.Total != tt.total || hits.Nums[0] != tt.first || hits.Nums[len(hits.Nums)-1] != tt.last || len(hits.Recognised) != tt.recognised {
			t.Errorf("%+v finds %v, and recognises %v; want %d from %d to %d", tt.q, hits.Nums, hits.Recognised, tt.total, tt.first, tt.last)
		}
	}
	if hits := ask(t, few, search.Query{Text: "清", In: "indications"}); hits.Total != 2 || len(hits.Elsewhere) != 0 {
		t.Errorf("清 in the indications finds %d, and counts %v", hits.Total, hits.Elsewhere)
	}
}

// TestLoneBook checks that the formulas of a book come in its order, before those of an earlier
// book that have its title in their names.
func TestLoneBook(t *testing.T) {
	var formulas []store.Formula
	early, late := int32(100), int32(219)
	for n, f := range []store.FormulaDetail{{Name: "伤寒论汤", Year: &early, OriginalSource: "甲书"}, {Name: "乙汤", Year: &late, OriginalSource: "伤寒论"}, {Name: "甲汤", Year: &late, OriginalSource: "伤寒论"}} {
		f.EntryID = int32(n)
		formulas = append(formulas, store.Formula{FormulaDetail: f, Num: store.Num(n)})
	}
	ix := indexOf(t, formulas)
	for sort, want := range map[string][]store.Num{"": {1, 2, 0}, "year": {0, 1, 2}} {
		if hits := ask(t, ix, search.Query{Text: "伤寒论", Size: 9, Sort: sort}); !slices.Equal(hits.Nums, want) || hits.Named != 1 {
			t.Errorf("伤寒论 by %q finds %v, %d of them by name; want %v", sort, hits.Nums, hits.Named, want)
		}
	}
}

// TestOneWordInLatinLetters checks that one word in Latin letters is a title or the whole name of an
// author, with tones or without, but no given or courtesy name.
func TestOneWordInLatinLetters(t *testing.T) {
	ix := indexOf(t, []store.Formula{
		{FormulaDetail: store.FormulaDetail{EntryID: 0, Name: "甲汤", OriginalAuthor: "许叔微", OriginalSource: "普济本事方"}, Num: 0},
		{FormulaDetail: store.FormulaDetail{EntryID: 1, Name: "乙汤", OriginalAuthor: "张仲景", OriginalSource: "伤寒论"}, Num: 1},
		{FormulaDetail: store.FormulaDetail{EntryID: 2, Name: "枳壳汤", NamePinyin: "zhǐ ké tāng"}, Num: 2},
		{FormulaDetail: store.FormulaDetail{EntryID: 3, Name: "葛根汤", OriginalSource: "金匮要略"}, Num: 3},
	})
	for q, want := range map[string]struct {
		recognised int
		found      []store.Num
	}{
		"かっこんとう": {0, []store.Num{3}}, "カッコントウ": {0, []store.Num{3}}, "ｶｯｺﾝﾄｳ": {0, []store.Num{3}}, "かっこん湯": {0, []store.Num{3}}, "かっこん とうエキス": {0, []store.Num{3}}, "かっこんとん": {0, nil},
		"zhike": {0, []store.Num{2}}, "shuwei": {0, nil}, "kezhi": {0, nil}, "Xu Zhike": {1, []store.Num{0}}, "Zhongjing Zhang": {1, []store.Num{1}},
		"Shanghanlun": {1, []store.Num{1}}, "Shānghánlùn": {1, []store.Num{1}}, "zhangzhongjing": {1, []store.Num{1}}, "xuzhike": {1, []store.Num{0}}, "Zhāngjī": {1, []store.Num{1}},
	} {
		hits := ask(t, ix, search.Query{Text: q, Size: 9})
		if len(hits.Recognised) != want.recognised || want.found != nil && !slices.Equal(hits.Nums, want.found) {
			t.Errorf("%s finds %v, and recognises %v; want %v", q, hits.Nums, hits.Recognised, want.found)
		}
	}
}

// TestHerbsTogether asks for herbs without separators. The longest herb at the beginning of such a text
// may leave a rest that is no list of herbs.
func TestHerbsTogether(t *testing.T) {
	f := store.Formula{FormulaDetail: store.FormulaDetail{Name: "甲汤"}}
	f.Ingredients = ingredients("熟地黄", "熟地", "黄芪", "当归")
	ix := indexOf(t, []store.Formula{f})
	for q, want := range map[string]string{"熟地黄芪当归": "熟地 黄芪 当归", "熟地黄当归": "熟地黄 当归", "当归熟地黄": "当归 熟地黄", "熟地黄芪当去": ""} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 9}); hits.ReadAs != want || want != "" && hits.Total != 1 {
			t.Errorf("%s is read as %q and finds %d; want %q", q, hits.ReadAs, hits.Total, want)
		}
	}
}

// TestStandIn asks for the formulas of exactly some herbs. 乙汤 comes after 甲汤, though the first record
// with the name 甲汤 lacks herbs.
func TestStandIn(t *testing.T) {
	var all []store.Formula
	for i, one := range []struct {
		name  string
		herbs []string
	}{
		{"甲汤", []string{"干姜"}}, {"乙汤", []string{"附子", "干姜", "甘草"}},
		{"甲汤", []string{"附子", "干姜", "甘草"}}, {"甲汤", []string{"附子", "干姜", "甘草"}}, {"丙汤", []string{"附子", "干姜", "甘草", "人参"}},
	} {
		f := store.Formula{FormulaDetail: store.FormulaDetail{Name: store.Text(one.name)}, Num: store.Num(i)}
		f.Ingredients = ingredients(one.herbs...)
		all = append(all, f)
	}
	ix := indexOf(t, all)
	want := []store.Num{2, 1, 3, 4}
	for from := range want {
		if hits := ask(t, ix, search.Query{Text: "附子 干姜 甘草", From: from, Size: 9}); !slices.Equal(hits.Nums, want[from:]) || hits.Total != 4 {
			t.Errorf("from %d: the answer is %v of %d, want %v of 4", from, hits.Nums, hits.Total, want[from:])
		}
	}
}

// TestCitations asks for papers by authors and a year.
func TestCitations(t *testing.T) {
	dir := filepath.Join(t.TempDir(), mappings.PapersDir)
	must(t, index.Build(t.Context(), dir, mappings.Papers, []store.Paper{
		{PaperSummary: store.PaperSummary{Title: "First", Authors: "Zuo Y; Wang L", Year: "2017"}, Num: 0},
		{PaperSummary: store.PaperSummary{Title: "Second", Authors: "Li Z", Year: "2017"}, Num: 1},
	}))
	ix, err := openPapers(dir)
	must(t, err)
	t.Cleanup(func() { closeAll(t, ix) })
	for q, want := range map[string]int{"Zuo 2017": 1, "Zuo et al. 2017": 1, "ZUO ET AL 2017": 1, "Zuo And Wang 2017": 1, "& 2017": 0, "et al. 2017": 0, "Zuo 2016": 0} {
		ex, err := ix.Explain(t.Context(), search.Query{Text: q, Size: 9})
		must(t, err)
		if ex.Total != want || want > 0 && (ex.Hits[0].Num != 0 || ex.Hits[0].Field != "author" || ex.Hits[0].Way != mappings.Words.String()) {
			t.Errorf("%s finds %d (%+v), want %d", q, ex.Total, ex.Hits, want)
		}
	}
	for _, q := range []string{"Zuo 2017 First", "Zuo First 2017", "Zuo, Y. First (2017)"} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 9}); !slices.Equal(hits.Nums, []store.Num{0}) || hits.ReadAs != "First" {
			t.Errorf("%s finds %v, read as %q; want 0, read as First", q, hits.Nums, hits.ReadAs)
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
