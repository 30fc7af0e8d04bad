package rows_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/internal/test/hostile"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// read returns each row as "line: cell|cell".
func read(r *rows.Reader) ([]string, error) {
	var out []string
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, fmt.Sprintf("%d: %s", r.Line(0), strings.Join(cells, "|")))
	}
}

func TestRowsAndTheirLines(t *testing.T) {
	csv := func(s string) *rows.Reader { return rows.NewCSV(strings.NewReader(s), "t.csv", rows.CSV{}) }
	tests := []struct {
		name string
		r    *rows.Reader
		want []string
	}{
		{"plain", csv("a,b\nc,d\n"), []string{"1: a|b", "2: c|d"}},
		{"no newline at the end", csv("a,b\nc,d"), []string{"1: a|b", "2: c|d"}},
		{"byte-order mark", csv("\uFEFFa,b\n"), []string{"1: a|b"}},
		{"CRLF", csv("a,b\r\nc,d\r\n"), []string{"1: a|b", "2: c|d"}},
		{"empty lines", csv("a,b\n\n\nc,d\n"), []string{"1: a|b", "4: c|d"}},
		{"cell of three lines", csv("a,b\n\"x\ny\nz\",d\ne,f\n"), []string{"1: a|b", "2: x\ny\nz|d", "5: e|f"}},
		{"cell of two lines at the end of a row", csv("a,b\nc,\"x\ny\"\n\ne,f\n"), []string{"1: a|b", "2: c|x\ny", "5: e|f"}},
		{"doubled marks", csv("\"a \"\"b\"\" c\",d\n"), []string{`1: a "b" c|d`}},
		{"nothing", csv(""), nil},
		{"one byte", csv("a"), []string{"1: a"}},
		{"single marks", rows.NewCSV(strings.NewReader("'a,b','it''s',\"q\"\n"), "t", rows.CSV{Quote: '\''}), []string{`1: a,b|it's|"q"`}},
		{"lazy", rows.NewCSV(strings.NewReader("a \"b\" c,d\n\"e \"f\" g\",h\n"), "t", rows.CSV{Lazy: true}), []string{`1: a "b" c|d`, `2: e "f" g|h`}},
		{"bars", rows.NewPlain(strings.NewReader("a|b\n\n\"c|d\"\n"), "t", "|"), []string{`1: a|b`, `3: "c|d"`}},
		{"tabs, CRLF, mark", rows.NewPlain(strings.NewReader("\uFEFFa\tb\r\nc\t\r\n"), "t", "\t"), []string{"1: a|b", "2: c|"}},
	}
	for _, tt := range tests {
		got, err := read(tt.r)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLineOfCell(t *testing.T) {
	r := rows.NewCSV(strings.NewReader("a,b,c\n\"x\ny\",\"z\nz\",w\n"), "t.csv", rows.CSV{})
	for range 2 {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{2, 3, 4, 4} { // the row has no fourth cell
		if got := r.Line(i); got != want {
			t.Errorf("line of cell %d = %d, want %d", i, got, want)
		}
	}
}

func TestFatalFindings(t *testing.T) {
	long := strings.Repeat("x", rows.MaxCell+1)
	csv := func(s string) *rows.Reader { return rows.NewCSV(strings.NewReader(s), "t.csv", rows.CSV{}) }
	tests := []struct {
		name string
		r    *rows.Reader
		code rows.Kind
		line int
		want string // text that the message must contain
	}{
		{"bare mark", csv("a,b\nc,d\ne,f\"g\n"), rows.Quoting, 3, "inside a cell"},
		{"nested marks", csv("a,b\nc,\"d \"e\" f\"\n"), rows.Quoting, 2, "inside a cell"},
		{"unclosed mark at the end", csv("a,b\nc,\"d\ne,f\ng,h\n"), rows.Quoting, 2, "swallows"},
		{"unclosed mark before another", csv("a,b\nc,\"d\ne,f\ng,\"h\"\n"), rows.Quoting, 2, "swallows"},
		{"rows inside a cell", csv("a,b,c\n1,\"d,2\n3,x,4\n5,y,6\n7,\",8\n"), rows.Quoting, 2, "swallows"},
		{"rows inside a lazy cell", rows.NewCSV(strings.NewReader("a,b,c\n1,\"d,2\n3,x,4\n5,y,6\n"), "t.csv", rows.CSV{Lazy: true}), rows.Quoting, 2, "swallows"},
		{"not UTF-8", csv("a,b\nc,d\ne,\xb2\xdd\xb1\xbe\xb8\xd9\xc4\xbf\n"), rows.Encoding, 3, "GBK"},
		{"UTF-16", csv("\xff\xfea\x00,\x00b\x00\n\x00"), rows.Encoding, 1, "UTF-16"},
		{"large cell", csv("a,b\nc," + long + "\n"), rows.Size, 2, "bytes"},
		{"large plain cell", rows.NewPlain(strings.NewReader("a|b\nc|"+long), "t.csv", "|"), rows.Size, 2, "bytes"},
		{"web page", csv("\n <!DOCTYPE html>\n<html lang=\"zh\">\n"), rows.Page, 1, "web page"},
		{"web page with a mark", csv("<HTML lang=\"zh\"><p class=\"a\">\n"), rows.Page, 1, "web page"},
		{"plain web page", rows.NewPlain(strings.NewReader("<html>"), "t.csv", "|"), rows.Page, 1, "web page"},
		{"plain not UTF-8", rows.NewPlain(strings.NewReader("a|b\n\nc|\xff\n"), "t.csv", "|"), rows.Encoding, 3, "not UTF-8"},
	}
	for _, tt := range tests {
		_, err := read(tt.r)
		var f *rows.Error
		if !errors.As(err, &f) {
			t.Errorf("%s: error %v; want an *rows.Error", tt.name, err)
			continue
		}
		if f.Kind != tt.code || f.File != "t.csv" || f.Line != tt.line || !strings.Contains(f.Message, tt.want) {
			t.Errorf("%s: %+v; want kind %d on line %d of t.csv with %q", tt.name, f, tt.code, tt.line, tt.want)
		}
	}
}

// endless is an endless source. It counts the bytes that are read from it.
type endless struct {
	head string
	fill byte
	n    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.head)
	e.head = e.head[n:]
	for i := n; i < len(p); i++ {
		p[i] = e.fill
	}
	e.n += len(p)
	return len(p), nil
}

// TestEndlessRow checks, for every dialect, that reading a row without an end stops after little
// more than the limit.
func TestEndlessRow(t *testing.T) {
	for name, head := range map[string]string{"csv": "a,b\n", "quoted": "a,b\nc,\"", "plain": "a,b\n"} {
		src := &endless{head: head, fill: 'x'}
		r := rows.NewCSV(src, "t", rows.CSV{})
		if name == "plain" {
			r = rows.NewPlain(src, "t", ",")
		}
		_, err := read(r)
		var f *rows.Error
		if !errors.As(err, &f) || f.Kind != rows.Size || f.Line != 2 {
			t.Errorf("%s: %v; want an error of kind Size on line 2", name, err)
		}
		if src.n > 2*rows.MaxRow {
			t.Errorf("%s: read %d bytes before giving up, more than twice the limit of %d", name, src.n, rows.MaxRow)
		}
	}
}

func TestManyEmptyLines(t *testing.T) {
	text := "a,b\n" + strings.Repeat("\n", rows.MaxRow+100) + "c,d\n"
	want := []string{"1: a|b", fmt.Sprintf("%d: c|d", rows.MaxRow+102)}
	got, err := read(rows.NewPlain(strings.NewReader(text), "t", ","))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestGuess(t *testing.T) {
	chinese := "1,人参,Panax ginseng,五加科,大补元气，复脉固脱，补脾益肺，生津养血，安神益智。\n"
	traditional := "1,人參,Panax ginseng,五加科,大補元氣，復脈固脫，補脾益肺，生津養血，安神益智。\n"
	tests := []struct {
		text string
		enc  encoding.Encoding
		want string
	}{
		{chinese, simplifiedchinese.GBK, "GBK (or GB18030)"},
		{chinese + "㐂𠀀𠀁\n", simplifiedchinese.GB18030, "GB18030"},
		{traditional, traditionalchinese.Big5, "Big5"},
		{"Gagea,Ångström & Müller-Doblies,Köhler ex Béguinot, in the mountains of Kärnten and Tirol\n", charmap.Windows1252, "Latin-1 or Windows-1252"},
		{chinese, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16"},
		{chinese, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "UTF-16"},
	}
	for _, tt := range tests {
		b, err := tt.enc.NewEncoder().Bytes([]byte(tt.text))
		must(t, err)
		if got := rows.Guess(b); got != tt.want {
			t.Errorf("guess for %.20q in %v = %q, want %q", tt.text, tt.enc, got, tt.want)
		}
	}
	if got := rows.Guess([]byte(chinese[:len(chinese)-3] + "\xe5\n" + chinese)); !strings.Contains(got, "broken") {
		t.Errorf("guess for UTF-8 with a broken character = %q, want one that says broken", got)
	}
}

func TestHeader(t *testing.T) {
	h := rows.NewHeader([]string{" 编号", "Name", "name", "extra", ""}, map[string]string{"编号": "id", "EXTRA": "more"})
	if diff := cmp.Diff([]string{"id", "Name", "name", "more", ""}, h.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for name, want := range map[string]int{"id": 0, "Name": 1, "name": 2, "more": 3, "编号": -1, "": -1} {
		if got := h.Index(name); got != want {
			t.Errorf("index of %q = %d, want %d", name, got, want)
		}
	}
	if got := h.Cell([]string{"1", " x "}, "Name"); got != "x" {
		t.Errorf("cell = %q, want x", got)
	}
	if got := h.Cell([]string{"1"}, "more"); got != "" {
		t.Errorf("missing cell = %q, want an empty one", got)
	}
}

// dialects returns readers of all dialects of r.
func dialects(r func() io.Reader) []*rows.Reader {
	return []*rows.Reader{rows.NewCSV(r(), "f", rows.CSV{}), rows.NewCSV(r(), "f", rows.CSV{Comma: '\t', Quote: '\'', Lazy: true}), rows.NewPlain(r(), "f", "|")}
}

// checkEnds reads a text from readers that end in different ways. read must return the error of the
// reader, unless the text has an error of its own.
func checkEnds(t *testing.T, text []byte, read func(io.Reader) error) {
	t.Helper()
	var found *rows.Error
	for r, want := range hostile.Readers(text) {
		if err := read(r); !errors.Is(err, want) && !errors.As(err, &found) && !errors.As(err, new(*messages.Message)) {
			t.Fatalf("%.100q (%d bytes), then %v: reading ends with %v", text, len(text), want, err)
		}
	}
}

// readDialect returns the error with which a dialect, as in [dialects], ends.
func readDialect(i int) func(io.Reader) error {
	return func(in io.Reader) error {
		r := dialects(func() io.Reader { return in })[i]
		for {
			if _, err := r.Read(); err != nil {
				return err
			}
		}
	}
}

// readList returns the error with which the rows and lines of a list end.
func readList(t *testing.T) func(io.Reader) error {
	return func(in io.Reader) error {
		book, text, err := rows.Open(t.Context(), in, rows.ListOptions{TempDir: t.TempDir()})
		if err != nil {
			return err
		}
		if book != nil {
			defer book.Close()
			for err == nil {
				_, _, err = book.Row()
			}
			return err
		}
		if _, err := text.Ahead(3); err != nil {
			return err
		}
		for line := 0; err == nil; line++ {
			if line%2 == 0 {
				_, _, err = text.Row()
			} else {
				_, _, err = text.Line()
			}
		}
		return err
	}
}

// TestEnds reads texts, among them long lines, from readers that end in unusual ways.
func TestEnds(t *testing.T) {
	for _, text := range []string{
		"", "a", "PK", "PK\x03\x04", "name\nPanax\n", "a,b\n\"c", strings.Repeat("x", 5000), strings.Repeat("x", 64<<10), strings.Repeat("a,", 70<<10),
		strings.Repeat("x", 1<<20+100), "\xff\xfea\x00\n\x00b", "a\rb\rc",
	} {
		for i := range 3 {
			checkEnds(t, []byte(text), readDialect(i))
		}
		checkEnds(t, []byte(text), readList(t))
	}
}

// TestOpenEndsWithContext checks that reading ends when the context has ended, although the reader
// goes on for ever.
func TestOpenEndsWithContext(t *testing.T) {
	for _, line := range []string{"x", "x\n"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, text, err := rows.Open(ctx, repeated(line), rows.ListOptions{})
		for n := 0; err == nil; n++ {
			if n == 3 {
				cancel()
			}
			_, _, err = text.Line()
		}
		if cancel(); !errors.Is(err, context.Canceled) {
			t.Errorf("lines of %q end with %v", line, err)
		}
	}
}

// repeated returns a text again and again.
type repeated string

func (r repeated) Read(p []byte) (n int, err error) {
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// FuzzReader checks that line numbers never decrease, that cells are UTF-8 and within their limit,
// and that every error is an [*rows.Error] or comes from the source.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"a,b\n\"x\ny\",d\n", "a,\"b\n", "\xff\xfea", "\uFEFFa|b\r\n\r\nc", "a,'b''c'\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for i, r := range dialects(func() io.Reader { return bytes.NewReader(b) }) {
			checkEnds(t, b, readDialect(i))
			last, lines := 0, bytes.Count(b, []byte("\n"))+1
			for {
				cells, err := r.Read()
				if err == io.EOF {
					break
				}
				var found *rows.Error
				if errors.As(err, &found) {
					if found.Line < 1 || found.Line > lines {
						t.Errorf("%q: error on line %d of %d", b, found.Line, lines)
					}
					break
				}
				if err != nil {
					t.Fatalf("%q: error %v is not an *rows.Error", b, err)
				}
				if r.Line(0) <= last || r.Line(len(cells)) > lines {
					t.Errorf("%q: row on lines %d to %d after line %d of %d", b, r.Line(0), r.Line(len(cells)), last, lines)
				}
				last = r.Line(0)
				if i := slices.IndexFunc(cells, func(c string) bool { return !utf8.ValidString(c) }); i >= 0 {
					t.Errorf("%q: cell %d is not UTF-8", b, i)
				}
			}
		}
	})
}

// FuzzList checks that the reading of a list ends with the error of its source, and that all of its
// text is UTF-8.
func FuzzList(f *testing.F) {
	for _, s := range []string{"name\nPanax\n", "\xff\xfea\x00", "\"a,b\nc", "\xc8\xcb\xb2\xce\n", "a\rb"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		checkEnds(t, b, readList(t))
		book, text, err := rows.Open(t.Context(), stream(b), rows.ListOptions{TempDir: t.TempDir()})
		if err != nil || book != nil {
			return // FuzzSheet tests workbooks
		}
		for err == nil {
			var cells []string
			cells, _, err = text.Row()
			if i := slices.IndexFunc(cells, func(c string) bool { return !utf8.ValidString(c) }); i >= 0 {
				t.Errorf("%q: cell %d is not UTF-8", b, i)
			}
		}
	})
}
