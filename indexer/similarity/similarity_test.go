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
)

func top(tb testing.TB, k int, formulas ...[]similarity.Herb) []similarity.Neighbours {
	tb.Helper()
	got, err := similarity.Top(context.Background(), formulas, k)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func TestTop(t *testing.T) {
	guizhi := []similarity.Herb{{"桂枝", 30}, {"芍药", 30}, {"甘草", 20}, {"生姜", 30}, {"大枣", 0}}
	double := []similarity.Herb{{"桂枝", 30}, {"芍药", 60}, {"甘草", 20}, {"生姜", 30}, {"大枣", 0}}
	twice := []similarity.Herb{{"甘草", 2}, {"桂枝", 4}, {"甘草", 2}}
	alone := []similarity.Herb{{"人参", 10}}
	got := top(t, 20, guizhi, double, twice, alone)

	all := []string{"桂枝", "芍药", "甘草", "生姜", "大枣"}
	want := []similarity.Neighbour{
		{1, 1, all},
		{2, 0.4, []string{"桂枝", "甘草"}},
	}
	if diff := gocmp.Diff(want, got[0].Jaccard); diff != "" {
		t.Errorf("jaccard of the first (-want +got):\n%s", diff)
	}
	if n := len(got[3].Jaccard) + len(got[3].Euclidean); n != 0 {
		t.Errorf("a formula without a common herb has %d neighbours; want 0", n)
	}
	// twice is (甘草 4, 桂枝 4): a herb that stands twice counts once.
	norm := math.Sqrt(30*30*4 + 20*20) // the unknown dose is the median, 30
	dot := (30/norm)*(1/math.Sqrt2) + (20/norm)*(1/math.Sqrt2)
	wantDistance := math.Round(math.Sqrt(2-2*dot)*1e4) / 1e4
	if e := got[0].Euclidean[1]; e.Formula != 2 || math.Abs(e.Value-wantDistance) > 1e-4 {
		t.Errorf("second nearest by dose = %+v; want formula 2 at %v", e, wantDistance)
	}
}

func TestSameFormulaTwiceIsDistanceZero(t *testing.T) {
	a := []similarity.Herb{{"桂枝", 3}, {"芍药", 7}}
	b := []similarity.Herb{{"芍药", 14}, {"桂枝", 6}}
	got := top(t, 1, a, b)
	if e := got[0].Euclidean[0]; e.Value != 0 {
		t.Errorf("distance of a formula in twice the dose = %v; want 0", e.Value)
	}
}

// TestTopIsExact compares every answer with the plain definition.
func TestTopIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	formulas := make([][]similarity.Herb, 200)
	for i := range formulas {
		for _, h := range r.Perm(30)[:1+r.IntN(8)] {
			formulas[i] = append(formulas[i], similarity.Herb{Name: fmt.Sprint(h), Dose: float64(1 + r.IntN(5))})
		}
	}
	const k = 20
	got := top(t, k, formulas...)
	for f := range formulas {
		type pair struct {
			formula int
			value   float64
		}
		var want []pair
		for g := range formulas {
			shared := 0
			for _, a := range formulas[f] {
				if slices.ContainsFunc(formulas[g], func(b similarity.Herb) bool { return a.Name == b.Name }) {
					shared++
				}
			}
			if g != f && shared > 0 {
				v := float64(shared) / float64(len(formulas[f])+len(formulas[g])-shared)
				want = append(want, pair{g, v})
			}
		}
		slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(b.value, a.value) })
		want = want[:min(k, len(want))]
		for i, w := range want {
			if n := got[f].Jaccard[i]; n.Formula != w.formula || math.Abs(n.Value-w.value) > 1e-4 {
				t.Fatalf("formula %d, neighbour %d = %+v; want %+v", f, i, n, w)
			}
		}
		if !slices.IsSortedFunc(got[f].Euclidean, func(a, b similarity.Neighbour) int { return cmp.Compare(a.Value, b.Value) }) {
			t.Fatalf("formula %d: distances are not in order: %+v", f, got[f].Euclidean)
		}
	}
}

func TestTopStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := similarity.Top(ctx, [][]similarity.Herb{{{"甘草", 1}}}, 20); err == nil {
		t.Error("no error after cancellation; want one")
	}
}

func BenchmarkTop(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	formulas := make([][]similarity.Herb, 10_000)
	for i := range formulas {
		for range 7 { // few herbs stand in very many formulas, as 甘草 does
			h := int(math.Exp(r.Float64() * math.Log(2000)))
			formulas[i] = append(formulas[i], similarity.Herb{Name: fmt.Sprint(h), Dose: 1 + r.Float64()})
		}
	}
	for b.Loop() {
		top(b, 20, formulas...)
	}
}
