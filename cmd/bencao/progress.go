package main

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bars shows how far each phase of a run has come, one bar under the other.
// What can't be drawn does not matter: then the terminal has gone, and the run
// goes on.
type bars struct {
	w io.Writer

	mu    sync.Mutex // guards what follows and the terminal's line
	phase string
	done  int
	bar   *progressbar.ProgressBar
}

// show is told by the indexer how far a phase has come. A total of 0 is
// unknown.
func (b *bars) show(phase string, done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if phase != b.phase {
		b.finish()
		if total == 0 {
			total = -1
		}
		b.phase = phase
		b.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(phase),
			progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that outlives the bar
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionFullWidth(),
		)
	}
	if total > 0 && b.bar.GetMax() != total {
		b.bar.ChangeMax(total)
	}
	b.done = done
	_ = b.bar.Set(done)
}

// Write puts a log line above the bar.
func (b *bars) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	return b.w.Write(line)
}

// end leaves the last bar as it is.
func (b *bars) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finish()
}

// finish goes to the line under the bar.
func (b *bars) finish() {
	if b.bar != nil {
		if b.done == b.bar.GetMax() {
			_ = b.bar.Finish() // drawn in full, which Set may have put off
		}
		_ = b.bar.Exit()
		_, _ = io.WriteString(b.w, "\n")
		b.bar = nil
	}
}
