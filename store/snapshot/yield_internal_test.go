package snapshot

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// TestYield runs a busy goroutine beside calls of yield on one processor. Each call must let the
// other goroutine run.
func TestYield(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var turns atomic.Int64
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			turns.Add(1)
			runtime.Gosched()
		}
	}()
	const calls = 1000
	for range calls {
		yield()
	}
	if got := turns.Load(); got < calls/2 {
		t.Errorf("the other goroutine ran %[2]d times during %[1]d calls of yield, want at least half as many as calls", calls, got)
	}
	over.Store(true)
	<-done
}
