package rows_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bencao/internal/rows"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/htmlindex"
)

// readText returns the rows of a text with a header of width cells, and the numbers of those that are
// not complete.
func readText(t *testing.T, text, encoding string, width int) (all [][]string, lost []int) {
	t.Helper()
	_, list, err := rows.Open(t.Context(), strings.NewReader(text), rows.ListOptions{Encoding: encoding})
	if err == nil {
		err = list.Begin(0, ',', width)
	}
	if err != nil {
		t.Fatal(err)
	}
	for {
		cells, wrong, err := list.Row()
		if err == io.EOF {
			return all, lost
		}
		if err != nil || wrong != nil {
			t.Errorf("row %d: %q, %v, %v\n%q", len(all), cells, wrong, err, text)
		}
		if list.Lost() != nil {
			lost = append(lost, len(all))
		}
		all = append(all, cells)
	}
}

// TestLostBytes writes rows with quotes, line ends, bytes of no character and blank cells at the end. The
// quotes tell where each row ends, whatever its bytes and the encoding.
func TestLostBytes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"a", "b c", `""`, ",", "\n", "\r\n", "\xff", "\x80", "\xfe\xff", "\xe4\xb8", "\x8d", "1"}
	blank := []string{"", " ", `""`, `"" `, "\t"}
	for range 300 {
		for _, encoding := range rows.Encodings() {
			if strings.HasPrefix(encoding, "UTF-16") {
				continue
			}
			var text strings.Builder
			var want []string
			for i := range 1 + r.IntN(6) {
				n := fmt.Sprint("row ", i)
				text.WriteString(n)
				for range 2 {
					text.WriteString(`,"`)
					for range r.IntN(5) {
						text.WriteString(pieces[r.IntN(len(pieces))])
					}
					text.WriteString(`"`)
				}
				text.WriteString(",end")
				for range r.IntN(3) {
					text.WriteString("," + blank[r.IntN(len(blank))])
				}
				text.WriteString("\n")
				want = append(want, n)
			}
			all, _ := readText(t, text.String(), encoding, 4)
			var got []string
			for _, cells := range all {
				if len(cells) != 4 || cells[3] != "end" {
					t.Errorf("a row is %q, want 4 cells", cells)
				}
				got = append(got, cells[0])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, %q:\n%s", encoding, text.String(), diff)
			}
		}
	}
}

// TestLost checks which rows are told to be incomplete, and in which encoding damaged lists are read.
func TestLost(t *testing.T) {
	gb, err := htmlindex.Get("GB18030")
	if err != nil {
		t.Fatal(err)
	}
	chinese := func(s string) string {
		b, err := gb.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, tt := range map[string]struct {
		text, encoding string
		want           [][]string
		lost           []int
	}{
		"a character in the text itself": {"a,\uFFFD\n", "", [][]string{{"a", "\uFFFD"}}, nil},
		"two lines":                      {"a,\"x\xffy\nz\"\nb,c\n", "UTF-8", [][]string{{"a", "x\uFFFDy\nz"}, {"b", "c"}}, []int{0}},
		"an open quote":                  {"é,1\n\"a,\xff\nb,\xff\nc,d\n", "", [][]string{{"é", "1"}, {"\"a,\uFFFD"}, {"b", "\uFFFD"}, {"c", "d"}}, []int{1, 2}},
		"an open quote before":           {"é,1\n\"a,2\nb,\xff\nc,d\n", "", [][]string{{"é", "1"}, {"\"a,2"}, {"b", "\uFFFD"}, {"c", "d"}}, []int{2}},
		"Macintosh":                      {"Ver\x8doza,\nS\x8bo,\nM\x9fll,\n", "", [][]string{{"Ver\uFFFDoza", ""}, {"S\uFFFDo", ""}, {"M\uFFFDll", ""}}, []int{0, 1, 2}},
		"Windows-1252":                   {"S\xe3o,\nVer\x8doza,\n", "", [][]string{{"São", ""}, {"Ver\uFFFDoza", ""}}, []int{1}},
		"UTF-8, the first line damaged":  {"Ver\x8doza,\nSão,\nMüll,\nGenève,\n", "", [][]string{{"Ver\uFFFDoza", ""}, {"São", ""}, {"Müll", ""}, {"Genève", ""}}, []int{0}},
		"GB18030, the first line damaged": {chinese("人参") + "\xff,\n" + chinese("四川，吉林,\n黄芪,药材市场\n"), "",
			[][]string{{"人参\uFFFD", ""}, {"四川，吉林", ""}, {"黄芪", "药材市场"}}, []int{0}},
		"GB18030 with tones":                  {chinese("药材,拼音\n黄芪,huángqí\n当归,dāngguī\n"), "", [][]string{{"药材", "拼音"}, {"黄芪", "huángqí"}, {"当归", "dāngguī"}}, nil},
		"GB18030, only pinyin":                {chinese("pinyin,\nài,\nyè,\n"), "", [][]string{{"pinyin", ""}, {"ài", ""}, {"yè", ""}}, nil},
		"GB18030 with a mark":                 {chinese("\uFEFFid,拼音\n1,Ǎi Dì Chá\n"), "", [][]string{{"id", "拼音"}, {"1", "Ǎi Dì Chá"}}, nil},
		"GB18030, named, with a mark":         {chinese("\uFEFFid,拼音\n"), "GB18030", [][]string{{"id", "拼音"}}, nil},
		"GB18030, the first line valid UTF-8": {chinese("目,\n黄芪,药材\n甘草,\n"), "", [][]string{{"目", ""}, {"黄芪", "药材"}, {"甘草", ""}}, nil},
		"named":                               {"S\x8bo,\nVer\x8doza,\n", "Macintosh", [][]string{{"São", ""}, {"Verçoza", ""}}, nil},
		"UTF-16 with half a character":        {"\xff\xfea\x00,\x00\x00\xd8\n\x00", "", [][]string{{"a", "\uFFFD"}}, []int{0}},
	} {
		_, list, err := rows.Open(t.Context(), strings.NewReader(tt.text), rows.ListOptions{Encoding: tt.encoding})
		if err == nil {
			err = list.Begin(0, ',', 2)
		}
		var all [][]string
		var lost []int
		for err == nil {
			var cells []string
			if cells, _, err = list.Row(); err != nil {
				break
			}
			if why := list.Lost(); why != nil {
				lost = append(lost, len(all))
				if want := "is not " + list.Encoding() + ";"; !strings.HasPrefix(why.Error(), want) {
					t.Errorf("%s: %v, want %q", name, why, want)
				}
			}
			all = append(all, cells)
		}
		if err != io.EOF || !cmp.Equal(all, tt.want) || !slices.Equal(lost, tt.lost) {
			t.Errorf("%s: %q, incomplete are %v (%v); want %q and %v", name, all, lost, err, tt.want, tt.lost)
		}
	}
}

// TestEncodings reads a text in every encoding that a list may be said to be in. The names are those of
// the WHATWG.
func TestEncodings(t *testing.T) {
	for _, name := range rows.Encodings() {
		as, err := htmlindex.Get(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		held := 0
		for _, text := range []string{"Genève, España, Çoruh", "Łódź, Győr", "Москва", "東京", "四川", "서울"} {
			encoded, err := as.NewEncoder().String(text)
			if err != nil {
				continue
			}
			held++
			all, lost := readText(t, "\""+encoded+"\"\n", name, 1)
			if strings.HasPrefix(name, "UTF-16") {
				encoded, err = as.NewEncoder().String("\"" + text + "\"\n")
				all, lost = readText(t, encoded, name, 1)
			}
			if err != nil || len(lost) > 0 || !cmp.Equal(all, [][]string{{text}}) {
				t.Errorf("%s: %q, incomplete are %v (%v); want %q", name, all, lost, err, text)
			}
		}
		if held == 0 {
			t.Errorf("%s has none of the texts", name)
		}
	}
}

// TestBlankCells checks that blank cells beyond the header's are nothing, and that others are an error.
func TestBlankCells(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,\n":           "a|b",
		"a,b,,,,\n":        "a|b",
		"a,b, ,\"\",\t\n":  "a|b",
		"a,,\n":            "a|",
		"a,\"x,\"\"\",\n":  `a|x,"`,
		"a,\"x\n,\",\"\"":  "a|x\n,",
		"a,b,c\n":          "has 3 cells",
		"a,b,,d,,\n":       "has 4 cells",
		"a,b,\"\"\"\",,\n": "has 3 cells",
		"a,b,\"\"c\n":      "has 3 cells",
		"a,b,\" \n\",\n":   "has 3 cells", // a cell of two lines, which may have been meant
	} {
		_, list, err := rows.Open(t.Context(), strings.NewReader(text), rows.ListOptions{})
		if err == nil {
			err = list.Begin(0, ',', 2)
		}
		if err != nil {
			t.Fatal(err)
		}
		cells, wrong, err := list.Row()
		got := strings.Join(cells, "|")
		if wrong != nil {
			got = strings.Join(strings.Fields(wrong.Error())[:3], " ")
			got = strings.TrimSuffix(got, ",")
		}
		if err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}
