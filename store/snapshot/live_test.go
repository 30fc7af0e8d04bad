package snapshot_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"bencao/store/snapshot"
)

// resource is a value that must not be used after it is closed, such as a mapped file.
type resource struct {
	number int
	closed atomic.Int32
}

func TestLive(t *testing.T) {
	closing := make(chan int, 9)
	live := snapshot.NewLive(&resource{number: 1}, func(r *resource) {
		r.closed.Add(1)
		closing <- r.number
	})
	one, release := live.Acquire()
	again, releaseAgain := live.Acquire()
	if one.number != 1 || again != one {
		t.Errorf("acquired %d and %d, want 1 twice", one.number, again.number)
	}
	live.Swap(&resource{number: 2}) // does not wait although 1 is in use
	if two, release := live.Acquire(); two.number != 2 {
		t.Errorf("after the swap, acquired %d, want 2", two.number)
	} else {
		release()
	}
	release()
	if n := one.closed.Load(); n != 0 {
		t.Errorf("closed %d times while it has a user", n)
	}
	releaseAgain()
	if got := <-closing; got != 1 {
		t.Errorf("closed %d, want 1 after its last user", got)
	}

	two, release := live.Acquire()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := live.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close with a user left: %v, want the error of ctx", err)
	}
	if n := two.closed.Load(); n != 0 {
		t.Errorf("the value is closed %d times although it has a user", n)
	}
	release()
	if err := live.Close(t.Context()); err != nil || two.closed.Load() != 1 {
		t.Errorf("Close: %v, closed %d times, want once", err, two.closed.Load())
	}
	<-closing
	live.Swap(&resource{number: 3})
	if got := <-closing; got != 3 {
		t.Errorf("a swap after Close closed %d, want 3", got)
	}
	panics(t, "acquire after Close", func() { live.Acquire() })
}

func TestLiveReleasedTwice(t *testing.T) {
	live := snapshot.NewLive(1, func(int) {})
	_, release := live.Acquire()
	live.Swap(2)
	release()
	panics(t, "a second release", release)
	must(t, live.Close(t.Context()))
}

func panics(t *testing.T, what string, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	do()
}

// TestLiveUnderLoad swaps often while there are many users. No user may get a closed value, and
// each value must be closed exactly once.
func TestLiveUnderLoad(t *testing.T) {
	const users, swaps = 16, 2000
	all := make([]*resource, swaps+1)
	for i := range all {
		all[i] = &resource{number: i}
	}
	live := snapshot.NewLive(all[0], func(r *resource) { r.closed.Add(1) })
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range users {
		wg.Go(func() {
			last := 0
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, release := live.Acquire()
				if r.number < last {
					t.Errorf("acquired %d after %d, want no older value", r.number, last)
				}
				last = r.number
				if r.closed.Load() != 0 {
					t.Errorf("value %d is used after it was closed", r.number)
				}
				inner, releaseInner := live.Acquire() // a request may acquire a value twice
				if inner.closed.Load() != 0 || r.closed.Load() != 0 {
					t.Errorf("value %d or %d is used after it was closed", r.number, inner.number)
				}
				releaseInner()
				release()
			}
		})
	}
	for _, r := range all[1:] {
		live.Swap(r)
	}
	close(stop)
	wg.Wait()
	must(t, live.Close(t.Context()))
	for _, r := range all {
		if n := r.closed.Load(); n != 1 {
			t.Errorf("value %d was closed %d times", r.number, n)
		}
	}
}

func TestLiveAllocatesNothing(t *testing.T) {
	live := snapshot.NewLive(&resource{}, func(*resource) {})
	if n := testing.AllocsPerRun(100, func() {
		_, release := live.Acquire()
		release()
	}); n != 0 {
		t.Errorf("Acquire and release allocate %v times, want 0, since every request calls them", n)
	}
	must(t, live.Close(t.Context()))
}

func BenchmarkLive(b *testing.B) {
	live := snapshot.NewLive(&resource{}, func(*resource) {})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, release := live.Acquire()
			release()
		}
	})
}

// TestLiveKeeps keeps two replaced values open and acquires them. Older values must be closed.
func TestLiveKeeps(t *testing.T) {
	closing := make(chan int, 9)
	live := snapshot.NewLive(&resource{number: 1}, func(r *resource) { closing <- r.number })
	live.Keep(2)
	find := func(n int) bool {
		r, release, found := live.AcquireThat(func(r *resource) bool { return r.number == n })
		if found {
			if r.number != n {
				t.Errorf("asked for %d, got %d", n, r.number)
			}
			release()
		}
		return found
	}
	for n := 2; n <= 4; n++ {
		live.Swap(&resource{number: n})
	}
	if got := <-closing; got != 1 {
		t.Errorf("closed %d, want 1: the two values before the current one stay open", got)
	}
	for n, want := range []bool{false, false, true, true, true, false} {
		if got := find(n); got != want {
			t.Errorf("value %d is found: %t, want %t", n, got, want)
		}
	}
	_, release, _ := live.AcquireThat(func(r *resource) bool { return r.number == 2 })
	live.Keep(1)
	if find(2) {
		t.Error("value 2 is found although only the newest replaced value is kept")
	}
	release()
	if got := <-closing; got != 2 {
		t.Errorf("closed %d, want 2 after its last user", got)
	}
	must(t, live.Close(t.Context()))
	if a, b := <-closing, <-closing; a+b != 7 {
		t.Errorf("closed %d and %d in the end, want 3 and 4", a, b)
	}
}

// TestLiveKeepsUnderLoad swaps values while goroutines acquire the latest value by its number. They
// must find the value, since it is current or kept. It must not be closed while it is in use.
func TestLiveKeepsUnderLoad(t *testing.T) {
	live := snapshot.NewLive(&resource{number: 0}, func(r *resource) { r.closed.Add(1) })
	live.Keep(1)
	var latest atomic.Int64
	var stop atomic.Bool
	var found atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for !stop.Load() {
				want := int(latest.Load())
				r, release, ok := live.AcquireThat(func(r *resource) bool { return r.number == want })
				if !ok {
					if now := int(latest.Load()); now == want {
						t.Errorf("%d was not found while %d is current", want, now)
					}
					continue
				}
				if r.closed.Load() != 0 || r.number != want {
					t.Errorf("asked for %d, got %d, closed %d times", want, r.number, r.closed.Load())
				}
				found.Add(1)
				release()
			}
		})
	}
	for n := 1; n < 2000; n++ {
		live.Swap(&resource{number: n})
		latest.Store(int64(n))
	}
	for found.Load() < 1000 {
		runtime.Gosched()
	}
	stop.Store(true)
	all.Wait()
	must(t, live.Close(t.Context()))
}
