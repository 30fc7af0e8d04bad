package bulk

import (
	"slices"
	"strconv"
	"strings"

	"bencao/names"
)

// column is a column of results: a field of names.Entry under its API name.
type column struct {
	name  string
	value func(*names.Entry) string
}

// entryColumns are the fields of an entry in their order; explain's are not
// among them.
var entryColumns = []column{
	{"entryId", func(e *names.Entry) string {
		if e.EntryID == nil {
			return ""
		}
		return strconv.Itoa(int(*e.EntryID))
	}},
	{"guid", func(e *names.Entry) string { return string(e.GUID) }},
	{"chineseName", func(e *names.Entry) string { return string(e.ChineseName) }},
	{"matchedName", func(e *names.Entry) string { return string(e.MatchedName) }},
	{"matchedAuthor", func(e *names.Entry) string { return string(e.MatchedAuthor) }},
	{"matchedWcvpId", func(e *names.Entry) string { return string(e.MatchedWCVPID) }},
	{"rank", func(e *names.Entry) string { return string(e.Rank) }},
	{"taxonStatus", func(e *names.Entry) string { return string(e.TaxonStatus) }},
	{"acceptedName", func(e *names.Entry) string { return string(e.AcceptedName) }},
	{"acceptedAuthor", func(e *names.Entry) string { return string(e.AcceptedAuthor) }},
	{"acceptedRank", func(e *names.Entry) string { return string(e.AcceptedRank) }},
	{"acceptedFamily", func(e *names.Entry) string { return string(e.AcceptedFamily) }},
	{"wcvpId", func(e *names.Entry) string { return string(e.WCVPID) }},
	{"ipniId", func(e *names.Entry) string { return string(e.IPNIID) }},
	{"wfoId", func(e *names.Entry) string { return string(e.WFOID) }},
	{"chineseNameColChina", func(e *names.Entry) string { return string(e.ChineseNameColChina) }},
	{"acceptedNameColChina", func(e *names.Entry) string { return string(e.AcceptedNameColChina) }},
	{"matchType", func(e *names.Entry) string { return e.MatchType }},
	{"matchSource", func(e *names.Entry) string { return e.MatchSource }},
	{"checklistVersion", func(e *names.Entry) string { return string(e.ChecklistVersion) }},
	{"score", func(e *names.Entry) string { return strconv.FormatFloat(e.Score, 'f', 2, 64) }},
	{"editDistance", func(e *names.Entry) string { return strconv.Itoa(e.EditDistance) }},
	{"authorMatch", func(e *names.Entry) string { return e.AuthorMatch }},
	{"flags", func(e *names.Entry) string { return strings.Join(e.Flags, "|") }},
	{"url", func(e *names.Entry) string { return string(e.URL) }},
}

// ResultColumns are the names of all columns that follow those of the input, row
// first.
func ResultColumns() []string {
	list := []string{"row", "canonicalName", "matchedVia"}
	for _, c := range entryColumns {
		list = append(list, c.name)
	}
	return append(list, "error", "unread")
}

// resultHeaders returns the headers of the results. A column of the input keeps
// its header; a result of the same name is called match.name.
func resultHeaders(input []string) []string {
	results := ResultColumns()
	for i, c := range results {
		if slices.Contains(input, c) {
			results[i] = "match." + c
		}
	}
	return results
}
