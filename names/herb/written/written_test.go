package written_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"bencao/names/herb/written"
)

// listed are the names in the table of herbs.
var listed = []string{
	"甘草", "炙甘草", "半夏", "附子", "大黄", "白术", "当归", "地黄", "生地黄", "熟地黄", "姜", "生姜", "干姜", "炮姜", "姜黄", "牛膝",
	"大枣", "栀子", "香附", "厚朴", "杏仁", "麻黄", "商陆", "乌梅", "人参",
}

// often are names that are frequent in formulas but not listed.
var often = []string{"茯苓", "滑石", "黄"}

var standard = []written.OtherName{{Name: "川军", Herb: "大黄"}, {Name: "国老", Herb: "甘草"}, {Name: "麦门冬", Herb: "麦冬"}, {Name: "云苓", Herb: "猪苓"}, {Name: "朱砂", Herb: "丹砂"}}

func TestPlain(t *testing.T) {
	var written []string
	for range 5 {
		written = append(written, often...)
	}
	written = append(written, "煮取") // 煮取 occurs only once, so it does not count as a name
	names := known(written)
	tests := []struct{ herb, want, why string }{
		{"甘草", "甘草", "plain already"},
		{"炙甘草", "甘草", "processing goes even if the whole name is listed"},
		{"甘草（炙）", "甘草", "a remark in brackets"},
		{"甘草，炙", "甘草", "a remark behind a comma"},
		{"甘草炙", "甘草", "processing behind the name"},
		{"甘草末", "甘草", "ground"},
		{"甘草梢", "甘草", "a part"},
		{"蜜炙甘草", "甘草", "two signs of processing"},
		{"酒炒白术", "白术", "two signs of processing"},
		{"土炒白术", "白术", "fried with earth"},
		{"焦栀子", "栀子", "charred"},
		{"醋香附", "香附", "with vinegar"},
		{"姜半夏", "半夏", "with ginger"},
		{"姜黄", "姜黄", "a herb of its own, though 黄 is written often"},
		{"制附子", "附子", "prepared"},
		{"大附子", "附子", "large"},
		{"羸乏白术", "白术", "lean and weak"},
		{"川当归", "当归", "from Sichuan"},
		{"熟大黄", "大黄", "steamed"},
		{"生大黄", "大黄", "raw"},
		{"生地黄", "生地黄", "listed: another drug than 地黄"},
		{"熟地黄", "熟地黄", "listed: another drug than 地黄"},
		{"干姜", "干姜", "listed: another drug than 姜"},
		{"炮姜", "炮姜", "a drug of its own"},
		{"川牛膝", "川牛膝", "another plant than 牛膝"},
		{"干姜附子", "干姜 附子", "two herbs run together"},
		{"人参炙甘草", "人参 甘草", "run together, one of them prepared"},
		{"人参白术当归", "人参 白术 当归", "three run together"},
		{"茯苓滑石", "茯苓 滑石", "known by being written often"},
		{"人参、炙甘草", "人参 甘草", "two herbs in one cell"},
		{"人参，去芦", "人参", "a remark is no herb"},
		{"人参不知名", "人参不知名", "not all of it is herbs"},
		{"云苓", "茯苓", "the table gives a plain name"},
		{"炒云苓", "茯苓", "prepared, then the table's plain name"},
		{"麦门冬", "麦冬", "a standard name"},
		{"炒麦门冬", "麦冬", "prepared, then the standard name"},
		{"鲜地黄", "鲜地黄", "nothing is removed from a name of its own"},
		{"酒洗鲜地黄", "鲜地黄", "a name of its own, prepared"},
		{"朱砂", "朱砂", "the package's table goes before the standard name"},
		{"川军", "大黄", "another standard name"},
		{"酒炒川军", "大黄", "prepared, then a standard name"},
		{"国老", "甘草", "the plain name of the standard name"},
		{"川军人参", "大黄 人参", "run together, one of them by another name"},
		{"丹砂", "朱砂", "a plain name that the table lists nowhere else"},
		{"辰砂", "朱砂", "by way of another name"},
		{"甲", "甲", "a circle says nothing"},
		{"人参等分", "人参", "an instruction behind the name"},
		{"等分", "", "an instruction alone"},
		{"蛤粉炒", "", "how another herb was prepared"},
		{"姜汁制炒", "", "how another herb was prepared, with a herb of the table"},
		{"加人参", "人参", "added"},
		{"大枣十二枚", "大枣", "a dose in the name"},
		{"商陆根", "商陆根", "陆根 is no dose here"},
		{"麻黄根", "麻黄根", "the root is another drug"},
		{"白朮", "白术", "traditional character"},
		{"木桶", "木通", "a character that looks like the right one"},
		{"Licorice", "甘草", "the English name"},
		{"감초", "甘草", "the Korean name"},
		{"滑石末", "滑石", "written often, so known"},
		{"煮取末", "煮取末", "written once, so not known"},
		{"不知名", "不知名", "not known"},
		{"炙", "炙", "nothing would be left"},
		{"", "", "empty"},
	}
	for _, tt := range tests {
		if got := strings.Join(names.Plain(tt.herb), " "); got != tt.want {
			t.Errorf("plain name of %q = %q, want %q: %s", tt.herb, got, tt.want, tt.why)
		}
	}
}

func TestRemnant(t *testing.T) {
	names := known(often)
	for name, want := range map[string]bool{"漆": true, "炙漆": true, "姜": false, "酒": false, "不知名": false} {
		if got := names.Remnant(name); got != want {
			t.Errorf("Remnant(%s) is %v, want %v", name, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	names := known(often)
	for _, s := range []string{"炙甘草", "甘草（炙）", "大枣十二枚", "炒炒炒炒", "人参甘草、大黄", "云苓", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, once := range names.Plain(s) {
			if twice := names.Plain(once); len(twice) != 1 || twice[0] != once {
				t.Errorf("a plain name of %q is %q, but the plain names of that name are %q; want only that name", s, once, twice)
			}
		}
	})
}

// known returns the Names made from the lists of this file and the given texts of formulas.
func known(frequent []string) *written.Names {
	return written.New(written.Sources{
		Listed: table(), Standard: slices.Values(standard), Written: slices.Values(frequent), Own: slices.Values([]string{"鲜地黄", "酒"}),
	})
}

func table() iter.Seq[written.Listed] {
	return func(yield func(written.Listed) bool) {
		for _, h := range listed {
			if !yield(written.Listed{Herb: h}) {
				return
			}
		}
		for _, same := range [][2]string{{"云苓", "茯苓"}, {"丹砂", "朱砂"}, {"辰砂", "丹砂"}, {"甲", "乙"}, {"乙", "甲"}} {
			if !yield(written.Listed{Herb: same[0], Plain: same[1]}) {
				return
			}
		}
	}
}

func TestRelation(t *testing.T) {
	names := known(often)
	for written, want := range map[string]string{
		"甘草": "same", "麦门冬": "same", "川当归": "same", "炙甘草": "processed", "甘草（炙）": "same", "熟大黄": "processed", "甘草梢": "part", "白术末": "processed",
	} {
		if got := names.Relation(written); got != want {
			t.Errorf("the relation of %s to its plain name is %q, want %q", written, got, want)
		}
	}
}
