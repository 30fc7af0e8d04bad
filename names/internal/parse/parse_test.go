package parse_test

import (
	"strings"
	"testing"

	"bencao/internal/test/cases"
	"bencao/names/internal/parse"
)

func TestClean(t *testing.T) {
	for _, c := range cases.Read(t, "../../testdata/clean.txt") {
		got, flags := parse.Clean(c.In)
		if all := strings.TrimSpace(got + " " + strings.Join(flags.Words(), " ")); all != c.Want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.Place, c.In, all, c.Want)
		}
	}
}

func TestParse(t *testing.T) {
	p := parse.New(nil)
	for _, c := range cases.Read(t, "../../testdata/parse.txt") {
		n := p.Parse(c.In)
		got := strings.TrimRight(n.Canonical+" | "+n.Author+" | "+strings.Join(n.Flags.Words(), " "), " |")
		if got != c.Want {
			t.Errorf("%s: Parse(%q) = %q, want %q", c.Place, c.In, got, c.Want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, c := range cases.Read(f, "../../testdata/clean.txt") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, _ := parse.Clean(s)
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
	for _, c := range cases.Read(f, "../../testdata/parse.txt") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := parse.New(nil)
		n := p.Parse(s)
		canonical, author := n.Canonical, n.Author
		if canonical == "" && (author != "" || n.Hybrid) {
			t.Errorf("Parse(%q) has an author but no name: %+v", s, n)
		}
		if strings.Contains(canonical, "  ") || strings.TrimSpace(canonical) != canonical {
			t.Errorf("Parse(%q): canonical name %q has spaces to spare", s, canonical)
		}
		if again := p.Parse(s); again.Canonical != canonical || again.Author != author {
			t.Errorf("Parse(%q) gives %q %q, then %+v", s, canonical, author, again)
		}
	})
}
