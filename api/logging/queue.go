// Package logging keeps a slow or dead reader of the log from delaying requests. Log lines go into
// a queue of limited size. A line that does not fit is dropped and counted. One goroutine writes
// the queue.
//
//	request ──▶ slog ──▶ Queue ──▶ writer ──▶ a pipe, whose reader may be
//	                     full: drop and count     slow, stalled or dead
//
// [Refusals] summarizes lines that strangers could fill the log with. The package does not know the
// lines' contents. Begin with [NewQueue].
package logging

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// defaultSize is the size of a [Queue] in bytes: thousands of lines.
const defaultSize = 2 << 20

// pieceSize is the size of a write in bytes. Writes of up to 4096 bytes to a pipe are atomic
// (PIPE_BUF), so lines of two programs do not mix.
const pieceSize = 4096

// linger is how long lines wait for more, so that a busy service writes many at a time. Waking the
// writer for each line would cost as much as formatting it.
const linger = 10 * time.Millisecond

// Queue is a writer of lines that never blocks. It drops and counts lines that do not fit, or that
// cannot be written because a pipe has no reader or a disk is full. When it can write again, it
// writes a line with the number of missing lines. Its methods may be called from many goroutines.
type Queue struct {
	w       io.Writer
	size    int
	notice  func(dropped int64) []byte
	dropped atomic.Int64
	wake    chan struct{} // there is something to write
	hurry   chan struct{} // write the pending lines at once
	ended   chan struct{} // closed when run has returned

	mu      sync.Mutex // guards the fields below
	pending []byte     // complete lines
	missing int64      // lines dropped after the pending ones
	closed  bool
}

// NewQueue returns a queue of at most size bytes, besides the bytes being written. Only the queue
// may write to w. A size of zero is [defaultSize]. notice returns the line with the number of
// dropped lines; nil writes none. The caller must call Close.
func NewQueue(w io.Writer, size int, notice func(dropped int64) []byte) *Queue {
	if size <= 0 {
		size = defaultSize
	}
	if notice == nil {
		notice = func(int64) []byte { return nil }
	}
	q := &Queue{w: w, size: size, notice: notice, wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), ended: make(chan struct{})}
	go q.run()
	return q
}

// Write adds complete lines to the queue. It never returns an error: see [Queue.Dropped].
func (q *Queue) Write(lines []byte) (int, error) {
	q.mu.Lock()
	// After a dropped line, drop the next ones too until the writer has taken the lines before it.
	// The notice then appears where the lines are missing.
	if q.closed || q.missing > 0 || len(q.pending)+len(lines) > q.size {
		n := countLines(lines)
		q.missing += n
		q.dropped.Add(n)
	} else {
		q.pending = append(q.pending, lines...)
	}
	full := q.missing > 0 || len(q.pending) > q.size/2
	q.mu.Unlock()
	poke(q.wake)
	if full {
		poke(q.hurry)
	}
	return len(lines), nil
}

// Dropped returns the number of lines dropped since the start.
func (q *Queue) Dropped() int64 { return q.dropped.Load() }

// Close writes the pending lines and waits up to patience until they are written. A blocked write
// cannot be cancelled and goes on. Later lines are dropped. Close reports whether it has tried to
// write all lines.
func (q *Queue) Close(patience time.Duration) bool {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	poke(q.wake)
	poke(q.hurry)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-q.ended:
		return true
	case <-limit.C:
		return false
	}
}

func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // a signal is already waiting
	}
}

// run writes batches until the queue is closed.
func (q *Queue) run() {
	defer close(q.ended)
	var batch []byte
	var unsaid int64 // missing lines that no notice has reported
	for closed := false; !closed; {
		<-q.wake
		select {
		case <-q.hurry:
		case <-time.After(linger):
		}
		q.mu.Lock()
		batch, q.pending = q.pending, batch[:0]
		missing := q.missing
		q.missing, closed = 0, q.closed
		q.mu.Unlock()
		unsaid += q.write(batch) + missing
		if unsaid > 0 && q.say(unsaid) {
			unsaid = 0
		}
	}
}

// say writes a notice about missing lines and reports whether it succeeded. If not, the next notice
// includes these lines.
func (q *Queue) say(missing int64) bool {
	_, err := q.w.Write(q.notice(missing))
	return err == nil
}

// write writes lines in pieces and returns how many lines failed.
func (q *Queue) write(lines []byte) (failed int64) {
	for len(lines) > 0 {
		piece := lines[:firstPiece(lines)]
		lines = lines[len(piece):]
		if n, err := q.w.Write(piece); err != nil {
			failed += countLines(piece[min(max(n, 0), len(piece)):])
		}
	}
	q.dropped.Add(failed)
	return failed
}

// firstPiece returns the length of the lines to write first: as many as fit into a piece, or one
// longer line.
func firstPiece(lines []byte) int {
	if len(lines) <= pieceSize {
		return len(lines)
	}
	if end := bytes.LastIndexByte(lines[:pieceSize], '\n'); end >= 0 {
		return end + 1
	}
	if end := bytes.IndexByte(lines, '\n'); end >= 0 {
		return end + 1
	}
	return len(lines)
}

// countLines returns the number of lines, including an incomplete last one.
func countLines(b []byte) int64 {
	n := int64(bytes.Count(b, []byte("\n")))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
