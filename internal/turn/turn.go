// Package turn lets requests go first. A server looks at the next snapshot
// while it answers from this one: hundreds of megabytes are read, checksums
// made, pages walked. That work has time, a request has not.
package turn

import (
	"io"
	"runtime"
	"time"
)

// Piece is how much a background reader should read between two calls of
// [Yield], in bytes: a tenth of a millisecond's work, and small enough to stay
// in the processor's cache.
const Piece = 256 << 10

// busy is how long giving way takes, where somebody else took the turn. With
// nobody waiting it is over in less than a microsecond.
const busy = 20 * time.Microsecond

// Yield lets other goroutines run. Where it shows that some were waiting, it
// also leaves them the processor for ten times what a piece takes: in a
// program that answers, background work uses about a tenth of a processor; in
// one that does not, all of it.
func Yield() {
	began := time.Now()
	runtime.Gosched()
	if time.Since(began) > busy {
		time.Sleep(time.Millisecond)
	}
}

// Writer is an io.Writer that yields after each piece, for io.Copy.
type Writer struct {
	To    io.Writer
	since int // bytes
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
