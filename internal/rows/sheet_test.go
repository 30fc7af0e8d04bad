package rows_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/internal/rows"
	"bencao/internal/test/hostile"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
)

// must ends the test if there is an error.
var must = testkit.Must

// bookParts returns the parts of a workbook with the given sheet and shared strings.
func bookParts(sheetData, shared string) map[string]string {
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const relations = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	return map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook ` + main + ` xmlns:r="` + relations + `"><sheets><sheet name="First" sheetId="3" r:id="rId7"/>` +
			`<sheet name="Second" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId7" Type="` + relations + `/worksheet" Target="worksheets/sheet2.xml"/>` +
			`<Relationship Id="rId9" Type="` + relations + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c><v>another sheet</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<?xml version="1.0" encoding="UTF-8"?><worksheet ` + main + `><cols/><sheetData>` + sheetData + `</sheetData><pageMargins/></worksheet>`,
		"xl/sharedStrings.xml":     `<sst ` + main + `>` + shared + `</sst>`,
	}
}

// book returns a workbook that consists of the parts.
func book(tb testing.TB, parts map[string]string) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		part, err := w.Create(name)
		must(tb, err)
		if _, err := io.WriteString(part, parts[name]); err != nil {
			tb.Fatal(err)
		}
	}
	must(tb, w.Close())
	return out.Bytes()
}

// readBook returns the rows of a workbook with | between the cells. The problem of a row, if any,
// follows an exclamation mark. readBook checks that no temporary files remain.
func readBook(tb testing.TB, in io.Reader, opt rows.ListOptions) (all []string, err error) {
	tb.Helper()
	opt.TempDir = tb.TempDir()
	b, _, err := rows.Open(tb.Context(), in, opt)
	if err == nil && b == nil {
		tb.Fatal("the workbook is taken for text")
	}
	for err == nil {
		var cells []string
		var wrong error
		if cells, wrong, err = b.Row(); wrong != nil {
			cells = append(cells, "! "+wrong.Error())
		}
		if err == nil && len(all) == 0 {
			b.Header()
		}
		if err == nil {
			all = append(all, strings.Join(cells, "|"))
		}
	}
	if b != nil {
		if err := b.Close(); err != nil {
			tb.Error(err)
		}
	}
	left, globErr := filepath.Glob(filepath.Join(opt.TempDir, "*"))
	if globErr != nil || len(left) > 0 {
		tb.Errorf("files are left (%v): %v", globErr, left)
	}
	if err == io.EOF {
		err = nil
	}
	return all, err
}

// stream returns a reader of b that can only be read from start to end.
func stream(b []byte) io.Reader { return io.MultiReader(bytes.NewReader(b)) }

const (
	sharedTexts = `<si><t>name</t></si><si><t xml:space="preserve"> note </t></si><si><r><rPr><b/></rPr><t>Panax </t></r><r><t>ginseng</t></r></si><si><t>人参</t><rPh sb="0" eb="2"><t>ren shen</t></rPh></si><si/><si><t>a_x000D_b_x005F_c_xD83D_&lt;</t></si>`
	headerRow   = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`
)

func TestSheetCells(t *testing.T) {
	for name, tt := range map[string]struct {
		data string
		want []string
	}{
		"shared texts": {headerRow + `<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v> 3 </v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3" t="s"><v>5</v></c></row>`, []string{"name| note ", "Panax ginseng|人参", "|a\rb_c<"}},
		"no such text": {headerRow + `<row><c t="s"><v>6</v></c><c t="s"><v>-1</v></c></row><row><c t="s"><v>x</v></c></row><row><c t="s"><v></v></c><c t="s"><v>3</v></c></row>`, []string{"name| note ",
			"6,-1|! has a cell with the shared string number 6, which the workbook does not have; save it again in its program",
			"x|! has a cell with the shared string number x, which the workbook does not have; save it again in its program", "|人参"}},
		"inline texts":             {`<row><c t="inlineStr"><is><t>name</t></is></c></row><row><c t="inlineStr"><is><r><t>Pan</t></r><r><t>ax</t></r><rPh><t>x</t></rPh></is></c></row><row><c t="inlineStr"><v>plain</v></c></row>`, []string{"name", "Panax", "plain"}},
		"values as they are":       {`<row><c><v>name</v></c><c><v>b</v></c></row><row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row><row><c t="d"><v>2024-01-02T00:00:00</v></c><c s="14"><v>45292</v></c></row><row><c t="str"><f>A1&amp;"x"</f><v>x_x0041_</v></c><c t="n"><v>0.30000000000000004</v></c></row>`, []string{"name|b", "1|#N/A", "2024-01-02T00:00:00|45292", "x_x0041_|0.30000000000000004"}},
		"no references":            {`<row><c><v>a</v></c><c/><c><v>c</v></c></row><row><c/><c><v>2</v></c></row>`, []string{"a||c", "|2|"}},
		"references with gaps":     {`<row r="1"><c r="A1"><v>a</v></c><c r="C1"><v>c</v></c></row><row r="2"><c r="b2"><v>2</v></c><c><v>3</v></c></row>`, []string{"a||c", "|2|3"}},
		"cells out of order":       {`<row><c r="B1"><v>b</v></c><c r="A1"><v>a</v></c></row><row><c r="B2"><v>2</v></c><c r="A2"><v>1</v></c><c r="B2"><v>3</v></c></row>`, []string{"a|b", "1|3"}},
		"rows out of order":        {`<row r="5"><c><v>a</v></c><c><v>b</v></c></row><row r="3"><c><v>1</v></c></row><row r="3"><c><v>2</v></c></row>`, []string{"a|b", "1|", "2|"}},
		"empty rows":               {`<row r="1"/><row r="2"><c r="A2" s="1"/></row>` + `<row r="3"><c><v>a</v></c><c><v>b</v></c></row><row r="6"><c><v>1</v></c></row><row r="7"/><row r="1048576"><c s="1"/></row>`, []string{"a|b", "|", "|", "1|"}},
		"empty rows of one column": {`<row r="1"><c><v>a</v></c></row><row r="4"><c><v>1</v></c></row>`, []string{"a", "1"}},
		"formula without a value":  {`<row><c><v>a</v></c><c><f>1</f></c></row><row><c><v>1</v></c></row>`, []string{"a|", "1|"}},
		"wider than the header":    {`<row><c><v>a</v></c></row><row><c><v>1</v></c><c r="XFD2"><v>2</v></c></row><row><c><v>3</v></c></row>`, []string{"a", "1,2|! has 16384 cells, but the header has 1", "3"}},
		"blank beyond the header":  {`<row><c><v>a</v></c></row><row><c><v>1</v></c><c><f>x</f><v></v></c><c><v> </v></c></row><row><c><v>2</v></c><c><v>3</v></c><c><v> </v></c></row>`, []string{"a", "1", "2,3, |! has 2 cells, but the header has 1"}},
		"line breaks":              {`<row><c><v>a&#10;b</v></c><c><v>c</v></c></row><row><c><v>1,"2"</v></c><c><v>` + "x\r\ny" + `</v></c></row>`, []string{"a\nb|c", "1,\"2\"|x\ny"}},
		"long row":                 {`<row><c><v>a</v></c><c><v>b</v></c></row><row><c><v>` + strings.Repeat("x", 400_000) + `</v></c><c><v>` + strings.Repeat("y", 400_000) + `</v></c><c><v>` + strings.Repeat("z", 400_000) + `</v></c></row><row><c><v>1</v></c></row>`, []string{"a|b", strings.Repeat("x", 400_000) + "," + strings.Repeat("y", 400_000) + "|! has 1200003 bytes; at most 1048576 are read", "1|"}},
		"none":                     {``, nil},
	} {
		packed := book(t, bookParts(tt.data, sharedTexts))
		for _, in := range []io.Reader{bytes.NewReader(packed), stream(packed)} {
			got, err := readBook(t, in, rows.ListOptions{})
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%.2000s", name, err, diff)
			}
		}
	}
}

// TestSheetParts checks that a workbook is read whatever the names and encodings of its parts and
// the prefixes of its elements.
func TestSheetParts(t *testing.T) {
	data := headerRow + `<row><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>`
	want := []string{"name| note ", "Panax ginseng|人参"}
	for name, change := range map[string]func(parts map[string]string){
		"as it is": func(map[string]string) {},
		"absolute targets": func(p map[string]string) {
			p["_rels/.rels"] = strings.ReplaceAll(p["_rels/.rels"], `Target="`, `Target="/`)
			p["xl/_rels/workbook.xml.rels"] = strings.ReplaceAll(p["xl/_rels/workbook.xml.rels"], `Target="`, `Target="/xl/`)
		},
		"targets that go up": func(p map[string]string) {
			p["xl/_rels/workbook.xml.rels"] = strings.ReplaceAll(p["xl/_rels/workbook.xml.rels"], `Target="`, `Target="../../xl/./`)
		},
		"strict": func(p map[string]string) {
			for name := range p {
				p[name] = strings.NewReplacer("http://schemas.openxmlformats.org/officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument", "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main").Replace(p[name])
			}
		},
		"prefixes": func(p map[string]string) {
			for name := range p {
				p[name] = strings.NewReplacer("<?", "<?", "</", "</x:", "<", "<x:", "xmlns=", "xmlns:x=").Replace(p[name])
			}
		},
		"UTF-16": func(p map[string]string) {
			for name, text := range p {
				wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.Replace(text, "UTF-8", "UTF-16", 1))
				must(t, err)
				p[name] = wide
			}
		},
		"UTF-8 with a mark": func(p map[string]string) { p["xl/sharedStrings.xml"] = "\uFEFF" + p["xl/sharedStrings.xml"] },
		"other names": func(p map[string]string) {
			p["_rels/.rels"] = strings.ReplaceAll(p["_rels/.rels"], "xl/workbook.xml", "book.xml")
			p["book.xml"], p["_rels/book.xml.rels"] = p["xl/workbook.xml"], strings.ReplaceAll(p["xl/_rels/workbook.xml.rels"], `Target="`, `Target="xl/`)
		},
		"letters' case": func(p map[string]string) {
			p["XL/SharedStrings.xml"] = p["xl/sharedStrings.xml"]
			delete(p, "xl/sharedStrings.xml")
		},
		"backslashes": func(p map[string]string) {
			p[`xl\sharedStrings.xml`] = p["xl/sharedStrings.xml"]
			delete(p, "xl/sharedStrings.xml")
		},
		"large parts that hold no cells": func(p map[string]string) { p["xl/styles.xml"] = strings.Repeat("<xf/>", 1<<20) },
	} {
		parts := bookParts(data, sharedTexts)
		change(parts)
		got, err := readBook(t, bytes.NewReader(book(t, parts)), rows.ListOptions{MaxUnpacked: 1 << 20})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// TestSheetTextsInFile reads a workbook whose shared strings do not fit into memory. The cells use
// them first in their order and then in another order.
func TestSheetTextsInFile(t *testing.T) {
	var shared, data strings.Builder
	var texts, want []string
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		text := strconv.AppendInt(nil, int64(i), 10)
		for range 300 + i%7*200 {
			text = strconv.AppendUint(append(text, ' '), r.Uint64(), 16)
		}
		texts = append(texts, string(text))
		fmt.Fprintf(&shared, "<si><t>%s</t></si>", texts[i])
	}
	for i := range 1000 {
		n := i
		if i > 700 {
			n = i * 7 % 1000
		}
		fmt.Fprintf(&data, `<row><c t="s"><v>%d</v></c></row>`, n)
		want = append(want, texts[n])
	}
	got, err := readBook(t, stream(book(t, bookParts(data.String(), shared.String()))), rows.ListOptions{MaxUnpacked: 1 << 30})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v; %d rows, want %d with their texts", err, len(got), len(want))
	}
}

// TestSheetRefused checks the messages for workbooks that cannot be read.
func TestSheetRefused(t *testing.T) {
	row := `<row><c t="s"><v>2</v></c></row>`
	for name, tt := range map[string]struct {
		data   string
		change func(parts map[string]string)
		want   string
	}{
		"more than may be unpacked": {strings.Repeat(row, 1<<20/len(row)), nil, "is a workbook that unpacks to more than 1 MiB; save it as CSV in UTF-8, or allow more with --max-unpacked"},
		"many empty texts": {row, func(p map[string]string) {
			p["xl/sharedStrings.xml"] = "<sst>" + strings.Repeat("<si/>", 70_000) + "</sst>"
		}, "unpacks to more than 1 MiB"},
		"one text in all cells": {strings.Repeat(row, 20), func(p map[string]string) {
			p["xl/sharedStrings.xml"] = "<sst><si/><si/><si><t>" + strings.Repeat("x", 400_000) + "</t></si></sst>"
		}, "rows have more than 4 MiB of text"},
		"dense": {row, func(p map[string]string) {
			p["xl/sharedStrings.xml"] = "<sst>" + strings.Repeat(" ", 20<<20) + "</sst>"
		}, "more than 1 MiB"},
		"no sheet":        {row, func(p map[string]string) { p["xl/workbook.xml"] = "<workbook/>" }, "is a workbook without a sheet"},
		"no workbook":     {row, func(p map[string]string) { p["_rels/.rels"] = "<Relationships/>" }, "zip archive without a workbook"},
		"missing part":    {row, func(p map[string]string) { delete(p, "xl/worksheets/sheet2.xml") }, "a part is missing"},
		"cut off":         {row, func(p map[string]string) { p["xl/worksheets/sheet2.xml"] = "<worksheet><sheetData><row>" }, "unexpected EOF"},
		"nested":          {strings.Repeat("<row>", 100), nil, "nested too deep"},
		"long tag":        {`<row a="` + strings.Repeat("x", 600_000) + `"/>`, nil, "too long"},
		"entity":          {`<row><c><v>&x;</v></c></row>`, nil, "invalid character entity"},
		"far right":       {`<row><c r="XFE1"><v>1</v></c></row>`, nil, "beyond the last column, 16384"},
		"far down":        {`<row r="1048577"><c><v>1</v></c></row>`, nil, "beyond the last, 1048576"},
		"reference":       {`<row><c r="1"><v>1</v></c></row>`, nil, "a cell without a place"},
		"other encodings": {row, func(p map[string]string) { p["xl/workbook.xml"] = `<?xml version="1.0" encoding="EBCDIC"?><a/>` }, "is in ebcdic"},
	} {
		parts := bookParts(tt.data, sharedTexts)
		if tt.change != nil {
			tt.change(parts)
		}
		packed := book(t, parts)
		for _, in := range []io.Reader{bytes.NewReader(packed), stream(packed)} {
			_, err := readBook(t, in, rows.ListOptions{MaxUnpacked: 1 << 20})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "CSV") && tt.want != "is a workbook without a sheet" {
				t.Errorf("%s: %v; want %q, and to save it as CSV", name, err, tt.want)
			}
		}
	}
	dense := bookParts(row, "<si/>"+strings.Repeat(" ", 20<<20))
	if _, err := readBook(t, stream(book(t, dense)), rows.ListOptions{}); err == nil || !strings.Contains(err.Error(), "more than 200 times its size") {
		t.Errorf("a dense part: %v", err)
	}
	broken := book(t, bookParts(row+strings.Repeat("<row/>", 100), sharedTexts))
	at := bytes.Index(broken, []byte("xl/worksheets/sheet2.xml")) + 60
	copy(broken[at:], bytes.Repeat([]byte{0xff}, 20))
	if _, err := readBook(t, stream(broken), rows.ListOptions{}); err == nil || !strings.Contains(err.Error(), "corrupt") {
		t.Errorf("a broken part: %v", err)
	}
	many := bookParts(row, sharedTexts)
	for i := range 10_000 {
		many[fmt.Sprintf("xl/media/%0200d.png", i)] = ""
	}
	if _, err := readBook(t, stream(book(t, many)), rows.ListOptions{}); err == nil || !strings.Contains(err.Error(), "too many parts") {
		t.Errorf("many parts: %v", err)
	}
	if _, err := readBook(t, stream([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more")), rows.ListOptions{}); err == nil || !strings.Contains(err.Error(), "old Excel workbook") {
		t.Errorf("an old workbook: %v", err)
	}
}

// TestSheetSpooled checks that no more bytes of a stream are stored than the limit allows.
func TestSheetSpooled(t *testing.T) {
	src := &endless{head: "PK\x03\x04"}
	if _, err := readBook(t, src, rows.ListOptions{MaxUnpacked: 4 << 20}); err == nil || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Errorf("a workbook without an end: %v", err)
	}
	if src.n > 5<<20 {
		t.Errorf("%d bytes were read", src.n)
	}
	broken := errors.New("the line is cut")
	// An error of the stream is returned unchanged.
	in := io.MultiReader(strings.NewReader("PK\x03\x04"), &failing{broken})
	if _, err := readBook(t, in, rows.ListOptions{}); !errors.Is(err, broken) {
		t.Errorf("an error of reading becomes %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := rows.Open(ctx, bytes.NewReader(book(t, bookParts("", ""))), rows.ListOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("reading after the context has ended returns %v", err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// TestSheetIsText checks that files that are no workbooks are read as text, from their first byte.
func TestSheetIsText(t *testing.T) {
	for _, text := range []string{"", "P", "name", "PK\x03 and a list of names"} {
		b, in, err := rows.Open(t.Context(), strings.NewReader(text), rows.ListOptions{})
		if err != nil || b != nil {
			t.Fatalf("%q: %v, %v", text, b, err)
		}
		if got, _, err := in.Line(); err != nil && err != io.EOF || string(got) != text {
			t.Errorf("%q becomes %q, %v", text, got, err)
		}
	}
}

// TestWriteSheet checks that a workbook reads back as it was written.
func TestWriteSheet(t *testing.T) {
	all := [][]string{{"row", "given"}, {"1", " 人参 <a> & b\r\n"}, {"2", "=HYPERLINK(1)"}, {"3", "_x0041_\x01"}, {"4", strings.Repeat("𠀀", 20_000)}}
	var first, second bytes.Buffer
	for _, out := range []io.Writer{&first, &second} {
		must(t, rows.WriteSheet(out, "names", all))
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same cells give different bytes when they are written again")
	}
	got, err := readBook(t, &first, rows.ListOptions{})
	want := []string{"row|given", "1| 人参 <a> & b\r\n", "2|'=HYPERLINK(1)", "3|_x0041_\uFFFD", "4|" + strings.Repeat("𠀀", 16_383)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// fuzzed matches some kinds of hostile lists: those whose lists are so small that the fuzzer can
// damage them further.
var fuzzed = regexp.MustCompile(`^relations/(astray|cyclic|other|of)|^sheet/(odd|cells out|rows (out|far))|^zip/(truncated|flipped|entries|end|zip64|twice|wrong|descriptor)|/(flipped|truncated|entities|empty|other encoding)$`)

// FuzzSheet checks that rows are as wide as the header and consist of text, that no file remains,
// and that reading takes little memory. The memory is the sum of all allocations, so it does not
// depend on the garbage collector.
func FuzzSheet(f *testing.F) {
	for _, k := range hostile.Kinds() {
		if fuzzed.MatchString(k.Name) {
			f.Add(k.Make(1))
		}
	}
	f.Add(book(f, bookParts(headerRow, sharedTexts)))
	const most = 1 << 20
	f.Fuzz(func(t *testing.T, b []byte) {
		if !bytes.HasPrefix(b, []byte("PK\x03\x04")) {
			return
		}
		allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(allocated)
		before := allocated[0].Value.Uint64()
		temp := t.TempDir()
		in, _, err := rows.Open(t.Context(), stream(b), rows.ListOptions{MaxUnpacked: most, TempDir: temp})
		width, total, sheet := 0, 0, 0
		for err == nil {
			var cells []string
			var wrong error
			if cells, wrong, err = in.Row(); err == io.EOF {
				if sheet++; sheet == len(in.Sheets()) {
					break
				}
				width, err = 0, in.Open(sheet)
				continue
			}
			if err != nil {
				break
			}
			if width == 0 && wrong == nil {
				width = len(cells)
				in.Header()
			}
			if wrong == nil && len(cells) != width || wrong != nil && len(cells) != 1 {
				t.Fatalf("a row of %d cells after a header of %d", len(cells), width)
			}
			for _, c := range cells {
				if total += len(c); !utf8.ValidString(c) {
					t.Fatalf("%q is not UTF-8", c)
				}
			}
		}
		if in != nil {
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
		if err != io.EOF && !utf8.ValidString(err.Error()) {
			t.Errorf("%q is not UTF-8", err)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("files are left (%v): %v", err, left)
		}
		metrics.Read(allocated)
		if n := allocated[0].Value.Uint64() - before; total > 5*most || n > 256<<20 {
			t.Errorf("%d bytes of cells and %d of memory for a workbook of %d bytes", total, n, len(b))
		}
	})
}

// TestSheets checks that Open continues with another sheet, and that Peek leaves no trace. Rows above the header may have any
// number of cells.
func TestSheets(t *testing.T) {
	cell := func(text string) string { return `<c t="inlineStr"><is><t>` + text + `</t></is></c>` }
	parts := bookParts(`<row r="1">`+cell("Notes")+`</row>`, "")
	parts["xl/worksheets/sheet1.xml"] = `<worksheet><sheetData><row r="2">` + cell("A title") + `</row><row r="4">` + cell("name") + cell("family") +
		`</row><row r="6">` + cell("Poa annua") + `</row></sheetData></worksheet>`
	in, _, err := rows.Open(t.Context(), bytes.NewReader(book(t, parts)), rows.ListOptions{TempDir: t.TempDir()})
	must(t, err)
	defer in.Close()
	row := func(want ...string) {
		t.Helper()
		cells, wrong, err := in.Row()
		if err != nil || wrong != nil || !slices.Equal(cells, want) {
			t.Errorf("%q, %v, %v, want %q", cells, wrong, err, want)
		}
	}
	if names := in.Sheets(); !slices.Equal(names, []string{"First", "Second"}) {
		t.Errorf("the sheets are %q", names)
	}
	row("Notes")
	if _, _, err := in.Row(); err != io.EOF {
		t.Errorf("the first sheet ends with %v", err)
	}
	bytes := in.Bytes()
	if all, wrong, err := in.Peek(1, 2); len(all) != 2 || !slices.Equal(all[1], []string{"name", "family"}) || wrong != nil || err != nil {
		t.Errorf("the second sheet begins with %q, %v, %v", all, wrong, err)
	}
	if in.Bytes() != bytes {
		t.Errorf("%d bytes are read after looking at a sheet, %d before", in.Bytes(), bytes)
	}
	must(t, in.Open(1))
	row("A title")
	row("name", "family")
	if n := in.Header(); n != 4 {
		t.Errorf("the header is in row %d, want 4", n)
	}
	row("", "")
	row("Poa annua", "")
}
