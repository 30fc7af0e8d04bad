package herb

import (
	stdcmp "cmp"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/names/herb"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestUnlisted checks which herbs of a text count as missing from the ingredients. Two kinds of
// herbs do not count: those with which the finished formula is taken, and those in a longer text of
// the indications.
func TestUnlisted(t *testing.T) {
	for _, test := range []struct{ composition, indications, ingredients, want string }{
		{"附子(炮去皮脐) 麻黄(去节汤) 白术 干姜 甘草(炙) 人参（等分）", "治寒湿所中", "白术 干姜 人参", "附子 麻黄 甘草"},
		{"甘草四两（炙） 人参三两 白术三两 干姜三两", "桂枝四两", "甘草 人参 白术 干姜", "桂枝"},
		{"麦门冬（各三两） 人参 甘草（各二两）", "桂枝", "麦门冬 人参 甘草", "桂枝"},
		{"白术 厚朴（去粗上为细末。每服二钱，姜钱三片，枣一枚，甘草", "", "白术", "厚朴"},
		{"防风（各一两） 白术（二两）六曰：风雨寒湿伤形。黄芪甘温，得防风而功愈速。", "", "防风 白术", ""},
		{"人参 炙甘草（各半两）上㕮咀，生姜三片，附子一枚同煎", "人参汤主之", "人参 甘草", ""},
		{"人参、白术，甘草", "", "人参 白术 甘草", ""},
		{"人参 豉一升 葱白 香豉", "", "人参", "葱白 淡豆豉"},
		{"人参 豉（绵裹） 甘草", "豉一升", "人参 甘草", ""}, // a single character
		{"人参 白术", "", "", ""}, // nothing counts as missing if the formula has no ingredients
	} {
		p := &datapackage.Package{}
		for _, name := range strings.Fields("附子 麻黄 甘草 人参 白术 干姜 生姜 桂枝 厚朴 防风 黄芪 麦门冬 葱白 淡豆豉") {
			p.HerbSpecies = append(p.HerbSpecies, datapackage.HerbSpecies{Herb: name})
		}
		f := store.Formula{FormulaDetail: store.FormulaDetail{Composition: store.Text(test.composition), Indications: store.Text(test.indications)}}
		known := New(p)
		for i, name := range strings.Fields(test.ingredients) {
			f.Ingredients = append(f.Ingredients, store.Ingredient{Seq: int32(i + 1), Herb: name, Plain: known.Plain(name)})
		}
		d := &store.Data{Formulas: []store.Formula{f}}
		herbs := known.Records(p, d, func(name string) string { return name })
		if diff := cmp.Diff(test.want, strings.Join(d.Formulas[0].Unlisted, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.composition, diff)
		}
		for _, in := range d.Formulas[0].Ingredients {
			if len(in.Herbs) != 1 || herbs[in.Herbs[0]].Name != stdcmp.Or(herb.Standard(in.Herb), in.Herb) {
				t.Errorf("%s resolves to %v", in.Herb, in.Herbs)
			}
		}
	}
}

// TestUnlistedByYear checks that a name in a text means what it means in an ingredient of the same year:
// a formula of 652 that lists 青木香 as an ingredient has 木香, and its text names no further herb.
func TestUnlistedByYear(t *testing.T) {
	for year, want := range map[int32]string{652: "", 1578: "木香"} {
		p := &datapackage.Package{HerbSpecies: []datapackage.HerbSpecies{{Herb: "木香"}, {Herb: "人参"}}}
		f := store.Formula{FormulaDetail: store.FormulaDetail{Year: &year, Composition: "青木香二两 木香一两 人参一两"}}
		known := New(p)
		for i, name := range []string{"青木香", "人参"} {
			f.Ingredients = append(f.Ingredients, store.Ingredient{Seq: int32(i + 1), Herb: name, Plain: known.At(&year).Plain(name)})
		}
		d := &store.Data{Formulas: []store.Formula{f}}
		known.Records(p, d, func(name string) string { return name })
		if got := strings.Join(d.Formulas[0].Unlisted, " "); got != want {
			t.Errorf("in a formula of %d the text names %q besides 青木香 and 人参, want %q", year, got, want)
		}
	}
}

// TestOwn checks that a herb whose name only looks like a form of another herb stays separate, as
// in the pharmacopoeia.
func TestOwn(t *testing.T) {
	p := &datapackage.Package{}
	for _, name := range strings.Fields("党参 红花 射干 防己 牛膝 地黄 附子 甘草 当归 白术") {
		p.HerbSpecies = append(p.HerbSpecies, datapackage.HerbSpecies{Herb: name})
	}
	known := New(p)
	for written, plain := range map[string]string{
		"明党参": "明党参", "炒明党参": "明党参", "西红花": "西红花", "藏红花": "西红花", "川射干": "川射干", "广防己": "广防己",
		"红花": "红花", "酒红花": "红花", "怀牛膝": "牛膝", "制附子": "制附子", "盐附子": "附子", "川当归": "当归", "生白术": "白术", "炙甘草": "炙甘草", "炒甘草": "甘草", "炙党参": "党参",
	} {
		if got := strings.Join(known.Plain(written), " "); got != plain {
			t.Errorf("%s is %q; want %s", written, got, plain)
		}
	}
}
