package han_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/names/han"
)

func TestFold(t *testing.T) {
	tests := []struct{ why, in, want string }{
		{"folded", "人参", "人参"},
		{"traditional", "人參", "人参"},
		{"traditional", "參苓白朮散", "参苓白术散"},
		{"traditional", "龍膽瀉肝湯", "龙胆泻肝汤"},
		{"herb variant", "人葠", "人参"},
		{"herb variant", "人薓", "人参"},
		{"herb variant", "人蓡", "人参"},
		{"herb variant", "人蔘", "人参"},
		{"herb variant", "黃耆", "黄芪"},
		{"herb variant", "草蔴黄", "草麻黄"},
		{"herb variant", "側栢葉", "侧柏叶"},
		{"herb variant", "山樝", "山楂"},
		{"herb variant", "赤小荳", "赤小豆"},
		{"herb variant", "木苽", "木瓜"},
		{"herb variant", "皁莢", "皂荚"},
		{"herb variant", "蘂", "蕊"},
		{"herb variant", "白菓", "白果"},
		{"herb variant", "鼈甲", "鳖甲"},
		{"herb variant", "王不畱行", "王不留行"},
		{"herb variant", "旋覆花", "旋复花"},
		{"herb variant", "槁本", "藁本"},
		{"herb variant, traditional", "鹽堿草", "盐碱草"},
		{"Japanese", "当帰", "当归"},
		{"Japanese", "竜胆瀉肝湯", "龙胆泻肝汤"},
		{"Japanese", "沢瀉", "泽泻"},
		{"radicals", "⻩芪", "黄芪"},
		{"radicals", "⻢尾松", "马尾松"},
		{"radicals", "⻯骨", "龙骨"},
		{"no Japanese form here", "芸香", "芸香"},
		{"word", "山査", "山楂"},
		{"word", "北山查", "北山楂"},
		{"word, traditional", "沈香", "沉香"},
		{"a place and a surname, not that word", "加查沈氏草", "加查沈氏草"},
		{"full width", "Ａ　参", "A参"},
		{"compatibility ideograph", "\uf9cc", "琉"},
		{"composed glyph", "[艹／洽]草", "洽草"},
		{"composed glyph", "阿尔泰[艹/洽]草", "阿尔泰洽草"},
		{"composed glyph with autonym", "芒[艹／洽]草(原亚种)", "芒洽草"},
		{"private-use radical", "[\ue836/思]簩竹", "思簩竹"},
		{"radical lost on the way", "[/思]簩竹", "思簩竹"},
		{"no brackets", "长节间\ue836／思簩竹", "长节间思簩竹"},
		{"composed without a slash", "栘【木衣】", "栘木衣"},
		{"autonym", "暖地泥炭藓(原亚种)", "暖地泥炭藓"},
		{"autonym, full-width brackets", "台湾拟金发藓（原变种）", "台湾拟金发藓"},
		{"autonym, traditional", "臺灣擬金髮蘚（原變種）", "台湾拟金发藓"},
		{"autonym without brackets", "欧黑藓原亚种", "欧黑藓"},
		{"only a note", "原变种", "原变种"},
		{"doubt", "具梗金丝桃<存疑种>", "具梗金丝桃"},
		{"spaces", " 人 参\u3000", "人参"},
		{"zero width, variation selector", "人\u200b参\ufe00", "人参"},
		{"outside the tables", "㼎𬞟", "㼎𬞟"},
		{"Latin letters are kept", "人shen", "人shen"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		if got := han.Fold(tt.in); got != tt.want {
			t.Errorf("%s: Fold(%q) = %q, want %q", tt.why, tt.in, got, tt.want)
		}
	}
}

// TestTablesEndInOnePass checks that no folding table changes the result of another folding.
// Otherwise equal names could fold to different texts.
func TestTablesEndInOnePass(t *testing.T) {
	check := func(file, from, to string) {
		if utf8.RuneCountInString(from) != utf8.RuneCountInString(to) {
			t.Errorf("%s: %q and %q differ in length", file, from, to)
		}
		if got := han.Fold(from); got != to || han.Fold(to) != to {
			t.Errorf("%s: Fold(%q) = %q, want %q, which folds to %q: give the last of them", file, from, got, to, han.Fold(to))
		}
	}
	for _, line := range tableLines(t, "variants.txt") {
		for _, pair := range strings.Fields(line) {
			_, n := utf8.DecodeRuneInString(pair)
			check("variants.txt", pair[:n], pair[n:])
		}
	}
	for _, line := range tableLines(t, "words.txt") {
		from, to, _ := strings.Cut(line, " ")
		check("words.txt", from, to)
	}
}

// tableLines returns the lines of a table without comments.
func tableLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

func TestHas(t *testing.T) {
	for in, want := range map[string]bool{"人参": true, "Panax 人": true, "㼎": true, "𬞟": true, "": false, "Panax ginseng": false, "（）": false} {
		if got := han.Has(in); got != want {
			t.Errorf("Has(%q) = %t, want %t", in, got, want)
		}
	}
}

func TestNoted(t *testing.T) {
	for in, want := range map[string]bool{"丹参(原变种)": true, "臺灣擬金髮蘚（原變種）": true, "欧黑藓原亚种": true, "丹参": false, "原变种": false, "": false} {
		if got := han.Noted(in); got != want {
			t.Errorf("Noted(%q) = %t, want %t", in, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"[艹／洽]草", "芒[艹／洽]草(原亚种)", "[[/]", "原变种原变种", "\ue836/", "é", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := han.Fold(s)
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("Fold(%q) = %q is not valid UTF-8", s, once)
		}
		if twice := han.Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	for _, in := range []string{"三脉紫菀", "臺灣擬金髮蘚（原變種）"} {
		b.Run(in, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				han.Fold(in)
			}
		})
	}
}
