package store

import (
	"math/rand/v2"
	"testing"
)

// Marks are found where looking at each byte finds them.
func TestFirstMark(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		text := make([]byte, rnd.IntN(40))
		for i := range text {
			if text[i] = byte(8 + rnd.IntN(248)); rnd.IntN(25) == 0 {
				text[i] = byte(rnd.IntN(10))
			}
		}
		want := 0
		for want < len(text) && text[want] >= 8 {
			want++
		}
		if got := firstMark(text); got != want {
			t.Fatalf("the first mark of %q is at %d, want %d", text, got, want)
		}
	}
}
