package bulk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/null"
	"bencao/names"
)

// columns lists the columns of the results that follow the row number. To add a column, add a row
// here, in the place that its field has in [names.Entry]; CSV, JSON lines and headers follow from this
// table.
var columns = []column{
	ofResponse("canonicalName", func(r *names.Response) null.Text { return r.CanonicalName }),
	ofResponse("matchedVia", func(r *names.Response) null.Text { return null.Text(r.MatchedVia) }),
	number("entryId", func(e *names.Entry) (int, bool) {
		if e.EntryID == nil {
			return 0, false
		}
		return int(*e.EntryID), true
	}),
	text("guid", func(e *names.Entry) null.Text { return e.GUID }),
	text("chineseName", func(e *names.Entry) null.Text { return e.ChineseName }),
	text("matchedName", func(e *names.Entry) null.Text { return e.MatchedName }),
	text("matchedAuthor", func(e *names.Entry) null.Text { return e.MatchedAuthor }),
	text("matchedWcvpId", func(e *names.Entry) null.Text { return e.MatchedWCVPID }),
	text("rank", func(e *names.Entry) null.Text { return e.Rank }),
	text("taxonStatus", func(e *names.Entry) null.Text { return e.TaxonStatus }),
	text("acceptedName", func(e *names.Entry) null.Text { return e.AcceptedName }),
	text("acceptedAuthor", func(e *names.Entry) null.Text { return e.AcceptedAuthor }),
	text("acceptedRank", func(e *names.Entry) null.Text { return e.AcceptedRank }),
	text("acceptedFamily", func(e *names.Entry) null.Text { return e.AcceptedFamily }),
	text("wcvpId", func(e *names.Entry) null.Text { return e.WCVPID }),
	text("ipniId", func(e *names.Entry) null.Text { return e.IPNIID }),
	text("wfoId", func(e *names.Entry) null.Text { return e.WFOID }),
	text("chineseNameColChina", func(e *names.Entry) null.Text { return e.ChineseNameColChina }),
	text("acceptedNameColChina", func(e *names.Entry) null.Text { return e.AcceptedNameColChina }),
	word("matchType", func(e *names.Entry) string { return e.MatchType }),
	word("matchSource", func(e *names.Entry) string { return e.MatchSource }),
	text("checklistVersion", func(e *names.Entry) null.Text { return e.ChecklistVersion }),
	ofEntry("score", "null",
		func(e *names.Entry) string { return strconv.FormatFloat(e.Score, 'f', 2, 64) },
		func(b []byte, e *names.Entry) []byte { return null.AppendNumber(b, e.Score) }),
	number("editDistance", func(e *names.Entry) (int, bool) { return e.EditDistance, true }),
	word("authorMatch", func(e *names.Entry) string { return e.AuthorMatch }),
	ofEntry("flags", "[]",
		func(e *names.Entry) string { return strings.Join(e.Flags, "|") },
		func(b []byte, e *names.Entry) []byte { return appendList(b, e.Flags) }),
	text("url", func(e *names.Entry) null.Text { return e.URL }),
	{
		name: "error",
		cell: func(m *matched) string { return m.problem },
		json: func(b []byte, m *matched) []byte { return appendOrNull(b, m.problem) },
	},
	ofResponse("unread", func(r *names.Response) null.Text { return r.Unread }),
	{
		name: "acceptedNameWithAuthor",
		cell: (*matched).acceptedWithAuthor,
		json: func(b []byte, m *matched) []byte { return appendOrNull(b, m.acceptedWithAuthor()) },
	},
	{
		name: "remark",
		cell: func(m *matched) string { return m.remark },
		json: func(b []byte, m *matched) []byte { return appendOrNull(b, m.remark) },
	},
	{
		name: "candidates",
		cell: func(m *matched) string { return strconv.Itoa(m.candidates) },
		json: func(b []byte, m *matched) []byte { return strconv.AppendInt(b, int64(m.candidates), 10) },
	},
}

// The names of the sets of columns.
const (
	ColumnsFull  = "full"  // all columns
	ColumnsPaper = "paper" // the columns for a table in a paper
	ColumnsIDs   = "ids"   // the accepted name and the identifiers
)

// ColumnSets lists the sets of columns.
var ColumnSets = []string{ColumnsPaper, ColumnsFull, ColumnsIDs}

// columnSet returns the columns of a set in the order of the set.
func columnSet(set string) []column {
	var list []string
	switch set {
	case ColumnsPaper:
		list = []string{"acceptedNameWithAuthor", "acceptedFamily", "taxonStatus", "matchType", "score", "remark", "candidates"}
	case ColumnsIDs:
		list = []string{"acceptedNameWithAuthor", "entryId", "guid", "wcvpId", "ipniId", "wfoId", "score", "flags"}
	default:
		return columns
	}
	var chosen []column
	for _, name := range list {
		chosen = append(chosen, columns[slices.IndexFunc(columns, func(c column) bool { return c.name == name })])
	}
	if set == ColumnsPaper {
		chosen[0].cell = (*matched).acceptedOrUnplaced
	}
	return chosen
}

// rangeColumns are the columns of [Options.Distribution].
var rangeColumns = []column{
	codes("native", func(d *names.Range) []string { return d.Native }),
	codes("introduced", func(d *names.Range) []string { return d.Introduced }),
	codes("extinct", func(d *names.Range) []string { return d.Extinct }),
	codes("doubtful", func(d *names.Range) []string { return d.Doubtful }),
	ofRange("area", func(d *names.Range) null.Text { return d.Area }),
	ofRange("lifeForm", func(d *names.Range) null.Text { return d.LifeForm }),
	ofRange("publication", func(d *names.Range) null.Text { return d.Publication }),
	ofRange("published", func(d *names.Range) null.Text { return d.Published }),
	ofRange("distributionSource", func(d *names.Range) null.Text { return cmp.Or(d.Release, null.Text(d.Source)) }),
}

// codes returns the column for a list of codes of the distribution.
func codes(name string, value func(*names.Range) []string) column {
	list := func(e *names.Entry) []string {
		if e.Distribution == nil {
			return nil
		}
		return value(e.Distribution)
	}
	return ofEntry(name, "[]",
		func(e *names.Entry) string { return strings.Join(list(e), "|") },
		func(b []byte, e *names.Entry) []byte { return appendList(b, list(e)) })
}

// ofRange returns the column for a text of the distribution.
func ofRange(name string, value func(*names.Range) null.Text) column {
	return text(name, func(e *names.Entry) null.Text {
		if e.Distribution == nil {
			return ""
		}
		return value(e.Distribution)
	})
}

// stepsColumn has the steps of matching. It is empty for a name that is in the checklists as it is
// written.
var stepsColumn = column{
	name: "steps",
	cell: (*matched).steps,
	json: func(b []byte, m *matched) []byte { return appendOrNull(b, m.steps()) },
}

// steps returns the steps of matching, or "" for an exact name.
func (m *matched) steps() string {
	if m.entry == nil || m.entry.MatchType == names.MatchExact && m.entry.Score >= names.ScoreTake {
		return ""
	}
	return strings.Join(m.entry.Steps, "; ")
}

// column is a column of the results. It has the name of the field in the API.
type column struct {
	name string
	// cell returns the value of the column as CSV. json appends the value to a line of JSON.
	cell func(*matched) string
	json func([]byte, *matched) []byte
	// ofEntry is true if the column is a field of [names.Entry].
	ofEntry bool
}

// matched holds the values of one row of the results.
type matched struct {
	response *names.Response
	entry    *names.Entry // the candidate; nil if there is none
	problem  string       // the message for the error in the row, or ""
	// candidates is the number of candidates of the name.
	candidates int
	remark     string  // the answer in words
	change     *Change // nil without [Options.Since]
}

// acceptedWithAuthor returns the accepted name with its author, or "".
func (m *matched) acceptedWithAuthor() string {
	if m.entry == nil {
		return ""
	}
	return strings.TrimSpace(string(m.entry.AcceptedName + " " + m.entry.AcceptedAuthor))
}

// acceptedOrUnplaced returns the accepted name with its author, or "unplaced" if the name is known but
// no checklist says where it belongs.
func (m *matched) acceptedOrUnplaced() string {
	if m.entry != nil && m.entry.AcceptedName == "" {
		return "unplaced"
	}
	return m.acceptedWithAuthor()
}

// ofResponse returns the column for a text of the response.
func ofResponse(name string, value func(*names.Response) null.Text) column {
	return column{
		name: name,
		cell: func(m *matched) string { return string(value(m.response)) },
		json: func(b []byte, m *matched) []byte { return appendOrNull(b, string(value(m.response))) },
	}
}

// ofEntry returns the column for a field of the entry. For a row without an entry, cell returns ""
// and json appends the text none.
func ofEntry(name, none string, cell func(*names.Entry) string, json func([]byte, *names.Entry) []byte) column {
	return column{
		name: name,
		cell: func(m *matched) string {
			if m.entry == nil {
				return ""
			}
			return cell(m.entry)
		},
		json: func(b []byte, m *matched) []byte {
			if m.entry == nil {
				return append(b, none...)
			}
			return json(b, m.entry)
		},
		ofEntry: true,
	}
}

// text returns the column for a text field of the entry. In JSON, an empty text is null.
func text(name string, value func(*names.Entry) null.Text) column {
	return ofEntry(name, "null",
		func(e *names.Entry) string { return string(value(e)) },
		func(b []byte, e *names.Entry) []byte { return value(e).AppendJSON(b) })
}

// word returns the column for a text field of the entry that is never null.
func word(name string, value func(*names.Entry) string) column {
	return ofEntry(name, "null", value, func(b []byte, e *names.Entry) []byte {
		if value(e) == "" {
			return append(b, `""`...)
		}
		return null.Text(value(e)).AppendJSON(b)
	})
}

// number returns the column for a field of the entry that is a whole number. value returns false if
// the field is null.
func number(name string, value func(*names.Entry) (int, bool)) column {
	return ofEntry(name, "null",
		func(e *names.Entry) string {
			if n, ok := value(e); ok {
				return strconv.Itoa(n)
			}
			return ""
		},
		func(b []byte, e *names.Entry) []byte {
			if n, ok := value(e); ok {
				return strconv.AppendInt(b, int64(n), 10)
			}
			return append(b, "null"...)
		})
}

func appendList(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = null.AppendString(b, s)
	}
	return append(b, ']')
}

// appendOrNull appends a text as JSON, or null if it is empty.
func appendOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return null.AppendString(b, s)
}

// resultHeaders returns the headers of the results. If the input already has a column named like a
// result, say name, the header of the result is match.name.
func resultHeaders(input []string, of []column) []string {
	results := []string{"row"}
	for _, c := range of {
		results = append(results, c.name)
	}
	for i, c := range results {
		if slices.Contains(input, c) {
			results[i] = "match." + c
		}
	}
	return results
}
