package rows_test

import (
	"archive/zip"
	"bufio"
	"encoding/csv"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/rows"
	"bencao/internal/test/fullsize"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// cells has texts of cells, by kind.
type cells struct {
	chinese, toned, latin, authors []string
	traditional                    *strings.Replacer
}

// readCells reads texts of cells from the tables of a data package.
func readCells(t *testing.T, pack fs.FS) (c cells) {
	t.Helper()
	column := func(table string, names ...string) (all []string) {
		f, err := pack.Open(table)
		must(t, err)
		defer func() { must(t, f.Close()) }()
		r := csv.NewReader(f)
		header, err := r.Read()
		must(t, err)
		for {
			row, err := r.Read()
			if err == io.EOF {
				return all
			}
			must(t, err)
			for _, name := range names {
				if cell := row[slices.Index(header, name)]; cell != "" {
					all = append(all, cell)
				}
			}
		}
	}
	c.chinese = append(column("species.csv", "chinese_name", "family_chinese", "genus_chinese"), column("aliases.csv", "name")...)
	c.toned = column("species.csv", "chinese_name_pinyin")
	c.latin = column("species.csv", "scientific_name")
	c.authors = append(column("species.csv", "author"), column("synonyms.csv", "author")...)
	return c
}

// toTraditional returns a replacer of simplified characters by traditional ones.
func toTraditional(t *testing.T) *strings.Replacer {
	t.Helper()
	f, err := os.Open(path.Join("..", "..", "names", "han", "simplified.txt"))
	must(t, err)
	defer func() { must(t, f.Close()) }()
	forms := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if c := []rune(s.Text()); len(c) == 2 && c[0] < 0xA000 && c[0] >= 0x4E00 {
			forms[string(c[1])] = string(c[0])
		}
	}
	var pairs []string
	for _, from := range slices.Sorted(maps.Keys(forms)) {
		pairs = append(pairs, from, forms[from])
	}
	return strings.NewReplacer(pairs...)
}

// plainVowels removes the tones of pinyin.
var plainVowels = strings.NewReplacer("ā", "a", "á", "a", "ǎ", "a", "à", "a", "ē", "e", "é", "e", "ě", "e", "è", "e", "ī", "i", "í", "i", "ǐ", "i", "ì", "i",
	"ō", "o", "ó", "o", "ǒ", "o", "ò", "o", "ū", "u", "ú", "u", "ǔ", "u", "ù", "u", "ǖ", "v", "ǘ", "v", "ǚ", "v", "ǜ", "v", "ü", "v")

// table returns a random list with n rows. A cell that write cannot write
// is left blank.
func (c cells) table(r *rand.Rand, n int, traditional bool, write func(string) (string, error)) string {
	one := func(all []string) string { return all[r.IntN(len(all))] }
	kinds := []struct {
		labels []string
		cell   func() string
	}{
		{[]string{"中文名", "药材", "name", "chinese"}, func() string { return one(c.chinese) }},
		{[]string{"拼音", "pinyin"}, func() string { return one(c.toned) }},
		{[]string{"拼音", "pinyin"}, func() string { return strings.ReplaceAll(one(c.toned), " ", "") }},
		{[]string{"pinyin"}, func() string { return plainVowels.Replace(one(c.toned)) }},
		{[]string{"学名", "scientificName"}, func() string { return one(c.latin) }},
		{[]string{"命名人", "author"}, func() string { return one(c.authors) }},
		{[]string{"别名", "aliases"}, func() string { return one(c.chinese) + "、" + one(c.chinese) + "（" + one(c.chinese) + "）" }},
		{[]string{"编号", "id"}, func() string { return strconv.Itoa(r.IntN(1000)) }},
	}
	columns := r.Perm(len(kinds))[:1+r.IntN(len(kinds))]
	var text strings.Builder
	for row := range n + 1 {
		for i, k := range columns {
			cell := kinds[k].cell()
			if row == 0 {
				cell = one(kinds[k].labels)
			}
			if traditional {
				cell = c.traditional.Replace(cell)
			}
			if _, err := write(cell); err != nil || strings.ContainsAny(cell, "\",") {
				cell = ""
			}
			if i > 0 {
				text.WriteString(",")
			}
			text.WriteString(cell)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// TestEncodingsGuessed writes random lists in each encoding. At least 99 % come back the same, also of short
// ones.
func TestEncodingsGuessed(t *testing.T) {
	none := func(s string) (string, error) { return s, nil }
	in := func(e encoding.Encoding) func(string) (string, error) { return e.NewEncoder().String }
	utf16 := func(e unicode.Endianness) encoding.Encoding { return unicode.UTF16(e, unicode.IgnoreBOM) }
	big5 := func(s string) (string, error) { // without the extension of Hong Kong, which is rare
		text, err := in(traditionalchinese.Big5)(s)
		for i := 0; i < len(text); i++ {
			if text[i] >= 0x80 {
				if text[i] < 0xA1 || text[i] > 0xF9 {
					return "", io.EOF
				}
				i++
			}
		}
		return text, err
	}
	ways := []struct {
		name, mark string
		write      func(string) (string, error)
	}{
		{"UTF-8", "", none}, {"UTF-8", "\xEF\xBB\xBF", none},
		{"UTF-16LE", "\xFF\xFE", in(utf16(unicode.LittleEndian))}, {"UTF-16BE", "\xFE\xFF", in(utf16(unicode.BigEndian))},
		{"GB18030", "", in(simplifiedchinese.GB18030)}, {"GB18030", "\x84\x31\x95\x33", in(simplifiedchinese.GB18030)},
		{"Big5", "", big5}, {"Windows-1252", "", in(charmap.Windows1252)},
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	c := readCells(t, os.DirFS(path.Join("..", "..", "indexer", "sample", "package")))
	c.traditional = toTraditional(t)
	check := func(t *testing.T, c cells) {
		for size, tables := range map[int]int{3: 2000, 50: 1000} {
			for _, way := range ways {
				for _, old := range []bool{false, true} {
					if way.name == "Big5" && !old {
						continue
					}
					wrong, example := 0, ""
					for range tables {
						text := c.table(r, size, old, way.write)
						encoded, err := way.write(text)
						must(t, err)
						if got := readBack(t, way.mark+encoded); got != text {
							wrong++
							example = text + "is\n" + got
						}
					}
					if wrong > tables/100 {
						t.Errorf("%s, mark %q, %d rows, traditional %t: %d of %d are wrong, such as\n%s", way.name, way.mark, size, old, wrong, tables, example)
					}
				}
			}
		}
	}
	t.Run("sample", func(t *testing.T) { check(t, c) })
	t.Run("full size", func(t *testing.T) {
		pack, err := zip.OpenReader(fullsize.Path(t, "data/china-plants.zip"))
		must(t, err)
		defer func() { must(t, pack.Close()) }()
		full := readCells(t, pack)
		full.traditional, full.toned = c.traditional, c.toned // the full data have no pinyin
		check(t, full)
	})
}

// readBack returns the lines of a text as a list is read.
func readBack(t *testing.T, text string) string {
	t.Helper()
	_, list, err := rows.Open(t.Context(), strings.NewReader(text), rows.ListOptions{})
	must(t, err)
	ahead, err := list.Ahead(5000)
	must(t, err)
	var all strings.Builder
	for _, line := range ahead {
		all.Write(line)
	}
	return all.String()
}
