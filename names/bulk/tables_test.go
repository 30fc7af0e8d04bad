package bulk_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/bulk"

	"github.com/google/go-cmp/cmp"
)

// tableMatcher returns a matcher with an index of the plants that the tables of this file contain.
func tableMatcher(tb testing.TB) bulk.Matcher {
	tb.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for i, u := range []names.Usage{
		{Name: "Panax", Author: "L.", Rank: "Genus", Family: "Araliaceae"},
		{Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "Species", Family: "Araliaceae"},
		{Name: "Panax notoginseng", Author: "(Burkill) F.H.Chen", Rank: "Species", Family: "Araliaceae"},
		{Name: "Pinus tabuliformis", Author: "Carrière", Rank: "Species", Family: "Pinaceae"},
		{Name: "Pinus sylvestris", Author: "L.", Rank: "Species", Family: "Pinaceae"},
		{Name: "Pinus sylvestris var. mongolica", Author: "Litv.", Rank: "Variety", Family: "Pinaceae"},
		{Name: "Acer palmatum", Author: "Thunb.", Rank: "Species", Family: "Sapindaceae"},
		{Name: "Salvia miltiorrhiza", Author: "Bunge", Rank: "Species", Family: "Lamiaceae"},
		{Name: "Poa annua", Author: "L.", Rank: "Species", Family: "Poaceae"},
	} {
		u.ID, u.Status = fmt.Sprint(i+1), names.Accepted
		must(tb, c.Add(u))
	}
	must(tb, c.Add(names.Usage{ID: "20", Name: "Panax schin-seng", Author: "T.Nees", Rank: "Species", Status: names.Synonym, AcceptedID: "2", Family: "Araliaceae"}))
	for i, r := range []names.Record{
		{ChineseName: "人参", ScientificName: "Panax ginseng", Author: "C.A.Mey.", Family: "Araliaceae"},
		{ChineseName: "三七", ScientificName: "Panax notoginseng", Author: "(Burkill) F.H.Chen", Family: "Araliaceae"},
		{ChineseName: "油松", ScientificName: "Pinus tabuliformis", Author: "Carrière", Family: "Pinaceae"},
		{ChineseName: "丹参", ScientificName: "Salvia miltiorrhiza", Author: "Bunge", Family: "Lamiaceae"},
	} {
		r.EntryID, r.Rank = int32(i+1), "species"
		must(tb, b.Record(r))
	}
	ix := built(tb, b)
	return bulk.MatchEach(ix.Match)
}

// sheets returns an Excel workbook. Each sheet is given as text: the name of the sheet, then lines
// with tabs between the cells.
func sheets(tb testing.TB, all ...string) string {
	tb.Helper()
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	const relation = `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part := func(name, text string) {
		to, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(to, text)
		}
		must(tb, err)
	}
	list, relations := "", ""
	for i, sheet := range all {
		name, text, _ := strings.Cut(sheet, "\n")
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" r:id="r%d"/>`, name, i+1, i)
		relations += fmt.Sprintf(relation, fmt.Sprint("r", i), "worksheet", fmt.Sprintf("s%d.xml", i))
		var data strings.Builder
		n := 0
		for line := range strings.SplitSeq(text, "\n") {
			if n++; line == "" {
				continue
			}
			fmt.Fprintf(&data, `<row r="%d">`, n)
			for k, cell := range strings.Split(line, "\t") {
				fmt.Fprintf(&data, `<c r="%c%d" t="inlineStr"><is><t>`, 'A'+k, n)
				must(tb, xml.EscapeText(&data, []byte(cell)))
				data.WriteString(`</t></is></c>`)
			}
			data.WriteString(`</row>`)
		}
		part(fmt.Sprintf("s%d.xml", i), `<worksheet `+main+`><sheetData>`+data.String()+`</sheetData></worksheet>`)
	}
	part("_rels/.rels", `<Relationships>`+fmt.Sprintf(relation, "r1", "officeDocument", "book.xml")+`</Relationships>`)
	part("book.xml", `<workbook `+main+`><sheets>`+list+`</sheets></workbook>`)
	part("_rels/book.xml.rels", `<Relationships>`+relations+`</Relationships>`)
	must(tb, w.Close())
	return out.String()
}

// matchTable matches a list and returns the accepted name of each row, or - if there is none. A +
// marks a row that was completed from a row above; a ! marks a Chinese name that contradicts the
// scientific name.
func matchTable(tb testing.TB, match bulk.Matcher, in string, opt bulk.Options) ([]string, []map[string]string, bulk.Stats) {
	tb.Helper()
	var out bytes.Buffer
	stats, err := bulk.Run(tb.Context(), match, strings.NewReader(in), &out, opt)
	if err != nil {
		tb.Fatalf("%v\n%s", err, in)
	}
	r := csv.NewReader(&out)
	if header, _, _ := bytes.Cut(out.Bytes(), []byte("\n")); bytes.Contains(header, []byte("\trow\t")) {
		r.Comma = '\t'
	} else if bytes.Contains(header, []byte(";")) {
		r.Comma = ';'
	}
	all, err := r.ReadAll()
	must(tb, err)
	var got []string
	var rows []map[string]string
	for _, cells := range all[1:] {
		m := map[string]string{}
		for i, h := range all[0] {
			m[h] = cells[i]
		}
		name := m["acceptedName"]
		if name == "" {
			name = "-"
		}
		if strings.Contains(m["flags"], "rowAbove") {
			name += "+"
		}
		if strings.Contains(m["flags"], "chineseNameDiffers") {
			name += "!"
		}
		got, rows = append(got, name), append(rows, m)
	}
	return got, rows, stats
}

// TestTables checks the answers for tables of typical forms.
func TestTables(t *testing.T) {
	match := tableMatcher(t)
	const ginseng, notoginseng, pine = "Panax ginseng", "Panax notoginseng", "Pinus tabuliformis"
	for _, tt := range []struct {
		what, in string
		want     []string
		taken    bulk.Taken
		sheet    string
		header   int
	}{
		{"a family in Chinese", "科,学名\n五加科,Panax ginseng\n松科,Pinus tabuliformis\n槭树科,Acer palmatum\n-,Poa annua\n", []string{ginseng, pine, "Acer palmatum", "Poa annua"},
			bulk.Taken{Name: "学名", Family: "科"}, "", 1},
		{"genus and species", "plot,genus,species\n1,Panax,ginseng\n2,Pinus,tabuliformis\n3,Panax,sp.\n4,Panax,\n", []string{ginseng, pine, "Panax", "Panax"},
			bulk.Taken{Epithet: "species", Genus: "genus"}, "", 1},
		{"genus and epithet of Darwin Core", "genus,specificEpithet,infraspecificEpithet,taxonRank\nPanax,ginseng,,species\nPinus,sylvestris,mongolica,variety\n", []string{ginseng, "Pinus sylvestris var. mongolica"},
			bulk.Taken{Genus: "genus", Epithet: "specificEpithet", Infraspecific: "infraspecificEpithet", Rank: "taxonRank"}, "", 1},
		{"属名 and 种名", "编号\t属名\t种名\t命名人\n1\tPanax\tginseng\tC.A.Mey.\n2\tPinus\ttabuliformis\tCarrière\n", []string{ginseng, pine},
			bulk.Taken{Epithet: "种名", Genus: "属名", Author: "命名人"}, "", 1},
		{"capitals", "GENUS;SPECIES;VARIETY\nPANAX;GINSENG;\nPinus;Sylvestris;mongolica\n", []string{ginseng, "Pinus sylvestris var. mongolica"},
			bulk.Taken{Epithet: "SPECIES", Genus: "GENUS", Infraspecific: "VARIETY"}, "", 1},
		{"whole names beside the genus", "Genus,Species\nPanax,Panax ginseng\nPinus,P. tabuliformis\n", []string{ginseng, pine},
			bulk.Taken{Name: "Species", Genus: "Genus"}, "", 1},
		{"Chinese genus and species beside the Latin name", "科名,属名,种名,拉丁名\n五加科,人参属,人参,Panax ginseng\n五加科,人参属,三七,Panax gins\n", []string{ginseng, notoginseng},
			bulk.Taken{Name: "拉丁名", Family: "科名", ChineseName: "种名"}, "", 1},
		{"the Chinese name beside the Latin one", "中文名,学名\n人参,Panax ginseng\n三七,Xyzia nihil\n丹参,Panax ginseng\n油松,\n", []string{ginseng, notoginseng, ginseng + "!", pine},
			bulk.Taken{Name: "学名", ChineseName: "中文名"}, "", 1},
		{"title lines", "表1 样地植物名录,,\n,,\n调查时间：2021年,,\n序号,植物名称,拉丁名\n1,人参,Panax ginseng\n2,油松,Pinus tabuliformis\n", []string{ginseng, pine},
			bulk.Taken{Name: "拉丁名", ChineseName: "植物名称"}, "", 4},
		{"a title above one column", "植物名录\n学名\nPanax ginseng\n", []string{ginseng}, bulk.Taken{Name: "学名"}, "", 2},
		{"sep=", "sep=;\nid;species\n1;Panax ginseng\n2;Pinus tabuliformis\n", []string{ginseng, pine}, bulk.Taken{Name: "species"}, "", 2},
		{"French", "\ufeffN°;Espèce;Famille\n1;Panax ginseng;Araliaceae\n", []string{ginseng}, bulk.Taken{Name: "Espèce", Family: "Famille"}, "", 1},
		{"Spanish", "especie,familia\nPanax ginseng,Araliaceae\n", []string{ginseng}, bulk.Taken{Name: "especie", Family: "familia"}, "", 1},
		{"brackets", "Plant (Latin),Family (科)\nPanax ginseng,松科 Pinaceae\n", []string{ginseng}, bulk.Taken{Name: "Plant (Latin)", Family: "Family (科)"}, "", 1},
		{"two scripts", "学名 Scientific name\t科 Family\nPanax ginseng\tAraliaceae\n", []string{ginseng}, bulk.Taken{Name: "学名 Scientific name", Family: "科 Family"}, "", 1},
		{"abbreviated genus", "name\nPanax ginseng C.A.Mey.\nP. notoginseng\nPinus tabuliformis\nP. sylvestris\nP. ginseng\nS. miltiorrhiza\n",
			[]string{ginseng, notoginseng + "+", pine, "Pinus sylvestris+", ginseng, "Salvia miltiorrhiza"}, bulk.Taken{Name: "name"}, "", 1},
		{"a family as a heading", "no,species\n,五加科 Araliaceae\n1,Panax ginseng\n2,Panax notoginseng\n松科,\n3,Pinus tabuliformis\n",
			[]string{"*", ginseng + "+", notoginseng + "+", "*", pine + "+"}, bulk.Taken{Name: "species"}, "", 1},
		{"ditto marks", "科\t属\t种\n五加科\tPanax\tginseng\n〃\t同上\tnotoginseng\n松科\tPinus\ttabuliformis\n−\"−\t-\"-\tsylvestris\n",
			[]string{ginseng, notoginseng + "+", pine, "Pinus sylvestris+"}, bulk.Taken{Epithet: "种", Genus: "属", Family: "科"}, "", 1},
		{"words for ditto marks", "genus,species\nPanax,ginseng\ndo.,notoginseng\nid.,ginseng\nidem,notoginseng\n", []string{ginseng, notoginseng + "+", ginseng + "+", notoginseng + "+"}, bulk.Taken{Genus: "genus", Epithet: "species"}, "", 1},
		{"ditto marks for the genus in the name", "name,site\nPanax ginseng,a\n〃 notoginseng,b\n同上,c\n", []string{ginseng, notoginseng + "+", notoginseng + "+"}, bulk.Taken{Name: "name"}, "", 1},
		{"a workbook of names that nothing knows", sheets(t, "list\nno\tname\tsite\n1\tQwrtzx 17\ta\n2\tQwrtzx 18\tb\n3\tQwrtzx 19\tc"), []string{"-", "-", "-"}, bulk.Taken{Name: "name"}, "list", 1},
		{"a ditto mark below an empty row", sheets(t, "list\nname\tsite\nPanax ginseng\ta\n\n同上\tb"), []string{ginseng, "-", ginseng + "+"}, bulk.Taken{Name: "name"}, "list", 1},
		{"an empty genus", "genus,species\nPanax,ginseng\n,notoginseng\n", []string{ginseng, notoginseng + "+"}, bulk.Taken{Epithet: "species", Genus: "genus"}, "", 1},
		{"plain lines do not refer to each other", "Panax ginseng\nP. notoginseng\n", []string{ginseng, notoginseng}, bulk.Taken{}, "", 0},
		{"a workbook", sheets(t, "名录\n科\t中文名\t学名\n五加科\t人参\tPanax ginseng\n松科\t油松\tPinus tabuliformis"), []string{ginseng, pine},
			bulk.Taken{Name: "学名", Family: "科", ChineseName: "中文名"}, "名录", 1},
		{"a second sheet below titles", sheets(t, "说明\n本表由某所编制\n\n联系人", "数据\n样地植物名录\n\n序号\tGenus\tspecies\n1\tPanax\tginseng\n\n2\tPinus\ttabuliformis"), []string{ginseng, "-", pine},
			bulk.Taken{Epithet: "species", Genus: "Genus"}, "数据", 3},
	} {
		got, _, stats := matchTable(t, match, tt.in, bulk.Options{})
		for i, w := range tt.want {
			if w == "*" && i < len(got) {
				got[i] = "*"
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
		if sheet := strings.Join(stats.Sheets, ", "); !cmp.Equal(stats.Taken, tt.taken) || sheet != tt.sheet || stats.Header != tt.header {
			t.Errorf("%s: took %+v of sheet %q, line %d, want %+v, %q, %d", tt.what, stats.Taken, sheet, stats.Header, tt.taken, tt.sheet, tt.header)
		}
	}
}

// TestSummaryOfTables checks that the summary counts taxa and the rows that need a review.
func TestSummaryOfTables(t *testing.T) {
	match := tableMatcher(t)
	_, rows, stats := matchTable(t, match, "species,family\nPanax ginseng,五加科\nPanax notoginseng,shrub\nPanax schin-seng,ask Li\nPinus sylvestris,Pinaceae\nPinus sylvestris var. mongolica,\nXyzia nihil,\n", bulk.Options{})
	if stats.Species != 3 || stats.Genera != 2 || stats.Families != 2 || stats.NoFamily != 2 || stats.Rows != 6 || stats.Matched != 5 {
		t.Errorf("%+v", stats)
	}
	if r := rows[2]; r["acceptedNameWithAuthor"] != "Panax ginseng C.A.Mey." || r["remark"] != "the name given is a synonym" || r["candidates"] != "1" {
		t.Errorf("%q", r)
	}
	if r := rows[5]; r["acceptedNameWithAuthor"] != "" || r["remark"] != "no name fits" || r["candidates"] != "0" {
		t.Errorf("%q", r)
	}
	if r := rows[0]; r["remark"] != "" {
		t.Errorf("%q, want no remark on an accepted name", r)
	}
	_, _, stats = matchTable(t, match, "species,site\nginseng,1\nnotoginseng,2\n", bulk.Options{})
	if stats.Epithets != 2 {
		t.Errorf("%+v, want 2 epithets without a genus", stats)
	}
}

// TestColumnSets checks the sets of columns.
func TestColumnSets(t *testing.T) {
	match := tableMatcher(t)
	for set, want := range map[string]string{
		bulk.ColumnsPaper: "name,row,acceptedNameWithAuthor,acceptedFamily,taxonStatus,matchType,score,remark,candidates\nPanax schin-seng,1,Panax ginseng C.A.Mey.,Araliaceae,synonym,exact,0.98,异名,1\n",
		bulk.ColumnsIDs:   "name,row,acceptedNameWithAuthor,entryId,guid,wcvpId,ipniId,wfoId,score,flags\nPanax schin-seng,1,Panax ginseng C.A.Mey.,1,,2,,,0.98,\n",
	} {
		var out bytes.Buffer
		word := func(code, english string) string { return map[string]string{"via.synonym": "异名"}[code] }
		if _, err := bulk.Run(t.Context(), match, strings.NewReader("name\nPanax schin-seng\n"), &out, bulk.Options{Columns: set, Word: word}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s: %q, want %q", set, out.String(), want)
		}
	}
}
