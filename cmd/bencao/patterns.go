package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/ask"
	"bencao/mappings"
	"bencao/mappings/patterns"

	"github.com/spf13/cobra"
)

// patternFlag is a flag of "bencao patterns". It sets a parameter of the API.
type patternFlag struct {
	flag, parameter, doc string
	of                   string // the tables that have the flag; "" means all tables
}

// countFlags are the flags for the way of counting.
var countFlags = []patternFlag{
	{"names", "names", "what counts as one drug: standard, written or source", ""},
	{"distinct", "distinct", "composition: count each set of drugs once", ""},
	{"against", "against", "compare with the formulas that this query finds, such as dynasty=宋", "herbs"},
	{"herb", "herb", "only pairs or sets with this drug", "pairs sets"},
	{"with", "with", "the other drug of the pair", "pairs"},
	{"side", "side", "often, seldom or both", "pairs"},
	{"sort", "sort", "order: formulas, oddsRatio or q", "herbs"},
	{"min-formulas", "minFormulas", "only drugs, or sets of drugs, in so many formulas", "herbs pairs sets"},
}

// whichFormulas is the title of flags that select formulas.
const whichFormulas = "Which formulas:"

// populationTitle returns the title of the flag for a filter of formulas.
func populationTitle(c mappings.Choice) string {
	switch c.Kind {
	case mappings.WithHerbs, mappings.WithoutHerbs, mappings.HerbForms, mappings.OfSpecies:
		return "With which drugs:"
	}
	return whichFormulas
}

// selectsFormulas reports whether a filter of formulas is a flag of "bencao patterns". Two filters
// are no flags: --name and --indication search for a text instead.
func selectsFormulas(f mappings.Filter) bool {
	return f.Narrows() && f.Kind != mappings.InPart && f.Kind != mappings.CompleteName
}

// patternTables lists the possible arguments of "bencao patterns".
var patternTables = []string{"herbs", "pairs", "sets", "formulas"}

func newPatterns() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "patterns herbs|pairs|sets|formulas",
		GroupID: "ask",
		Short:   "Find what formulas have in common",
		Long: `Find what formulas have in common: how often each drug occurs, which occur together more or less often than expected, and
which sets recur. The filters select the formulas. docs/patterns.md defines the numbers.

The answers come from the current snapshot, or from a server with your key, and are the same. They are the answers of the
API, as a table or in the format that you choose.`,
		Example: `  bencao patterns herbs --data /var/lib/bencao --dynasty 宋
  bencao patterns pairs --data /var/lib/bencao --indication 咳 --dynasty 宋 --min-formulas 5
  bencao patterns pairs --data /var/lib/bencao --herb 人参 --with 五灵脂 --side seldom
  bencao patterns pairs --server https://plants.example --key-file lab.key --limit 200 --format graphml
  bencao patterns sets --data /var/lib/bencao --herbs 当归 --min-formulas 30`,
		ValidArgs: patternTables,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(patternTables, args[0]) {
				return usagef("%s takes one of herbs, pairs, sets and formulas; see %q", cmd.CommandPath(), cmd.CommandPath()+" --help")
			}
			return nil
		},
	}
	s := use(cmd, "data")
	server := useServer(cmd)
	name := cmd.Flags().String("name", "", "only formulas that a search for this name finds")
	indication := cmd.Flags().String("indication", "", "only formulas whose indications have this text")
	group(cmd, whichFormulas, "name", "indication")
	population := addFilters(cmd, []string{"formulas"}, selectsFormulas, populationTitle)
	values := map[string]*string{}
	for _, f := range countFlags {
		values[f.flag] = cmd.Flags().String(f.flag, "", f.doc)
		group(cmd, "What to count:", f.flag)
	}
	limit := cmd.Flags().Int("limit", 20, "how many rows to print, at most 1000")
	page := cmd.Flags().Int("page", 1, "which page of so many rows")
	format := cmd.Flags().String("format", "table", "table, json, csv, ndjson, or for pairs graphml")
	group(cmd, "Output:", "limit", "page", "format")
	cmd.RunE = func(cmd *cobra.Command, args []string) (failed error) {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		query, err := population.query("formulas")
		if err != nil {
			return err
		}
		query.Set("pageSize", strconv.Itoa(*limit))
		query.Set("page", strconv.Itoa(*page))
		for _, f := range countFlags {
			switch {
			case *values[f.flag] == "":
			case f.of != "" && !slices.Contains(strings.Fields(f.of), args[0]):
				return usagef("--%s is for %s; %s have none", f.flag, strings.Join(strings.Fields(f.of), " and "), args[0])
			default:
				query.Set(f.parameter, *values[f.flag])
			}
		}
		switch {
		case *name != "" && *indication != "":
			return usagef("give --name or --indication, not both")
		case *name != "":
			query.Set("q", *name)
		case *indication != "":
			query.Set("q", *indication)
			query.Set("in", "indications")
		}
		if !slices.Contains([]string{"table", "json", "csv", "ndjson", "graphml"}, *format) || *format == "graphml" && args[0] != "pairs" {
			return usagef("format is %q; use table, json, csv, ndjson, or for pairs graphml", *format)
		}
		if *format != "table" {
			query.Set("format", *format)
		}
		c, closer, err := server.open(cmd, s, access.All)
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, closer()) }()
		var answer ask.Answer
		if err := c.Get(cmd.Context(), "/patterns/"+args[0], query, &answer); err != nil {
			return asked(err)
		}
		if *format != "table" {
			_, err := cmd.OutOrStdout().Write(answer.Body)
			return err
		}
		return printPatterns(cmd, args[0], answer)
	}
	return cmd
}

// printPatterns prints a page of the API as a table for people, with rounded numbers.
func printPatterns(cmd *cobra.Command, table string, answer ask.Answer) error {
	var page struct {
		Total      int
		Items      json.RawMessage
		Population patterns.Population
		Tested     int
	}
	if err := json.Unmarshal(answer.Body, &page); err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}
	t, shown := newTable(), 0
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	optional := func(v *float64) string {
		if v == nil {
			return ""
		}
		return short(*v)
	}
	names := func(herbs []patterns.Herb) string {
		var all []string
		for _, d := range herbs {
			all = append(all, d.Name)
		}
		return strings.Join(all, "、")
	}
	var err error
	switch table {
	case "herbs":
		t.heading = []string{"drug", "formulas", "share", "elsewhere", "odds ratio", "95 %", "q"}
		var rows []patterns.HerbCount
		err = json.Unmarshal(page.Items, &rows)
		for _, h := range rows {
			interval := ""
			if h.OddsLow != nil {
				interval = short(*h.OddsLow) + "–" + short(*h.OddsHigh)
			}
			t.row(h.Name, h.Formulas, short(h.Share), optional(h.ShareElse), optional(h.OddsRatio), interval, optional(h.Q))
		}
		shown = len(rows)
	case "pairs":
		t.heading = []string{"x", "y", "formulas", "x in", "y in", "expected", "lift", "p", "q"}
		var rows []patterns.Pair
		err = json.Unmarshal(page.Items, &rows)
		for _, p := range rows {
			t.row(p.X.Name, p.Y.Name, p.Formulas, p.FormulasX, p.FormulasY, short(p.Expected), short(p.Lift), short(p.P), short(p.Q))
		}
		shown = len(rows)
	case "sets":
		t.heading = []string{"drugs", "formulas", "support", "lift"}
		var rows []patterns.Set
		err = json.Unmarshal(page.Items, &rows)
		for _, s := range rows {
			t.row(names(s.Herbs), s.Formulas, short(s.Support), short(s.Lift))
		}
		shown = len(rows)
	default:
		t.heading = []string{"formula", "drugs"}
		var rows []struct {
			Name  string
			Herbs []patterns.Herb `json:"drugs"`
		}
		err = json.Unmarshal(page.Items, &rows)
		for _, f := range rows {
			t.row(f.Name, names(f.Herbs))
		}
		shown = len(rows)
	}
	if err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}
	if err := t.write(cmd.OutOrStdout()); err != nil {
		return err
	}
	line := fmt.Sprintf("%d of %d; %d formulas, %d distinct compositions", shown, page.Total, page.Population.Formulas, page.Population.Distinct)
	if page.Tested > 0 {
		line += fmt.Sprintf("; %d pairs tested", page.Tested)
	}
	if how := answer.Header.Get("X-Search"); !strings.HasPrefix(how, "exact") {
		line += "\nthe formulas match the name so: " + how
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
	return err
}
