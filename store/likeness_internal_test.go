package store

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestAppendSteps wants values as strconv writes them: all up to three, and others up to the
// largest that rests as a number of steps.
func TestAppendSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(200_000) {
		k := i
		if k > 3*valueSteps {
			k = random.Uint64N(math.MaxUint32)
		}
		want := strconv.FormatFloat(float64(k)/valueSteps, 'f', -1, 64)
		if got := string(appendSteps(nil, k)); got != want {
			t.Fatalf("%d steps: %s, want %s", k, got, want)
		}
	}
}
