package similarity_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bencao/indexer/similarity"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func top(tb testing.TB, k int, formulas ...similarity.Formula) []similarity.Neighbours {
	tb.Helper()
	got, err := similarity.Top(context.Background(), formulas, k)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

// of returns a formula with the given name and herbs. All its herbs have the same dose.
func of(name string, herbs ...string) similarity.Formula {
	f := similarity.Formula{Name: name}
	for _, h := range herbs {
		f.Herbs = append(f.Herbs, similarity.Herb{Name: h, Dose: 1})
	}
	return f
}

func TestTop(t *testing.T) {
	guizhi := similarity.Formula{Name: "桂枝汤", Herbs: []similarity.Herb{{"桂枝", 30}, {"芍药", 30}, {"甘草", 20}, {"生姜", 30}, {"大枣", 0}}}
	double := similarity.Formula{Name: "桂枝加芍药汤", Herbs: []similarity.Herb{{"桂枝", 30}, {"芍药", 60}, {"甘草", 20}, {"生姜", 30}, {"大枣", 0}}}
	twice := similarity.Formula{Name: "桂枝甘草汤", Herbs: []similarity.Herb{{"甘草", 2}, {"桂枝", 4}, {"甘草", 2}}}
	alone := of("独参汤", "人参")
	got := top(t, 20, guizhi, double, twice, alone)

	// There are four formulas. Three of them contain 桂枝 and 甘草. Two of them contain each of the
	// other herbs that the first formula contains.
	common, rarer := math.Log(1+4./3), math.Log(1+4./2)
	want := []similarity.Neighbour{
		{1, 1},
		{2, math.Round(1e4*2*common/(2*common+3*rarer)) / 1e4},
	}
	if diff := gocmp.Diff(want, got[0].Jaccard); diff != "" {
		t.Errorf("jaccard of the first (-want +got):\n%s", diff)
	}
	if n := len(got[3].Jaccard) + len(got[3].Euclidean); n != 0 {
		t.Errorf("a formula without a common herb has %d neighbours; want 0", n)
	}
	// In the formula "twice", 甘草 and 桂枝 have the same dose, because 甘草 occurs twice and its two
	// doses are added.
	a, b, c := 30*common, 20*common, 30*rarer // the unknown dose is the median, 30
	norm := math.Sqrt(a*a + b*b + 3*c*c)
	dot := (a/norm)*(1/math.Sqrt2) + (b/norm)*(1/math.Sqrt2)
	wantDistance := math.Round(math.Sqrt(2-2*dot)*1e4) / 1e4
	if e := got[0].Euclidean[1]; e.Formula != 2 || math.Abs(e.Value-wantDistance) > 2e-4 {
		t.Errorf("second nearest by dose = %+v; want formula 2 at %v", e, wantDistance)
	}
}

func TestSameFormulaTwiceIsDistanceZero(t *testing.T) {
	a := similarity.Formula{Herbs: []similarity.Herb{{"桂枝", 3}, {"芍药", 7}}}
	b := similarity.Formula{Herbs: []similarity.Herb{{"芍药", 14}, {"桂枝", 6}}}
	got := top(t, 1, a, b)
	if e := got[0].Euclidean[0]; e.Value != 0 {
		t.Errorf("distance of a formula in twice the dose = %v; want 0", e.Value)
	}
}

// TestRareHerbsWeigh checks that a shared rare herb counts more than shared common herbs.
func TestRareHerbsWeigh(t *testing.T) {
	formulas := []similarity.Formula{
		of("甲", "甘草", "生姜", "礞石", "沉香"),
		of("乙", "甘草", "生姜", "人参", "白术"),
		of("丙", "人参", "白术", "礞石", "沉香"),
	}
	for i := range 20 {
		formulas = append(formulas, of(fmt.Sprint(i), "甘草", "生姜", fmt.Sprint("herb", i)))
	}
	got := top(t, 2, formulas...)[0]
	if got.Jaccard[0].Formula != 2 || got.Euclidean[0].Formula != 2 {
		t.Errorf("nearest are %+v and %+v; want 丙, which shares 礞石 and 沉香", got.Jaccard[0], got.Euclidean[0])
	}
}

// TestOneHerbIsNoLikeness checks which formulas that share one herb are compared.
func TestOneHerbIsNoLikeness(t *testing.T) {
	formulas := []similarity.Formula{
		of("礞石滚痰丸", "礞石", "大黄", "黄芩", "沉香"),
		of("某散", "大黄", "甲", "乙", "丙"),     // shares one herb with the first formula
		of("礞石滚痰丸", "沉香", "丁", "戊", "己"),  // shares one rare herb and the name
		of("礞石滚痰丸", "黄芩", "庚", "辛", "壬"),  // shares one common herb and the name
		of("大黄散", "大黄", "癸"),              // shares one of four herbs with the first formula
		of("大黄汤", "大黄", "子"),              // has two herbs, as 大黄散; compared with 大黄散
		of("大黄黄芩汤", "大黄", "黄芩", "丑", "寅"), // shares two herbs with the first formula
	}
	for i := range 50 {
		formulas = append(formulas, of(fmt.Sprint("散", i), "黄芩", fmt.Sprint(i, "a"), fmt.Sprint(i, "b"), fmt.Sprint(i, "c")))
	}
	list := func(n []similarity.Neighbour) (out []int) {
		for _, x := range n {
			out = append(out, x.Formula)
		}
		slices.Sort(out)
		return out
	}
	got := top(t, 20, formulas...)
	for _, tt := range []struct {
		formula int
		want    []int
	}{{0, []int{2, 6}}, {4, []int{5}}} {
		if a, b := list(got[tt.formula].Jaccard), list(got[tt.formula].Euclidean); !slices.Equal(a, tt.want) || !slices.Equal(b, tt.want) {
			t.Errorf("formula %d is compared with %v and %v; want %v", tt.formula, a, b, tt.want)
		}
	}
}

// TestNamesakesStandNearer checks by how much the same name makes two formulas more similar.
func TestNamesakesStandNearer(t *testing.T) {
	got := top(t, 20, of("四物汤", "当归", "川芎", "芍药"), of("四物汤", "当归", "川芎", "地黄"), of("某汤", "当归", "川芎", "地黄"))
	other := got[0].Jaccard[1].Value
	if j := got[0].Jaccard[0]; j.Formula != 1 || math.Abs(j.Value-(1+other)/2) > 2e-4 {
		t.Errorf("the formula of the same name is at %+v; want halfway between 1 and the other formula, at %v", j, other)
	}
	far := got[0].Euclidean[1].Value
	if e := got[0].Euclidean[0]; e.Formula != 1 || math.Abs(e.Value-far/math.Sqrt2) > 2e-4 {
		t.Errorf("the formula of the same name is at %+v; want %v / √2", e, far)
	}
}

// TestTopIsExact compares every result with the plain definition, for formulas of several kinds:
//
//   - each herb is in many formulas, so that everything is compared,
//   - a few herbs are in most formulas, so that much is skipped,
//   - all herbs weigh the same, so that very many formulas are equally similar,
//   - many formulas are long and are variants of other formulas.
func TestTopIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	t.Run("many of each", func(t *testing.T) {
		isExact(t, 200, func() []int { return r.Perm(30)[:1+r.IntN(8)] })
	})
	t.Run("a few in most", func(t *testing.T) {
		isExact(t, 1500, func() []int { return draw(r, 1+r.IntN(8), 400) })
	})
	t.Run("equal weights", func(t *testing.T) {
		n := 0
		isExact(t, 360, func() (herbs []int) {
			for step := range 5 {
				herbs = append(herbs, (n*7+step)%60)
			}
			n++
			return herbs
		})
	})
	t.Run("variants", func(t *testing.T) {
		var before [][]int
		isExact(t, 700, func() []int {
			herbs := draw(r, 1+r.IntN(40), 300)
			if len(before) > 0 && r.IntN(2) == 0 {
				herbs = append(herbs[:len(herbs)/4], before[r.IntN(len(before))]...)
				slices.Sort(herbs)
				herbs = slices.Compact(herbs)
			}
			before = append(before, herbs)
			return herbs
		})
	})
}

// draw returns up to n different herbs. A herb is a number from 1 to less than the parameter "of";
// small numbers are more frequent.
func draw(r *rand.Rand, n int, of float64) (herbs []int) {
	for range n {
		herbs = append(herbs, int(math.Exp(r.Float64()*math.Log(of))))
	}
	slices.Sort(herbs)
	return slices.Compact(herbs)
}

// isExact generates formulas and checks that Top returns the same neighbours as the plain
// definition. size is the number of formulas. Each call of the function herbs returns the herbs of
// one formula.
func isExact(t *testing.T, size int, herbs func() []int) {
	r := rand.New(rand.NewPCG(3, 4))
	doses := []float64{1, 1, 2, 2, 3, 4, 5, 160} // the dose 160 makes one herb nearly the whole vector of some formulas
	formulas := make([]similarity.Formula, size)
	count, named := map[string]int{}, map[string]int{}
	for i := range formulas {
		formulas[i].Name = fmt.Sprint("名称长的", r.IntN(size/2))
		named[formulas[i].Name]++
		for _, h := range herbs() {
			formulas[i].Herbs = append(formulas[i].Herbs, similarity.Herb{Name: fmt.Sprint(h), Dose: doses[r.IntN(len(doses))]})
			count[fmt.Sprint(h)]++
		}
	}
	const k = 20
	got := top(t, k, formulas...)
	weight := func(of float64) float64 { return math.Round(math.Log(1+of) / 1e-4) }
	weights := map[string]float64{}
	for herb, n := range count {
		weights[herb] = weight(float64(size) / float64(n))
	}
	parts := make([]map[string]float64, size) // coordinates of the unit vectors
	for i, f := range formulas {
		sum := 0.
		for _, h := range f.Herbs {
			sum += h.Dose * weights[h.Name] * h.Dose * weights[h.Name]
		}
		parts[i] = map[string]float64{}
		for _, h := range f.Herbs {
			parts[i][h.Name] = h.Dose * weights[h.Name] / math.Sqrt(sum)
		}
	}
	type near struct {
		formula int
		score   float64
	}
	first := func(list []near) []near {
		slices.SortFunc(list, func(a, b near) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.formula, b.formula))
		})
		return list[:min(k, len(list))]
	}
	for f := range formulas {
		var jaccard, euclidean []near
		for g := range formulas {
			shared, both, all, dot := 0, 0., 0., 0.
			for _, a := range formulas[f].Herbs {
				all += weights[a.Name]
				if part, has := parts[g][a.Name]; has {
					shared++
					both += weights[a.Name]
					dot += parts[f][a.Name] * part
				}
			}
			for _, b := range formulas[g].Herbs {
				all += weights[b.Name]
			}
			same := formulas[f].Name == formulas[g].Name
			small := len(formulas[f].Herbs) <= 3 && len(formulas[g].Herbs) <= 3
			telling := same && named[formulas[f].Name] <= 10 && both > weight(20)
			if g == f || shared == 0 || shared == 1 && !small && !telling {
				continue
			}
			j := both / (all - both)
			if same {
				j, dot = (1+j)/2, (1+dot)/2
			}
			jaccard, euclidean = append(jaccard, near{g, j}), append(euclidean, near{g, math.Round(dot / 1e-6)})
		}
		var want similarity.Neighbours
		for _, n := range first(jaccard) {
			want.Jaccard = append(want.Jaccard, similarity.Neighbour{Formula: n.formula, Value: math.Round(n.score*1e4) / 1e4})
		}
		for _, n := range first(euclidean) {
			want.Euclidean = append(want.Euclidean, similarity.Neighbour{Formula: n.formula, Value: math.Round(math.Sqrt(max(0, 2-2*n.score*1e-6))*1e4) / 1e4})
		}
		if diff := gocmp.Diff(want, got[f], cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("formula %d (-want +got):\n%s", f, diff)
		}
	}
}

func TestTopStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := similarity.Top(ctx, []similarity.Formula{of("甘草汤", "甘草")}, 20); err == nil {
		t.Error("no error after cancellation; want one")
	}
}

// BenchmarkTop compares generated formulas. A few herbs are in very many of them, as 甘草 is, and
// every other formula is a variant of another. A large collection has 10,000 formulas, which take
// half a second of processor time; 100,000 take 20 s.
func BenchmarkTop(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			formulas := make([]similarity.Formula, n)
			for i := range formulas {
				name, herbs := fmt.Sprint("方", i), draw(r, 1+r.IntN(16), 1200)
				if of := formulas[r.IntN(i+1)]; i%2 == 1 && len(of.Herbs) > 0 {
					name, herbs = of.Name, herbs[:len(herbs)/4]
					formulas[i].Herbs = append(formulas[i].Herbs, of.Herbs[:(len(of.Herbs)*3+3)/4]...)
				}
				formulas[i].Name = name
				for _, h := range herbs {
					formulas[i].Herbs = append(formulas[i].Herbs, similarity.Herb{Name: fmt.Sprint(h), Dose: 1 + r.Float64()*9})
				}
			}
			for b.Loop() {
				top(b, 20, formulas...)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/formula")
		})
	}
}
