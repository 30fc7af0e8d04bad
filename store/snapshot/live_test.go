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
	_, release, _ := live.AcquireThat(func(r *resource) bool { return r.number == 3 })
	find(2)
	live.Keep(1)
	if find(3) {
		t.Error("value 3 is found although only the last used earlier value is kept, which is 2")
	}
	release()
	if got := <-closing; got != 3 {
		t.Errorf("closed %d, want 3 after its last user", got)
	}
	must(t, live.Close(t.Context()))
	if a, b := <-closing, <-closing; a+b != 6 {
		t.Errorf("closed %d and %d in the end, want 2 and 4", a, b)
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

// TestOpen opens earlier values on demand. The one that was used least recently gives way, and only
// after its last user: no more values than the Live keeps are open besides the current one.
func TestOpen(t *testing.T) {
	var open, most atomic.Int32
	load := func(number int) func() (*resource, error) {
		return func() (*resource, error) {
			most.Store(max(most.Load(), open.Add(1)))
			return &resource{number: number}, nil
		}
	}
	first, err := load(9)()
	must(t, err)
	live := snapshot.NewLive(first, func(r *resource) { r.closed.Add(1); open.Add(-1) })
	if _, _, err := live.Open(t.Context(), load(1)); !errors.Is(err, snapshot.ErrNoneKept) {
		t.Errorf("opened a value of a Live that keeps none: %v", err)
	}
	live.Keep(2)
	numbered := func(n int) (func(), bool) {
		_, release, found := live.AcquireThat(func(r *resource) bool { return r.number == n })
		return release, found
	}
	for n := 1; n <= 2; n++ {
		_, release, err := live.Open(t.Context(), load(n))
		must(t, err)
		release()
	}
	release, found := numbered(1) // now 2 is the one that was used least recently
	if !found {
		t.Fatal("1 is not open")
	}
	_, releaseThree, err := live.Open(t.Context(), load(3))
	must(t, err)
	if _, found := numbered(2); found {
		t.Error("2 is still open, although 1 was used after it")
	}

	// 1 is in use, and the next value has to wait for it.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	releaseThree()
	if release, found := numbered(3); found {
		release()
	}
	if _, _, err := live.Open(ended, load(4)); !errors.Is(err, context.Canceled) {
		t.Errorf("opened a fourth value while 1 has a user: %v", err)
	}
	release()
	if _, release, err := live.Open(t.Context(), load(4)); err != nil {
		t.Errorf("after the last user of 1: %v", err)
	} else {
		release()
	}
	if got := most.Load(); got > 3 {
		t.Errorf("%d values were open at once, want the current one and two", got)
	}
	failure := errors.New("broken")
	if _, _, err := live.Open(t.Context(), func() (*resource, error) { return nil, failure }); !errors.Is(err, failure) {
		t.Errorf("a value that cannot be loaded: %v", err)
	}
	must(t, live.Close(t.Context()))
	if got := open.Load(); got != 0 {
		t.Errorf("%d values are open after Close", got)
	}
}
