package cache_test

import (
	"errors"
	"strconv"
	"testing"

	"bencao/api/explorer/cache"
)

// TestCache checks that the latest values are kept, that each of them is made once, and that the
// result of a failed call is not stored.
func TestCache(t *testing.T) {
	c := cache.New[int](3)
	made := 0
	get := func(n int) int {
		t.Helper()
		v, err := c.GetOrMake(strconv.Itoa(n), func() (int, error) {
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
			if got := get(n); got != 10*n {
				t.Errorf("%d gives %d", n, got)
			}
		}
	}
	if made != 3 {
		t.Errorf("three values were made with %d calls", made)
	}
	get(3)
	if _, ok := c.Get("0"); ok {
		t.Error("a cache of three values has the oldest of four")
	}
	for _, key := range []string{"1", "2", "3"} {
		if _, ok := c.Get(key); !ok {
			t.Errorf("%s is missing", key)
		}
	}
	broken := errors.New("broken")
	if _, err := c.GetOrMake("bad", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, ok := c.Get("bad"); ok {
		t.Error("an error is stored")
	}
}
