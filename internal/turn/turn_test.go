package turn_test

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"

	"bencao/internal/turn"
)

// TestYield wants a goroutine that always has something to do to get its turns
// on one processor, where each call is one that somebody waits for.
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
		turn.Yield()
	}
	if got := turns.Load(); got < calls/2 {
		t.Errorf("in %d calls the other had %d turns", calls, got)
	}
	over.Store(true)
	<-done
}

func TestWriter(t *testing.T) {
	var got bytes.Buffer
	w := turn.Writer{To: &got}
	want := bytes.Repeat([]byte("0123456789"), turn.Piece/4)
	for part := want; len(part) > 0; {
		n, err := w.Write(part[:min(len(part), 100_000)])
		if err != nil {
			t.Fatal(err)
		}
		part = part[n:]
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes came, want the %d that were written", got.Len(), len(want))
	}
}
