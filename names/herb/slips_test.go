package herb

import (
	"testing"
)

// TestMendLatin checks which slips in pharmaceutical Latin MendLatin corrects, and that it returns
// nothing for names of plants and other texts.
func TestMendLatin(t *testing.T) {
	for text, want := range map[string]string{
		"Phellodendri Chinrnsis Cortex":       "黄柏",
		"Fritiliariae Irrhosae Bulbus":        "川贝母",
		"Curcumaelongae Rhizoma":              "姜黄",
		"Acoritataninowii Rhizoma":            "石菖蒲",
		"Fructustribuli":                      "蒺藜",
		"Verbenae Herb":                       "马鞭草",
		"Mori Follum":                         "桑叶",
		"Ephedra Herba":                       "麻黄",
		"Rose Rugosae Flos":                   "玫瑰花",
		"Coptidis Rhizoma":                    "黄连", // not misspelt
		"Rosa canina":                         "",
		"Panax ginseng C.A.Mey.":              "",
		"collected near Radix":                "",
		"Radix":                               "",
		"Salix alba":                          "",
		"Xanthium strumarium fruit in autumn": "",
	} {
		got := ""
		for _, n := range MendLatin(text) {
			if found := n.LookupLoosely(); got == "" && len(found) > 0 {
				got = found[0].Name
			}
		}
		if got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"Radix Angelicae Biseratae", "Angelicae Biseratae Rasix"} {
		for _, n := range MendLatin(text)[:1] {
			if got := n.NearSpecies(); got != "Angelica biserrata" {
				t.Errorf("%s is near %q, want Angelica biserrata", text, got)
			}
		}
	}
}
