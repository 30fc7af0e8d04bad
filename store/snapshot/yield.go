package snapshot

import (
	"runtime"
	"time"
)

// piece is the number of bytes that a verification reads between two calls of yield. It reads a piece
// in a tenth of a millisecond, and a piece fits into the processor's cache.
const piece = 256 << 10

// contended is the duration of [runtime.Gosched] above which yield assumes that another goroutine
// ran. If no goroutine is waiting, Gosched takes less than a microsecond.
const contended = 20 * time.Microsecond

// yield lets other goroutines run. While a server answers from one snapshot, it verifies the next
// snapshot: it reads hundreds of megabytes and computes checksums. Requests are urgent and the
// verification is not. So if goroutines were waiting, yield also pauses for a millisecond, ten times
// as long as the work on a piece takes. A verification thus uses a tenth of a processor in a busy
// program, and a whole processor in an idle program.
func yield() {
	began := time.Now()
	runtime.Gosched()
	if time.Since(began) > contended {
		time.Sleep(time.Millisecond)
	}
}
