package bulk

import (
	"slices"
	"strings"
)

// Notes returns the sentences of the summary about the taxa in the list, the columns that Run used,
// and the results that a person has to check. say returns the text of a sentence: code identifies it,
// and values are its numbers and names. comma stands between the names of a list.
func (s *Stats) Notes(comma string, say func(code string, values ...any) string) []string {
	var all []string
	note := func(is bool, code string, values ...any) {
		if is {
			all = append(all, say(code, values...))
		}
	}
	join := func(names []string) string { return strings.Join(names, comma) }
	columns := join(s.Taken.columns(say))
	note(s.Matched > 0, "taxa", s.Species, s.Genera, s.Families, s.Ambiguous, s.Unplaced, s.Disagree)
	note(len(s.Sheets) > 0 && s.Header > 0, "sheet", join(s.Sheets), s.Header, columns)
	note(len(s.Sheets) == 0 && s.Header > 0, "header", s.Header, columns)
	note(s.Header == 0 && columns != "", "headless", columns)
	note(len(s.Taken.Others) > 0, "others", join(s.Taken.Others))
	var unused []string
	for _, u := range s.Taken.Unused {
		unused = append(unused, say("unused."+u.Holds, u.Column))
	}
	note(len(unused) > 0, "unused", join(unused))
	note(s.Taken.Lines, "plainLines")
	note(len(s.LeftOut) > 0, "leftOut", join(s.LeftOut))
	note(s.Undecoded > 0, "undecoded", s.Undecoded, s.Encoding)
	note(s.RowAbove > 0, "rowAbove", s.RowAbove)
	note(s.NoFamily > 0, "noFamily", s.NoFamily)
	note(s.Epithets > 0 && 2*s.Epithets >= s.Rows, "epithets", s.Epithets, s.Rows)
	return all
}

// columns returns the columns that Run used, each with its role, as texts of say.
func (t *Taken) columns(say func(code string, values ...any) string) []string {
	var all []string
	for _, r := range takenRoles {
		header := *r.header(t)
		code := "column"
		if slices.Contains(t.ByCells, header) {
			code = "byCells"
		}
		if header != "" {
			all = append(all, say(code, r.word, header))
		}
	}
	return all
}
