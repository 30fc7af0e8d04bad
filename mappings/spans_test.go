package mappings_test

import (
	"slices"
	"testing"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/store"
)

// TestSpans asks with parts that few people type: each query needs one rule of the reading, which
// others do not need.
func TestSpans(t *testing.T) {
	formula := func(n int32, name, pinyin, author, source, dynasty, indications string, herbs ...string) store.Formula {
		f := store.Formula{FormulaDetail: store.FormulaDetail{
			EntryID: n, Name: store.Text(name), NamePinyin: store.Text(pinyin), OriginalAuthor: store.Text(author), OriginalSource: store.Text(source), Dynasty: store.Text(dynasty), Indications: store.Text(indications),
		}, Num: store.Num(n)}
		f.Ingredients = ingredients(herbs...)
		return f
	}
	ix := indexOf(t, []store.Formula{
		formula(0, "甲汤", "jiǎ tāng", "张仲景", "伤寒论", "东汉", "治咳嗽", "麻黄", "桂枝", "甘草"),
		formula(1, "乙汤", "yǐ tāng", "许叔微", "伤寒论注", "宋", "治痰", "麻黄", "桂枝"),
		formula(2, "人参汤", "rén shēn tāng", "孙思邈", "金匮要略", "唐", "治头痛", "人参", "赤芍", "白芍"),
		formula(3, "大黄汤", "dà huáng tāng", "张介宾", "普济方", "明", "治便秘", "大黄"),
		formula(4, "金匮肾气丸", "jīn guì shèn qì wán", "崔氏", "外台秘要", "唐", "治水肿", "地黄"),
	})
	for _, tt := range []struct {
		q, readAs string
		found     []store.Num
	}{
		{"ma2huang2 gan1cao3", "麻黄 甘草", []store.Num{0}},                 // digits for tones
		{"麻黄【去节】 桂枝", "麻黄 桂枝", []store.Num{0, 1}},                       // brackets of notes
		{"伤寒论 麻黄", "", []store.Num{0}},                                  // the book with this title, not one with a longer title
		{"《金匮》", "", []store.Num{2, 4}},                                 // a book in its signs, not the beginning of a name
		{"ginseng, golden cabinet", "人参 金匮要略", []store.Num{2}},          // the English title of a book
		{"叔微 麻黄", "", []store.Num{1}},                                   // a courtesy name
		{"痰麻黄", "痰", []store.Num{1}},                                    // a complaint of one character that touches a herb
		{"赤白芍 人参", "赤芍 白芍 人参", []store.Num{2}},                          // two herbs in one word
		{"Herba Ephedrae, Radix Glycyrrhizae", "麻黄 甘草", []store.Num{0}}, // herbs in pharmaceutical Latin
		{"마황 감초", "麻黄 甘草", []store.Num{0}},                              // and in hangul
		{"人参叶 白芍", "", nil},                                             // another part of a plant is another herb
		{"麻黄 不含伤寒论", "", nil},                                           // a book can not be left out
		{"咳嗽 cough 麻黄", "咳嗽", []store.Num{0}},                           // one complaint in two languages
		{"Ginseng and aspirin decoction", "", nil},                      // no other formula with ginseng
		{"Ginseng decoction", "renshen tang", []store.Num{2}},           // unlike this
		{"一、麻黄 二、甘草", "", []store.Num{0}},                               // numbers before the lines of a list
	} {
		hits := ask(t, ix, search.Query{Text: tt.q, Size: 9})
		slices.Sort(hits.Nums)
		if !slices.Equal(hits.Nums, tt.found) || len(tt.found) > 0 && hits.ReadAs != tt.readAs {
			t.Errorf("%s finds %v, read as %q; want %v, read as %q", tt.q, hits.Nums, hits.ReadAs, tt.found, tt.readAs)
		}
	}
	for text, want := range map[string][]string{
		"伤": {"伤寒论", "伤寒论注"}, "伤寒伦": {"伤寒论"}, "伤寒论注解": {"伤寒论注", "伤寒论"}, "shang": {}, "": {},
	} {
		if got, err := ix.Like(mappings.SourceField, text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is like %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string][]string{"Shanghan Lun": {"伤寒论", "伤寒论注"}, "伤寒论": {"伤寒论"}, "金匮": {"金匮要略"}, "Lancet": nil} {
		if got, err := ix.Meant(mappings.SourceField, text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q means %q, %v; want %q", text, got, err, want)
		}
	}
}
