package kept_test

import (
	"errors"
	"strconv"
	"testing"

	"bencao/api/explorer/kept"
)

// TestRing wants the last things to be kept, made once each, and what failed to be
// made again.
func TestRing(t *testing.T) {
	k := kept.New[int](3)
	made := 0
	of := func(n int) int {
		t.Helper()
		v, err := k.Of(strconv.Itoa(n), func() (int, error) {
			made++
			return 10 * n, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for range 2 {
		for n := range 3 {
			if got := of(n); got != 10*n {
				t.Errorf("%d gives %d", n, got)
			}
		}
	}
	if made != 3 {
		t.Errorf("three things were made %d times", made)
	}
	of(3)
	if _, ok := k.Get("0"); ok {
		t.Error("the oldest of four is kept by a ring of three")
	}
	for _, tag := range []string{"1", "2", "3"} {
		if _, ok := k.Get(tag); !ok {
			t.Errorf("%s is forgotten", tag)
		}
	}
	broken := errors.New("broken")
	if _, err := k.Of("bad", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, ok := k.Get("bad"); ok {
		t.Error("what failed is kept")
	}
}
