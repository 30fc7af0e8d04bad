package names_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bencao/names"
)

// corpusLine is a case of a file in testdata that botanists extend: what
// stands before and behind =>.
type corpusLine struct {
	place    string // file:line
	in, want string
}

var escape = regexp.MustCompile(`\\u\{[0-9a-f]+\}`)

// corpus reads the cases of a file in testdata.
func corpus(tb testing.TB, file string) []corpusLine {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		tb.Fatal(err)
	}
	var cases []corpusLine
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		line = escape.ReplaceAllStringFunc(line, func(s string) string {
			n, err := strconv.ParseInt(s[3:len(s)-1], 16, 32)
			if err != nil {
				tb.Fatal(err)
			}
			return string(rune(n))
		})
		in, want, ok := strings.Cut(line, "=>")
		if !ok {
			tb.Fatalf("%s:%d: no => in %q", file, i+1, line)
		}
		cases = append(cases, corpusLine{file + ":" + strconv.Itoa(i+1), strings.TrimSuffix(in, " "), strings.TrimSpace(want)})
	}
	return cases
}

func TestClean(t *testing.T) {
	for _, c := range corpus(t, "clean.txt") {
		got, flags := names.Clean(c.in)
		if all := strings.TrimSpace(got + " " + strings.Join(flags, " ")); all != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.place, c.in, all, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range corpus(t, "parse.txt") {
		n := names.Parse(c.in)
		got := strings.TrimRight(n.Canonical+" | "+n.Author+" | "+strings.Join(n.Flags, " "), " |")
		if got != c.want {
			t.Errorf("%s: Parse(%q) = %q, want %q", c.place, c.in, got, c.want)
		}
	}
}

func TestCompareAuthors(t *testing.T) {
	for _, c := range corpus(t, "authors.txt") {
		given, known, _ := strings.Cut(c.in, "|")
		if got := names.CompareAuthors(strings.TrimSpace(given), strings.TrimSpace(known)); got != c.want {
			t.Errorf("%s: CompareAuthors(%q, %q) = %s, want %s", c.place, given, known, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, c := range corpus(f, "clean.txt") {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, _ := names.Clean(s)
		for _, r := range once {
			if r < ' ' || r == 0x7f || r == 0xa0 || r == 0xad || r == 0x200b {
				t.Errorf("Clean(%q) = %q has %U in it", s, once, r)
			}
		}
		if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Errorf("Clean(%q) = %q has spaces to spare", s, once)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, c := range corpus(f, "parse.txt") {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := names.Parse(s)
		if n.Canonical == "" && (n.Author != "" || n.Hybrid) {
			t.Errorf("Parse(%q) has an author but no name: %+v", s, n)
		}
		if strings.Contains(n.Canonical, "  ") || strings.TrimSpace(n.Canonical) != n.Canonical {
			t.Errorf("Parse(%q): canonical name %q has spaces to spare", s, n.Canonical)
		}
		if again := names.Parse(s); again.Canonical != n.Canonical || again.Author != n.Author {
			t.Errorf("Parse(%q) gives %+v, then %+v", s, n, again)
		}
	})
}

func FuzzCompareAuthors(f *testing.F) {
	for _, c := range corpus(f, "authors.txt") {
		a, b, _ := strings.Cut(c.in, "|")
		f.Add(a, b)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		ab, ba := names.CompareAuthors(a, b), names.CompareAuthors(b, a)
		if (ab == names.AuthorDiffers) != (ba == names.AuthorDiffers) {
			t.Errorf("CompareAuthors(%q, %q) = %s, the other way round %s", a, b, ab, ba)
		}
		if strings.TrimSpace(a) != "" {
			if got := names.CompareAuthors(a, a); got != names.AuthorSame {
				t.Errorf("CompareAuthors(%q, itself) = %s", a, got)
			}
		}
	})
}
