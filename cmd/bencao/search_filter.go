package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/internal/contents"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/store"

	"github.com/spf13/cobra"
)

// narrowing is a flag that narrows a search down or puts it into another order.
type narrowing struct {
	flag, doc string
	tables    string // those that know it; empty is all
	add       func(q *search.Query, value string) error
}

// narrowings returns the flags: those of the fields that are described as filters in the
// tables of package mappings, and those below, which need code.
func narrowings() []narrowing {
	list := slices.Clone(specialNarrowings)
	list = addNarrowings(list, "species", mappings.Species)
	list = addNarrowings(list, "formulas", mappings.Formulas)
	list = addNarrowings(list, "papers", mappings.Papers)
	return addNarrowings(list, "herbs", mappings.Herbs)
}

// addNarrowings adds the flags of a table. A flag of several tables is listed once.
func addNarrowings[R any](list []narrowing, table string, fields []mappings.Field[R]) []narrowing {
	for _, f := range fields {
		if f.Filter.Flag == "" {
			continue
		}
		if i := slices.IndexFunc(list, func(n narrowing) bool { return n.flag == flagOf(f.Name) }); i >= 0 {
			list[i].tables += " " + table
			continue
		}
		list = append(list, narrowing{flagOf(f.Name), f.Filter.Flag, table, filterBy(f.Name)})
	}
	return list
}

// flagOf returns the flag of a field: has-formulas for hasFormulas.
func flagOf(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var specialNarrowings = []narrowing{
	{"has-formulas", "true: only species that formulas use; false: only others", "species", func(q *search.Query, v string) error {
		if v != "true" && v != "false" {
			return usagef("has-formulas is %q; use true or false", v)
		}
		return filterBy("hasFormulas")(q, v)
	}},
	{"dynasty", "only formulas of this dynasty", "formulas", func(q *search.Query, v string) error { q.Dynasty = v; return nil }},
	{"from-year", "only formulas or papers of this year and later", "formulas papers", filterYears("from-year", func(f *search.Filter, y *int32) { f.From = y })},
	{"to-year", "only formulas or papers of this year and earlier", "formulas papers", filterYears("to-year", func(f *search.Filter, y *int32) { f.To = y })},
	{"herbs", "only formulas with all of these herbs, 、 between them", "formulas", filterHerbs(false)},
	{"without", "only formulas with none of these herbs", "formulas", filterHerbs(true)},
	{"in", "where to look: name, indications or composition", "formulas", func(q *search.Query, v string) error { q.In = v; return nil }},
	{"species", "only formulas that use this species, papers about it, or herbs that come from it: guid, or whole name in Latin or Chinese", "formulas papers herbs", filterBy("species")},
	{"sort", "relevance, name, prominence, or year of formulas and papers", "", func(q *search.Query, v string) error {
		if q.Sort = v; v == "relevance" {
			q.Sort = ""
		}
		return nil
	}},
	{"distinct", "name: one line of each name, those in most books first", "formulas", func(q *search.Query, v string) error {
		if q.Distinct = v == "name"; !q.Distinct {
			return usagef("distinct is %q; use name", v)
		}
		return nil
	}},
}

func filterBy(field string) func(*search.Query, string) error {
	return func(q *search.Query, value string) error {
		q.Filters = append(q.Filters, search.Filter{Field: field, Any: []string{value}})
		return nil
	}
}

func filterYears(flag string, set func(*search.Filter, *int32)) func(*search.Query, string) error {
	return func(q *search.Query, value string) error {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return usagef("%s is %q; use a whole number, negative before the common era", flag, value)
		}
		year := int32(n)
		f := search.Filter{Field: "year"}
		set(&f, &year)
		q.Filters = append(q.Filters, f)
		return nil
	}
}

func filterHerbs(without bool) func(*search.Query, string) error {
	return func(q *search.Query, value string) error {
		for herb := range strings.FieldsFuncSeq(value, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("、，,;；", r) }) {
			q.Filters = append(q.Filters, search.Filter{Field: "herbs", Any: []string{herb}, Not: without})
		}
		return nil
	}
}

// narrow gives a command the flags, and returns what they ask of a table.
func narrow(cmd *cobra.Command) func(table string) (search.Query, error) {
	list := narrowings()
	values := make([]*string, len(list))
	for i, n := range list {
		values[i] = cmd.Flags().String(n.flag, "", n.doc)
	}
	return func(table string) (q search.Query, err error) {
		for i, n := range list {
			if *values[i] == "" {
				continue
			}
			if tables := strings.Fields(n.tables); n.tables != "" && !slices.Contains(tables, table) {
				return q, usagef("--%s is for %s; %s have none", n.flag, strings.Join(tables, " and "), table)
			}
			if err := n.add(&q, *values[i]); err != nil {
				return q, err
			}
		}
		return q, nil
	}
}

// resolve checks herbs, and makes of the name of a species what the table is to be
// asked for: the formulas that use it, or its number.
func (t searchable) resolve(ctx context.Context, files *contents.Contents, tx *store.Tx, q search.Query) error {
	for i := range q.Filters {
		f := &q.Filters[i]
		switch f.Field {
		case "herbs":
			if known, err := files.Formulas.Has("herbs", f.Any[0]); err != nil {
				return err
			} else if !known {
				return usagef("no formula has the herb %q; --facets herbs lists those that there are", f.Any[0])
			}
		case "species":
			name := f.Any[0]
			nums, err := files.Species.Named(ctx, name)
			if n, ok := tx.SpeciesNum(strings.ToLower(name)); ok {
				nums, err = []store.Num{n}, nil
			}
			if err != nil {
				return err
			}
			if *f = (search.Filter{Field: "species"}); t.name == "formulas" {
				f.Field = ""
			}
			for _, n := range nums {
				if f.Field == "" {
					f.Records = append(f.Records, tx.SpeciesFormulas(n)...)
				} else {
					f.Any = append(f.Any, strconv.Itoa(int(n)))
				}
			}
		}
	}
	return nil
}

// counted are the facets of a search, as a machine reads them.
type counted struct {
	Field   string  `json:"by"`
	Values  int     `json:"values"`
	Without int     `json:"without"`
	Counts  []count `json:"counts"`
}

type count struct {
	Value   string `json:"value"`
	Chinese string `json:"chinese,omitempty"`
	Count   int    `json:"count"`
}

func countedBy(facets []search.Facet) []counted {
	out := []counted{}
	for _, f := range facets {
		c := counted{f.Field, f.Values, f.Without, []count{}}
		for _, v := range f.Counts {
			c.Counts = append(c.Counts, count(v))
		}
		out = append(out, c)
	}
	return out
}

// printCounted writes the facets as a table.
func printCounted(cmd *cobra.Command, total int, facets []counted) error {
	t, l := newTable(cmd), languageOf(cmd)
	for _, f := range facets {
		for _, c := range f.Counts {
			t.row(f.Field, c.Value, c.Chinese, c.Count)
		}
		t.row(f.Field, l.say("%d of %d values, %d records without one", len(f.Counts), f.Values, f.Without))
	}
	t.row(l.say("%d records", total))
	return t.write(cmd.OutOrStdout())
}
