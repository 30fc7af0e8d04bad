package bulk

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/null"
	"bencao/internal/rows"
)

// header renders the header.
func (j *job) header() []byte {
	if j.opt.Format == JSONLines {
		return nil
	}
	var out []byte
	if j.opt.Excel {
		out = append(out, "\ufeff"...)
	}
	for i, c := range slices.Concat(j.table.columns, j.results) {
		if i > 0 {
			out = append(out, j.table.comma)
		}
		out = j.appendCell(out, c)
	}
	return j.appendEOL(out)
}

// appendRow appends a row: the cells of the input, the row number and the results.
func (j *job) appendRow(out []byte, r *row, number int64, tail []byte) []byte {
	if j.opt.Format == JSONLines {
		return j.appendJSON(out, r, number, tail)
	}
	for i := range j.table.columns {
		out = append(j.appendCell(out, r.cell(i)), j.table.comma)
	}
	out = strconv.AppendInt(out, number, 10)
	return append(out, tail...)
}

// usualTail is a size in bytes that the rendered results of most rows do not exceed. Results are
// rendered into a buffer of this size and copied into memory of their exact size for the cache.
const usualTail = 600

// renderTail renders the columns after the row number as CSV. If the row has no entry, the columns
// of the entry are empty.
func (j *job) renderTail(m *matched) []byte {
	m.remark = j.remark(m)
	if j.opt.Format == JSONLines {
		return j.tailJSON(m)
	}
	var buf [usualTail]byte
	out := buf[:0]
	for _, c := range j.columns {
		out = j.appendCell(append(out, j.table.comma), c.cell(m))
	}
	return bytes.Clone(j.appendEOL(out))
}

func (j *job) appendEOL(out []byte) []byte {
	if j.opt.Excel {
		out = append(out, '\r')
	}
	return append(out, '\n')
}

// appendCell appends a cell, in quotes if necessary.
func (j *job) appendCell(out []byte, s string) []byte {
	if j.opt.Excel {
		s = rows.Defuse(s)
	}
	if !needsQuotes(s, j.table.comma) {
		return append(out, s...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(s, `"`, `""`)...)
	return append(out, '"')
}

// needsQuotes reports whether a CSV reader would read a cell differently without quotes.
func needsQuotes(s string, comma byte) bool {
	for i := range len(s) {
		if c := s[i]; c == comma || c == '"' || c == '\r' || c == '\n' {
			return true
		}
	}
	return s != "" && strings.TrimSpace(s) != s
}

// keysJSON returns the headers of a list as JSON keys. If a header occurs twice, the second key is
// called name_2.
func keysJSON(columns []string) [][]byte {
	var keys [][]byte
	seen := make(map[string]int)
	for _, c := range columns {
		if seen[c]++; seen[c] > 1 {
			c += "_" + strconv.Itoa(seen[c])
		}
		keys = append(keys, append(null.AppendString(nil, c), ':'))
	}
	return keys
}

// appendJSON appends a line of JSON: the fields of the input, the row number and the results.
func (j *job) appendJSON(out []byte, r *row, number int64, tail []byte) []byte {
	out = append(out, '{')
	if j.opt.Given {
		out = append(null.AppendString(append(out, `"given":`...), j.given(r)), ',')
	} else {
		for i, key := range j.keys {
			out = append(null.AppendString(append(out, key...), r.cell(i)), ',')
		}
	}
	out = append(null.AppendString(out, j.results[0]), ':')
	out = strconv.AppendInt(out, number, 10)
	return append(out, tail...)
}

// MaxGiven is the maximum size in bytes of the field "given", see [Options.Given].
const MaxGiven = 300

// given returns the text of the field "given" for a row.
func (j *job) given(r *row) string {
	text := joinCells(r.cells)
	if len(text) > MaxGiven && r.err == nil {
		text = joinCells([]string{r.query.name, r.query.author, r.query.family})
	}
	if len(text) > MaxGiven {
		text = strings.ToValidUTF8(text[:MaxGiven-len("…")], "") + "…"
	}
	return text
}

// joinCells joins the non-empty cells.
func joinCells(cells []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == "" }), " · ")
}

// tailJSON renders the fields after the row number as JSON.
func (j *job) tailJSON(m *matched) []byte {
	var buf [usualTail]byte
	out := buf[:0]
	for i, c := range j.columns {
		out = append(null.AppendString(append(out, ','), j.results[i+1]), ':')
		out = c.json(out, m)
	}
	return bytes.Clone(append(out, '}', '\n'))
}
