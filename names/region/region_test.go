package region_test

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/internal/test/testkit"
	. "bencao/names/region"
)

func must(tb testing.TB, err error) { tb.Helper(); testkit.Must(tb, err) }

// TestScheme compares the table with the scheme: the number of regions of each level, and the places
// that people expect elsewhere.
func TestScheme(t *testing.T) {
	count := map[int]int{}
	for _, r := range Default().All() {
		count[r.Level]++
	}
	if count[1] != 9 || count[2] != 52 || count[3] != 369 {
		t.Errorf("the table has %v regions by level, the scheme 9, 52 and 369", count)
	}
	for code, want := range map[string]string{
		"TAI": "3 38 TAI", "EHM": "4 40 EHM", "CHS": "3 36 CHS", "SCS": "4 41 SCS", "HAW": "6 63 HAW",
		"CHC-YN": "3 36 CHC CHC-YN", "XXX": "", "XXX-YN": "", "": "", "3": "3",
	} {
		var path []string
		for _, r := range Default().Path(code) {
			path = append(path, r.Code)
		}
		if got := strings.Join(path, " "); got != want {
			t.Errorf("Path(%q) = %q, want %q", code, got, want)
		}
	}
}

// TestRelations checks what holds for every region: it is found by its code and each name, lies in
// one region of each level above, and is the union of its parts.
func TestRelations(t *testing.T) {
	table := Default()
	regions := table.All()
	if !slices.IsSortedFunc(regions, func(a, b Region) int { return table.Compare(a.Code, b.Code) }) {
		t.Error("Compare does not order the regions as the file does")
	}
	parts := map[string]int{}
	for _, r := range regions {
		path := table.Path(r.Code)
		if len(path) != r.Level || path[len(path)-1] != r {
			t.Errorf("the path of %s, of level %d, is %v", r.Code, r.Level, path)
		}
		for _, text := range []string{r.Code, strings.ToLower(r.Code), "TDWG:" + r.Code, r.Name, strings.ToUpper(r.Name), r.Chinese} {
			found, _ := table.Find(text)
			if !slices.Contains(path, found) || found.Code != r.Code && text != r.Name && text != strings.ToUpper(r.Name) && text != r.Chinese {
				t.Errorf("Find(%q) = %s, want %s or a region around it with the same name", text, found.Code, r.Code)
			}
		}
		parts[r.Parent] += len(table.Parts(r.Code))
	}
	for _, r := range regions {
		if n := len(table.Parts(r.Code)); r.Level < 3 && n != parts[r.Code] || n == 0 {
			t.Errorf("%s has %d parts, the regions in it %d", r.Code, n, parts[r.Code])
		}
	}
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"China": "36", "中国": "36", "中國": "36", "Mongolia": "37", "MON": "MON", "mon": "MON", "canary islands": "CNY", "Canary Is.": "CNY",
		"Quebec": "QUE", "st helena": "STH", "tdwg:chs": "CHS", "TDWG: chc-yn": "CHC-YN", "臺灣": "TAI", "Türkiye": "TUR", "turkiye": "TUR",
		" indo china ": "41", "China South Central": "CHC", "": "", "Atlantis": "", "TDWG:": "", "...": "",
	} {
		if got, ok := Default().Find(text); got.Code != want || ok != (want != "") {
			t.Errorf("Find(%q) = %q, %v, want %q", text, got.Code, ok, want)
		}
	}
}

// TestPoints checks that the points of a region of level 2 lie near each other.
func TestPoints(t *testing.T) {
	for _, r := range Default().All() {
		if r.Level != 3 || r.Parent == "90" { // islands all around the Antarctic
			continue
		}
		around, _ := Default().Get(r.Parent)
		if d := degrees(r, around); d > 45 {
			t.Errorf("%s %s is %.0f degrees from the middle of %s; is its point right?", r.Code, r.Name, d, around.Name)
		}
	}
}

// degrees returns the angle between the points of two regions, seen from the middle of the earth.
func degrees(a, b Region) float64 {
	rad := math.Pi / 180
	cos := math.Sin(a.Latitude*rad)*math.Sin(b.Latitude*rad) + math.Cos(a.Latitude*rad)*math.Cos(b.Latitude*rad)*math.Cos((a.Longitude-b.Longitude)*rad)
	return math.Acos(min(1, cos)) / rad
}

// TestParseOperators reads tables as operators change them: other names, another parent.
func TestParseOperators(t *testing.T) {
	text := string(Default().Text())
	changed := strings.Replace(text, "TAI | 38 | Taiwan | 台湾 | TW |", "TAI | 38 | Taiwan, China | 中国台湾 |  |", 1)
	table, err := Parse("my.txt", []byte("\uFEFF"+strings.ReplaceAll(changed, "\n", "\r\n")))
	must(t, err)
	if r, _ := table.Find("中国台湾"); r.Code != "TAI" || r.Name != "Taiwan, China" || r.Country != "" {
		t.Errorf("the region with another name is %+v", r)
	}
	if _, ok := table.Find("台湾"); ok {
		t.Error("the region is still found by its name in the built-in table")
	}
}

// TestParseErrors checks that an error names the file, the line, the fault and the remedy.
func TestParseErrors(t *testing.T) {
	text := string(Default().Text())
	line := func(code string) string {
		at := strings.Index(text, "\n"+code+" |") + 1
		return text[at : at+strings.Index(text[at:], "\n")]
	}
	for _, tt := range []struct{ old, new, want string }{
		{line("TAI"), "", "my.txt: TAI (Taiwan) is missing; checklists use its code"},
		{line("TAI"), "TAI | 38 | Taiwan", "my.txt:201: has 3 cells; write code | parent |"},
		{line("TAI"), "Tai | 38 | Taiwan | 台湾 | TW | 24 121 |", `code is "Tai"; write a code such as`},
		{line("TAI"), "TAI | 3 | Taiwan | 台湾 | TW | 24 121 |", `TAI has the parent "3"; name a region of level 2 that an earlier line describes`},
		{line("TAI"), "TAI | 40 | Taiwan | 台湾 | TW | 24 121 |", `TAI has the parent "40"; name a region of level 2`},
		{line("TAI"), "TAI | 38 | Taiwan |  | TW | 24 121 |", "TAI needs an English and a Chinese name"},
		{line("TAI"), "TAI | 38 | ! | 台湾 | TW | 24 121 |", "TAI needs an English and a Chinese name"},
		{line("TAI"), "TAI | 38 | Taiwan | 台湾 | TWN | 24 121 |", `the country "TWN"; write two capital letters`},
		{line("TAI"), "TAI | 38 | Taiwan | 台湾 | TW | 24 221 |", `TAI: the point is "24 221"; write a latitude`},
		{line("TAI"), "TAI | 38 | Taiwan | 台湾 | TW | NaN 121 |", `TAI: the point is "NaN 121"; write a latitude`},
		{line("TAI"), line("TAI") + "\n" + line("TAI"), "TAI is listed already, as Taiwan"},
		{line("TAI"), "TAI | 38 | Japan | 台湾 | TW | 24 121 |", "are both called Japan; give one another name"},
		{line("TAI"), "TAI | 38 | Taiwan | 台湾 | TW | 24 121 | CHS", "CHS and TAI are both called CHS; give one another name"},
		{line("3"), "3 | 1 | Asia-Temperate | 温带亚洲 |  | 52 85 |", "3 is a continent, but has the parent 1"},
		{line("TAI"), "TAI | 38 | \xff | 台湾 | TW | 24 121 |", "is not UTF-8"},
		{"", strings.Repeat("#", 1<<20), "is larger than 1048576 bytes"},
	} {
		_, err := Parse("my.txt", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q in place of %q: error %v, want %q", tt.new[:min(80, len(tt.new))], tt.old, err, tt.want)
		}
	}
}

// TestRealAreas checks that the table has every area of WCVP's distribution, with the region and the
// continent that WCVP gives.
func TestRealAreas(t *testing.T) {
	f, err := os.Open(fullsize.Path(t, "data/wcvp_distribution-real.csv.gz"))
	must(t, err)
	defer f.Close()
	plain, err := gzip.NewReader(f)
	must(t, err)
	rows := bufio.NewScanner(plain)
	rows.Scan() // the header
	seen := map[string]bool{}
	for rows.Scan() {
		cells := strings.Split(rows.Text(), "|")
		l1, continent, l2, around, l3, area := cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]
		if seen[l3] {
			continue
		}
		seen[l3] = true
		path := Default().Path(l3)
		if len(path) != 3 || path[0].Code != l1 || !strings.EqualFold(path[0].Name, continent) || path[1].Code != l2 || path[1].Name != around || path[2].Name != area {
			t.Errorf("WCVP has %s %s in %s %s in %s %s, the table %v", l3, area, l2, around, l1, continent, path)
		}
	}
	must(t, rows.Err())
	if len(seen) < 350 {
		t.Errorf("WCVP has only %d areas here", len(seen))
	}
}

// FuzzParse adds lines to the table. It checks that a table that is accepted reads the same again,
// and finds the added regions.
func FuzzParse(f *testing.F) {
	f.Add("CHC-YN | CHC | Yunnan | 云南 | CN | 25 101 | Yun-nan; 滇\n")
	f.Add("# \r\n\r\nCHC-YN | CHC | I. | Is. |  | 1e1 -0 | ;;")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Parse("x", []byte(string(Default().Text())+text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		again, err := Parse("x", table.Text())
		must(t, err)
		if !slices.Equal(table.All(), again.All()) {
			t.Fatal("the text of the table is another table")
		}
		for _, r := range table.All()[len(Default().All()):] {
			found, ok := table.Find(r.Name)
			if !ok || !slices.Contains(table.Path(r.Code), found) {
				t.Fatalf("Find(%q) = %+v", r.Name, found)
			}
			if len(table.Path(r.Code)) != r.Level {
				t.Fatalf("%s has the path %v", r.Code, table.Path(r.Code))
			}
		}
	})
}
