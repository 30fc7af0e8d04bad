// Package background lets background work yield to requests.
//
// While a server answers from one snapshot, it verifies the next: it reads hundreds of megabytes
// and computes checksums. Requests are urgent and this work is not. It therefore calls [Yield]
// after every [Piece] bytes.
package background

import (
	"io"
	"runtime"
	"time"
)

// Piece is how many bytes background work should read between two calls of [Yield]. It takes a
// tenth of a millisecond and fits into the processor's cache.
const Piece = 256 << 10

// contended is the smallest duration of [runtime.Gosched] at which Yield assumes that another
// goroutine ran. If no goroutine is waiting, Gosched takes less than a microsecond.
const contended = 20 * time.Microsecond

// Yield lets other goroutines run. If some were waiting, it also pauses for ten times the duration
// of a piece. Background work thus uses a tenth of a processor in a busy program, and a whole one
// in an idle program.
func Yield() {
	began := time.Now()
	runtime.Gosched()
	if time.Since(began) > contended {
		time.Sleep(time.Millisecond)
	}
}

// Writer is an io.Writer that yields after each piece. It is meant for io.Copy.
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
