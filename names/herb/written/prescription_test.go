package written_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/written"
)

// reader returns a reader with the names of package herb.
func reader() *written.Reader {
	names := written.New(written.Sources{
		Listed: func(yield func(written.Listed) bool) {
			for _, d := range herb.All() {
				if !d.Unsure && !yield(written.Listed{Herb: d.Name}) {
					return
				}
			}
		},
		Standard: written.StandardNames, Written: func(func(string) bool) {}, Own: written.OwnNames,
	})
	return written.NewReader(names, func(name string) bool { return name == han.Fold("五苓散") })
}

func TestReadPrescription(t *testing.T) {
	r := reader()
	for text, want := range map[string]string{
		"麻黄9g 桂枝6g":                    "麻黄|9g 桂枝|6g",
		"炙甘草三錢桂枝三錢半夏四錢":                "炙甘草|三錢 桂枝|三錢 半夏|四錢",
		"當歸五錢百合三錢":                     "當歸|五錢 百合|三錢",
		"知母$20.0@g,半夏$12.0@g":          "知母|$20.0@g 半夏|$12.0@g",
		"川 附子 （炮）5两，桔梗":                "川 附子|5两 桔梗",
		"五苓散桂枝三钱":                      "!五苓散 桂枝|三钱",
		"黄连素3片":                        "?黄连素|3片",
		"山楂 核30克":                      "?山楂 核|30克",
		"茯苓五錢五付 九碗煮三碗":                 "茯苓|五錢 !五付 !九碗 !煮|三碗",
		"藕粉 茯苓":                        "?藕粉 茯苓",
		"党参15 无此药9，茯苓12":               "党参|15 ?无此药|9 茯苓|12",
		"ginseng 3g, licorice root 6g": "ginseng|3g licorice root|6g",
	} {
		var got []string
		for _, m := range r.Read(text) {
			one := m.Written
			switch {
			case m.Instruction:
				one = "!" + one
			case m.Drugs == nil:
				one = "?" + one
			}
			if m.Dose != "" {
				one += "|" + m.Dose
			}
			got = append(got, one)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is read as %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

// FuzzReadPrescription checks that each letter and digit of a text is in exactly one mention.
func FuzzReadPrescription(f *testing.F) {
	for _, s := range []string{"麻黄9g 桂枝6g（去皮）", "三钱半夏两半", "((（", "1. 黄芪８钱~9", "黃?一兩 a-b 반하1,5", "\xff甘草\xfe"} {
		f.Add(s)
	}
	r := reader()
	letters := func(text string) string {
		all := []rune(strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return c
			}
			return -1
		}, text))
		slices.Sort(all)
		return string(all)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?") // as readers of files return it
		all := ""
		for _, m := range r.Read(text) {
			all += m.Written + m.Dose + m.Note
		}
		if letters(all) != letters(text) {
			t.Errorf("%q comes out as %q", text, all)
		}
	})
}
