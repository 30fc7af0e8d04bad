package snapshot_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"bencao/store/snapshot"
)

// resource is something that must not be used once it is closed, such as a
// mapped file.
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
	live.Swap(&resource{number: 2}) // returns, although 1 is used
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
		t.Errorf("Close with a user left: %v, want that it waited for ctx", err)
	}
	if n := two.closed.Load(); n != 0 {
		t.Errorf("closed %d times by a Close that gave up", n)
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

// Many users and many swaps: nobody sees a closed value, and every value is
// closed exactly once.
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
					t.Errorf("acquired %d after %d: an older value came back", r.number, last)
				}
				last = r.number
				if r.closed.Load() != 0 {
					t.Errorf("value %d is used after it was closed", r.number)
				}
				inner, releaseInner := live.Acquire() // a request may ask twice
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
		t.Errorf("Acquire and release allocate %v times, want 0: it is done for every request", n)
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
