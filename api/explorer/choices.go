package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names/bulk"
)

// The errors about a form or about the list of names in it.
var (
	listBytes   = messages.Define("list-bytes", "the list has %v; a list of at most %v is taken")
	listNames   = messages.Define("list-names", "the list has more than %v names; split it")
	tableBytes  = messages.Define("table-bytes", "the list with its answers has more than %v MB; leave out columns that are not needed")
	listNoForm  = messages.Define("list-no-form", "the list was not sent with a form; use the form of this page")
	listEmpty   = messages.Define("list-empty", "the list is empty; write a name into each line, or choose a file")
	listNoNames = messages.Define("list-no-names", "the list has no names; write one into each line")
	formUnread  = messages.Define("form-unread", "the form can't be read: %v")
	formEncoded = messages.Define("form-encoded", "a part of the form has the Content-Transfer-Encoding %v; send it without one")
	formParts   = messages.Define("form-parts", "the form has more than %v parts, and the first ones have no list; use the form of this page")
	formRow     = messages.Define("form-row", "row %v of the form can't be read")
)

// mostRow is the largest size of a row of the form, in bytes when encoded.
const mostRow = 64 << 10

// tableHeader lists the columns of the downloaded table.
var tableHeader = []string{"row", "given", "band", "score", "matchType", "matchedName", "matchedAuthor", "acceptedName", "acceptedAuthor", "acceptedFamily", "chineseName", "wcvpId", "ipniId", "wfoId", "guid"}

// matchTable sends a table with the rows that the user chose, as a download. The form sends all
// rows, since the server does not store the list.
func (e *renderer) matchTable(w http.ResponseWriter, v *visit) error {
	return e.form(w, v, mostChoices, func(_ context.Context, w http.ResponseWriter, body io.Reader) error {
		chosen, excel, err := readChoices(body)
		if err != nil {
			return err
		}
		if excel {
			book, err := workbook("bencao-names.xlsx", chosen)
			if err != nil {
				return err
			}
			return book.send(w)
		}
		return spreadsheet("bencao-names.csv", chosen).send(w)
	})
}

// readChoices reads the rows of a form: its fields r1 to r10000, sorted by number. excel reports
// whether the user wants a workbook. All other fields are skipped.
func readChoices(body io.Reader) (chosen [][]string, excel bool, err error) {
	fields := bufio.NewScanner(body)
	fields.Buffer(nil, mostRow)
	fields.Split(splitFields)
	lines := map[int]string{}
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
		} else if lines[n] == "" {
			lines[n] = value
		}
	}
	if err := fields.Err(); err != nil {
		return nil, false, problem.New(problem.BadParameter, formUnread.With(err))
	}
	chosen = [][]string{tableHeader}
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if lines[n] == "" {
			continue
		}
		cells, err := csv.NewReader(strings.NewReader(lines[n])).Read()
		if err != nil {
			return nil, false, problem.New(problem.BadParameter, formRow.With(n))
		}
		for len(cells) < len(tableHeader) {
			cells = append(cells, "")
		}
		chosen = append(chosen, cells[:len(tableHeader)])
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
func saveList(ctx context.Context, w http.ResponseWriter, match bulk.Matcher, in io.Reader, opt bulk.Options) error {
	table := &limited{}
	stats, err := bulk.Run(ctx, match, in, table, opt)
	if err == nil && stats.Rows > mostNames {
		err = errEnough
	}
	if err != nil {
		return listError(err)
	}
	text, marked := bytes.CutPrefix(table.Bytes(), []byte(byteOrderMark))
	if text = invisible.DropBytes(text); marked {
		text = append([]byte(byteOrderMark), text...)
	}
	return (&file{name: "bencao-names.csv", kind: "text/csv; charset=utf-8", content: text}).send(w)
}

// mostTable is the largest size of a table that saveList sends, in bytes.
const mostTable = 24 << 20

// limited buffers a table and fails if it becomes too large. The table may have twice as many lines
// as the list may have names, because a row of the table may fill several lines. limited also
// limits the bytes, because many cells of an uploaded workbook may share one long text.
type limited struct {
	bytes.Buffer
	lines int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.lines += bytes.Count(b, []byte("\n")); l.lines > 2*mostNames {
		return 0, errEnough
	}
	if l.Len()+len(b) > mostTable {
		return 0, tableBytes.With(mostTable >> 20)
	}
	return l.Buffer.Write(b)
}

// workbook returns rows as xlsx without formulas.
func workbook(name string, all [][]string) (*file, error) {
	for _, row := range all {
		for i, cell := range row {
			row[i] = invisible.Drop(cell)
		}
	}
	var out bytes.Buffer
	if err := rows.WriteSheet(&out, "names", all); err != nil {
		return nil, err
	}
	return &file{name: name, kind: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", content: out.Bytes()}, nil
}

// doubts lists the flags that make a person check a match, however high the score is.
// docs/name-matching.md explains each flag.
var doubts = []string{"ambiguous", "qualifier", "proParte", "possible", "familyDiffers", "drugDiffersFromPlant", "chineseNameDiffers", "rankDiffers"}

// spellings lists the flags for a name that is spelled differently from the matched name.
var spellings = []string{"orthography", "genderEnding", "epithetCorrected", "genusCorrected"}
