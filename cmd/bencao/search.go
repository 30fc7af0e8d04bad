package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bencao/internal/contents"
	"bencao/internal/messages"
	"bencao/mappings/search"
	"bencao/store"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

// searchable is one table that can be searched.
type searchable struct {
	name    string // the argument
	part    contents.Part
	of      func(*contents.Contents) *search.Searcher
	summary func(*store.Tx, store.Num) store.Template
	columns []string // keys of the summary that people see
}

var searchables = []searchable{
	{"species", contents.Species | contents.Names, func(c *contents.Contents) *search.Searcher { return c.Species },
		(*store.Tx).SpeciesSummary, []string{"entryId", "chineseName", "scientificName", "author", "family", "acceptedName"}},
	{"formulas", contents.Formulas, func(c *contents.Contents) *search.Searcher { return c.Formulas },
		(*store.Tx).FormulaSummary, []string{"entryId", "name", "namePinyin", "dynasty", "year", "originalSource"}},
	{"papers", contents.Papers, func(c *contents.Contents) *search.Searcher { return c.Papers },
		(*store.Tx).PaperSummary, []string{"id", "year", "doi", "pubmedId", "title"}},
	{"herbs", contents.Herbs, func(c *contents.Contents) *search.Searcher { return c.Herbs },
		(*store.Tx).HerbSummary, []string{"name", "namePinyin", "latinName", "kind", "formulas", "scientificNames"}},
}

func newSearch() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "search species|formulas|papers|herbs QUERY",
		GroupID: "ask",
		Short:   "Search the current snapshot, as the API does",
		Long: `Search the current snapshot, as the API does: Chinese characters, pinyin in any spelling, initials, scientific names with
slips, a DOI. An empty query lists everything. --explain says how the query was read and why each record was found.`,
		Example: `  bencao search --data /var/lib/bencao species renshen
  bencao search --data /var/lib/bencao formulas 桂枝 --dynasty 汉 --explain
  bencao search --data /var/lib/bencao formulas '' --herbs 人参、甘草 --without 附子 --distinct name
  bencao search --data /var/lib/bencao herbs 'Cinnamomi Ramulus'
  bencao search --data /var/lib/bencao species 参 --facets family,genus`,
		ValidArgs: []string{"species", "formulas", "papers", "herbs"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("%s takes what to search (species, formulas, papers or herbs) and a query; see %q", cmd.CommandPath(), cmd.CommandPath()+" --help")
			}
			return nil
		},
	}
	s := use(cmd, "data")
	explain := cmd.Flags().Bool("explain", false, "say how the query was read and why each record was found")
	limit := cmd.Flags().Int("limit", 20, "how many records to print")
	narrowed := narrow(cmd)
	facets := cmd.Flags().StringSlice("facets", nil, "count by these fields, commas between them, instead of listing")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		for _, table := range searchables {
			if table.name != args[0] {
				continue
			}
			if *limit < 1 {
				return usagef("limit is %d; use 1 or more", *limit)
			}
			q, err := narrowed(table.name)
			if err != nil {
				return err
			}
			dir, err := s.dataFolder()
			if err != nil {
				return err
			}
			q.Text, q.Size = strings.Join(args[1:], " "), *limit
			found, err := table.search(cmd.Context(), dir, q, *facets)
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

// found is the answer to a search.
type found struct {
	Total       int               `json:"total"`
	Items       []json.RawMessage `json:"items"`
	Forgiven    string            `json:"forgiven,omitempty"` // what was, such as sameSound
	Part        string            `json:"part,omitempty"`     // where names hold what was typed
	Group       string            `json:"group,omitempty"`    // what was typed is the name of a family or genus
	Explanation *explanation      `json:"explanation,omitempty"`
	Facets      []counted         `json:"facets,omitempty"`
}

// search answers q from the current snapshot.
func (t searchable) search(ctx context.Context, dir snapshot.Dir, q search.Query, facets []string) (f *found, err error) {
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
	for _, hit := range ex.Hits {
		f.Items = append(f.Items, t.summary(tx, hit.Num).Append(nil, "", 0))
	}
	return f, nil
}

// print writes the records as a table, or all there is as JSON.
func (f *found) print(cmd *cobra.Command, columns []string, asJSON bool) error {
	w := cmd.OutOrStdout()
	if asJSON {
		return json.NewEncoder(w).Encode(f)
	}
	if f.Facets != nil {
		return printCounted(cmd, f.Total, f.Facets)
	}
	var b strings.Builder
	l := languageOf(cmd)
	if f.Explanation != nil {
		f.Explanation.explain(&b, l)
	}
	t := newTable(cmd)
	for i, item := range f.Items {
		values := map[string]any{}
		dec := json.NewDecoder(bytes.NewReader(item))
		dec.UseNumber()
		if err := dec.Decode(&values); err != nil {
			return messages.Errorf("record %d of the answer: %w", i+1, err)
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
	fmt.Fprintln(&b, l.say("%d of %d", len(f.Items), f.Total))
	switch {
	case f.Forgiven != "":
		fmt.Fprintln(&b, l.say("nothing is called what you typed; this is what comes near (forgiven: %s)", f.Forgiven))
	case f.Part != "":
		fmt.Fprintln(&b, l.say("nothing is called what you typed; these names have it (%s)", f.Part))
	case f.Group != "":
		fmt.Fprintln(&b, l.say("these are the species of a %s", l.word(f.Group)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
