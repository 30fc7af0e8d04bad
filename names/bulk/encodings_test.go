package bulk_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tables "bencao/internal/rows"
	"bencao/names/bulk"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// lists has tables in several scripts. TestEncodingsAndShapes runs each table in every encoding
// that can represent its script. The columns are sheet, name, author, family, note.
var lists = map[string][][]string{
	"plain": {{"sheet", "scientificName", "scientificNameAuthorship", "family", "note"}, {"1", "Panax ginseng", "C.A.Mey.", "Araliaceae", "a, b; c"},
		{"2", "Citrus aurantium", "Engl.", "Rutaceae", "\"said\""}, {"3", "Xqzwklerty vbnmasdfgh", "", "", ""}},
	"accents": {{"sheet", "name", "author", "family", "collecteur"}, {"1", "Panax ginseng", "C.A.Mey.", "Araliaceae", "André Michaux"},
		{"2", "Citrus aurantium", "Engl.", "Rutaceae", "Hügel à Zürich"}, {"3", "Xqzwklerty", "", "", "Ñandú"}},
	"simplified": {{"编号", "拉丁名", "命名人", "科", "产地"}, {"1", "Panax ginseng", "C.A.Mey.", "Araliaceae", "吉林省抚松县，长白山"},
		{"2", "Citrus aurantium", "Engl.", "Rutaceae", "四川；云南"}, {"3", "无此草", "", "", "药材市场"}},
	"traditional": {{"編號", "學名", "作者", "科名", "產地"}, {"1", "Panax ginseng", "C.A.Mey.", "Araliaceae", "臺灣省南投縣"},
		{"2", "Citrus aurantium", "Engl.", "Rutaceae", "廣東與廣西"}, {"3", "無此草", "", "", "藥材市場"}},
}

// scripts lists the encodings. Each has the byte-order mark at the start of its files and the names
// of the lists that it can represent.
var scripts = []struct {
	name     string
	as       encoding.Encoding
	mark     string
	reported string // the value of Stats.Encoding
	hold     []string
}{
	{"UTF-8", encoding.Nop, "", "UTF-8", []string{"plain", "accents", "simplified", "traditional"}},
	{"UTF-8 with a mark", encoding.Nop, "\xEF\xBB\xBF", "UTF-8", []string{"plain", "accents", "simplified", "traditional"}},
	{"UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "", "UTF-16LE", []string{"plain", "accents", "simplified", "traditional"}},
	{"UTF-16LE with a mark", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "\xFF\xFE", "UTF-16LE", []string{"plain", "accents", "simplified", "traditional"}},
	{"UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "", "UTF-16BE", []string{"plain", "accents", "simplified", "traditional"}},
	{"UTF-16BE with a mark", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "\xFE\xFF", "UTF-16BE", []string{"plain", "accents", "simplified", "traditional"}},
	{"GB18030", simplifiedchinese.GB18030, "", "GB18030", []string{"simplified"}},
	{"Big5", traditionalchinese.Big5, "", "Big5", []string{"traditional"}},
	{"Windows-1252", charmap.Windows1252, "", "Windows-1252", []string{"accents"}},
}

// table writes rows as CSV, with comma between the cells.
func table(t *testing.T, rows [][]string, comma rune) string {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = comma
	must(t, w.WriteAll(rows))
	return b.String()
}

// same checks that the output has each row of list in its place, with all cells and the right
// answer for its name.
func same(t *testing.T, list [][]string, out string, comma rune) {
	t.Helper()
	r := csv.NewReader(strings.NewReader(out))
	r.Comma = comma
	got, err := r.ReadAll()
	if err != nil || len(got) != len(list) {
		t.Fatalf("%d lines came out (%v), want %d:\n%s", len(got), err, len(list), out)
	}
	place := map[string]int{}
	for i, header := range got[0] {
		place[header] = i
	}
	for i, row := range list {
		if strings.Join(got[i][:len(row)], "\x00") != strings.Join(row, "\x00") {
			t.Errorf("line %d begins with %q, want %q", i+1, got[i][:len(row)], row)
		}
		if i > 0 && got[i][place["row"]] != fmt.Sprint(i) {
			t.Errorf("line %d is row %s, want %d", i+1, got[i][place["row"]], i)
		}
	}
	// The name in the second row means another plant if its author is lost.
	for i, want := range []string{"Panax ginseng", "Citrus japonica", ""} {
		if got := got[i+1][place["acceptedName"]]; got != want {
			t.Errorf("row %d is %q, want %q", i+1, got, want)
		}
	}
}

// TestEncodingsAndShapes runs every list in every encoding and with every separator and line
// ending. It checks that no row is lost, moved or mixed up, and that authors are used.
func TestEncodingsAndShapes(t *testing.T) {
	tried := 0
	for _, script := range scripts {
		for _, kind := range script.hold {
			for what, comma := range map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t'} {
				tried++
				t.Run(script.name+"/"+kind+"/"+what, func(t *testing.T) {
					text, err := script.as.NewEncoder().String(table(t, lists[kind], comma))
					must(t, err)
					out, stats, err := run(t, script.mark+text, bulk.Options{})
					must(t, err)
					if stats.Encoding != script.reported && kind != "plain" || stats.Rows != 3 || stats.Unreadable != 0 {
						t.Errorf("stats are %+v, want 3 rows, none unreadable, in %s", stats, script.reported)
					}
					same(t, lists[kind], out, comma)
				})
			}
			t.Run(script.name+"/"+kind+"/one column", func(t *testing.T) {
				var lines []string
				for _, row := range lists[kind][1:] {
					lines = append(lines, row[1]+" "+row[2]+", "+row[4])
				}
				text, err := script.as.NewEncoder().String(strings.Join(lines, "\r\n") + "\r\n")
				must(t, err)
				out, stats, err := run(t, script.mark+text, bulk.Options{})
				if err != nil || stats.Rows != 3 {
					t.Fatalf("%+v, %v; want 3 rows", stats, err)
				}
				for i, row := range rows(t, out) {
					if row["name"] != lines[i] {
						t.Errorf("line %d is %q, want %q with its commas", i+1, row["name"], lines[i])
					}
				}
			})
		}
	}
	if tried < 70 {
		t.Errorf("%d were tried, want 70 or more", tried)
	}
}

// TestWorkbook runs a list in an Excel workbook.
func TestWorkbook(t *testing.T) {
	for kind, list := range lists {
		var b bytes.Buffer
		must(t, tables.WriteSheet(&b, "Sheet1", list))
		out, stats, err := run(t, b.String(), bulk.Options{})
		if err != nil || stats.Rows != 3 {
			t.Fatalf("%s: %+v, %v; want 3 rows", kind, stats, err)
		}
		same(t, list, out, ',')
		if _, _, err := run(t, b.String(), bulk.Options{Plain: true}); err == nil || !strings.Contains(err.Error(), "--plain") {
			t.Errorf("%s: a workbook as plain lines: %v, want an error", kind, err)
		}
	}
}

// TestMixedEncodings checks that a line in another encoding than the lines before it is matched by its
// name, counted, and not written as invalid text.
func TestMixedEncodings(t *testing.T) {
	gb, err := simplifiedchinese.GB18030.NewEncoder().String("人参药材")
	must(t, err)
	out, stats, err := run(t, "name,note\nPanax ginseng,黄芪\nPanax ginseng,"+gb+"\nPanax ginseng,x\n", bulk.Options{})
	if err != nil || stats.Rows != 3 || stats.Matched != 3 || stats.Undecoded != 1 || !strings.Contains(rows(t, out)[1]["note"], "\uFFFD") {
		t.Errorf("%+v, %v, want 3 rows of which the second is not UTF-8:\n%s", stats, err, out)
	}
	if !utf8.ValidString(out) {
		t.Error("bytes that are no UTF-8 came out")
	}
}

// TestUndecoded checks which rows with bytes that could not be decoded are matched, which are refused, and
// that all are counted.
func TestUndecoded(t *testing.T) {
	for what, c := range map[string]struct {
		list                         string
		plain                        bool
		rows, matched, refused, lost int64
	}{
		"in other cells":             {"name,place\nPanax ginseng,S\xe3o Paulo\nCitrus aurantium,Ver\x8doza\n", false, 2, 2, 0, 1},
		"in a cell of several lines": {"name,é,m\nPanax ginseng,\"Ver\xffoza\n\",a\nCitrus aurantium,b,c\nPanax ginseng,\"d\",e\n", false, 3, 3, 0, 1},
		"in the header":              {"name,pl\x8dce\nPanax ginseng,a\nCitrus aurantium,b\n", false, 2, 2, 0, 1},
		"in names":                   {"name,é\nPan\xffx ginseng,a\n\xfe\xff,b\n,\xff\n", false, 3, 1, 1, 3},
		"in lines":                   {"Panax ginseng é\nPan\xffx ginseng\n\xfe\xff\n", true, 3, 2, 1, 2},
		"in none":                    {"name,place\nPanax ginseng,\uFFFD\n", false, 1, 1, 0, 0},
	} {
		out, stats, err := run(t, c.list, bulk.Options{Plain: c.plain})
		if err != nil || stats.Rows != c.rows || stats.Matched != c.matched || stats.Unreadable != c.refused || stats.Undecoded != c.lost {
			t.Errorf("%s: %v, %d rows, %d matched, %d refused, %d incomplete; want %+v\n%s", what, err, stats.Rows, stats.Matched, stats.Unreadable, stats.Undecoded, c, out)
		}
		notes := stats.Notes(", ", func(code string, _ ...any) string { return code })
		if slices.Contains(notes, "undecoded") != (c.lost > 0) {
			t.Errorf("%s: the notes are %q", what, notes)
		}
	}
}

// TestBlankCells checks that blank cells at the end of rows do not matter, in lists with a header and
// without one.
func TestBlankCells(t *testing.T) {
	const list = "Panax ginseng,Araliaceae\nCitrus aurantium,Rutaceae\nPanax ginseng,\nCitrus aurantium,Rutaceae\nPanax ginseng,Araliaceae\n"
	for _, list := range []string{"name,family\n" + list, list} {
		answers := func(text string) (all []string) {
			out, _, err := run(t, text, bulk.Options{})
			must(t, err)
			for _, row := range rows(t, out) {
				all = append(all, row["matchedName"]+" "+row["flags"])
			}
			return all
		}
		want := answers(list)
		for _, ends := range [][]string{{","}, {"", ",", ",,", ""}, {",,", "", "", ","}, {`,""`, ", ", ""}, {"", `,"",`}} {
			text := ""
			for i, line := range strings.Split(strings.TrimSuffix(list, "\n"), "\n") {
				text += line + ends[i%len(ends)] + "\n"
			}
			if got := answers(text); !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}

// TestHeaders checks which lists are tables and which have a name in each line.
func TestHeaders(t *testing.T) {
	for _, tt := range []struct{ list, err string }{
		{"dwc:scientificName\tdwc:family\nPanax ginseng\tAraliaceae\n", ""},
		{"Citrus aurantium L., Sp. Pl. 782\nPanax ginseng, a root\nPanax ginseng\n", ""},
		{"sheet;locality;taxon id\n1;Sichuan;7\n2;Yunnan;8\n", "sheet, locality, taxon id"},
		{"a\tb\n1\t2\n", "columns a, b"},
	} {
		_, stats, err := run(t, tt.list, bulk.Options{})
		if tt.err == "" && (err != nil || stats.Matched == 0) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), "--column")) {
			t.Errorf("%q: %+v, %v; want an error that lists %q, or a match", tt.list, stats, err, tt.err)
		}
	}
}

// TestLeftOut checks which candidates --source, --rank and --min-score exclude, and that the
// summary counts only the remaining ones.
func TestLeftOut(t *testing.T) {
	const list = "Panax ginseng\nPanax ginsneg\nPanax sp.\nXqzwklerty vbnmasdfgh\n"
	for _, tt := range []struct {
		opt     bulk.Options
		matched int64
	}{
		{bulk.Options{}, 3},
		{bulk.Options{MinScore: 0.95}, 1},
		{bulk.Options{Rank: "Species"}, 2},
		{bulk.Options{Source: "wcvp"}, 3},
		{bulk.Options{Source: "WFO"}, 0},
	} {
		out, stats, err := run(t, list, tt.opt)
		if err != nil || stats.Matched != tt.matched || stats.Rows != 4 {
			t.Errorf("%+v: %+v, %v; want %d of 4 matched:\n%s", tt.opt, stats, err, tt.matched, out)
		}
		var counted int64
		for _, n := range stats.Best {
			counted += n
		}
		if counted != stats.Rows || stats.Best[bulk.Unmatched] != 4-tt.matched {
			t.Errorf("%+v: counted are %v of %d rows", tt.opt, stats.Best, stats.Rows)
		}
	}
	_, stats, err := run(t, list, bulk.Options{})
	rows := stats.Best.Rows()
	if i := len(rows) - 1; err != nil || i < 0 || rows[i].Type != "higherRank" || !rows[i].HigherRank || stats.Best[bulk.Unmatched] == 0 {
		t.Errorf("the summary is %+v, %v; want a genus and no match apart", rows, err)
	}
}

// TestOddBytes checks that a zero byte makes only its own row unreadable, and that lines may end
// with CR.
func TestOddBytes(t *testing.T) {
	for what, c := range map[string]struct {
		list      string
		rows, bad int64
	}{
		"a zero byte":     {"name,x\nPanax\x00ginseng,1\nCitrus aurantium,2\nPanax ginseng,3\n", 3, 1},
		"carriage return": {"name,x\rPanax ginseng,1\rCitrus aurantium,2\r", 2, 0},
		"nothing":         {"", 0, 0},
	} {
		out, stats, err := run(t, c.list, bulk.Options{})
		must(t, err)
		if stats.Rows != c.rows || stats.Unreadable != c.bad || stats.Matched != c.rows-c.bad {
			t.Errorf("%s: %d rows, %d matched, %d unreadable, want %d rows of which %d are unreadable:\n%s", what, stats.Rows, stats.Matched, stats.Unreadable, c.rows, c.bad, out)
		}
	}
}
