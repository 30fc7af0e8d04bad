// Package background lets background work yield the processor to requests.
//
// While a server answers from one snapshot, it verifies the next snapshot: it reads hundreds of
// megabytes and computes checksums. Requests are urgent and the verification is not. So the
// verification calls [Yield] after every [Piece] bytes.
package background

import (
	"io"
	"runtime"
	"time"
)

// Piece is the number of bytes that background work should read between two calls of [Yield]. The
// work reads a piece in a tenth of a millisecond, and a piece fits into the processor's cache.
const Piece = 256 << 10

// contended is the duration of [runtime.Gosched] above which Yield assumes that another goroutine
// ran. If no goroutine is waiting, Gosched takes less than a microsecond.
const contended = 20 * time.Microsecond

// Yield lets other goroutines run. If goroutines were waiting, it also pauses for a millisecond,
// ten times as long as the work on a piece takes. So background work uses a tenth of a processor in
// a busy program, and a whole processor in an idle program.
func Yield() {
	began := time.Now()
	runtime.Gosched()
	if time.Since(began) > contended {
		time.Sleep(time.Millisecond)
	}
}

// Writer is an [io.Writer] that calls [Yield] after each [Piece]. It is meant for [io.Copy].
type Writer struct {
	To    io.Writer
	since int // bytes written since the last call of Yield
}

// Write writes p to w.To.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.To.Write(p)
	if w.since += n; w.since >= Piece {
		w.since = 0
		Yield()
	}
	return n, err
}
