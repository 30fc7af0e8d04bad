package main

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bars shows how far each phase of a run has come, one bar under the other:
// how much of what, how fast and how long it will take.
// What can't be drawn does not matter: then the terminal has gone, and the run
// goes on.
type bars struct {
	w io.Writer

	mu    sync.Mutex // guards what follows and the terminal's line
	phase string
	done  int64
	bar   *progressbar.ProgressBar
}

// asBytes is the unit of what is counted in bytes, and shown in larger units.
const asBytes = "bytes"

// unitOf is what a phase of the indexer counts.
var unitOf = map[string]string{
	"read package":    "rows",
	"pinyin":          "names",
	"read checklists": "names",
	"reconcile":       "species",
	"write":           "records",
}

// show is told how far a phase has come, and in which unit. A total of 0 or
// less is unknown.
func (b *bars) show(phase, unit string, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if phase != b.phase {
		b.finish()
		if total <= 0 {
			total = -1
		}
		b.phase = phase
		options := []progressbar.Option{
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(phase),
			progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that outlives the bar
			progressbar.OptionThrottle(50 * time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionFullWidth(),
		}
		if unit == asBytes {
			options = append(options, progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true))
		} else {
			options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit))
		}
		b.bar = progressbar.NewOptions64(total, options...)
	}
	if total > 0 && b.bar.GetMax64() != total {
		b.bar.ChangeMax64(total)
	}
	b.done = done
	_ = b.bar.Set64(done)
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
		if b.done == b.bar.GetMax64() {
			_ = b.bar.Finish() // drawn in full, which Set may have put off
		}
		_ = b.bar.Exit()
		_, _ = io.WriteString(b.w, "\n")
		b.bar = nil
	}
}
