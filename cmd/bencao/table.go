package main

import (
	"fmt"
	"io"
	"strings"

	"bencao/internal/invisible"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

// table writes rows in columns, as wide as a terminal shows them: a Chinese
// character takes two places. The last column is not filled up.
type table struct {
	paint   painter
	heading []string // nil for none
	rows    [][]string
	// colours says how cells are shown that say just that.
	colours map[string]colour
}

// newTable returns an empty table for what cmd prints.
func newTable(cmd *cobra.Command, heading ...string) *table {
	return &table{paint: painterFor(cmd, cmd.OutOrStdout()), heading: heading}
}

// row adds a row, which may be shorter than others.
func (t *table) row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = oneLine.Replace(string(invisible.Escape([]byte(fmt.Sprint(c)))))
	}
	t.rows = append(t.rows, texts)
}

// oneLine keeps a cell on the line of its row.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// gap is the space between two columns.
const gap = 2

// cellWidth counts what a terminal takes for a text. Of what may be narrow or
// wide, such as →, terminals show the narrow form today.
var cellWidth = &runewidth.Condition{StrictEmojiNeutral: true}

// write writes all rows.
func (t *table) write(w io.Writer) error {
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
	for n, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		for i, cell := range row {
			how, known := t.colours[cell]
			switch {
			case n == 0 && t.heading != nil:
				b.WriteString(t.paint.text(bold, cell))
			case known:
				b.WriteString(t.paint.text(how, cell))
			default:
				b.WriteString(cell)
			}
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]+gap-cellWidth.StringWidth(cell)))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
