package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/rows"
)

// mostRow is the largest size of a row of the form, in bytes when encoded. cellBytes is the number of
// bytes that a cell takes beside its text.
const mostRow, cellBytes = 64 << 10, 16

// matchTable sends a table with the rows that the user chose, as a download. The form sends all
// rows, since the server does not store the list.
func (e *renderer) matchTable(w http.ResponseWriter, v *visit) error {
	return e.intake.form(w, v, mostForm, func(_ context.Context, w http.ResponseWriter, f *received) error {
		chosen, excel, err := readChoices(f)
		if err != nil {
			return err
		}
		if excel {
			for _, row := range chosen {
				for i, cell := range row {
					row[i] = invisible.Drop(cell)
				}
			}
			attach(w, "bencao-names.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
			return rows.WriteSheet(w, "names", chosen)
		}
		attach(w, "bencao-names.csv", csvType)
		return writeSpreadsheet(w, chosen)
	})
}

// readChoices reads the rows of a form: its fields r1 to r10000, sorted by number. excel reports
// whether the user wants a workbook. All other fields are skipped.
func readChoices(f *received) (chosen [][]string, excel bool, err error) {
	fields := bufio.NewScanner(f)
	fields.Buffer(nil, mostRow)
	fields.Split(splitFields)
	lines := map[int][]string{}
	for fields.Scan() {
		name, value, _ := strings.Cut(fields.Text(), "=")
		row, isRow := strings.CutPrefix(name, "r")
		n, err := strconv.Atoi(row)
		if isRow = isRow && err == nil && n >= 1 && n <= mostNames; !isRow && name != "as" {
			continue
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return nil, false, problem.New(problem.BadParameter, formUnread.With(err))
		}
		if !isRow {
			excel = value == "xlsx"
		} else if lines[n] == nil && value != "" {
			cells := make([]string, len(tableColumns))
			if err := f.hold(int64(len(value) + len(cells)*cellBytes)); err != nil {
				return nil, false, err
			}
			// csv.Reader makes a single string of all cells, of the size of the row.
			given, err := csv.NewReader(strings.NewReader(value)).Read()
			if err != nil || len(given) > len(cells) {
				return nil, false, problem.New(problem.BadParameter, formRow.With(n))
			}
			copy(cells, given)
			lines[n] = cells
		}
	}
	if err := fields.Err(); err != nil {
		return nil, false, problem.New(problem.BadParameter, formUnread.With(err))
	}
	var header []string
	for _, column := range tableColumns {
		header = append(header, column.name)
	}
	chosen = [][]string{header}
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		chosen = append(chosen, lines[n])
	}
	return chosen, excel, nil
}

// splitFields splits a form at each &. It is a [bufio.SplitFunc].
func splitFields(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '&'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
