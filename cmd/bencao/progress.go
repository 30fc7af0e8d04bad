package main

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// bars shows how far each phase of a run has come, one bar under the other.
type bars struct {
	w     io.Writer
	phase string
	bar   *progressbar.ProgressBar
}

// show is told by the indexer how far a phase has come.
func (b *bars) show(phase string, done, total int) {
	if phase != b.phase {
		b.end()
		b.phase = phase
		b.bar = progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetDescription(phase),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowCount(),
			progressbar.OptionFullWidth(),
		)
	}
	if total > 0 && b.bar.GetMax() != total {
		b.bar.ChangeMax(total)
	}
	// What can't be drawn does not matter: the terminal has gone.
	_ = b.bar.Set(done)
}

// end leaves the bar of the last phase as it is and goes to a new line.
func (b *bars) end() {
	if b.bar != nil {
		_ = b.bar.Exit()
		_, _ = io.WriteString(b.w, "\n")
	}
}
