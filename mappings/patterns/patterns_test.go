package patterns_test

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/null"
	"bencao/internal/test/testkit"
	"bencao/mappings/patterns"
	"bencao/store"
)

// must ends the test if there is an error.
var must = testkit.Must

// made returns formulas with different names, one for each text such as "麻黄 桂枝". Their years start at 1000 and increase
// by one.
func made(texts ...string) *store.Data {
	d := &store.Data{}
	herbs := map[string]store.Num{}
	for i, text := range texts {
		f := store.Formula{FormulaDetail: store.FormulaDetail{EntryID: int32(i + 1), Name: store.Text(fmt.Sprintf("第%03d", i)), Year: new(int32(1000 + i))}, Num: store.Num(i)}
		for _, name := range strings.Fields(text) {
			n, ok := herbs[name]
			if !ok {
				n = store.Num(len(d.Herbs))
				herbs[name] = n
				d.Herbs = append(d.Herbs, store.Herb{Num: n, GUID: "id-" + name, Name: name})
			}
			f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: name, Herbs: []store.Num{n}})
		}
		d.Formulas = append(d.Formulas, f)
	}
	return d
}

// random returns n formulas of 2 to 7 herbs each. The herbs are chosen from 12, of which the first
// are the most frequent.
func random(n int, seed uint64) *store.Data {
	r := rand.New(rand.NewPCG(seed, seed))
	names := strings.Fields("甲 乙 丙 丁 戊 己 庚 辛 壬 癸 子 丑")
	texts := make([]string, n)
	for i := range texts {
		set := map[string]bool{}
		for range 2 + r.IntN(6) {
			set[names[r.IntN(1+r.IntN(len(names)))]] = true
		}
		for name := range set {
			texts[i] += name + " "
		}
		words := strings.Fields(texts[i])
		slices.Sort(words)
		texts[i] = strings.Join(words, " ")
	}
	return made(texts...)
}

// all reads all pages of pairs, in pages of an unusual size.
func all(t *testing.T, p *patterns.Pairs) (out []patterns.Pair) {
	t.Helper()
	for from := 0; ; from += 7 {
		page := p.Page(from, from+7)
		if out = append(out, page...); len(page) < 7 {
			return out
		}
	}
}

// tail returns P(X >= k) or P(X <= k) of the hypergeometric distribution. It computes with exact
// fractions instead of logarithms.
func tail(side patterns.Side, k, all, marked, n int) float64 {
	sum := new(big.Rat)
	for i := 0; i <= min(marked, n); i++ {
		if side == patterns.Often && i < k || side == patterns.Seldom && i > k || all-marked < n-i {
			continue
		}
		ways := new(big.Int).Mul(new(big.Int).Binomial(int64(marked), int64(i)), new(big.Int).Binomial(int64(all-marked), int64(n-i)))
		sum.Add(sum, new(big.Rat).SetFrac(ways, new(big.Int).Binomial(int64(all), int64(n))))
	}
	f, _ := sum.Float64()
	return f
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*math.Max(math.Abs(a), math.Abs(b)) }

// TestPairs compares all pairs of random formulas with pairs that are counted one by one, for each
// side, with and without Distinct. It compares the numbers of formulas, the exact p values, the
// false discovery rates and the order.
func TestPairs(t *testing.T) {
	for seed := range uint64(6) {
		d := random(40, seed)
		e := open(t, d)
		for _, q := range []patterns.Question{
			{}, {Side: patterns.Seldom, MinFormulas: 3}, {Side: patterns.Both}, {Distinct: true, MinFormulas: 2, Names: patterns.Written},
		} {
			side := cmp.Or(q.Side, patterns.Often)
			p, err := e.Pairs(t.Context(), q)
			must(t, err)
			sets := map[string]map[string]bool{}
			for i, f := range d.Formulas {
				set, key := map[string]bool{}, ""
				for _, in := range f.Ingredients {
					set[in.Herb] = true
					key += in.Herb
				}
				if !q.Distinct {
					key = string(rune('a' + i))
				}
				sets[key] = set
			}
			count := func(names ...string) (n int) {
				for _, set := range sets {
					if !slices.ContainsFunc(names, func(name string) bool { return !set[name] }) {
						n++
					}
				}
				return n
			}
			var tested []patterns.Pair
			for i, x := range d.Herbs {
				for _, y := range d.Herbs[:i] {
					if min(count(x.Name), count(y.Name)) < max(1, q.MinFormulas) {
						continue
					}
					one := patterns.Pair{X: patterns.Herb{Name: x.Name}, Y: patterns.Herb{Name: y.Name}}
					if q.Names == "" {
						one.X.ID, one.Y.ID = null.Text(x.GUID), null.Text(y.GUID)
					}
					if cmp.Or(cmp.Compare(count(one.Y.Name), count(one.X.Name)), cmp.Compare(one.X.Name, one.Y.Name)) > 0 {
						one.X, one.Y = one.Y, one.X
					}
					a, b, both := count(one.X.Name), count(one.Y.Name), count(x.Name, y.Name)
					one.Formulas, one.FormulasX, one.FormulasY = int32(both), int32(a), int32(b)
					if one.P = tail(side, both, len(sets), a, b); side == patterns.Both {
						one.P = min(1, 2*min(tail(patterns.Often, both, len(sets), a, b), tail(patterns.Seldom, both, len(sets), a, b)))
					}
					tested = append(tested, one)
				}
			}
			got := all(t, p)
			if len(got) != len(tested) || p.Total != len(tested) || p.Tested != len(tested) || p.N != len(sets) {
				t.Fatalf("%+v: %d pairs, total %d, tested %d of %d formulas; want %d of %d", q, len(got), p.Total, p.Tested, p.N, len(tested), len(sets))
			}
			for i, g := range got {
				k := slices.IndexFunc(tested, func(w patterns.Pair) bool { return w.X == g.X && w.Y == g.Y })
				if k < 0 {
					t.Fatalf("%+v: unexpected or repeated pair %v", q, g)
				}
				w := tested[k]
				n, both, x, y := float64(len(sets)), float64(w.Formulas), float64(w.FormulasX), float64(w.FormulasY)
				rank := 0 // number of tests with at most this p value
				least := 1.0
				for _, other := range tested {
					if other.P < w.P && !near(other.P, w.P) {
						continue
					}
					rank = 0
					for _, third := range tested {
						if third.P <= other.P || near(third.P, other.P) {
							rank++
						}
					}
					least = min(least, other.P*float64(len(tested))/float64(rank))
				}
				if g.Formulas != w.Formulas || g.FormulasX != w.FormulasX || g.FormulasY != w.FormulasY || !near(g.P, w.P) || !near(g.Q, least) ||
					!near(g.Expected, x*y/n) || !near(g.Support, both/n) || !near(g.ConfidenceXY, both/x) || !near(g.ConfidenceYX, both/y) ||
					!near(g.Lift, n*both/x/y) || !near(g.Jaccard, both/(x+y-both)) {
					t.Errorf("%+v: got %+v\nwant %+v with q %v", q, g, w, least)
				}
				if i > 0 && got[i-1].P > g.P && !near(got[i-1].P, g.P) {
					t.Errorf("%+v: p %v comes before %v", q, got[i-1].P, g.P)
				}
			}
			fixed := q
			fixed.Herb = "丙"
			if one, err := e.Pairs(t.Context(), fixed); err != nil {
				t.Error(err)
			} else {
				var want []patterns.Pair
				for _, g := range got {
					if g.Y.Name == "丙" {
						g.X, g.Y, g.FormulasX, g.FormulasY, g.ConfidenceXY, g.ConfidenceYX = g.Y, g.X, g.FormulasY, g.FormulasX, g.ConfidenceYX, g.ConfidenceXY
					}
					if g.X.Name == "丙" {
						want = append(want, g)
					}
				}
				if found := all(t, one); !slices.Equal(found, want) || one.Total != len(want) {
					t.Errorf("%+v:\ngot  %v\nwant %v", fixed, found, want)
				}
			}
		}
	}
}

// TestSets compares the closed sets of random formulas with the closed ones among all sets. With
// odd seeds, every formula with 乙 and 丙 also has 子 and 丑. These herbs are rare, so a closure adds
// herbs that come later in the order of the search.
func TestSets(t *testing.T) {
	for seed := range uint64(6) {
		d := random(60, seed)
		if seed%2 == 1 {
			texts := make([]string, len(d.Formulas))
			for i, f := range d.Formulas {
				for _, in := range f.Ingredients {
					texts[i] += in.Herb + " "
				}
				if strings.Contains(texts[i], "乙") && strings.Contains(texts[i], "丙") {
					texts[i] += "子 丑"
				}
			}
			d = made(texts...)
		}
		const least = 3
		got, err := open(t, d).Sets(t.Context(), patterns.Question{MinFormulas: least})
		must(t, err)
		var sets []uint
		for _, f := range d.Formulas {
			set := uint(0)
			for _, in := range f.Ingredients {
				set |= 1 << in.Herbs[0]
			}
			sets = append(sets, set)
		}
		want := map[string]int32{}
		for set := range uint(1) << len(d.Herbs) {
			closure, n := uint(1)<<len(d.Herbs)-1, int32(0)
			for _, f := range sets {
				if set&^f == 0 {
					closure &= f
					n++
				}
			}
			var names []string
			for _, h := range d.Herbs {
				if set&(1<<h.Num) != 0 {
					names = append(names, h.Name)
				}
			}
			if n >= least && closure == set && len(names) >= 3 && len(names) <= 6 {
				slices.Sort(names)
				want[strings.Join(names, " ")] = n
			}
		}
		for i, s := range got.Rows {
			var names []string
			for _, herb := range s.Herbs {
				names = append(names, herb.Name)
			}
			slices.Sort(names)
			key := strings.Join(names, " ")
			if want[key] != s.Formulas {
				t.Errorf("seed %d: set %s in %d formulas, want %d", seed, key, s.Formulas, want[key])
			}
			delete(want, key)
			if i > 0 && (got.Rows[i-1].Formulas < s.Formulas || got.Rows[i-1].Formulas == s.Formulas && got.Rows[i-1].Lift < s.Lift) {
				t.Errorf("seed %d: %v comes before %v", seed, got.Rows[i-1], s)
			}
		}
		if len(want) > 0 || len(got.Rows) == 0 {
			t.Errorf("seed %d: missing %v of %d sets", seed, want, len(got.Rows))
		}
	}
}

// TestHerbs checks the comparison of a population with the other formulas.
func TestHerbs(t *testing.T) {
	d := made("甲 乙", "甲 乙", "甲", "乙 丙", "丙", "丙 甲")
	h, err := open(t, d).Herbs(t.Context(), patterns.Question{Formulas: []uint64{0b001111}})
	must(t, err)
	if h.Population != (patterns.Population{Formulas: 4, Distinct: 3}) || h.Against != (patterns.Population{Formulas: 2, Distinct: 2}) || len(h.Rows) != 3 {
		t.Fatalf("got %+v", h)
	}
	first, second := h.Rows[0], h.Rows[1] // equally frequent herbs are in the order of code points
	if first.Name != "乙" || second.Name != "甲" || second.Formulas != 3 || second.Share != 0.75 || second.Elsewhere != 1 || *second.ShareElse != 0.5 {
		t.Errorf("got %+v, %+v", first, second)
	}
	// 甲 is in 3 of the 4 formulas of the population, and in 1 of the 2 other formulas. The odds
	// ratio is (3 · 1) / (1 · 1), the standard error √(1/3 + 1 + 1 + 1).
	half := 1.959963984540054 * math.Sqrt(1.0/3+3)
	if !near(*second.OddsRatio, 3) || !near(*second.OddsLow, 3*math.Exp(-half)) || !near(*second.OddsHigh, 3*math.Exp(half)) {
		t.Errorf("odds ratio of 甲: %v from %v to %v", *second.OddsRatio, *second.OddsLow, *second.OddsHigh)
	}
	// 乙 is in 3 of the 4 formulas of the population, and in none of the 2 other formulas. The odds
	// ratio is (3 · 2) / (1 · 0.5).
	if !near(*first.OddsRatio, 12) {
		t.Errorf("odds ratio of 乙 is %v, want 12", *first.OddsRatio)
	}
	whole, err := open(t, d).Herbs(t.Context(), patterns.Question{})
	if err != nil || whole.Rows[0].OddsRatio != nil || whole.Rows[0].P != nil {
		t.Errorf("all formulas are compared with none: %+v, %v", whole.Rows[0], err)
	}
}

// TestHerbsSorted lists the herbs of a population in each order, with one herb by which it was chosen.
// That herb has no test, comes last in the orders by tests, and does not count for the q of others.
func TestHerbsSorted(t *testing.T) {
	var texts []string
	for i := range 60 {
		text := "甲 "
		if i >= 30 { // the other formulas have 甲 too, in part
			text = []string{"甲 ", ""}[i%2]
		}
		if i < 25 || i > 55 {
			text += "乙 "
		}
		if i%2 == 0 {
			text += "丙 "
		}
		if i < 8 {
			text += "丁 "
		}
		if i == 3 {
			text += "戊 "
		}
		texts = append(texts, text+"己")
	}
	e := open(t, made(texts...))
	q := patterns.Question{Formulas: []uint64{1<<30 - 1}, Chosen: []string{"甲"}}
	for _, c := range []struct {
		by   patterns.Sort
		want string
	}{
		{"", "己甲乙丙丁戊"}, {patterns.ByFormulas, "己甲乙丙丁戊"},
		{patterns.ByQ, "乙丁戊己丙甲"},         // the p of 戊 is a rounding error below 1
		{patterns.ByOddsRatio, "乙丁戊己丙甲"}, // 丁 has q < 0.05
	} {
		q.Sort = c.by
		h, err := e.Herbs(t.Context(), q)
		must(t, err)
		got := ""
		for _, row := range h.Rows {
			got += row.Name
			null := row.OddsRatio == nil && row.OddsLow == nil && row.OddsHigh == nil && row.P == nil && row.Q == nil
			if chosen := row.Name == "甲"; null != chosen || row.ShareElse == nil || row.Share == 0 {
				t.Errorf("sort %q: %+v", c.by, row)
			}
			if row.Name == "乙" && !near(*row.Q, *row.P*5) {
				t.Errorf("sort %q: q of 乙 is %v, want five times its p, %v", c.by, *row.Q, *row.P)
			}
		}
		if got != c.want {
			t.Errorf("sort %q: %s, want %s", c.by, got, c.want)
			for _, row := range h.Rows {
				if row.Q != nil {
					t.Logf("%s odds ratio %.3g p %.3g q %.3g", row.Name, *row.OddsRatio, *row.P, *row.Q)
				}
			}
		}
	}
}

// TestPairsNamed asks for pairs of herbs that are in fewer formulas than the minimum. They must have
// the values that a lower minimum gives, except q, which depends on the number of tests.
func TestPairsNamed(t *testing.T) {
	texts := make([]string, 50)
	for i := range texts {
		texts[i] = "甲 乙"
		if i < 3 {
			texts[i] += " 丙"
		}
		if i > 1 && i < 4 {
			texts[i] += " 丁"
		}
	}
	e := open(t, made(texts...))
	for _, least := range []int{patterns.Automatic, 20} {
		for _, c := range []struct {
			herb, with    string
			pairs, tested int
		}{{"丙", "丁", 1, 6}, {"丁", "丙", 1, 6}, {"丙", "甲", 1, 3}, {"丙", "", 2, 3}, {"甲", "乙", 1, 1}} {
			got, err := e.Pairs(t.Context(), patterns.Question{Herb: c.herb, With: c.with, MinFormulas: least})
			must(t, err)
			want, err := e.Pairs(t.Context(), patterns.Question{Herb: c.herb, With: c.with, MinFormulas: 1})
			must(t, err)
			rows := all(t, got)
			if len(rows) != c.pairs || got.Total != c.pairs || got.Tested != c.tested {
				t.Errorf("%+v, minimum %d: %d pairs of %d tested: %v", c, least, len(rows), got.Tested, rows)
			}
			for _, row := range rows {
				i := slices.IndexFunc(all(t, want), func(p patterns.Pair) bool { return p.X == row.X && p.Y == row.Y })
				if i < 0 {
					t.Fatalf("%+v: %v is not among the pairs with the minimum 1", c, row)
				}
				other := all(t, want)[i]
				if other.Q = row.Q; other != row || row.X.Name != c.herb {
					t.Errorf("%+v, minimum %d: %+v, want %+v", c, least, row, other)
				}
			}
		}
	}
}

// TestTogether checks that processed forms and parts count as the herb that they are made from,
// also over two steps, and that broader names do not.
func TestTogether(t *testing.T) {
	d := made("地黄 甘草", "熟地黄 炙甘草", "熟地炭 甘草", "熟地黄 甘草梢 芍药", "芍药 白芍")
	number := map[string]store.Num{}
	for _, h := range d.Herbs {
		number[h.Name] = h.Num
	}
	for name, of := range map[string]store.HerbVariant{
		"熟地黄": {Herb: number["地黄"], How: "processed"}, "熟地炭": {Herb: number["熟地黄"], How: "processed"},
		"炙甘草": {Herb: number["甘草"], How: "processed"}, "甘草梢": {Herb: number["甘草"], How: "part"}, "芍药": {Herb: number["白芍"], How: "broader"},
	} {
		d.Herbs[number[name]].VariantOf = []store.HerbVariant{of}
	}
	e := open(t, d)
	h, err := e.Herbs(t.Context(), patterns.Question{Together: true})
	must(t, err)
	var got []string
	for _, one := range h.Rows {
		got = append(got, one.Name+" "+strconv.Itoa(int(one.Formulas)))
	}
	if want := "地黄 4, 甘草 4, 芍药 2, 白芍 1"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for _, name := range []string{"熟地炭", "熟地黃", "id-熟地黄", "地黄"} {
		p, err := e.Pairs(t.Context(), patterns.Question{Together: true, Herb: name, With: "炙甘草"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if one := all(t, p); len(one) != 1 || one[0].X.Name != "地黄" || one[0].Y.Name != "甘草" || one[0].Formulas != 4 {
			t.Errorf("%s and 炙甘草: %+v", name, one)
		}
	}
	forms := e.Forms("熟地黄")
	slices.Sort(forms)
	if want := []string{"地黄", "熟地炭", "熟地黄"}; !slices.Equal(forms, want) {
		t.Errorf("forms of 熟地黄: %v, want %v", forms, want)
	}
	if e.Forms("白芍") == nil || e.Forms("麻黄") != nil {
		t.Errorf("forms of 白芍 %v, of 麻黄 %v", e.Forms("白芍"), e.Forms("麻黄"))
	}
	if apart, err := e.Herbs(t.Context(), patterns.Question{}); err != nil || len(apart.Rows) != 8 {
		t.Errorf("without Together there are %d drugs, want 8; %v", len(apart.Rows), err)
	}
}

// TestTooMuch checks the number that the error of a refused question suggests. With this number,
// the question must be answered. With a somewhat smaller number, it must still be refused. With
// Automatic, the answer must equal the answer for the number that was chosen.
func TestTooMuch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	suggested := regexp.MustCompile(`raise minFormulas to (\d+) or`)
	for _, c := range []struct {
		formulas, herbs int
		share           float64 // the mean probability that a formula has a herb; it falls from twice this for the first herb to nearly 0 for the last
		herb            string
	}{{300, 60, .4, ""}, {300, 60, .4, "d3"}, {1500, 150, .08, ""}, {120, 700, .15, ""}, {40, 600, .4, ""}} {
		texts := make([]string, c.formulas)
		for i := range texts {
			for herb := range c.herbs {
				if r.Float64() < 2*c.share*float64(c.herbs-herb)/float64(c.herbs) {
					texts[i] += " d" + strconv.Itoa(herb)
				}
			}
		}
		e := open(t, made(texts...))
		sets := func(least int) (int, any, error) {
			s, err := e.Sets(t.Context(), patterns.Question{Herb: c.herb, MinFormulas: least})
			if err != nil {
				return 0, nil, err
			}
			return s.MinFormulas, s.Rows, nil
		}
		pairs := func(least int) (int, any, error) {
			p, err := e.Pairs(t.Context(), patterns.Question{MinFormulas: least})
			if err != nil {
				return 0, nil, err
			}
			return p.MinFormulas, p.Page(0, 1000), nil
		}
		for _, ask := range []struct {
			what string
			of   func(least int) (int, any, error)
			near float64 // with this share of the suggested number, the question is still refused
		}{{"sets", sets, 0.8}, {"pairs", pairs, 0.99}} {
			chosen, rows, err := ask.of(patterns.Automatic)
			must(t, err)
			if _, same, err := ask.of(chosen); err != nil || !reflect.DeepEqual(rows, same) {
				t.Errorf("%+v: the %s chosen for %d are not those asked for; %v", c, ask.what, chosen, err)
			}
			for _, least := range []int{1, 7} {
				_, _, err := ask.of(least)
				if err == nil {
					continue
				}
				m := suggested.FindStringSubmatch(err.Error())
				if m == nil {
					t.Fatalf("%+v: %v", c, err)
				}
				enough, _ := strconv.Atoi(m[1])
				if _, _, err := ask.of(enough); err != nil {
					t.Errorf("%+v: the %s of %d are refused: %v", c, ask.what, enough, err)
				}
				if fewer := int(ask.near * float64(enough)); fewer > least {
					if _, _, err := ask.of(fewer); err == nil {
						t.Errorf("%+v: the %s of %d are refused with the advice to use %d, but %d works", c, ask.what, least, enough, fewer)
					}
				}
				t.Logf("%+v: %s of %d: %d", c, ask.what, least, enough)
			}
		}
	}
}

// TestAutomatic checks that questions with Automatic are answered, even if the default minimum
// gives too many pairs or sets. It also checks that a refused question is answered with the minimum
// that the error suggests.
func TestAutomatic(t *testing.T) {
	every := func(n int) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(" d" + strconv.Itoa(i))
		}
		return text.String()
	}
	texts := append(slices.Repeat([]string{every(460)}, 12), every(400))
	e := open(t, made(texts...))
	p, err := e.Pairs(t.Context(), patterns.Question{MinFormulas: patterns.Automatic})
	if err != nil || p.MinFormulas != 13 || p.Tested != 400*399/2 {
		t.Errorf("%d pairs of drugs in %d formulas were tested; %v", p.Tested, p.MinFormulas, err)
	}
	if _, err := e.Pairs(t.Context(), patterns.Question{MinFormulas: 10}); err == nil || !strings.Contains(err.Error(), "raise minFormulas to 13 or") {
		t.Errorf("105,570 pairs: error %v", err)
	}

	r := rand.New(rand.NewPCG(1, 1))
	texts = texts[:0]
	for range 400 {
		var text strings.Builder
		for i := range 60 {
			if r.IntN(2) == 0 {
				text.WriteString(" d" + strconv.Itoa(i))
			}
		}
		texts = append(texts, text.String())
	}
	e = open(t, made(texts...))
	chosen, err := e.Sets(t.Context(), patterns.Question{MinFormulas: patterns.Automatic})
	if err != nil || chosen.MinFormulas <= 20 {
		t.Fatalf("sets in %d formulas; %v", chosen.MinFormulas, err)
	}
	_, err = e.Sets(t.Context(), patterns.Question{MinFormulas: 2})
	if want := fmt.Sprintf("raise minFormulas to %d or", chosen.MinFormulas); err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("error %v, want %s", err, want)
	}
	if asked, err := e.Sets(t.Context(), patterns.Question{MinFormulas: chosen.MinFormulas}); err != nil || len(asked.Rows) != len(chosen.Rows) {
		t.Errorf("the number of the refusal finds %d sets, chosen were %d; %v", len(asked.Rows), len(chosen.Rows), err)
	}
}

// TestDescent checks the parents and the descendants of formulas.
func TestDescent(t *testing.T) {
	e := open(t, made("桂枝 芍药", "桂枝 芍药 甘草 生姜 大枣", "桂枝 芍药 甘草 生姜 大枣 葛根", "葛根 大枣 生姜 甘草 芍药 桂枝", "甘草", "桂枝 甘草 生姜 大枣 人参"))
	for n, want := range []int{-1, -1, 1, 1, -1, -1} {
		from, _ := e.Descent(store.Num(n))
		if (from == nil) != (want < 0) || from != nil && int(from[0].Formula) != want {
			t.Errorf("formula %d descends from %v, want %d", n, from, want)
		}
	}
	from, _ := e.Descent(2)
	if len(from[0].Added) != 1 || from[0].Added[0].Name != "葛根" || len(from[0].LeftOut) != 0 {
		t.Errorf("added %v, left out %v", from[0].Added, from[0].LeftOut)
	}
	if _, to := e.Descent(1); len(to) != 2 || to[0].Formula != 2 || to[1].Formula != 3 {
		t.Errorf("descendants %v", to)
	}
	if herbs, count := e.Additions(1); len(herbs) != 1 || herbs[0].Name != "葛根" || count[0] != 2 {
		t.Errorf("additions %v %v", herbs, count)
	}
}

// TestRefused asks questions that cannot be answered. Each error must say how to change the
// question.
func TestRefused(t *testing.T) {
	d := random(40, 1)
	e := open(t, d)
	for _, c := range []struct {
		q    patterns.Question
		want string
	}{
		{patterns.Question{Herb: "麻黄"}, `herb names "麻黄", which no formula has by names=standard; give the id or the name of a drug`},
		{patterns.Question{Herb: "甲", With: "丑", Formulas: []uint64{0}}, `"甲" is in no formula of the population; widen the filters`},
		{patterns.Question{Herb: "甲", With: "id-甲"}, `herb and with are both "甲"; give two different drugs`},
	} {
		if _, err := e.Pairs(context.Background(), c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %s", c.q, err, c.want)
		}
	}
}

// TestDamaged checks that Open returns an error for damaged values.
func TestDamaged(t *testing.T) {
	built := patterns.Build(random(40, 1))
	for key, whole := range built {
		for _, n := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
			if _, err := patterns.Open(func(k string) []byte {
				if k == key {
					return whole[:n]
				}
				return built[k]
			}); err == nil {
				t.Errorf("%s is cut to %d of %d bytes: no error", key, n, len(whole))
			}
		}
	}
}

// TestDocs recomputes the example of docs/patterns.md.
func TestDocs(t *testing.T) {
	for _, page := range []string{"../../docs/patterns.md", "../../docs/zh/patterns.md"} {
		text, err := os.ReadFile(page)
		must(t, err)
		blocks := strings.Split(string(text), "```")
		i := slices.IndexFunc(blocks, func(b string) bool { return strings.HasPrefix(b, "\n麻黄 桂枝") })
		if i < 0 || i+2 >= len(blocks) {
			t.Fatalf("%s has no example", page)
		}
		e := open(t, made(strings.Split(strings.TrimSpace(blocks[i]), "\n")...))
		var out strings.Builder
		w := csv.NewWriter(&out)
		for _, side := range []patterns.Side{patterns.Often, patterns.Seldom} {
			p, err := e.Pairs(t.Context(), patterns.Question{Names: patterns.Written, MinFormulas: 2, Side: side})
			must(t, err)
			for _, p := range p.Page(0, 6) {
				line := []string{string(side), p.X.Name, p.Y.Name}
				for _, v := range []float64{float64(p.Formulas), float64(p.FormulasX), float64(p.FormulasY), p.Support, p.ConfidenceXY, p.ConfidenceYX, p.Lift, p.Jaccard, p.P, p.Q} {
					line = append(line, strconv.FormatFloat(v, 'g', 4, 64))
				}
				must(t, w.Write(line))
			}
		}
		w.Flush()
		head := "\nside,x,y,formulas,formulasX,formulasY,support,confidenceXY,confidenceYX,lift,jaccard,p,q\n"
		if got := head + out.String(); blocks[i+2] != got {
			t.Errorf("%s: the example should be\n%s", page, got)
		}
	}
}
