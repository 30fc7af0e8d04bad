package author_test

import (
	"strings"
	"testing"

	"bencao/internal/test/cases"
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

// TestJudgedPairs compares pairs of authors whose verdicts were judged before the program saw them.
// At least 99 % of all pairs must be right, and at least 99 % of the pairs in each section of
// Chinese authors.
func TestJudgedPairs(t *testing.T) {
	sections := map[string][2]int{} // section → number of right pairs, number of pairs
	for _, c := range cases.Read(t, "../../testdata/authors-pairs.txt") {
		given, known, _ := strings.Cut(c.In, "|")
		got := author.Compare(strings.TrimSpace(given), strings.TrimSpace(known)).String()
		n := sections[c.Section]
		n[1]++
		if got == c.Want {
			n[0]++
		} else {
			t.Logf("%s: Compare(%q, %q) = %s, want %s", c.Place, given, known, got, c.Want)
		}
		sections[c.Section] = n
	}
	var right, all int
	for section, n := range sections {
		if strings.HasPrefix(section, "Chinese") && (n[1] < 150 || 100*n[0] < 99*n[1]) {
			t.Errorf("%s: %d of %d are right; at least 150 must be judged, and 99 %% be right", section, n[0], n[1])
		}
		right, all = right+n[0], all+n[1]
	}
	t.Logf("%d of %d pairs are right, %.1f %%", right, all, 100*float64(right)/float64(all))
	if all < 500 || 100*right < 99*all {
		t.Errorf("%d of %d pairs are right; at least 500 must be judged, and 99 %% be right", right, all)
	}
}

func FuzzCompare(f *testing.F) {
	for _, file := range []string{"authors.txt", "authors-pairs.txt"} {
		for _, c := range cases.Read(f, "../../testdata/"+file) {
			a, b, _ := strings.Cut(c.In, "|")
			f.Add(a, b)
		}
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

func TestEvident(t *testing.T) {
	for cited, want := range map[string]bool{
		"L.": true, "Linnaeus": true, "C.A.Mey.": true, "Benth. & Hook.f.": true, "(Wall.) Royle": true, "Hu": true,
		"Peace": false, "Crimson King": false, "BlLOBA L.": false, "": false,
	} {
		if got := author.Evident(cited); got != want {
			t.Errorf("Evident(%q) = %v, want %v", cited, got, want)
		}
	}
}
