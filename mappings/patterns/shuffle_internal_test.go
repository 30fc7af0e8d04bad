package patterns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestShuffleKeepsMargins checks that a shuffle changes neither the size of a formula nor the number
// of formulas of a drug, and that no formula gets a drug twice.
func TestShuffleKeepsMargins(t *testing.T) {
	const drugs = 40
	random := rand.New(rand.NewPCG(1, 2))
	s := &shuffler{random: rand.NewPCG(3, 4), in: make([]uint8, drugs)}
	for range 60 {
		set := random.Perm(drugs)[:1+random.IntN(12)]
		one := make([]uint32, len(set))
		for i, drug := range set {
			one[i] = uint32(drug)
		}
		s.sets = append(s.sets, one)
	}
	margins := func() (sizes []int, frequencies [drugs]int) {
		for i, set := range s.sets {
			sizes = append(sizes, len(set))
			for _, drug := range set {
				frequencies[drug]++
			}
			if sorted := slices.Sorted(slices.Values(set)); len(slices.Compact(sorted)) != len(set) {
				t.Fatalf("formula %d has a drug twice: %d", i, set)
			}
		}
		return sizes, frequencies
	}
	sizes, frequencies := margins()
	before := fmt.Sprint(s.sets)
	s.shuffle(20)
	newSizes, newFrequencies := margins()
	if !slices.Equal(sizes, newSizes) || frequencies != newFrequencies {
		t.Errorf("sizes %d became %d, frequencies %d became %d", sizes, newSizes, frequencies, newFrequencies)
	}
	if fmt.Sprint(s.sets) == before {
		t.Error("the shuffle changed nothing")
	}
	if slices.ContainsFunc(s.in, func(mark uint8) bool { return mark != 0 }) {
		t.Errorf("marks are left: %d", s.in)
	}
}

// TestExchangeIsUniform exchanges drugs between two formulas, which share one drug. Each of the ten
// ways to divide the other five drugs must occur about equally often.
func TestExchangeIsUniform(t *testing.T) {
	const exchanges = 100_000
	s := &shuffler{random: rand.NewPCG(5, 6), in: make([]uint8, 6)}
	ways := map[string]int{}
	x, y := []uint32{0, 1, 2}, []uint32{0, 3, 4, 5}
	for range exchanges {
		s.exchange(x, y)
		ways[fmt.Sprint(slices.Sorted(slices.Values(x)))]++
	}
	if len(ways) != 10 {
		t.Errorf("%d ways to divide the drugs, want 10: %v", len(ways), ways)
	}
	deviation := math.Sqrt(exchanges * 0.1 * 0.9)
	for way, n := range ways {
		if math.Abs(float64(n)-exchanges/10) > 5*deviation {
			t.Errorf("%s occurs %d times of %d, want a tenth", way, n, exchanges)
		}
	}
}

// Limits of shuffles, for tests and benchmarks outside of the package.
const (
	MostShuffled = mostShuffled
	BurnIn       = burnIn
)
