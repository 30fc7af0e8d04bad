package bulk

import (
	"encoding/json"
	"strconv"
	"strings"

	"bencao/internal/null"
	"bencao/internal/rows"
	"bencao/names"
)

// header renders what stands before the first row.
func (j *job) header() []byte {
	if j.opt.Format == JSONLines {
		return nil
	}
	var out []byte
	if j.opt.Excel {
		out = append(out, "\ufeff"...)
	}
	input, results := j.table.headers()
	for i, c := range append(append([]string(nil), input...), results...) {
		if i > 0 {
			out = append(out, j.table.comma)
		}
		out = j.appendCell(out, c)
	}
	return j.appendEOL(out)
}

// appendRow renders a row: the input's cells, the number, the tail.
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

// usualTail is more bytes than most tails have.
const usualTail = 320

// renderTail renders what follows the row number: response, entry, error. A
// nil entry leaves its columns empty.
func (j *job) renderTail(resp *names.Response, e *names.Entry, err error) []byte {
	if j.opt.Format == JSONLines {
		return j.tailJSON(resp, e, err)
	}
	out := make([]byte, 0, usualTail)
	cell := func(s string) { out = j.appendCell(append(out, j.table.comma), s) }
	cell(string(resp.CanonicalName))
	cell(resp.MatchedVia)
	for _, c := range entryColumns {
		if e == nil {
			cell("")
		} else {
			cell(c.value(e))
		}
	}
	if err != nil {
		cell(j.said(err))
	} else {
		cell("")
	}
	cell(string(resp.Unread))
	return j.appendEOL(out)
}

func (j *job) appendEOL(out []byte) []byte {
	if j.opt.Excel {
		out = append(out, '\r')
	}
	return append(out, '\n')
}

// appendCell renders a cell, in quotes where it needs them.
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

// needsQuotes says whether a cell would be read otherwise without quotes.
func needsQuotes(s string, comma byte) bool {
	for i := range len(s) {
		if c := s[i]; c == comma || c == '"' || c == '\r' || c == '\n' {
			return true
		}
	}
	return strings.TrimSpace(s) != s
}

// appendJSON renders a line of JSON: the fields of the input, then the rest.
func (j *job) appendJSON(out []byte, r *row, number int64, tail []byte) []byte {
	input, results := j.table.headers()
	out = append(out, '{')
	seen := make(map[string]int)
	for i, c := range input {
		if seen[c]++; seen[c] > 1 {
			c += "_" + strconv.Itoa(seen[c])
		}
		out = append(null.AppendString(out, c), ':')
		out = append(null.AppendString(out, r.cell(i)), ',')
	}
	out = append(null.AppendString(out, results[0]), ':')
	out = strconv.AppendInt(out, number, 10)
	return append(out, tail...)
}

// tailJSON renders the fields that follow the row number as the API does.
func (j *job) tailJSON(resp *names.Response, e *names.Entry, err error) []byte {
	_, results := j.table.headers()
	values := make(map[string]json.RawMessage)
	if e != nil {
		// An entry is made of texts, numbers and lists: it always encodes.
		if data, merr := json.Marshal(e); merr == nil {
			if uerr := json.Unmarshal(data, &values); uerr != nil {
				err = uerr
			}
		}
	}
	var out []byte
	for i, c := range ResultColumns()[1:] {
		out = append(append(null.AppendString(append(out, ','), results[i+1]), ':'), j.fieldJSON(c, resp, values, err)...)
	}
	return append(out, '}', '\n')
}

func (j *job) fieldJSON(c string, resp *names.Response, values map[string]json.RawMessage, err error) []byte {
	switch c {
	case "canonicalName":
		if resp.CanonicalName == "" {
			return []byte("null")
		}
		return null.AppendString(nil, string(resp.CanonicalName))
	case "matchedVia":
		return null.AppendString(nil, resp.MatchedVia)
	case "unread":
		if resp.Unread == "" {
			return []byte("null")
		}
		return null.AppendString(nil, string(resp.Unread))
	case "error":
		if err == nil {
			return []byte("null")
		}
		return null.AppendString(nil, j.said(err))
	case "flags":
		if values[c] == nil {
			return []byte("[]")
		}
	}
	if v := values[c]; v != nil {
		return v
	}
	return []byte("null")
}
