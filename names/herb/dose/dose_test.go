package dose_test

import (
	"errors"
	"math"
	"testing"
	"unicode/utf8"

	"bencao/names/herb/dose"
)

func TestParse(t *testing.T) {
	tests := []struct {
		era  dose.Era
		text string
		want dose.Dose
	}{
		// Weights, in 钱.
		{dose.New, "三两", dose.Dose{30, "钱", dose.Weight}},
		{dose.New, "半斤", dose.Dose{80, "钱", dose.Weight}},
		{dose.New, "半两", dose.Dose{5, "钱", dose.Weight}},
		{dose.New, "一斤十三两", dose.Dose{290, "钱", dose.Weight}},
		{dose.New, "一钱五分", dose.Dose{1.5, "钱", dose.Weight}},
		{dose.New, "二分五厘", dose.Dose{0.25, "钱", dose.Weight}},
		{dose.New, "三两半", dose.Dose{35, "钱", dose.Weight}},
		{dose.New, "一两二钱半", dose.Dose{12.5, "钱", dose.Weight}},
		{dose.New, "钱半", dose.Dose{1.5, "钱", dose.Weight}},
		{dose.New, "两半", dose.Dose{15, "钱", dose.Weight}},
		{dose.New, "二十四铢", dose.Dose{10, "钱", dose.Weight}},
		{dose.New, "一字", dose.Dose{0.25, "钱", dose.Weight}},
		{dose.New, "一十二两半", dose.Dose{125, "钱", dose.Weight}},
		{dose.New, "各二两", dose.Dose{20, "钱", dose.Weight}},
		{dose.New, "壹錢", dose.Dose{1, "钱", dose.Weight}},
		{dose.New, "三兩（炙）", dose.Dose{30, "钱", dose.Weight}},

		// Since the Yuan, a 分 is a tenth of a 钱. Up to the Song, it is a quarter of a 两.
		{dose.New, "三分", dose.Dose{0.3, "钱", dose.Weight}},
		{dose.Old, "三分", dose.Dose{7.5, "钱", dose.Weight}},
		{dose.Old, "一两一分", dose.Dose{12.5, "钱", dose.Weight}},
		{dose.Old, "一钱五分", dose.Dose{1.5, "钱", dose.Weight}},

		// A range has the value of its middle.
		{dose.New, "二三钱", dose.Dose{2.5, "钱", dose.Weight}},
		{dose.New, "三五钱", dose.Dose{4, "钱", dose.Weight}},
		{dose.New, "一二三钱", dose.Dose{2, "钱", dose.Weight}},
		{dose.New, "一二十片", dose.Dose{15, "片", dose.Count}},

		// Pieces, volumes and lengths.
		{dose.New, "十二枚", dose.Dose{12, "枚", dose.Count}},
		{dose.New, "二七枚", dose.Dose{14, "枚", dose.Count}}, // two times seven pieces
		{dose.New, "百二十枚", dose.Dose{120, "枚", dose.Count}},
		{dose.New, "一百零五粒", dose.Dose{105, "粒", dose.Count}},
		{dose.New, "两枚", dose.Dose{2, "枚", dose.Count}},
		{dose.New, "一枚半", dose.Dose{1.5, "枚", dose.Count}},
		{dose.New, "三方寸匕", dose.Dose{3, "方寸匕", dose.Count}},
		{dose.New, "一斗四升", dose.Dose{140, "合", dose.Volume}},
		{dose.New, "半升", dose.Dose{5, "合", dose.Volume}},
		{dose.New, "一升许", dose.Dose{10, "合", dose.Volume}},
		{dose.New, "一尺二寸", dose.Dose{12, "寸", dose.Length}},

		// Today's units.
		{dose.New, "1.5g", dose.Dose{0.5, "钱", dose.Weight}},
		{dose.New, "６～９克", dose.Dose{2.5, "钱", dose.Weight}},
		{dose.New, "30 ml", dose.Dose{0.3, "合", dose.Volume}},
		{dose.New, "12枚", dose.Dose{12, "枚", dose.Count}},

		// Doses without a number.
		{dose.New, "等分", dose.Dose{1, "等分", dose.Equal}},
		{dose.New, "各等分", dose.Dose{1, "等分", dose.Equal}},
		{dose.New, "少许", dose.Dose{0, "", dose.Vague}},
		{dose.New, "不拘多少", dose.Dose{0, "", dose.Vague}},
		{dose.New, "数粒", dose.Dose{0, "", dose.Vague}},
	}
	for _, tt := range tests {
		got, err := tt.era.Parse(tt.text)
		if err != nil || math.Abs(got.Value-tt.want.Value) > 1e-9 || got.Unit != tt.want.Unit || got.Kind != tt.want.Kind {
			t.Errorf("era %d: %q = %+v, %v; want %+v", tt.era, tt.text, got, err, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "三", "两", "如鸡子大", "一枚一两", "一握三茎", "七三两半", "两二两半", "三两三两三", "-3两", "1e9两", "9~6克", "半"} {
		if got, err := dose.Parse(text); !errors.Is(err, dose.ErrUnreadable) {
			t.Errorf("%q = %+v, %v; want ErrUnreadable", text, got, err)
		}
	}
}

func TestEraOf(t *testing.T) {
	year := func(y int32) *int32 { return &y }
	for _, tt := range []struct {
		year *int32
		want dose.Era
	}{{year(219), dose.Old}, {year(1253), dose.Old}, {year(1326), dose.New}, {nil, dose.New}} {
		if got := dose.EraOf(tt.year); got != tt.want {
			t.Errorf("era of %v = %d, want %d", tt.year, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"三两", "一钱五分", "二七枚", "1.5g", "６～９克", "半", "两半", "少许", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, era := range []dose.Era{dose.New, dose.Old} {
			d, err := era.Parse(s)
			if err != nil {
				if !errors.Is(err, dose.ErrUnreadable) || d != (dose.Dose{}) {
					t.Errorf("%q = %+v with error %v; want nothing with ErrUnreadable", s, d, err)
				}
				continue
			}
			if d.Kind == 0 || d.Value < 0 || math.IsInf(d.Value, 0) || math.IsNaN(d.Value) {
				t.Errorf("%q = %+v; want a kind and a finite amount", s, d)
			}
		}
	})
}

// TestGrams checks weights against the archaeological finds and the laws that 丘光明 lists.
func TestGrams(t *testing.T) {
	for _, tt := range []struct {
		text  string
		year  int32
		grams float64
	}{
		{"三两", 219, 41.4},
		{"半斤", 219, 110.4},
		{"六铢", 219, 3.45},
		{"一分", 652, 3.45}, // Up to the Song, a 分 is a quarter of a 两
		{"一两", -100, 15.5},
		{"二两", 1107, 80},
		{"一钱五分", 1624, 5.595},
		{"三钱", 1624, 11.19},
		{"三钱", 1955, 9.375},
		{"三钱", 1990, 9},
		{"9g", 219, 9}, // the year does not matter
		{"6~9克", 1107, 7.5},
		{"1.5 kg", 1990, 1500},
	} {
		if got, ok := dose.Grams(tt.text, &tt.year); !ok || math.Abs(got-tt.grams) > 1e-9 {
			t.Errorf("Grams(%q, %d) = %g, %v; want %g", tt.text, tt.year, got, ok, tt.grams)
		}
	}
	song, ming := int32(1107), int32(1470)
	for _, text := range []string{"三升", "十二枚", "少许", "等分", "如法"} {
		if got, ok := dose.Grams(text, &song); ok {
			t.Errorf("Grams(%q) = %g; it is no weight", text, got)
		}
	}
	if got, ok := dose.Grams("9g", nil); !ok || got != 9 {
		t.Errorf("Grams(9g) = %g, %v without a year; want 9", got, ok)
	}
	if got, ok := dose.Grams("三两", nil); ok {
		t.Errorf("Grams(三两) = %g without a year", got)
	}
	if got, ok := dose.Grams("一分", &ming); ok {
		t.Errorf("Grams(一分) = %g in 1470; it may be a quarter of a 两, or a tenth of a 钱", got)
	}
}

func TestBegins(t *testing.T) {
	for _, text := range []string{"三两", "12 g", "半斤", "两半", "钱半", "壹錢", "拾枚", "各二两", "约三钱", "重三两", "净一斤", "共四两", "均等", "等分", "数粒", "少许", "适量", "不拘多少", "多少不拘", "随意", "酌量"} {
		if first, _ := utf8.DecodeRuneInString(text); !dose.Begins(first) {
			t.Errorf("%s does not begin as a dose", text)
		}
		if _, err := dose.Parse(text); err != nil {
			t.Error(err)
		}
	}
	for _, r := range "黄去炙 a" {
		if dose.Begins(r) {
			t.Errorf("a dose may begin with %c", r)
		}
	}
}
