package vernacular_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/names/vernacular"
)

func TestTables(t *testing.T) {
	for _, tt := range []struct {
		table             *vernacular.Table
		plant, herb, name string
	}{
		{vernacular.English(), "Glycyrrhiza uralensis", "甘草", "licorice"},
		{vernacular.English(), "", "石膏", "gypsum"},
		{vernacular.English(), "Zea mays", "", "maize"},
		{vernacular.Asian(), "Melia azedarach", "", "苦楝"},
		{vernacular.Asian(), "Coptis chinensis", "黃連", "オウレン"},
		{vernacular.Asian(), "Astragalus mongholicus", "黄芪", "황기"},
	} {
		if tt.plant != "" && !slices.Contains(tt.table.OfPlant(tt.plant), tt.name) {
			t.Errorf("%s is not called %s", tt.plant, tt.name)
		}
		if tt.herb != "" && !slices.Contains(tt.table.OfHerb(tt.herb), tt.name) {
			t.Errorf("%s is not called %s", tt.herb, tt.name)
		}
	}
}

// TestScientificNames checks that the second column of each file has scientific names without
// author.
func TestScientificNames(t *testing.T) {
	for _, table := range []*vernacular.Table{vernacular.English(), vernacular.Asian()} {
		for plant := range table.Plants() {
			words := strings.Fields(plant)
			if len(words) < 2 || strings.Trim(plant, "abcdefghijklmnopqrstuvwxyz ×.-") != "" {
				t.Errorf("%q is no scientific name in lower case", plant)
			}
		}
	}
}

func TestPlural(t *testing.T) {
	for name, want := range map[string]string{"goji berry": "goji berries", "tea": "teas", "hops": "hops", "peach": "peaches", "bay": "bays", "tomato": "tomatoes"} {
		if got := vernacular.Plural(name); got != want {
			t.Errorf("Plural(%q) is %q, want %q", name, got, want)
		}
	}
}

func TestOfFormula(t *testing.T) {
	for formula, names := range map[string][]string{"逍遙散": {"Free and Easy Wanderer Powder", "Free and Easy Wanderer"}, "葛根汤": {"kakkontō", "kakkonto", "kakkontou"}} {
		for _, name := range names {
			if !slices.Contains(vernacular.OfFormula(formula), name) {
				t.Errorf("%s is not called %s", formula, name)
			}
		}
	}
	if slices.Contains(vernacular.OfFormula("麻黄汤"), "Ephedra") {
		t.Error("Ephedra Decoction without its dose form is a herb")
	}
}

func TestRomanized(t *testing.T) {
	for kana, want := range map[string]string{
		"かっこんとう": "kakkontou", "カッコントウ": "kakkontou", "しょうさいことう": "shousaikotou", "ほちゅうえっきとう": "hochuuekkitou", "けいしぶくりょうがん": "keishibukuryougan",
		"ｶｯｺﾝﾄｳ": "kakkontou", "ｹｲｼﾌﾞｸﾘｮｳｶﾞﾝ": "keishibukuryougan", "かっこん湯": "kakkontou", "かみしょうよう散": "kamishouyousan", "はちみ丸": "hachimigan", "かっこんとうエキス": "kakkontou", "カッコン湯エキス顆粒": "kakkontou", "かっこん　とう": "kakkontou",
		"湯": "", "エキス": "", "葛根とう湯": "",
		"コーヒー": "koohii", "葛根湯": "", "っ": "", "ょ": "", "kampo": "", "": "", "はっぴー!": "",
	} {
		if got := vernacular.Romanized(kana); got != want {
			t.Errorf("%s is %q, want %q", kana, got, want)
		}
	}
}
