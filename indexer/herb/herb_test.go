package herb_test

import (
	"slices"
	"testing"

	"bencao/indexer/herb"
)

// listed is what a table of herbs knows.
var listed = []string{
	"甘草", "炙甘草", "半夏", "附子", "大黄", "白术", "当归", "地黄", "生地黄", "熟地黄", "姜", "生姜", "干姜", "炮姜", "姜黄", "牛膝",
	"大枣", "栀子", "香附", "厚朴", "杏仁", "麻黄", "商陆", "乌梅", "人参",
}

// often is what formulas write often without a table that lists it.
var often = []string{"茯苓", "滑石", "黄"}

func TestPlainer(t *testing.T) {
	var written []string
	for range 5 {
		written = append(written, often...)
	}
	written = append(written, "煮取") // once: no name
	plain := herb.Plainer(slices.Values(listed), slices.Values(written))
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
		{"川当归", "当归", "from Sichuan"},
		{"熟大黄", "大黄", "steamed"},
		{"生大黄", "大黄", "raw"},
		{"生地黄", "生地黄", "listed: another drug than 地黄"},
		{"熟地黄", "熟地黄", "listed: another drug than 地黄"},
		{"干姜", "干姜", "listed: another drug than 姜"},
		{"炮姜", "炮姜", "a drug of its own"},
		{"川牛膝", "川牛膝", "another plant than 牛膝"},
		{"干姜附子", "干姜附子", "two herbs run together"},
		{"大枣十二枚", "大枣", "a dose in the name"},
		{"商陆根", "商陆根", "陆根 is no dose here"},
		{"麻黄根", "麻黄根", "the root is another drug"},
		{"白朮", "白术", "traditional character"},
		{"滑石末", "滑石", "written often, so known"},
		{"煮取末", "煮取末", "written once, so not known"},
		{"不知名", "不知名", "not known"},
		{"炙", "炙", "nothing would be left"},
		{"", "", "empty"},
	}
	for _, tt := range tests {
		if got := plain(tt.herb); got != tt.want {
			t.Errorf("plain name of %q = %q, want %q: %s", tt.herb, got, tt.want, tt.why)
		}
	}
}

func FuzzPlainer(f *testing.F) {
	plain := herb.Plainer(slices.Values(listed), slices.Values(often))
	for _, s := range []string{"炙甘草", "甘草（炙）", "大枣十二枚", "炒炒炒炒", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if once := plain(s); plain(once) != once {
			t.Errorf("plain name of %q is %q, whose own is %q; want the same", s, once, plain(once))
		}
	})
}
