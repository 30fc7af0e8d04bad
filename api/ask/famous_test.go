package ask_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"bencao/api/ask"
)

// famous is a formula of testdata/famous.tsv or famous-2.tsv.
type famous struct{ names, drugs []string }

func famousFormulas(t *testing.T, file string) (all []famous) {
	text, err := os.ReadFile("testdata/" + file)
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

// isAmong reports whether the formula is among the first names that a query finds. A filter by a herb
// that no formula has, which is an error, finds nothing.
func (f *famous) isAmong(t *testing.T, c *ask.Client, first int, in url.Values) bool {
	t.Helper()
	var page struct{ Items []struct{ Name string } }
	in.Set("distinct", "name")
	in.Set("pageSize", "100")
	if err := c.Get(t.Context(), "/formulas", in, &page); err != nil && !in.Has("herbs") {
		t.Fatalf("%v: %v", in, err)
	}
	for _, item := range page.Items[:min(first, len(page.Items))] {
		if slices.Contains(f.names, item.Name) {
			return true
		}
	}
	return false
}

// finds reports whether the formula is among the first names that a list of drugs finds.
func (f *famous) finds(t *testing.T, c *ask.Client, drugs []string, first int) bool {
	t.Helper()
	return f.isAmong(t, c, first, url.Values{"q": {strings.Join(drugs, " ")}})
}

// anyHas reports whether any formula has all the drugs.
func anyHas(t *testing.T, c *ask.Client, drugs []string) bool {
	t.Helper()
	var page struct{ Total int }
	if err := c.Get(t.Context(), "/formulas", url.Values{"herbs": {strings.Join(drugs, "、")}}, &page); err != nil {
		t.Fatalf("%v: %v", drugs, err)
	}
	return page.Total > 0
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
	for _, f := range famousFormulas(t, "famous.tsv") {
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

// leastNear is how many drugs of a list of which no formula has all must have at least, so that
// formulas with most of them are looked for.
const leastNear = 4

// TestFamousFull types the lists with 炙甘草, with a random drug left out, and with a random drug of the
// other formulas added. A list with another drug that some formula has completely finds that one: how
// many do is logged. So is the number of lists that are too short to be near anything.
func TestFamousFull(t *testing.T) {
	c := here(t, fullSnapshot(t))
	for _, file := range []string{"famous.tsv", "famous-2.tsv"} {
		t.Run(file, func(t *testing.T) {
			s := newSame("", t)
			var all []famous
			var drugs []string
			for _, f := range famousFormulas(t, file) {
				if f.isAmong(t, c, 100, url.Values{"herbs": {strings.Join(f.drugs, "、")}, "forms": {"together"}}) {
					all, drugs = append(all, f), append(drugs, f.drugs...)
				}
			}
			if len(all) < 50 {
				t.Fatalf("the package has all drugs of %d formulas, want 50", len(all))
			}
			judges := map[string]*same{"as they are": s.like(), "with 炙甘草": s.like(), "with a drug left out": s.like(), "with another drug": s.like()}
			others, short := 0, 0
			for _, f := range all {
				judge := func(how string, typed []string, first int) {
					judges[how].judge(f.finds(t, c, typed, first), "%s %s: not among the first %d by %v", f.names[0], how, first, typed)
				}
				judge("as they are", f.drugs, 10)
				judge("with 炙甘草", prepared(f.drugs), 10)
				at := s.IntN(len(f.drugs))
				if left := slices.Delete(slices.Clone(f.drugs), at, at+1); len(left) > 1 {
					judge("with a drug left out", left, 3)
				}
				other := drugs[s.IntN(len(drugs))]
				for slices.Contains(f.drugs, other) {
					other = drugs[s.IntN(len(drugs))]
				}
				switch with := append(slices.Clone(f.drugs), other); {
				case anyHas(t, c, with):
					others++
				case len(with) < leastNear:
					short++
				default:
					judge("with another drug", with, 3)
				}
			}
			t.Logf("of %d lists with another drug %d are lists of another formula, and %d have less than %d drugs", len(all), others, short, leastNear)
			for how, least := range map[string]float64{"as they are": 1, "with 炙甘草": 57. / 60, "with a drug left out": 50. / 60, "with another drug": 50. / 60} {
				t.Log(how)
				judges[how].report(t, least)
			}
		})
	}
}
