package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// searchable is a table that "bencao search" can search.
type searchable struct {
	name string // the name of the table on the command line, such as species
	part contents.Part
	of   func(*contents.Contents) *search.Searcher
	// summary returns the summary of a record that a query found.
	summary func(tx *store.Tx, n store.Num, query string) store.Template
	columns []string // the fields of the summary that a table for people shows
}

var searchables = []searchable{
	{"species", contents.Species | contents.Names, func(c *contents.Contents) *search.Searcher { return c.Species },
		answers((*store.Tx).SpeciesSummary), []string{"entryId", "chineseName", "scientificName", "author", "family", "acceptedName"}},
	// The index of herbs finds the meanings of an ambiguous name in --herbs.
	{"formulas", contents.Formulas | contents.Herbs, func(c *contents.Contents) *search.Searcher { return c.Formulas },
		answers((*store.Tx).FormulaSummary), []string{"entryId", "name", "namePinyin", "dynasty", "year", "originalSource"}},
	{"papers", contents.Papers, func(c *contents.Contents) *search.Searcher { return c.Papers },
		answers((*store.Tx).PaperSummary), []string{"id", "year", "doi", "pubmedId", "title"}},
	{"herbs", contents.Herbs, func(c *contents.Contents) *search.Searcher { return c.Herbs },
		func(tx *store.Tx, n store.Num, query string) store.Template { return tx.HerbSummaryFor(query, n) },
		[]string{"name", "namePinyin", "latinName", "kind", "formulas", "scientificNames"}},
}

// answers makes a summary function from a function that does not depend on the query.
func answers(summary func(*store.Tx, store.Num) store.Template) func(*store.Tx, store.Num, string) store.Template {
	return func(tx *store.Tx, n store.Num, _ string) store.Template { return summary(tx, n) }
}

func newSearch() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "search species|formulas|papers|herbs QUERY",
		GroupID: "ask",
		Short:   "Search the current snapshot, as the API does",
		Long: `Search the current snapshot, as the API does, by Chinese characters, pinyin in any spelling, initials, scientific names
(misspelt ones too) or a DOI. An empty query lists everything. --explain shows how the query was understood and why each
record was found. With --server the answers come from a server with your key, and are the same.`,
		Example: `  bencao search --data /var/lib/bencao species renshen
  bencao search --data /var/lib/bencao formulas 桂枝 --dynasty 汉 --explain
  bencao search --data /var/lib/bencao formulas '' --herbs 人参、甘草 --without 附子 --distinct name
  bencao search --data /var/lib/bencao herbs 'Cinnamomi Ramulus'
  bencao search --data /var/lib/bencao species 参 --facets family,genus
  bencao search --server https://plants.example --key-file lab.key species renshen`,
		ValidArgs: []string{"species", "formulas", "papers", "herbs"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("%s takes what to search (species, formulas, papers or herbs) and a query; see %q", cmd.CommandPath(), cmd.CommandPath()+" --help")
			}
			return nil
		},
	}
	s := use(cmd, "data", "site-url")
	server := useServer(cmd)
	explain := cmd.Flags().Bool("explain", false, "show how the query was understood and why each record was found")
	limit := cmd.Flags().Int("limit", 20, "how many records to print")
	narrowed := narrow(cmd)
	facets := cmd.Flags().StringSlice("facets", nil, "count records by these fields, separated by commas, instead of listing them")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	group(cmd, "Output:", "explain", "limit", "facets", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		for _, table := range searchables {
			if table.name != args[0] {
				continue
			}
			if *limit < 1 {
				return usagef("limit is %d; use 1 or more", *limit)
			}
			q, values, err := narrowed(table.name)
			if err != nil {
				return err
			}
			q.Text, q.Size = strings.Join(args[1:], " "), *limit
			var found *found
			if server.address != "" {
				found, err = table.searchServer(cmd, server, q, values, *facets)
			} else {
				found, err = table.searchHere(cmd.Context(), s, q, *facets)
			}
			if err != nil {
				return err
			}
			if !*explain {
				found.Explanation = nil
			}
			return found.print(cmd, table.columns, *asJSON)
		}
		return usagef("%q can't be searched; %suse species, formulas, papers or herbs", args[0], didYouMean(args[0], cmd.ValidArgs))
	}
	return cmd
}

// found is the result of a search, as --json prints it.
type found struct {
	Total       int               `json:"total"`
	Items       []json.RawMessage `json:"items"`
	Forgiven    string            `json:"forgiven,omitempty"`   // the deviation from the query that was accepted, such as sameSound
	Part        string            `json:"part,omitempty"`       // where the matched names contain the query
	Group       string            `json:"group,omitempty"`      // set if the query is the name of a family or a genus
	Recognised  []recognised      `json:"recognised,omitempty"` // parts of the query that are not names but filters
	Explanation *explanation      `json:"explanation,omitempty"`
	Facets      []counted         `json:"facets,omitempty"`
}

// recognised is a part of a query that names a property of formulas, such as a dynasty.
type recognised struct {
	Text   string   `json:"text"`
	As     string   `json:"as"`
	Values []string `json:"values"`
}

// searchServer searches through the API of a server. q is the query. values holds the parameters
// for its filters.
func (t searchable) searchServer(cmd *cobra.Command, server *serverFlags, q search.Query, values url.Values, facets []string) (*found, error) {
	r, err := newRemote(server.address, server.keyFile)
	if err != nil {
		return nil, err
	}
	r.waits = saysWaits(cmd)
	if q.Text != "" {
		values.Set("q", q.Text)
	}
	get := func(path string, answer any) error {
		err := r.get(cmd.Context(), "/api/v1/"+path, values, answer)
		if refused := (*statusError)(nil); errors.As(err, &refused) && refused.status == http.StatusBadRequest {
			return &usageError{err}
		}
		return err
	}
	f := &found{Items: []json.RawMessage{}}
	if facets != nil {
		values.Set("by", strings.Join(facets, ","))
		values.Set("limit", strconv.Itoa(q.Size))
		values.Del("sort")
		values.Del("distinct")
		return f, get(t.name+"/facets", f)
	}
	values.Set("explain", "true")
	values.Set("trace", "true")
	size := min(q.Size, mostPerPage)
	values.Set("pageSize", strconv.Itoa(size))
	for page, version := 1, ""; ; page++ {
		values.Set("page", strconv.Itoa(page))
		var raw rawAnswer
		if err := get(t.name, &raw); err != nil {
			return nil, err
		}
		if v := raw.header.Get("X-Data-Version"); page > 1 && v != version {
			return nil, fmt.Errorf("%s has new data since the first page; search again", r.base.Host)
		} else {
			version = v
		}
		var part searchPage
		if err := json.Unmarshal(raw.body, &part); err != nil {
			return nil, fmt.Errorf("answer of %s cannot be read: %w", r.base.Host, err)
		}
		f.add(&part, q.Text)
		if n := len(f.Items); n >= q.Size || len(part.Items) < size {
			f.Items, f.Explanation.Hits = f.Items[:min(n, q.Size)], f.Explanation.Hits[:min(n, q.Size)]
			return f, nil
		}
	}
}

// mostPerPage is the largest number of records on a page of the API.
const mostPerPage = 100

// searchPage is a page of search results of the API.
type searchPage struct {
	Total       int
	Items       []json.RawMessage
	Explanation struct {
		explanation
		Trace       explanation
		Part, Group string
		Recognised  []recognised
		Items       []struct {
			reason
			Ranges []struct{ Start, End int } `json:"ranges"`
		}
	}
}

// add adds the records of a page to f. From the first page it also takes the explanation of the
// query.
func (f *found) add(p *searchPage, query string) {
	e := &p.Explanation
	if f.Explanation == nil {
		e.Trace.Query, e.Trace.Read, e.Trace.Forgiven, e.Trace.Instead, e.Trace.Hits = query, e.Read, e.Forgiven, e.Instead, []reason{}
		f.Total, f.Forgiven, f.Part, f.Group, f.Recognised, f.Explanation = p.Total, e.Forgiven, e.Part, e.Group, e.Recognised, &e.Trace
	}
	f.Items = append(f.Items, p.Items...)
	for _, hit := range e.Items {
		for _, r := range hit.Ranges {
			hit.reason.Ranges = append(hit.reason.Ranges, search.Range{r.Start, r.End})
		}
		f.Explanation.Hits = append(f.Explanation.Hits, hit.reason)
	}
}

// searchHere searches the current snapshot.
func (t searchable) searchHere(ctx context.Context, s *settings, q search.Query, facets []string) (f *found, err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return nil, err
	}
	parts := contents.Store | t.part
	if slices.ContainsFunc(q.Filters, func(f search.Filter) bool { return f.Field == "species" }) {
		parts |= contents.Species | contents.Names
	}
	files, err := contents.Current(ctx, dir, parts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	tx, err := files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	if err := t.resolve(ctx, files, tx, q); err != nil {
		return nil, err
	}
	if facets != nil {
		byField, total, err := t.of(files).Facets(ctx, q, facets, q.Size)
		if errors.Is(err, search.ErrQuery) {
			err = &usageError{err}
		}
		return &found{Total: total, Items: []json.RawMessage{}, Facets: countedBy(byField)}, err
	}
	ex, err := t.of(files).Explain(ctx, q)
	if errors.Is(err, search.ErrQuery) {
		return nil, &usageError{err}
	} else if err != nil {
		return nil, err
	}
	f = &found{Total: ex.Total, Forgiven: ex.Forgiven, Part: ex.Part, Group: ex.Group, Items: []json.RawMessage{}, Explanation: explained(ex)}
	for _, r := range ex.Recognised {
		f.Recognised = append(f.Recognised, recognised{r.Text, strings.TrimSuffix(r.Field, "s"), r.Values})
	}
	for i, hit := range ex.Hits {
		item := t.summary(tx, hit.Num, q.Text).Append(nil, s.siteURL, 0)
		if ex.Namesakes != nil {
			item = fmt.Appendf(bytes.TrimSuffix(item, []byte("}")), `,"namesakes":%d}`, ex.Namesakes[i])
		}
		f.Items = append(f.Items, item)
		if why := &f.Explanation.Hits[i]; why.Text == "" { // the match is a title or an identifier, which only the store has
			fields := map[string]any{}
			if err := json.Unmarshal(item, &fields); err != nil {
				return nil, err
			}
			if why.Text, _ = fields[why.Field].(string); why.Field == "title" {
				why.Ranges = search.InTitle(q.Text, why.Text)
			}
		}
	}
	return f, nil
}

// print prints the records as a table for people, or the whole result as JSON.
func (f *found) print(cmd *cobra.Command, columns []string, asJSON bool) error {
	w := cmd.OutOrStdout()
	if asJSON {
		return json.NewEncoder(w).Encode(f)
	}
	if f.Facets != nil {
		return printCounted(cmd, f.Total, f.Facets)
	}
	var b strings.Builder
	if f.Explanation != nil {
		f.Explanation.explain(&b)
	}
	t := newTable(cmd)
	for i, item := range f.Items {
		values := map[string]any{}
		dec := json.NewDecoder(bytes.NewReader(item))
		dec.UseNumber()
		if err := dec.Decode(&values); err != nil {
			return fmt.Errorf("record %d of the answer: %w", i+1, err)
		}
		var cells []any
		for _, c := range columns {
			switch v := values[c].(type) {
			case nil:
				cells = append(cells, "")
			case []any:
				cells = append(cells, strings.TrimSuffix(fmt.Sprintln(v...), "\n"))
			default:
				cells = append(cells, v)
			}
		}
		if f.Explanation != nil {
			if hit := f.Explanation.Hits[i]; hit.Field != "" {
				cells = append(cells, fmt.Sprintf("%d %s %s", hit.Tier, hit.Field, hit.Way))
			}
		}
		t.row(cells...)
	}
	if err := t.write(&b); err != nil {
		return err
	}
	fmt.Fprintf(&b, "%d of %d\n", len(f.Items), f.Total)
	if len(f.Recognised) > 0 {
		var parts []string
		for _, r := range f.Recognised {
			as := r.As
			if as == "author" { // the word author alone means the author of a scientific name
				as = "author of a book"
			}
			parts = append(parts, fmt.Sprintf("%s (%s)", strings.Join(r.Values, " = "), as))
		}
		fmt.Fprintf(&b, "read as %s\n", strings.Join(parts, ", "))
	}
	switch {
	case f.Forgiven != "":
		fmt.Fprintf(&b, "nothing is called what you typed; this is what comes near (forgiven: %s)\n", f.Forgiven)
	case f.Part != "":
		fmt.Fprintf(&b, "nothing is called what you typed; these names have it (%s)\n", f.Part)
	case f.Group != "":
		fmt.Fprintf(&b, "these are the species of a %s\n", f.Group)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// narrowing is a flag that filters or sorts records.
type narrowing struct {
	flag, doc string
	tables    string // the tables that have the flag; "" means all tables
	add       func(q *search.Query, value string) error
}

// title returns the title of the flag's group in the help.
func (n narrowing) title() string {
	switch n.tables {
	case "species":
		return "Filters of species:"
	case "formulas":
		return "Filters of formulas:"
	case "herbs":
		return "Filters of herbs:"
	}
	return "Filters of several tables, and order:"
}

// narrowings returns the flags of "bencao search" that filter or sort. Most are made from the
// fields that the tables of package mappings describe as filters. specialNarrowings lists the flags
// that need code of their own.
func narrowings() []narrowing {
	list := slices.Clone(specialNarrowings)
	list = addNarrowings(list, "species", mappings.Species)
	list = addNarrowings(list, "formulas", mappings.Formulas)
	list = addNarrowings(list, "papers", mappings.Papers)
	return addNarrowings(list, "herbs", mappings.Herbs)
}

// addNarrowings adds the flags of a table to list. If list has the flag already, it adds the table
// to that flag.
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

// flagOf returns the name of the flag for a field, such as has-formulas for hasFormulas.
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

// parameterOf returns the name of the API's parameter for a flag, such as hasFormulas for
// has-formulas.
func parameterOf(flag string) string {
	first, rest, found := strings.Cut(flag, "-")
	if !found {
		return first
	}
	return first + strings.ToUpper(rest[:1]) + rest[1:]
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

// narrow adds the flags of [narrowings] to cmd. The function that it returns converts their values
// to a query of a table, and to parameters of the API.
func narrow(cmd *cobra.Command) func(table string) (search.Query, url.Values, error) {
	list := narrowings()
	values := make([]*string, len(list))
	for i, n := range list {
		values[i] = cmd.Flags().String(n.flag, "", n.doc)
		group(cmd, n.title(), n.flag)
	}
	return func(table string) (q search.Query, parameters url.Values, err error) {
		parameters = url.Values{}
		for i, n := range list {
			if *values[i] == "" {
				continue
			}
			if tables := strings.Fields(n.tables); n.tables != "" && !slices.Contains(tables, table) {
				return q, nil, usagef("--%s is for %s; %s have none", n.flag, strings.Join(tables, " and "), table)
			}
			if err := n.add(&q, *values[i]); err != nil {
				return q, nil, err
			}
			parameters.Set(parameterOf(n.flag), *values[i])
		}
		return q, parameters, nil
	}
}

// resolve checks that the herbs in the filters of q exist. In the filter by species, it replaces
// the name of a species by the numbers of the records of that species.
func (t searchable) resolve(ctx context.Context, files *contents.Contents, tx *store.Tx, q search.Query) error {
	for i := range q.Filters {
		f := &q.Filters[i]
		switch f.Field {
		case "herbs":
			herb, known, err := files.Formulas.HerbNamed(f.Any[0], tx.HerbName)
			if err != nil {
				return err
			}
			if !known {
				meanings, err := files.Herbs.HerbsCalled(ctx, tx, f.Any[0])
				if err != nil {
					return err
				}
				if len(meanings) > 0 {
					return usagef("the herb %q can mean %s; give the name of the herb that you mean", f.Any[0], strings.Join(meanings, ", "))
				}
				return usagef("no formula has the herb %q; --facets herbs lists all herbs", f.Any[0])
			}
			f.Any[0] = herb
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

// counted is a facet of a search, as --json prints it.
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

// printCounted prints facets as a table.
func printCounted(cmd *cobra.Command, total int, facets []counted) error {
	t := newTable(cmd)
	for _, f := range facets {
		for _, c := range f.Counts {
			t.row(f.Field, c.Value, c.Chinese, c.Count)
		}
		t.row(f.Field, fmt.Sprintf("%d of %d values, %d records without one", len(f.Counts), f.Values, f.Without))
	}
	t.row(fmt.Sprintf("%d records", total))
	return t.write(cmd.OutOrStdout())
}

// explanation is a [search.Explanation], as --json prints it.
type explanation struct {
	Query     string      `json:"query"`
	Script    string      `json:"script"`
	Read      string      `json:"read"`
	Syllables []string    `json:"syllables"`
	Words     []string    `json:"words"`
	DOI       string      `json:"doi,omitempty"`
	Number    string      `json:"number,omitempty"`
	Literal   bool        `json:"literal,omitempty"`
	Dynasty   string      `json:"dynasty,omitempty"`
	Forgiven  string      `json:"forgiven,omitempty"` // the deviation from the query that was accepted, such as sameSound
	Instead   []string    `json:"didYouMean,omitempty"`
	Tried     [][]reason  `json:"tried"` // the ways of matching that were tried, stage by stage
	Tiers     []tierCount `json:"tiers"`
	Hits      []reason    `json:"hits"` // the reasons for the items, in the same order
}

type tierCount struct {
	Tier  int `json:"tier"`
	Count int `json:"count"`
}

type reason struct {
	Tier  int    `json:"tier"`
	Field string `json:"field"`
	Way   string `json:"way"`
	// Text is the name that matched. Ranges are the half-open ranges of characters in Text that
	// match the query.
	Text   string         `json:"text,omitempty"`
	Ranges []search.Range `json:"ranges,omitempty"`
}

func explained(ex search.Explanation) *explanation {
	out := &explanation{
		Query: ex.Query, Script: string(ex.Script), Read: ex.Read, DOI: ex.DOI, Number: ex.Number, Literal: ex.Literal, Dynasty: ex.Dynasty,
		Forgiven: ex.Forgiven, Instead: ex.DidYouMean,
		Syllables: append([]string{}, ex.Syllables...), Words: append([]string{}, ex.Words...),
		Tried: [][]reason{}, Tiers: []tierCount{}, Hits: []reason{},
	}
	for _, stage := range ex.Tried {
		attempts := []reason{}
		for _, a := range stage {
			attempts = append(attempts, reason{Tier: a.Tier, Field: a.Field, Way: a.Way})
		}
		out.Tried = append(out.Tried, attempts)
	}
	for _, t := range ex.Tiers {
		out.Tiers = append(out.Tiers, tierCount(t))
	}
	for _, h := range ex.Hits {
		out.Hits = append(out.Hits, reason{h.Tier, h.Field, h.Way, h.Text, h.Ranges})
	}
	if out.Read == "" {
		out.Read = out.Query
	}
	return out
}

// explain writes sentences about how the query was understood and which ways of matching were
// tried.
func (ex *explanation) explain(b *strings.Builder) {
	switch {
	case ex.Script == string(search.Everything):
		fmt.Fprintf(b, "%q asks for everything, in answer order", ex.Query)
	case ex.Script == string(search.Nothing):
		fmt.Fprintf(b, "%q has no letter or digit and finds nothing", ex.Query)
	case ex.DOI != "":
		fmt.Fprintf(b, "%q is the DOI %s, or its beginning", ex.Query, ex.DOI)
	case ex.Number != "":
		fmt.Fprintf(b, "%q is the number %s, or a word", ex.Query, ex.Number)
	case ex.Script == string(search.Mixed):
		fmt.Fprintf(b, "%q is characters and letters together", ex.Query)
	default:
		fmt.Fprintf(b, "%q is %s", ex.Query, ex.Script)
	}
	if ex.Read != "" && ex.Read != ex.Query {
		fmt.Fprintf(b, ", compared as %q", ex.Read)
	}
	if len(ex.Syllables) > 0 {
		fmt.Fprintf(b, ", syllables %s", strings.Join(ex.Syllables, " "))
	}
	if len(ex.Words) > 0 {
		fmt.Fprintf(b, ", words %s", strings.Join(ex.Words, " "))
	}
	if ex.Literal {
		b.WriteString("; its * stands for itself, and no name has one")
	}
	if ex.Dynasty != "" {
		fmt.Fprintf(b, "; only of the dynasty %s", ex.Dynasty)
	}
	b.WriteString("\n")
	for i, stage := range ex.Tried {
		if len(stage) == 0 {
			continue
		}
		var tiers []int
		for _, a := range stage {
			tiers = append(tiers, a.Tier)
		}
		slices.Sort(tiers)
		tiers = slices.Compact(tiers)
		slices.Reverse(tiers)
		tried := strings.Trim(fmt.Sprint(tiers), "[]")
		if i < len(ex.Tried)-1 || len(ex.Tiers) == 0 {
			fmt.Fprintf(b, "tried tiers %s: nothing\n", tried)
			continue
		}
		var counts []string
		for _, t := range ex.Tiers {
			counts = append(counts, fmt.Sprintf("%d in %d", t.Count, t.Tier))
		}
		fmt.Fprintf(b, "tried tiers %s: %s\n", tried, strings.Join(counts, ", "))
	}
}
