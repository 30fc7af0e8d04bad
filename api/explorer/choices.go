package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names/bulk"
)

// The errors about a form or about the list of names in it.
var (
	listBytes   = messages.Define("list-bytes", "the list has %v; a list of at most %v is taken")
	tableBytes  = messages.Define("table-bytes", "the list with its answers has more than %v MB; leave out columns that are not needed")
	listNoForm  = messages.Define("list-no-form", "the list was not sent with a form; use the form of this page")
	listEmpty   = messages.Define("list-empty", "the list is empty; write a name into each line, or choose a file")
	listNoNames = messages.Define("list-no-names", "the list has no names; write one into each line")
	formUnread  = messages.Define("form-unread", "the form can't be read: %v")
	formEncoded = messages.Define("form-encoded", "a part of the form has the Content-Transfer-Encoding %v; send it without one")
	formParts   = messages.Define("form-parts", "the form has more than %v parts, and the first ones have no list; use the form of this page")
	formRow     = messages.Define("form-row", "row %v of the form can't be read")
)

// mostRow is the largest size of a row of the form, in bytes when encoded. cellBytes is the number of
// bytes that a cell takes beside its text.
const mostRow, cellBytes = 64 << 10, 16

// tableColumns lists the columns of the downloaded table. To add a column, add a row here. A row
// for which the user chose no candidate has only the columns with ofRow, and c is nil.
var tableColumns = []struct {
	name  string
	ofRow bool
	cell  func(r *matchRow, c *candidate) string
}{
	{"row", true, func(r *matchRow, _ *candidate) string { return strconv.Itoa(r.Number) }},
	{"given", true, func(r *matchRow, _ *candidate) string { return r.Given }},
	{"band", true, func(r *matchRow, _ *candidate) string { return r.Band }},
	{"score", false, func(_ *matchRow, c *candidate) string { return strconv.FormatFloat(c.Score, 'f', 2, 64) }},
	{"matchType", false, func(_ *matchRow, c *candidate) string { return c.MatchType }},
	{"matchedName", false, func(_ *matchRow, c *candidate) string { return c.MatchedName }},
	{"matchedAuthor", false, func(_ *matchRow, c *candidate) string { return c.MatchedAuthor }},
	{"acceptedName", false, func(_ *matchRow, c *candidate) string { return c.AcceptedName }},
	{"acceptedAuthor", false, func(_ *matchRow, c *candidate) string { return c.AcceptedAuthor }},
	{"acceptedFamily", false, func(_ *matchRow, c *candidate) string { return c.AcceptedFamily }},
	{"chineseName", false, func(_ *matchRow, c *candidate) string { return c.ChineseName }},
	{"wcvpId", false, func(_ *matchRow, c *candidate) string { return c.WCVPID }},
	{"ipniId", false, func(_ *matchRow, c *candidate) string { return c.IPNIID }},
	{"wfoId", false, func(_ *matchRow, c *candidate) string { return c.WFOID }},
	{"guid", false, func(_ *matchRow, c *candidate) string { return c.GUID }},
	{"taxonStatus", false, func(_ *matchRow, c *candidate) string { return c.TaxonStatus }},
	{"matchSource", false, func(_ *matchRow, c *candidate) string { return c.MatchSource }},
	{"remark", true, func(r *matchRow, c *candidate) string {
		if c == nil {
			return strings.Join(r.Said, "; ")
		}
		return strings.Join(c.said, "; ")
	}},
}

// tableLine returns a row of the downloaded table as a line of CSV. c is the candidate that the user
// chose, or nil if there is none.
func tableLine(r *matchRow, c *candidate) string {
	cells := make([]string, len(tableColumns))
	for i, column := range tableColumns {
		if c != nil || column.ofRow {
			cells[i] = column.cell(r, c)
		}
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(cells) // writing to a strings.Builder never fails
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// matchTable sends a table with the rows that the user chose, as a download. The form sends all
// rows, since the server does not store the list.
func (e *renderer) matchTable(w http.ResponseWriter, v *visit) error {
	return e.form(w, v, mostForm, func(_ context.Context, w http.ResponseWriter, f *received) error {
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

// saveList matches a list of names and sends the whole table, with the best candidate of each name.
// It sends nothing before the table is complete, because the user could not see that a file is
// truncated.
func saveList(ctx context.Context, w http.ResponseWriter, p *place, match bulk.Matcher, in io.Reader, opt bulk.Options) error {
	table := &limited{place: p}
	stats, err := bulk.Run(ctx, match, in, table, opt)
	switch {
	case err != nil:
		return listError(err)
	case stats.Rows > mostNames:
		return problem.New(problem.BadParameter, bulk.TooManyNames.With(typeset.Thousands(mostNames)))
	}
	attach(w, "bencao-names.csv", csvType)
	w.Header().Set("Content-Length", strconv.Itoa(table.size))
	_, err = table.WriteTo(w)
	return err
}

// mostTable is the largest size of a table that saveList sends, in bytes.
const mostTable = 24 << 20

// limited holds a table without invisible characters and fails if it becomes too large, since many
// cells of an uploaded workbook may share one long text.
type limited struct {
	net.Buffers
	place *place
	size  int
}

// Write adds lines to the table. The first write begins with a byte-order mark, which is kept.
func (l *limited) Write(b []byte) (int, error) {
	if l.size+len(b) > mostTable {
		return 0, tableBytes.With(mostTable >> 20)
	}
	if err := l.place.hold(int64(len(b))); err != nil {
		return 0, err
	}
	text, marked := bytes.CutPrefix(b, []byte(byteOrderMark))
	if text = invisible.DropBytes(bytes.Clone(text)); marked && l.size == 0 {
		text = append([]byte(byteOrderMark), text...)
	}
	l.size += len(text)
	l.Buffers = append(l.Buffers, text)
	return len(b), nil
}

// doubts lists the flags that make a person check a match, however high the score is.
// docs/name-matching.md explains each flag.
var doubts = []string{"ambiguous", "qualifier", "proParte", "possible", "familyDiffers", "drugDiffersFromPlant", "chineseNameDiffers", "nameNotFound", "folkName", "rankDiffers"}

// spellings lists the flags for a name that is spelled differently from the matched name.
var spellings = []string{"orthography", "genderEnding", "epithetCorrected", "genusCorrected"}
