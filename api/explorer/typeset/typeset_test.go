package typeset_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"bencao/api/explorer/typeset"
)

// TestLatin checks that words for ranks, names of cultivars and authors are not in italics.
func TestLatin(t *testing.T) {
	i := func(s string) string { return `<i lang="la">` + s + `</i>` }
	au := func(s string) string { return ` <span class="au">` + s + `</span>` }
	for cited, want := range map[string]string{
		"Panax ginseng C. A. Mey.": i("Panax ginseng") + au("C. A. Mey."),
		"Panax ginseng":            i("Panax ginseng"),
		"Rosa × alba L.":           i("Rosa") + " × " + i("alba") + au("L."),
		"Aconitum carmichaelii var. truppelianum (Ulbr.) W. T. Wang": i("Aconitum carmichaelii") + " var. " + i("truppelianum") + au("(Ulbr.) W. T. Wang"),
		"Ginkgo biloba ' Fozhi '":                                    i("Ginkgo biloba") + " &#39;Fozhi&#39;",
		"Morinda officialis ‘Uni Flora’":                             i("Morinda officialis") + " ‘Uni Flora’",
		"Chamaecyparis obtusa 'Breviramea Aurea'":                    i("Chamaecyparis obtusa") + " &#39;Breviramea Aurea&#39;",
		"Sorghum bicolor cv. nervosum":                               i("Sorghum bicolor") + " cv. nervosum",
		"":                                                           "",
	} {
		if got := string(typeset.LatinAsCited(cited)); got != want {
			t.Errorf("%q is set as\n%s, want\n%s", cited, got, want)
		}
	}
	hit := make([]bool, len("Rosa × alba"))
	for n := 3; n < len(hit)-1; n++ {
		hit[n] = true
	}
	if got, want := string(typeset.MarkedLatin("Rosa × alba", "L.", hit)), i("Ros<mark>a</mark>")+"<mark> × </mark>"+i("<mark>alba</mark>")+au("L."); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// TestVerbatim checks that Verbatim sets remarks small and the preparation on its own line, and
// that Broken reports characters that a scan has lost.
func TestVerbatim(t *testing.T) {
	const text = "桂枝（三两，去皮） 甘草(炙） 大枣（十二枚）上三味，㕮咀。"
	got := string(typeset.Verbatim(text))
	for _, want := range []string{`<span class="dz">（三两，去皮）</span>`, `<span class="dz">(炙）</span>`, `<span class="prep">上三味，㕮咀。</span>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	for text, want := range map[string]bool{text: false, "丁香（半两） 陈子（三分炮": true, "天南星（半两）两〕": true, "槟榔KT": true, "": false} {
		if got := typeset.Broken(text); got != want {
			t.Errorf("%s: broken is %v", text, got)
		}
	}
	if got := string(typeset.Verbatim("陈子（三分炮" + strings.Repeat("，久煎", 20) + "）")); strings.Contains(got, "dz") {
		t.Errorf("a long text is set as a remark: %s", got)
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// FuzzVerbatim checks that Verbatim only adds tags and changes no character of the text.
func FuzzVerbatim(f *testing.F) {
	for _, s := range []string{"桂枝（三两） 上三味", "（（）", "〕〔", "a<b>&amp;", "甘草(炙） 每服二钱"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsRune(s, 0) || strings.ToValidUTF8(s, "") != s {
			t.Skip("no text")
		}
		if got := html.UnescapeString(tag.ReplaceAllString(string(typeset.Verbatim(s)), "")); got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}
