package author_test

import (
	"strings"
	"testing"

	"bencao/internal/cases"
	"bencao/names/internal/author"
)

func TestCompare(t *testing.T) {
	for _, c := range cases.Read(t, "../../testdata/authors.txt") {
		given, known, _ := strings.Cut(c.In, "|")
		if got := author.Compare(strings.TrimSpace(given), strings.TrimSpace(known)).String(); got != c.Want {
			t.Errorf("%s: Compare(%q, %q) = %s, want %s", c.Place, given, known, got, c.Want)
		}
	}
}

func FuzzCompare(f *testing.F) {
	for _, c := range cases.Read(f, "../../testdata/authors.txt") {
		a, b, _ := strings.Cut(c.In, "|")
		f.Add(a, b)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		ab, ba := author.Compare(a, b), author.Compare(b, a)
		if (ab == author.Differs) != (ba == author.Differs) {
			t.Errorf("Compare(%q, %q) = %s, the other way round %s", a, b, ab, ba)
		}
		if strings.TrimSpace(a) != "" {
			if got := author.Compare(a, a); got != author.Same {
				t.Errorf("Compare(%q, itself) = %s", a, got)
			}
		}
	})
}
