package ask_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"bencao/api/ask"
)

// famous is a formula of testdata/famous.tsv.
type famous struct{ names, drugs []string }

func famousFormulas(t *testing.T) (all []famous) {
	text, err := os.ReadFile("testdata/famous.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if names, drugs, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all = append(all, famous{strings.Split(names, "|"), strings.Fields(drugs)})
		}
	}
	return all
}

// finds reports whether the formula is among the first names that a list of drugs finds.
func (f *famous) finds(t *testing.T, c *ask.Client, drugs []string, first int) bool {
	t.Helper()
	var page struct{ Items []struct{ Name string } }
	if err := c.Get(t.Context(), "/formulas", url.Values{"q": {strings.Join(drugs, " ")}, "distinct": {"name"}}, &page); err != nil {
		t.Fatalf("%v: %v", drugs, err)
	}
	for _, item := range page.Items[:min(first, len(page.Items))] {
		if slices.Contains(f.names, item.Name) {
			return true
		}
	}
	return false
}

// prepared returns the drugs as prescriptions of today write them.
func prepared(drugs []string) (out []string) {
	for _, d := range drugs {
		if d == "甘草" {
			d = "炙甘草"
		}
		out = append(out, d)
	}
	return out
}

// TestFamous types the drugs of the formulas that the sample has: with 炙甘草 a list finds the formula
// that it finds with 甘草, unless another formula has exactly these drugs, as 四顺理中丸 has those of
// 理中丸.
func TestFamous(t *testing.T) {
	c := here(t, sample.Dir(t))
	found := 0
	for _, f := range famousFormulas(t) {
		if !f.finds(t, c, f.drugs, 10) {
			continue
		}
		if found++; !f.finds(t, c, prepared(f.drugs), 10) && f.names[0] != "理中丸" {
			t.Errorf("%s: not found by %v", f.names[0], prepared(f.drugs))
		}
	}
	if found < 20 {
		t.Errorf("%d formulas of the sample are found by their drugs, want 20", found)
	}
}

// TestFamousFull types all lists, and each with one drug left out or one that no such formula has.
func TestFamousFull(t *testing.T) {
	c := here(t, fullSnapshot(t))
	asPrepared, fewer, more, lists := 0, 0, 0, 0
	for _, f := range famousFormulas(t) {
		if !f.finds(t, c, f.drugs, 10) {
			t.Errorf("%s: not found by %v", f.names[0], f.drugs)
		}
		if f.finds(t, c, prepared(f.drugs), 10) {
			asPrepared++
		} else {
			t.Logf("%s: not found by %v", f.names[0], prepared(f.drugs))
		}
		left := 0 // lists without one drug that find the formula
		for i := range f.drugs {
			if f.finds(t, c, slices.Delete(slices.Clone(f.drugs), i, i+1), 3) {
				left++
			}
		}
		if 2*left > len(f.drugs) {
			fewer++
		} else {
			t.Logf("%s: %d of its %d drugs may be left out", f.names[0], left, len(f.drugs))
		}
		for _, other := range []string{"板蓝根", "鸡内金", "丹参", "夏枯草", "山楂"} {
			with := append(slices.Clone(f.drugs), other)
			var page struct{ Total int }
			if err := c.Get(t.Context(), "/formulas", url.Values{"herbs": {strings.Join(with, "、")}}, &page); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(f.drugs, other) || page.Total > 0 {
				continue
			}
			if lists++; f.finds(t, c, with, 3) {
				more++
			} else {
				t.Logf("%s: not among the first by %v", f.names[0], with)
			}
			break
		}
	}
	t.Logf("of 60 formulas %d are found with 炙甘草, %d among the first three with a drug left out, and %d of %d with another drug", asPrepared, fewer, more, lists)
	if asPrepared < 57 || fewer < 50 || more < 50 {
		t.Error("want 57 with 炙甘草, and 50 among the first three with one drug too many or too few")
	}
}
