package bulk_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"bencao/internal/null"
	tables "bencao/internal/rows"
	"bencao/internal/test/hostile"
	"bencao/internal/test/testkit"
	"bencao/names"
	"bencao/names/bulk"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// testMatcher returns a matcher with a small index. The counter is the number of names that the
// matcher was asked for.
func testMatcher(tb testing.TB) (bulk.Matcher, *atomic.Int64) {
	tb.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for _, u := range []names.Usage{
		{ID: "1", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "Species", Status: names.Accepted, Family: "Araliaceae"},
		{ID: "2", Name: "Citrus × aurantium", Author: "L.", Rank: "Species", Status: names.Accepted, Family: "Rutaceae"},
		{ID: "3", Name: "Citrus aurantium", Author: "Engl.", Rank: "Species", Status: names.Synonym, AcceptedID: "4", Family: "Rutaceae"},
		{ID: "5", Name: "Panax", Author: "L.", Rank: "Genus", Status: names.Accepted, Family: "Araliaceae"},
		{ID: "4", Name: "Citrus japonica", Author: "Thunb.", Rank: "Species", Status: names.Accepted, Family: "Rutaceae"},
	} {
		must(tb, c.Add(u))
	}
	ix := built(tb, b)
	asked := new(atomic.Int64)
	return bulk.MatchEach(func(q names.Query) (names.Response, error) {
		asked.Add(1)
		return ix.Match(q)
	}), asked
}

// built writes and opens the index that b has collected.
func built(tb testing.TB, b *names.Builder) *names.Index {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "names.idx")
	must(tb, b.WriteFile(file))
	ix, err := names.Open(file)
	must(tb, err)
	tb.Cleanup(func() {
		if err := ix.Close(); err != nil {
			tb.Error(err)
		}
	})
	return ix
}

func run(tb testing.TB, in string, opt bulk.Options) (string, bulk.Stats, error) {
	tb.Helper()
	match, _ := testMatcher(tb)
	var out bytes.Buffer
	stats, err := bulk.Run(tb.Context(), match, strings.NewReader(in), &out, opt)
	return out.String(), stats, err
}

// rows parses CSV output. It returns each row as a map from headers to cells.
func rows(tb testing.TB, out string) []map[string]string {
	tb.Helper()
	all, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		tb.Fatalf("output is no CSV: %v\n%s", err, out)
	}
	var list []map[string]string
	for _, cells := range all[1:] {
		m := make(map[string]string)
		for i, h := range all[0] {
			m[h] = cells[i]
		}
		list = append(list, m)
	}
	return list
}

func TestTableKeepsItsColumnsAndOrder(t *testing.T) {
	in := "\ufeffid,scientificName,note\r\n" +
		"a,Panax ginseng,\"two\r\nlines, and a comma\"\r\n" +
		"b,Xqzwklerty Vbnmasdfgh, spaces kept \r\n" +
		"\r\n" +
		"c,Panax ginsneg,\"say \"\"hi\"\"\"\r\n"
	out, stats, err := run(t, in, bulk.Options{})
	must(t, err)
	got := rows(t, out)
	want := []map[string]string{
		{"id": "a", "note": "two\nlines, and a comma", "row": "1", "canonicalName": "Panax ginseng", "matchedVia": "acceptedName", "matchType": "exact", "wcvpId": "1", "error": ""},
		{"id": "b", "note": " spaces kept ", "row": "2", "canonicalName": "Xqzwklerty", "matchedVia": "none", "matchType": "", "wcvpId": "", "error": ""},
		{"id": "c", "note": `say "hi"`, "row": "3", "matchedVia": "acceptedName", "matchType": "fuzzy", "wcvpId": "1", "flags": "epithetCorrected"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d:\n%s", len(got), len(want), out)
	}
	for i := range want {
		for k, v := range want[i] {
			if got[i][k] != v {
				t.Errorf("row %d: %s is %q, want %q", i+1, k, got[i][k], v)
			}
		}
	}
	if !strings.Contains(out, "two\r\nlines") {
		t.Error("a line end inside a cell was changed")
	}
	want3 := bulk.Stats{Rows: 3, Matched: 2, Bytes: int64(len(in) - 3), Encoding: "UTF-8"}
	want3.Species, want3.Genera, want3.Families = 1, 1, 1
	want3.Header, want3.Taken = 1, bulk.Taken{Name: "scientificName"}
	if want3.Best = stats.Best; !cmp.Equal(stats, want3) {
		t.Errorf("stats (-want +got):\n%s", cmp.Diff(want3, stats))
	}
}

func TestPlainLines(t *testing.T) {
	out, _, err := run(t, "Panax ginseng C.A.Mey.\nCitrus aurantium L., Sp. Pl. 782\n\nPanax ginseng", bulk.Options{})
	must(t, err)
	got := rows(t, out)
	if len(got) != 4 {
		t.Fatalf("%d rows, want 4, one for each line:\n%s", len(got), out)
	}
	for i, want := range []string{"1", "2", "", "1"} {
		if got[i]["wcvpId"] != want {
			t.Errorf("line %d: wcvpId is %q, want %q", i+1, got[i]["wcvpId"], want)
		}
	}
	if got[2]["remark"] != got[2]["error"] {
		t.Errorf("the remark is %q, want the error %q", got[2]["remark"], got[2]["error"])
	}
	if !strings.Contains(got[2]["error"], "blank") {
		t.Errorf("the blank line's error is %q, want one that says so", got[2]["error"])
	}
}

func TestAllAndAuthors(t *testing.T) {
	in := "name\tauthor\nCitrus aurantium\t\nCitrus aurantium\tEngl.\n"
	match, _ := testMatcher(t)
	var out bytes.Buffer
	if _, err := bulk.Run(t.Context(), match, strings.NewReader(in), &out, bulk.Options{AuthorColumn: "author", All: true}); err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(&out)
	r.Comma = '\t'
	all, err := r.ReadAll()
	must(t, err)
	var got []string
	for _, cells := range all[1:] {
		got = append(got, cells[2]+" "+cells[8])
	}
	if want := []string{"1 Citrus × aurantium", "1 Citrus aurantium"}; !reflect.DeepEqual(got[:2], want) {
		t.Errorf("without author the candidates are %q, want first %q", got, want)
	}
	if len(got) < 3 || got[2] != "2 Citrus aurantium" {
		t.Errorf("with author Engl. the best is %q, want row 2 Citrus aurantium", got)
	}
}

func TestUnreadableRows(t *testing.T) {
	in := "name,id\nPanax ginseng,1\n\"Panax ginseng,2\nPanax ginseng,3,4\n\xff\xfe,5\nPanax ginseng,6\n"
	out, stats, err := run(t, in, bulk.Options{})
	must(t, err)
	if stats.Rows != 5 || stats.Unreadable != 3 || stats.Matched != 2 {
		t.Errorf("stats are %+v, want 5 rows, 3 unreadable, 2 matched", stats)
	}
	got := rows(t, out)
	for i, want := range []string{"", "quote", "cells", "UTF-8", ""} {
		if e := got[i]["error"]; want == "" && e != "" || !strings.Contains(e, want) {
			t.Errorf("row %d: error is %q, want %q in it", i+1, e, want)
		}
	}
	if got[1]["name"] != `"Panax ginseng,2` {
		t.Errorf("the unreadable row shows %q, want its text", got[1]["name"])
	}
}

func TestExcel(t *testing.T) {
	in := "name,=cmd\n=HYPERLINK(1),-1.5\n+Panax ginseng,-a\n@x,\"\tx\"\n"
	out, _, err := run(t, in, bulk.Options{Excel: true, Column: "name"})
	must(t, err)
	if !strings.HasPrefix(out, "\ufeff") || strings.Count(out, "\r\n") != strings.Count(out, "\n") {
		t.Error("want a byte-order mark and CRLF")
	}
	for _, cells := range [][2]string{{"'=HYPERLINK(1)", "-1.5"}, {"'+Panax ginseng", "'-a"}, {"'@x", "'\tx"}} {
		if !strings.Contains(out, cells[0]+","+cells[1]+",") && !strings.Contains(out, cells[0]+",\""+cells[1]+"\",") {
			t.Errorf("want cells %q in\n%s", cells, out)
		}
	}
	if !strings.Contains(out, ",'=cmd,") {
		t.Error("a header that is a formula was not defused")
	}
}

func TestJSONLines(t *testing.T) {
	out, _, err := run(t, "name,rank\nPanax ginseng,x\nnothing,y\n", bulk.Options{Format: bulk.JSONLines})
	must(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	var first map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatalf("%v in %s", err, lines[0])
	}
	for k, want := range map[string]any{"name": "Panax ginseng", "rank": "x", "row": 1.0, "match.rank": "species", "score": 0.98, "guid": nil, "error": nil, "matchedVia": "acceptedName"} {
		if got, ok := first[k]; !ok || got != want {
			t.Errorf("%s is %v, want %v", k, got, want)
		}
	}
	var second map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &second); err != nil {
		t.Fatalf("%v in %s", err, lines[1])
	}
	if len(second) != len(first) {
		t.Errorf("a row without match has %d fields, one with %d; want the same", len(second), len(first))
	}
}

// TestColumnsAreTheEntrysFields checks that the columns are the fields of an entry in the API and
// some fields of the response. When you add a column that is not a field of an entry, add it to
// this test.
func TestColumnsAreTheEntrysFields(t *testing.T) {
	out, _, err := run(t, "Panax ginseng\n", bulk.Options{})
	must(t, err)
	header := strings.Split(strings.SplitN(out, "\n", 2)[0], ",")
	want := []string{"name", "row", "canonicalName", "matchedVia"}
	for f := range reflect.TypeFor[names.Entry]().Fields() {
		tag := f.Tag.Get("json")
		if tag != "-" && !strings.Contains(tag, "omitempty") {
			want = append(want, tag)
		}
	}
	want = append(want, "error", "unread", "acceptedNameWithAuthor", "remark", "candidates")
	if !reflect.DeepEqual(header, want) {
		t.Errorf("columns are\n%q, want\n%q", header, want)
	}
}

// endless is a reader that generates a long list while it is read.
type endless struct {
	rows, n int
	buf     []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.buf) < len(p) && e.n < e.rows {
		e.n++
		e.buf = fmt.Appendf(e.buf, "%d,Panax ginseng\n", e.n)
	}
	if len(e.buf) == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.buf)
	e.buf = append(e.buf[:0], e.buf[n:]...)
	return n, nil
}

// counter is a writer that checks the order of the rows.
type counter struct {
	tb   testing.TB
	next int
	tail []byte
}

func (c *counter) Write(p []byte) (int, error) {
	data := append(c.tail, p...)
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			break
		}
		if want := fmt.Sprintf("%d,Panax ginseng,%d,", c.next, c.next); c.next > 0 && !bytes.HasPrefix(data, []byte(want)) {
			c.tb.Fatalf("line %d is %q, want %q", c.next, data[:i], want)
		}
		c.next++
		data = data[i+1:]
	}
	c.tail = append([]byte(nil), data...)
	return len(p), nil
}

func TestLongListStaysInOrderAndAsksOnce(t *testing.T) {
	match, asked := testMatcher(t)
	const n = 50_000
	var last bulk.Stats
	out := &counter{tb: t}
	in := io.MultiReader(strings.NewReader("id,name\n"), &endless{rows: n})
	stats, err := bulk.Run(t.Context(), match, in, out, bulk.Options{Workers: 4, Progress: func(s bulk.Stats) { last = s }})
	must(t, err)
	if out.next != n+1 || stats.Rows != n || stats.Matched != n {
		t.Errorf("%d lines and %+v, want %d rows and a header", out.next, stats, n)
	}
	if !cmp.Equal(last, stats) {
		t.Errorf("the last progress is %+v, want %+v", last, stats)
	}
	if asked.Load() != 2 {
		t.Errorf("the same name was asked %d times, want twice: once to tell the columns, once for the rows", asked.Load())
	}
}

func TestErrors(t *testing.T) {
	match, _ := testMatcher(t)
	boom := errors.New("boom")
	tests := []struct {
		why   string
		in    io.Reader
		match bulk.Matcher
		opt   bulk.Options
		want  string
	}{
		{"unknown column", strings.NewReader("a,b\n1,2\n"), match, bulk.Options{Column: "c"}, `name column "c" is not among the columns a, b`},
		{"unknown author column", strings.NewReader("name\nx\n"), match, bulk.Options{AuthorColumn: "c"}, `author column "c"`},
		{"names in some remarks", strings.NewReader("No,Remark\n1,Poa annua\n2,tall\n3,dry\n4,near Pinus nigra\n5,wet\n6,field\n7,Poa supina\n8,Pinaceae\n"), match, bulk.Options{}, "no column of names is known among the columns No, Remark"},
		{"no known header", strings.NewReader("sheet,locality\n1,Sichuan\n2,Yunnan\n"), match, bulk.Options{}, "no column of names is known among the columns sheet, locality"},
		{"a workbook of names without a header", strings.NewReader(sheets(t, "A\nPoa annua\tgrass\nPinus sylvestris\tpine")), match, bulk.Options{}, "if the first row is the header (Poa annua, grass), name the column"},
		{"a workbook without names", strings.NewReader(sheets(t, "A\n1\t2\n3\t4")), match, bulk.Options{}, "if the first row is the header (1, 2), name the column"},
		{"old workbook", strings.NewReader("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), match, bulk.Options{}, "save it as xlsx"},
		{"no workbook", strings.NewReader("PK\x03\x04 and no more"), match, bulk.Options{}, "save it as CSV"},
		{"columns", strings.NewReader("name" + strings.Repeat(",x", 2_000_000) + "\nPanax\n"), match, bulk.Options{}, "the list has 2000001 columns; at most 2000 are taken"},
		{"columns on a page", strings.NewReader("name" + strings.Repeat(",\"x,\"", 200)), match, bulk.Options{MaxColumns: 200}, "the list has 201 columns; at most 200 are taken"},
		{"columns of a workbook", workbook(t, make([]string, 2000)), match, bulk.Options{}, "the list has 2001 columns; at most 2000 are taken"},
		{"commas after a quote", strings.NewReader("\"name" + strings.Repeat(",", 3000)), match, bulk.Options{}, "the list has 3001 columns"},
		{"long header", strings.NewReader("name," + strings.Repeat("x", 1<<20) + "\nPanax\n"), match, bulk.Options{}, "the header has 1048581 bytes; at most 1048576 are read"},
		{"long header of a workbook", workbook(t, slices.Repeat([]string{strings.Repeat("x", 30_000)}, 40)), match, bulk.Options{}, "the header has"},
		{"long unknown headers", strings.NewReader(strings.Repeat(strings.Repeat("x", 100)+",", 100) + "\n"), match, bulk.Options{Column: "a"}, strings.Repeat("x", 60) + "…, …"},
		{"large workbook", workbook(t, nil), match, bulk.Options{MaxUnpacked: 100}, "the list is a workbook that unpacks to more than"},
		{"matcher fails", strings.NewReader("name\na\nb\n"), func(context.Context, []names.Query) ([]bulk.Answer, error) { return nil, boom }, bulk.Options{}, "row 1: boom"},
		{"reader fails", io.MultiReader(strings.NewReader("name\na\n"), errReader{boom}), match, bulk.Options{}, "boom"},
	}
	for _, tt := range tests {
		_, err := bulk.Run(t.Context(), tt.match, tt.in, io.Discard, tt.opt)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error is %v, want %q in it", tt.why, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bulk.Run(ctx, match, &endless{rows: 1 << 40}, io.Discard, bulk.Options{Plain: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run gives %v, want context.Canceled", err)
	}
}

// workbook returns a workbook with a header and one row.
func workbook(t *testing.T, more []string) io.Reader {
	t.Helper()
	header := append([]string{"name"}, more...)
	header[len(header)-1] += " " // trailing empty cells do not count
	var b bytes.Buffer
	must(t, tables.WriteSheet(&b, "names", [][]string{header, {"Panax ginseng"}}))
	return &b
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// TestGiven checks the field given of JSON lines.
func TestGiven(t *testing.T) {
	long := strings.Repeat("人", 200)
	list := "id,name,author,note\n7,Panax ginseng,,\"a, b\"\n8,Panax ginseng,C.A.Mey.," + long + "\n9," + long + ",,\n10,x,y,z,too many\n"
	out, stats, err := run(t, list, bulk.Options{Format: bulk.JSONLines, Given: true})
	if err != nil || stats.Rows != 4 {
		t.Fatalf("%+v, %v; want 4 rows", stats, err)
	}
	want := []string{"7 · Panax ginseng · a, b", "Panax ginseng · C.A.Mey.", strings.Repeat("人", 99) + "…", "10,x,y,z,too many"}
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var row map[string]any
		must(t, json.Unmarshal([]byte(line), &row))
		if _, has := row["id"]; row["given"] != want[i] || has || row["row"] != float64(i+1) {
			t.Errorf("row %d is %.200s, want %q given and no columns of the list", i+1, line, want[i])
		}
	}
}

func TestEmptyInput(t *testing.T) {
	out, stats, err := run(t, "", bulk.Options{})
	if err != nil || stats.Rows != 0 || strings.Count(out, "\n") != 1 {
		t.Errorf("empty input gives %q, %+v, %v; want a header and no rows", out, stats, err)
	}
}

func FuzzRun(f *testing.F) {
	for _, s := range []string{"name,id\n\"a\"\"b\nc\",1\n", "\"", "name\n\"\n\"\n\"", "a;b\n", "\ufeffname\r\n\r\nx", strings.Repeat("x", 5000)} {
		f.Add(s)
	}
	match, _ := testMatcher(f)
	f.Fuzz(func(t *testing.T, in string) {
		for r, want := range hostile.Readers([]byte(in)) {
			if _, err := bulk.Run(t.Context(), match, r, io.Discard, bulk.Options{Workers: 2}); err == nil && want != io.EOF {
				t.Errorf("%q, then %v: the run takes the list for complete", in, want)
			}
		}
		var out bytes.Buffer
		stats, err := bulk.Run(t.Context(), match, strings.NewReader(in), &out, bulk.Options{Format: bulk.JSONLines, Workers: 2})
		if err != nil {
			return
		}
		if n := int64(strings.Count(out.String(), "\n")); n != stats.Rows {
			t.Errorf("%d lines for %d rows of %q", n, stats.Rows, in)
		}
	})
}

func BenchmarkRun(b *testing.B) {
	match, _ := testMatcher(b)
	for name, row := range map[string]string{"distinct": "%d,Panax ginsen%[1]d Smith\n", "repeated": "%d,Panax ginseng C.A.Mey.\n"} {
		b.Run(name, func(b *testing.B) {
			var in bytes.Buffer
			in.WriteString("id,name\n")
			const rows = 50_000
			for i := range rows {
				fmt.Fprintf(&in, row, i)
			}
			for b.Loop() {
				if _, err := bulk.Run(b.Context(), match, bytes.NewReader(in.Bytes()), io.Discard, bulk.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkWorkbook reads a workbook of 100,000 rows.
func BenchmarkWorkbook(b *testing.B) {
	list := [][]string{{"id", "name", "family", "locality", "note"}}
	for i := range 100_000 {
		list = append(list, []string{fmt.Sprint(i), fmt.Sprintf("Panax ginsen%d", i), "Araliaceae", fmt.Sprintf("Sichuan %d", i%5000), "a \"note\", short"})
	}
	var book bytes.Buffer
	must(b, tables.WriteSheet(&book, "names", list))
	match := func(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
		return make([]bulk.Answer, len(queries)), nil
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bulk.Run(b.Context(), match, bytes.NewReader(book.Bytes()), io.Discard, bulk.Options{Column: "name"}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHeadingOfOthers checks that a heading adds no family to a row below it that is as doubtful without.
func TestHeadingOfOthers(t *testing.T) {
	match := func(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
		answers := make([]bulk.Answer, len(queries))
		for i, q := range queries {
			e := names.Entry{MatchType: names.MatchExact, MatchedName: null.Text(q.Name), Rank: "species", Score: 0.85}
			if q.Family != "" {
				e.Flags = names.FamilyDiffers.Words()
			}
			answers[i].Results = []names.Entry{e}
		}
		return answers, nil
	}
	var out strings.Builder
	_, err := bulk.Run(t.Context(), match, strings.NewReader("no,name\n,Pinaceae\n1,Poa annua\n,Poaceae\n2,Pinus nigra\n"), &out, bulk.Options{})
	must(t, err)
	if strings.Contains(out.String(), "familyDiffers") || !strings.Contains(out.String(), "Pinus nigra") {
		t.Error(out.String())
	}
}

// TestCallsOfTheMatcher checks that a list costs as many calls of the matcher as its rows fill, one to
// tell its columns, and as many as other readings of its doubtful rows fill.
func TestCallsOfTheMatcher(t *testing.T) {
	word := func(i int) string { return string([]byte{'a' + byte(i/26), 'a' + byte(i%26)}) + "rensis" }
	list := func(rows, doubtfulEach int) string {
		text := "no,name\n,Pinaceae\n,Poaceae\n"
		for i := range rows {
			genus := "Poa"
			if doubtfulEach > 0 && i%doubtfulEach == 0 {
				genus = "Poax"
			}
			text += fmt.Sprintf("%d,%s %s\n", i, genus, word(i))
		}
		return text
	}
	for _, tt := range []struct {
		what, list string
		want       int
	}{
		{"350 rows and 2 headings", list(348, 0), 4 + 1},
		{"the same, one row of 20 is doubtful", list(348, 20), 4 + 1 + 1},
		{"the same, all are doubtful", list(348, 1), 4 + 1 + 4},
		{"3 pasted lines", "Poa annua\nPoa supina\nPoa nemoralis\n", 1 + 1},
	} {
		var calls atomic.Int64
		match := func(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
			calls.Add(1)
			answers := make([]bulk.Answer, len(queries))
			for i, q := range queries {
				e := names.Entry{MatchType: names.MatchExact, MatchedName: null.Text(q.Name), Rank: "species", Score: 0.98}
				if strings.HasPrefix(q.Name, "Poax") {
					e.Score = 0.5
				}
				answers[i].Results = []names.Entry{e}
			}
			return answers, nil
		}
		if _, err := bulk.Run(t.Context(), match, strings.NewReader(tt.list), io.Discard, bulk.Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		if n := int(calls.Load()); n != tt.want {
			t.Errorf("%s: %d calls, want %d", tt.what, n, tt.want)
		}
	}
}
