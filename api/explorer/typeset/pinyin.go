package typeset

import (
	"fmt"
	"html/template"
	"strings"
)

// LongestRuby is the number of characters up to which a table shows pinyin above a name.
const LongestRuby = 8

// Ruby writes a name with pinyin above each character.
func Ruby(name, pinyin any) template.HTML {
	return MarkedRuby(fmt.Sprint(name), fmt.Sprint(pinyin), nil)
}

// MarkedRuby is like [Ruby], but marks the characters for which hit is true, together with their
// syllables. If pinyin does not have exactly one syllable for each character, MarkedRuby writes the
// name without pinyin.
func MarkedRuby(name, pinyin string, hit []bool) template.HTML {
	characters, each := []rune(name), strings.Fields(pinyin)
	ok := len(each) > 0 && len(characters) == len(each)
	mark := func(i int, s string) string {
		if i < len(hit) && hit[i] {
			return "<mark>" + Escape(s) + "</mark>"
		}
		return Escape(s)
	}
	var b strings.Builder
	b.WriteString(`<span lang="zh-Hans">`)
	if ok {
		b.WriteString("<ruby>")
	}
	for i, r := range characters {
		b.WriteString(mark(i, string(r)))
		if ok {
			b.WriteString(`<rt lang="zh-Latn-pinyin">` + mark(i, each[i]) + `</rt>`)
		}
	}
	if ok {
		b.WriteString("</ruby>")
	}
	b.WriteString("</span>")
	return template.HTML(b.String())
}

// RubyWord writes a name with its pinyin above the name as a whole, not above each character.
func RubyWord(name, pinyin any) template.HTML {
	text, sound := fmt.Sprint(name), fmt.Sprint(pinyin)
	if sound == "" || len([]rune(text)) > LongestRuby {
		return Chinese(text)
	}
	return template.HTML(`<span lang="zh-Hans"><ruby>` + Escape(text) + `<rt lang="zh-Latn-pinyin">` + Escape(sound) + `</rt></ruby></span>`)
}
