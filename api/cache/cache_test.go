package cache_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"bencao/api/cache"
)

// counted is a cache that counts how often it computes a value.
type counted struct {
	*cache.Cache[int]
	computed int
}

func (c *counted) get(t *testing.T, n int) {
	t.Helper()
	v, err := c.GetOrMake(t.Context(), strconv.Itoa(n), func() (int, error) {
		c.computed++
		return 10 * n, nil
	})
	if err != nil || v != 10*n {
		t.Errorf("%d gives %d, %v", n, v, err)
	}
}

// TestCache checks that the latest values that fit are kept, that each of them is computed once,
// and that the result of a failed call is not stored.
func TestCache(t *testing.T) {
	c := &counted{Cache: cache.New(3, func(v int) bool { return v < 100 })}
	for range 2 {
		for n := range 3 {
			c.get(t, n)
		}
	}
	if c.computed != 3 {
		t.Errorf("three values were computed with %d calls", c.computed)
	}
	c.get(t, 3)
	for n := 3; n > 0; n-- {
		c.get(t, n)
	}
	if c.computed != 4 {
		t.Errorf("the last three of four values were computed with %d calls, want 4", c.computed)
	}
	c.get(t, 0)
	if c.computed != 5 {
		t.Error("a cache of three values has the oldest of four")
	}
	c.get(t, 10)
	c.get(t, 10)
	if c.computed != 7 {
		t.Error("a value is stored that does not fit")
	}
	broken := errors.New("broken")
	if _, err := c.GetOrMake(t.Context(), "11", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	c.get(t, 11)
}

// TestComputedOnce asks for one value from many goroutines while it is being computed.
func TestComputedOnce(t *testing.T) { synctest.Test(t, computedOnce) }

func computedOnce(t *testing.T) {
	c := cache.New[int](3, nil)
	begun, proceed := make(chan struct{}), make(chan struct{})
	compute := func() (int, error) {
		close(begun) // panics if it is called twice
		<-proceed
		return 7, nil
	}
	var wg sync.WaitGroup
	ask := func() {
		if v, err := c.GetOrMake(t.Context(), "a", compute); v != 7 || err != nil {
			t.Errorf("got %d, %v", v, err)
		}
	}
	wg.Go(ask)
	<-begun
	for range 20 {
		wg.Go(ask)
	}
	synctest.Wait() // until all callers wait
	// A caller that leaves does not wait for the value.
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := c.GetOrMake(left, "a", compute); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has left gets %v", err)
	}
	close(proceed)
	wg.Wait()
}

// TestOthersFailure checks that an error or a panic of one caller is not passed on to those that
// wait for its value: one of them computes the value.
func TestOthersFailure(t *testing.T) { synctest.Test(t, othersFailure) }

func othersFailure(t *testing.T) {
	for name, fail := range map[string]func() (int, error){
		"an error": func() (int, error) { return 0, context.Canceled },
		"a panic":  func() (int, error) { panic("broken") },
	} {
		c := cache.New[int](3, nil)
		begun, proceed := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { _ = recover() }() // the panic of the first caller
			if _, err := c.GetOrMake(t.Context(), "a", func() (int, error) {
				close(begun)
				<-proceed
				return fail()
			}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: the caller gets %v", name, err)
			}
		})
		<-begun
		computed := 0 // only one call runs at a time
		for range 20 {
			wg.Go(func() {
				v, err := c.GetOrMake(t.Context(), "a", func() (int, error) { computed++; return 7, nil })
				if v != 7 || err != nil {
					t.Errorf("%s: another caller gets %d, %v", name, v, err)
				}
			})
		}
		synctest.Wait() // until the others wait
		close(proceed)
		wg.Wait()
		if computed != 1 {
			t.Errorf("%s: the others computed the value %d times, want once", name, computed)
		}
	}
}
