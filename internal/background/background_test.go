package background_test

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"

	"bencao/internal/background"
)

// TestYield runs a busy goroutine beside calls of Yield on one processor. Each call must let the
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
		background.Yield()
	}
	if got := turns.Load(); got < calls/2 {
		t.Errorf("the other goroutine ran %[2]d times during %[1]d calls of Yield, want at least half as many as calls", calls, got)
	}
	over.Store(true)
	<-done
}

func TestWriter(t *testing.T) {
	var got bytes.Buffer
	w := background.Writer{To: &got}
	want := bytes.Repeat([]byte("0123456789"), background.Piece/4)
	for part := want; len(part) > 0; {
		n, err := w.Write(part[:min(len(part), 100_000)])
		if err != nil {
			t.Fatal(err)
		}
		part = part[n:]
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got %d bytes, want the %d that were written", got.Len(), len(want))
	}
}
