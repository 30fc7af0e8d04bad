package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"bencao/internal/invisible"

	"github.com/mattn/go-runewidth"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

func printJSON(cmd *cobra.Command, v any) error {
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// size returns a number of bytes as text for people, such as 1.5 MiB.
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	v, units := float64(n)/unit, "KMGT"
	for v >= unit && len(units) > 1 {
		v, units = v/unit, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", v, units[0])
}

// table aligns rows in columns by their width on a terminal, where a Chinese character takes two
// columns. The last column is not padded.
type table struct {
	heading []string // nil means no heading
	rows    [][]string
}

// newTable returns an empty table.
func newTable(heading ...string) *table { return &table{heading: heading} }

// row adds a row, which may have fewer cells than others.
func (t *table) row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = oneLine.Replace(string(invisible.Escape([]byte(fmt.Sprint(c)))))
	}
	t.rows = append(t.rows, texts)
}

// oneLine replaces line breaks and tabs in a cell by spaces.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// gap is the space between two columns.
const gap = 2

// cellWidth measures the width of texts on a terminal. Characters of ambiguous width, such as →,
// are one column wide on current terminals.
var cellWidth = &runewidth.Condition{StrictEmojiNeutral: true}

// write writes the heading and all rows.
func (t *table) write(w io.Writer) error {
	_, err := io.WriteString(w, t.text())
	return err
}

// text returns the heading and all rows as text.
func (t *table) text() string {
	rows := t.rows
	if t.heading != nil {
		rows = append([][]string{t.heading}, rows...)
	}
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cellWidth.StringWidth(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]+gap-cellWidth.StringWidth(cell)))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// screen is standard output on a terminal. It escapes invisible characters, because escape
// sequences in data could control the terminal.
type screen struct{ file *os.File }

// onScreen returns a screen on w if w is a terminal, and otherwise w.
func onScreen(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && onTerminal(w) {
		return screen{f}
	}
	return w
}

// Write writes b with invisible characters escaped.
func (s screen) Write(b []byte) (int, error) {
	if _, err := s.file.Write(invisible.Escape(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// bars shows the progress of a run on a terminal, with a bar for each phase. It ignores errors of
// drawing, because the run must continue even if the terminal is gone.
type bars struct {
	w io.Writer

	mu    sync.Mutex // guards the fields below and the terminal's line
	phase string
	done  int64
	bar   *progressbar.ProgressBar
}

// asBytes is the unit of phases that count bytes. Bars show such counts in larger units, such as
// MB.
const asBytes = "bytes"

// unitOf maps each phase of the indexer to the kind of thing that it counts.
var unitOf = map[string]string{
	"read package":    "rows",
	"pinyin":          "names",
	"read checklists": "names",
	"reconcile":       "species",
	"write":           "records",
}

// show updates the bar of a phase, or draws a bar if the phase has none yet. A total of 0 or less
// means that the total is unknown.
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
			progressbar.OptionSetSpinnerChangeInterval(0), // otherwise a goroutine would outlive the bar
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

// Write writes a log line above the bar.
func (b *bars) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	return b.w.Write(line)
}

// end ends the last bar.
func (b *bars) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finish()
}

// finish ends the bar and its line. The caller must hold mu.
func (b *bars) finish() {
	if b.bar != nil {
		if b.done == b.bar.GetMax64() {
			_ = b.bar.Finish() // draws the full bar, which Set may not have drawn
		}
		_ = b.bar.Exit()
		_, _ = io.WriteString(b.w, "\n")
		b.bar = nil
	}
}
