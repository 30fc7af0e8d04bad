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
	note(len(s.Sheets) > 0, "sheet", join(s.Sheets), s.Header, columns)
	note(len(s.Sheets) == 0 && s.Header > 0, "header", s.Header, columns)
	note(s.Header == 0 && s.Taken.Name != "", "headless", columns)
	note(len(s.Taken.Others) > 0, "others", join(s.Taken.Others))
	note(len(s.LeftOut) > 0, "leftOut", join(s.LeftOut))
	note(s.RowAbove > 0, "rowAbove", s.RowAbove)
	note(s.NoFamily > 0, "noFamily", s.NoFamily)
	note(s.Epithets > 0 && 2*s.Epithets >= s.Rows, "epithets", s.Epithets, s.Rows)
	return all
}

// columns returns the columns that Run used, each with its role, as texts of say.
func (t *Taken) columns(say func(code string, values ...any) string) []string {
	var all []string
	for _, c := range []struct{ role, header string }{
		{"name", t.Name}, {"genus", t.Genus}, {"epithet", t.Epithet}, {"below species", t.Infraspecific},
		{"rank", t.Rank}, {"author", t.Author}, {"family", t.Family}, {"Chinese name", t.ChineseName},
	} {
		code := "column"
		if slices.Contains(t.ByCells, c.header) {
			code = "byCells"
		}
		if c.header != "" {
			all = append(all, say(code, c.role, c.header))
		}
	}
	return all
}
