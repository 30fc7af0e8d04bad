package explorer

import (
	"strings"
	"testing"

	"bencao/api/explorer/texts"
	"bencao/store"
)

// TestCited compares names with their publications as POWO and journals print them.
func TestCited(t *testing.T) {
	plain := strings.NewReplacer(`<i lang="la">`, "_", "</i>", "_", `<span class="au">`, "", "</span>", "", "&#39;", "'")
	for want, n := range map[string]store.ListedName{
		"_Panax ginseng_ C.A.Mey., Bull. Cl. Phys.-Math. Acad. Imp. Sci. Saint-Pétersbourg 1: 340 (1842)":                       {Name: "Panax ginseng", Author: "C.A.Mey.", Publication: "Bull. Cl. Phys.-Math. Acad. Imp. Sci. Saint-Pétersbourg 1: 340", Published: "1842"},
		"_Panax pseudoginseng_ var. _notoginseng_ (Burkill) G.Hoo & C.J.Tseng, Acta Phytotax. Sin. 11: 435 (1973), nom. inval.": {Name: "Panax pseudoginseng var. notoginseng", Author: "(Burkill) G.Hoo & C.J.Tseng", Publication: "Acta Phytotax. Sin. 11: 435", Published: "1973", Remarks: ", nom. inval."},
		"_Aralia ginseng_": {Name: "Aralia ginseng"},
		"_Rheum palmatum_ L., Syst. Nat. ed. 10, 2: 1010": {Name: "Rheum palmatum", Author: "L.", Publication: "Syst. Nat. ed. 10, 2: 1010"},
		"_Rheum_ × _hybridum_ Murray (1779 publ. 1780)":   {Name: "Rheum × hybridum", Author: "Murray", Published: "1779 publ. 1780"},
		"_Rosa_ <script>, nom. nud.":                      {Name: "Rosa", Author: "<script>", Remarks: "nom. nud."},
	} {
		got := plain.Replace(string(cited(n)))
		if got = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(got, "&lt;", "<"), "&gt;", ">"), "&amp;", "&"); got != want {
			t.Errorf("%q is printed as %q, want %q", n.Name, got, want)
		}
		if strings.Contains(string(cited(n)), "<script>") {
			t.Errorf("%q is not escaped", n.Author)
		}
	}
}

// TestLifeForm checks that a life form is translated as a whole or not at all.
func TestLifeForm(t *testing.T) {
	english, chinese := lifeForm(texts.Of("en")), lifeForm(texts.Of("zh"))
	for text, want := range map[store.Text]string{
		"tree": "乔木", "shrub or tree": "灌木或乔木", "climbing tuberous geophyte": "攀援块茎地下芽植物", "annual, perennial": "一年生草本或多年生草本",
		"annual or biennial or subshrub": "一年生草本或二年生草本或亚灌木", "moss or tree": "moss or tree", "": "",
	} {
		if got := chinese(text); got != want {
			t.Errorf("%q is %q in Chinese, want %q", text, got, want)
		}
		if got := english(text); got != string(text) {
			t.Errorf("%q is %q in English", text, got)
		}
	}
}
