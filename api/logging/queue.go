// Package logging keeps the log from silencing the service: what is logged
// goes into a bounded queue that takes a line at once or drops it, and one
// goroutine writes the queue to where the log goes.
//
//	request ──▶ slog ──▶ Queue ──▶ writer ──▶ a pipe, whose reader may be
//	                     full: dropped, counted   slow, stalled or dead
//
// It also sums up what strangers could fill a log with: see [Refusals].
package logging

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// defaultSize is how many bytes of lines a [Queue] holds: thousands of lines.
const defaultSize = 2 << 20

// pieceSize is how much is written at a time, in bytes. A pipe takes as much
// in one piece (PIPE_BUF), so that lines of two programs don't mix in it.
const pieceSize = 4096

// linger is how long lines wait for others, so that a busy service writes many at a time:
// to wake the writer for each would cost as much as to make the line.
const linger = 10 * time.Millisecond

// Queue is a writer of lines that never makes its caller wait. What does not
// fit is dropped and counted; once there is room again, a line says how many
// were. So it is, too, with lines that can't be written: to a pipe without a
// reader, or a full disk. Its methods may be called from many goroutines.
type Queue struct {
	w       io.Writer
	size    int
	notice  func(dropped int64) []byte
	dropped atomic.Int64
	wake    chan struct{} // told that there is something to do
	hurry   chan struct{} // told that it can't wait
	ended   chan struct{} // closed when the writer has ended

	mu      sync.Mutex // guards what follows
	pending []byte     // whole lines
	missing int64      // lines dropped behind those that are pending
	closed  bool
}

// NewQueue returns a queue of at most size bytes, and as many that are being
// written, to w, which the queue alone must write to. Zero is [defaultSize].
// Notice makes the line that says how many were dropped; nil makes none.
// Close it.
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

// Write takes lines, as slog gives them, one or more at a time. It returns no
// error, because nobody could do anything about it: see [Queue.Dropped].
func (q *Queue) Write(lines []byte) (int, error) {
	q.mu.Lock()
	// After one line was dropped the next are, too, until the writer comes
	// for those before it: so a notice stands where the lines are missing.
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

// Dropped is how many lines were dropped since the start.
func (q *Queue) Dropped() int64 { return q.dropped.Load() }

// Close writes what is pending, for at most as long as patience: a write that
// nobody takes can't be called off, and is left behind. What is logged later
// is dropped. It reports whether everything was written, or tried.
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
	default: // it has been told
	}
}

// run writes batch after batch until the queue is closed.
func (q *Queue) run() {
	defer close(q.ended)
	var batch []byte
	var unsaid int64 // lines that are missing and of which no line has told
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

// say writes the line about lines that are missing, and reports whether it
// could. If not, the next one tells of these, too.
func (q *Queue) say(missing int64) bool {
	_, err := q.w.Write(q.notice(missing))
	return err == nil
}

// write writes lines, a piece at a time, and returns how many of them could
// not be.
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

// firstPiece is the length of the lines that are written first: as many as
// fit into a piece, or one longer one.
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

// countLines counts lines, a last one without its end among them.
func countLines(b []byte) int64 {
	n := int64(bytes.Count(b, []byte("\n")))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
