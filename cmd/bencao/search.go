package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/ask"
	"bencao/internal/messages"
	"bencao/mappings"
	"bencao/mappings/search"

	"github.com/spf13/cobra"
)

// summaryColumns maps each table that "bencao search" can search to the fields of the summary that a
// table for people shows.
var summaryColumns = map[string][]string{
	"species":  {"entryId", "chineseName", "scientificName", "author", "family", "acceptedName"},
	"formulas": {"entryId", "name", "namePinyin", "dynasty", "year", "originalSource"},
	"papers":   {"id", "year", "doi", "pubmedId", "title"},
	"herbs":    {"name", "namePinyin", "latinName", "kind", "formulas", "scientificNames"},
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
	filters := addFilters(cmd, mappings.Tables, func(mappings.Filter) bool { return true }, func(c mappings.Choice) string {
		if len(c.Tables) > 1 {
			return "Filters of several tables, and order:"
		}
		return "Filters of " + c.Tables[0] + ":"
	})
	facets := cmd.Flags().StringSlice("facets", nil, "count records by these fields, separated by commas, instead of listing them")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	group(cmd, "Output:", "explain", "limit", "facets", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) (failed error) {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		table := args[0]
		columns, known := summaryColumns[table]
		switch {
		case !known:
			return usagef("%q can't be searched; %suse species, formulas, papers or herbs", table, didYouMean(table, cmd.ValidArgs))
		case *limit < 1:
			return usagef("limit is %d; use 1 or more", *limit)
		}
		query, err := filters.query(table)
		if err != nil {
			return err
		}
		text := strings.Join(args[1:], " ")
		if text != "" {
			query.Set("q", text)
		}
		c, closer, err := server.open(cmd, s, access.All)
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, closer()) }()
		if facets != nil && len(*facets) > 0 {
			query.Set("by", strings.Join(*facets, ","))
			query.Set("limit", strconv.Itoa(*limit))
			var counts api.Facets
			if err := c.Get(cmd.Context(), "/"+table+"/facets", query, &counts); err != nil {
				return asked(err)
			}
			if *asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(counts)
			}
			return printCounted(cmd, counts)
		}
		query.Set("explain", "true")
		query.Set("trace", strconv.FormatBool(*explain))
		found, err := searchPages(cmd.Context(), c, table, query, *limit)
		if err != nil {
			return asked(err)
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(found)
		}
		return found.print(cmd, text, columns)
	}
	return cmd
}

// found is the result of a search, as --json prints it: pages of the API's answer in one.
type found struct {
	Total       int32             `json:"total"`
	Items       []json.RawMessage `json:"items"`
	Explanation *api.Explanation  `json:"explanation"`
}

// mostPerPage is the largest number of records on a page of the API.
const mostPerPage = 100

// errNewData is returned if the data have changed between two pages.
var errNewData = errors.New("the server has new data since the first page; search again")

// searchPages searches a table of the API and returns the first records, at most limit.
func searchPages(ctx context.Context, c *ask.Client, table string, query url.Values, limit int) (*found, error) {
	size := min(limit, mostPerPage)
	query.Set("pageSize", strconv.Itoa(size))
	var all *found
	for page, version := 1, ""; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var raw ask.Answer
		if err := c.Get(ctx, "/"+table, query, &raw); err != nil {
			return nil, err
		}
		if v := raw.Header.Get("X-Data-Version"); version == "" {
			version = v
		} else if v != version {
			return nil, errNewData
		}
		var part found
		if err := json.Unmarshal(raw.Body, &part); err != nil || part.Explanation == nil || len(part.Explanation.Items) != len(part.Items) {
			return nil, fmt.Errorf("the answer cannot be read: %w", err)
		}
		if all == nil {
			all = &part
		} else {
			all.Items = append(all.Items, part.Items...)
			all.Explanation.Items = append(all.Explanation.Items, part.Explanation.Items...)
		}
		if n := len(all.Items); n >= limit || len(part.Items) < size {
			all.Items, all.Explanation.Items = all.Items[:min(n, limit)], all.Explanation.Items[:min(n, limit)]
			return all, nil
		}
	}
}

// print prints the records as a table for people. query is the text that was searched.
func (f *found) print(cmd *cobra.Command, query string, columns []string) error {
	var b strings.Builder
	ex := f.Explanation
	if ex.Trace != nil {
		explain(&b, query, ex)
	}
	t := newTable()
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
		if hit := ex.Items[i]; ex.Trace != nil && hit.Field != "" {
			cells = append(cells, fmt.Sprintf("%d %s %s", hit.Tier, hit.Field, hit.Way))
		}
		t.row(cells...)
	}
	b.WriteString(t.text())
	fmt.Fprintf(&b, "%d of %d\n", len(f.Items), f.Total)
	if len(ex.Recognised)+len(ex.Parts) > 0 {
		var parts []string
		for _, r := range ex.Recognised {
			as := r.As
			if as == "author" { // the word author alone means the author of a scientific name
				as = "author of a book"
			}
			parts = append(parts, fmt.Sprintf("%s (%s)", strings.Join(r.Values, " = "), as))
		}
		for _, p := range ex.Parts {
			parts = append(parts, fmt.Sprintf("%s (%s)", strings.Join(p.Values, " = "), p.As))
		}
		fmt.Fprintf(&b, "read as %s\n", strings.Join(parts, ", "))
	}
	switch {
	case ex.Forgiven != "":
		fmt.Fprintf(&b, "nothing is called what you typed; this is what comes near (forgiven: %s)\n", ex.Forgiven)
	case ex.Part != "":
		fmt.Fprintf(&b, "nothing is called what you typed; these names have it (%s)\n", ex.Part)
	case ex.Group != "":
		fmt.Fprintf(&b, "these are the species of a %s\n", ex.Group)
	}
	if ex.ReadAs != "" {
		fmt.Fprintf(&b, "searched %s in the %s\n", ex.ReadAs, ex.In)
	}
	for _, r := range ex.Readings {
		fmt.Fprintf(&b, "%s %s is read as %s\n", r.Parameter, r.Value, strings.Join(r.Means, " = "))
	}
	for _, u := range ex.Unknown {
		fmt.Fprintf(&b, "no record has the %s %s\n", u.Filter, strings.Join(append([]string{u.Value}, u.Close...), "; there is "))
	}
	for _, p := range ex.Elsewhere {
		if f.Total == 0 {
			fmt.Fprintf(&b, "%s with %s in the %s (--in %s)\n", messages.Count(p.Total, "formula"), p.Text, p.In, p.In)
		}
	}
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}

// printCounted prints facets as a table.
func printCounted(cmd *cobra.Command, counts api.Facets) error {
	t := newTable()
	for _, f := range counts.Facets {
		for _, c := range f.Counts {
			chinese := ""
			if c.Chinese != nil {
				chinese = *c.Chinese
			}
			t.row(f.By, c.Value, chinese, c.Count)
		}
		t.row(f.By, fmt.Sprintf("%d of %s, %s without one", len(f.Counts), messages.Count(f.Values, "value"), messages.Count(f.Without, "record")))
	}
	t.row(messages.Count(counts.Total, "record"))
	return t.write(cmd.OutOrStdout())
}

// explain writes sentences about how a query was understood and which ways of matching were
// tried.
func explain(b *strings.Builder, query string, ex *api.Explanation) {
	trace := ex.Trace
	switch {
	case trace.Script == string(search.Everything):
		fmt.Fprintf(b, "%q asks for everything, in answer order", query)
	case trace.Script == string(search.Nothing):
		fmt.Fprintf(b, "%q has no letter or digit and finds nothing", query)
	case trace.DOI != "":
		fmt.Fprintf(b, "%q is the DOI %s, or its beginning", query, trace.DOI)
	case trace.Number != "":
		fmt.Fprintf(b, "%q is the number %s, or a word", query, trace.Number)
	case trace.Script == string(search.Mixed):
		fmt.Fprintf(b, "%q is characters and letters together", query)
	default:
		fmt.Fprintf(b, "%q is %s", query, trace.Script)
	}
	if ex.Read != "" && ex.Read != query {
		fmt.Fprintf(b, ", compared as %q", ex.Read)
	}
	if len(trace.Syllables) > 0 {
		fmt.Fprintf(b, ", syllables %s", strings.Join(trace.Syllables, " "))
	}
	if len(trace.Words) > 0 {
		fmt.Fprintf(b, ", words %s", strings.Join(trace.Words, " "))
	}
	if trace.Literal {
		b.WriteString("; its * stands for itself, and no name has one")
	}
	if trace.Dynasty != "" {
		fmt.Fprintf(b, "; only of the dynasty %s", trace.Dynasty)
	}
	b.WriteString("\n")
	for i, stage := range trace.Tried {
		if len(stage) == 0 {
			continue
		}
		var tiers []int32
		for _, a := range stage {
			tiers = append(tiers, a.Tier)
		}
		slices.Sort(tiers)
		tiers = slices.Compact(tiers)
		slices.Reverse(tiers)
		tried := strings.Trim(fmt.Sprint(tiers), "[]")
		if i < len(trace.Tried)-1 || len(trace.Tiers) == 0 {
			fmt.Fprintf(b, "tried tiers %s: nothing\n", tried)
			continue
		}
		var counts []string
		for _, t := range trace.Tiers {
			counts = append(counts, fmt.Sprintf("%d in %d", t.Count, t.Tier))
		}
		fmt.Fprintf(b, "tried tiers %s: %s\n", tried, strings.Join(counts, ", "))
	}
}
