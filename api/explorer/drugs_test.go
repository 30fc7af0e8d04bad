package explorer_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/internal/test/indextest"
)

// The formulas of herbsSite.
const (
	oldFormula = "00000000-0000-5000-8000-000000000001"
	newFormula = "00000000-0000-5000-8000-000000000002"
)

// herbsSite returns a site whose snapshot has two formulas of the same name. ingredients are the
// rows of the table formula_ingredients.
func herbsSite(t *testing.T, ingredients ...string) *site {
	t.Helper()
	return packageSite(t, map[string]string{
		"formulas.csv": "entry_id,guid,name,dynasty,year,original_source\n" +
			"1," + oldFormula + ",复脉汤,东汉,219,伤寒论\n2," + newFormula + ",复脉汤,清,1883,医方简义\n",
		"formula_ingredients.csv": "formula_id,seq,herb,dose\n" + strings.Join(ingredients, "\n") + "\n",
	})
}

// packageSite returns a site whose data come from the given files of a package, beside a species.
func packageSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	pkg := t.TempDir()
	files["datapackage.json"] = `{"profile":"tabular-data-package","resources":[{"name":"species","path":"species.csv"},{"name":"formulas","path":"formulas.csv"},{"name":"formula_ingredients","path":"formula_ingredients.csv"}]}`
	files["species.csv"] = "entry_id,guid,chinese_name,scientific_name,rank\n1,00000000-0000-5000-8000-0000000000a1,麦冬,Ophiopogon japonicus,species\n"
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(pkg, name), []byte(text), 0o600))
	}
	b, err := indextest.Run(t.Context(), t.TempDir(), pkg)
	must(t, err)
	return start(t, config{dir: b.Dir})
}

var (
	tableRow = regexp.MustCompile(`(?s)<tr[^>]*>.*?</tr>`)
	// unseen are the parts of a table that hold no names or doses: pinyin, tags and hidden texts.
	unseen  = regexp.MustCompile(`<rt[^>]*>[^<]*</rt>|<span class="vh">[^<]*</span>|<[^>]*>`)
	cellEnd = regexp.MustCompile(`</t[hd]>`)
)

// rows returns the text of each row in the tables of the given class, with | between the cells.
func rows(body, class string) (all []string) {
	for _, table := range strings.Split(body, "<table")[1:] {
		head, _, _ := strings.Cut(table, ">")
		if table, _, _ = strings.Cut(table, "</table>"); !strings.Contains(head, class) {
			continue
		}
		for _, row := range tableRow.FindAllString(table, -1) {
			all = append(all, unseen.ReplaceAllString(cellEnd.ReplaceAllString(row, "|"), ""))
		}
	}
	return all
}

// TestPagesCountHerbs builds a snapshot of formulas that write herbs under different names. The
// comparison and the heat maps must count herbs, in both languages, and must show the written
// names. A processed form with a record is a separate herb.
func TestPagesCountHerbs(t *testing.T) {
	s := herbsSite(t, "1,1,麦门冬,半斤", "1,2,芎䓖,一两", "1,3,甘草,二两", "1,4,生甘草,三两", "1,5,无名小草,一两", "1,6,生姜,二两",
		"2,1,麦冬,四两", "2,2,川芎,", "2,3,炙甘草,一两", "2,4,无名小草,二两", "2,5,生姜,二两")
	for _, lang := range []string{"en", "zh"} {
		compare := "/compare?formulas=" + oldFormula + "," + newFormula + "&lang=" + lang
		want := []string{"麦冬|半斤 麦门冬|四两|", "川芎|一两 芎䓖|●|", "无名小草|一两|二两|", "生姜|二两|二两|", "甘草|二两、三两 甘草、生甘草|–|", "炙甘草|–|一两|"}
		page := s.page(t, compare, map[string]string{"en": "2 formulas with 6 herbs in all, 4 of them in every one.", "zh": "共 2 首方剂、6 味药，其中 4 味各方都有。"}[lang]).body
		var got []string
		for _, row := range rows(page, "cmp") {
			if strings.Count(row, "|") == 3 && !strings.Contains(row, "《") {
				got = append(got, row)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: the rows of the comparison are\n%s\nwant\n%s", lang, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		s.page(t, compare, map[string]string{"en": "such as 炙甘草, is a separate drug.", "zh": "如炙甘草不并入甘草。"}[lang], map[string]string{"en": "4 of 6", "zh": "4/6"}[lang])

		// The page has two heat maps: the similar formulas, and the formulas with the same name.
		heat := rows(s.page(t, "/formulas/"+oldFormula+"?lang="+lang, map[string]string{"en": "such as 炙甘草, is a separate drug.", "zh": "如炙甘草不并入甘草。"}[lang]).body, "heat")
		for part, times := range map[string]int{
			"|麦冬|川芎|甘草|无名小草|生姜|":                 2, // heads
			"|半斤 麦门冬|一两 芎䓖|二两、三两 甘草、生甘草|一两|二两||": 2, // the page's own formula
			"|四两|●|–|二两|二两|炙甘草|":                 2, // the other formula, with the herb that it adds
		} {
			if n := strings.Count(strings.Join(heat, "\n"), part); n != times {
				t.Errorf("%s: %q is %d times in the heat maps, want %d:\n%s", lang, part, n, times, strings.Join(heat, "\n"))
			}
		}
		// On the page of the other formula, the herb is called 麦冬, and 麦门冬 is the name that the
		// older formula uses.
		if other := strings.Join(rows(s.page(t, "/formulas/"+newFormula+"?lang="+lang).body, "heat"), "\n"); strings.Count(other, "|半斤 麦门冬|一两 芎䓖|–|一两|二两|甘草|") != 2 {
			t.Errorf("%s: the row of the older formula is missing:\n%s", lang, other)
		}
	}
	csv := s.page(t, "/compare?formulas="+oldFormula+","+newFormula+"&as=csv").body
	for _, row := range []string{"麦冬,半斤（麦门冬）,四两\r\n", "川芎,一两（芎䓖）,x\r\n", "甘草,二两、三两（甘草、生甘草）,\r\n", "炙甘草,,一两\r\n"} {
		if !strings.Contains(csv, row) {
			t.Errorf("the file lacks %q: %s", row, csv)
		}
	}
}

// TestSameFormulaOtherNames checks that a page says that two formulas are the same if they have the
// same herbs and doses, even if they call the herbs by different names. If a formula has a herb
// twice, the weights must be added.
func TestSameFormulaOtherNames(t *testing.T) {
	s := herbsSite(t, "1,1,麦门冬,四两", "1,2,甘草,一两", "1,3,芎䓖,二两", "1,4,生甘草,三两",
		"2,1,麦冬,四两", "2,2,粉甘草,一两", "2,3,甘草,三两", "2,4,川芎,二两")
	s.page(t, "/formulas/"+oldFormula, "1883 the same")
	page := s.page(t, "/compare?formulas="+oldFormula+","+newFormula, "2 formulas with 3 herbs in all, 3 of them in every one.").body
	if n := strings.Count(page, `<td class="c k5"><span lang="zh-Hans" class="do">一两、三两</span>`); n != 2 {
		t.Errorf("一两 and 三两 of one drug have the colour of 四两 in %d formulas, want 2: %s", n, strings.Join(rows(page, "cmp"), "\n"))
	}
}
