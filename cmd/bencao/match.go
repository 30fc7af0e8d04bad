package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"bencao/internal/durable"
	"bencao/internal/messages"
	"bencao/internal/snapshotfiles"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newMatch() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "match [FILE|-]",
		GroupID: "ask",
		Short:   "Match a list of names against the checklists of the current snapshot",
		Long: `Match a list of names: a table with a column of names (CSV with commas, semicolons or tabs, or an Excel workbook),
or one name in each line. Without FILE, or with "-", the list comes from standard input. It may be in UTF-8, UTF-16,
GB18030, Big5 or Windows-1252, or in the encoding that --encoding names; the answers are in UTF-8. The header is looked
for among the first twenty lines. Columns of names, genera, epithets, authors, families, Chinese names and so on are
found by what their cells are in the checklists; headers decide between columns of the same kind. If two columns hold
names and neither header says which is meant, or if none does, the list is refused, and its columns are listed. The
summary names the columns that were used, and those that look like names, epithets, ranks or qualifiers and were not.
All sheets of a workbook with the same header are one list. In a table, ditto marks, P. for the genus above, and
families alone in a line are understood.

Every row comes out again, in its place and with all its columns, followed by the best candidate; --all gives a row
for each candidate. The answers are those of names.match of the API. At the end a summary by match type and score
goes to standard error.

Accept a score of 0.9 or more, check 0.7 to 0.9, and don't use a lower one without checking it.`,
		Example: `  bencao match --data /var/lib/bencao herbarium.csv --column scientificName > matched.csv
  echo 'Panax ginsen C.A.Mey.' | bencao match --data /var/lib/bencao --format jsonl
  bencao match --data /var/lib/bencao list.xlsx --rank species --min-score 0.7 --summary summary.json > matched.csv
  bencao match --server https://plants.example --key-file key.txt herbarium.csv > matched.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%s takes one file, but got %d; write each list's answers to a file of its own", cmd.CommandPath(), len(args))
			}
			return nil
		},
	}
	s := use(cmd, "data")
	var opt bulk.Options
	f := cmd.Flags()
	f.StringVar(&opt.Column, "column", "", "header of the column of names (default: the one whose cells are names)")
	f.StringVar(&opt.AuthorColumn, "author-column", "", "header of the column of authors (default: the one whose cells are authors)")
	f.StringVar(&opt.FamilyColumn, "family-column", "", "header of the column of families, used as hints (default: the one whose cells are families)")
	f.StringVar(&opt.ChineseColumn, "chinese-column", "", "header of the column of Chinese names beside the scientific ones, used as hints (default: the one whose cells are such names)")
	f.StringVar(&opt.Sheet, "sheet", "", "name of the sheet to read of a workbook (default: all that have the header of the first with names)")
	f.StringVar(&opt.Encoding, "encoding", "", "encoding of the list, such as Shift_JIS or Macintosh (default: found out, if it is UTF-8, UTF-16, GB18030, Big5 or Windows-1252)")
	f.BoolVar(&opt.Plain, "plain", false, "every line is a name, including the first")
	f.StringVar(&opt.Columns, "columns", bulk.ColumnsFull, "columns of the answers: paper (to paste into a table), full or ids")
	f.BoolVar(&opt.Explain, "explain", false, "add a column with the steps of matching, for each row that is not exact")
	f.BoolVar(&opt.Distribution, "distribution", false, "add where the plant of the accepted name grows (codes of regions: native, introduced, extinct, doubtful), its life form, and where the name was published")
	f.BoolVar(&opt.All, "all", false, "write a row for each candidate, not only for the best")
	f.IntVar(&opt.Limit, "limit", names.DefaultLimit, fmt.Sprintf("largest number of candidates for a name, 1 to %d", names.MaxLimit))
	f.StringVar(&opt.Source, "source", "", "only candidates from this checklist, such as WCVP or CoL-China")
	f.Float64Var(&opt.MinScore, "min-score", 0, "only candidates with at least this score, 0 to 1")
	f.StringVar(&opt.Rank, "rank", "", "only candidates of this rank, such as species")
	f.StringVar(&opt.Region, "region", "", "region where the plants grow, to tell homonyms apart: "+names.RegionChina+" or a code such as CHC")
	maxUnpacked := f.String("max-unpacked", "64MiB", "largest unpacked `size` of an Excel workbook, such as 64MiB or 1G")
	since := f.String("since", "", "an earlier `version` of the data, such as one that \"bencao pin\" keeps: columns tell what has changed since")
	summary := f.String("summary", "", "file for the summary, as JSON")
	fuzzy := f.Bool("fuzzy", true, "also find misspelt names")
	format := f.String("format", "csv", "csv, excel (CSV that Excel opens correctly) or jsonl")
	group(cmd, "The list:", "column", "author-column", "family-column", "chinese-column", "sheet", "encoding", "plain", "max-unpacked")
	group(cmd, "Candidates:", "all", "limit", "source", "min-score", "rank", "region", "fuzzy")
	group(cmd, "Output:", "since", "columns", "distribution", "format", "explain", "summary")
	server := useServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		opt.NoFuzzy = !*fuzzy
		var err error
		if opt.Encoding, err = encodingOf(opt.Encoding); err != nil {
			return err
		}
		if opt.MaxUnpacked, err = parseSize(*maxUnpacked); err != nil {
			return usagef("max-unpacked: %w", err)
		}
		switch {
		case *format == "jsonl":
			opt.Format = bulk.JSONLines
		case *format == "excel":
			opt.Excel = true
		case *format != "csv":
			return usagef("format is %q; use csv, excel or jsonl", *format)
		case !slices.Contains(bulk.ColumnSets, opt.Columns):
			return usagef("columns is %q; use paper, full or ids", opt.Columns)
		case opt.Limit < 1 || opt.Limit > names.MaxLimit:
			return usagef("limit is %d; use 1 to %d", opt.Limit, names.MaxLimit)
		case opt.Region != "" && !names.IsRegion(opt.Region):
			return usagef("region is %q; use %s or a code of three letters such as CHC", opt.Region, names.RegionChina)
		case opt.MinScore < 0 || opt.MinScore > 1:
			return usagef("min-score is %v; use 0 to 1", opt.MinScore)
		}
		list := nameList{in: cmd.InOrStdin(), rows: -1, summary: *summary}
		if len(args) == 1 && args[0] != "-" {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			if list.rows, err = rowsOf(cmd, file); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			list.in = file
		} else if onTerminal(list.in) {
			fmt.Fprintln(cmd.ErrOrStderr(), "reading names from the terminal, one in each line; end with Ctrl-D")
		}
		if *since != "" && !snapshot.ValidID(*since) {
			return usagef("since is %q, which is no version of the data, such as 20261120T021500Z-3f9a1c", *since)
		}
		if server.address == "" {
			return matchHere(cmd, s, list, *since, opt)
		}
		c, err := server.server(cmd)
		if err != nil {
			return err
		}
		if *since != "" {
			opt.Since = c.At(*since).Match
		}
		return matchList(cmd, c.Match, list, opt)
	}
	return cmd
}

// nameList is a list of names to match.
type nameList struct {
	in io.Reader
	// rows is the number of lines, or -1 if it is unknown.
	rows int64
	// summary is the path of the file for the summary, or "" for none.
	summary string
}

// matchHere matches a list against the names of the current snapshot.
// If since names an earlier snapshot, it compares the answers of both.
func matchHere(cmd *cobra.Command, s *settings, l nameList, since string, opt bulk.Options) (err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return err
	}
	files, err := snapshotfiles.Current(cmd.Context(), dir, snapshotfiles.Names|snapshotfiles.Taxa)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	if since != "" {
		earlier, openErr := snapshotfiles.Of(cmd.Context(), dir, since, snapshotfiles.Names|snapshotfiles.Taxa)
		if openErr != nil {
			return fmt.Errorf("since: %w", openErr)
		}
		defer func() { err = errors.Join(err, earlier.Close()) }()
		opt.Since = bulk.MatchEach(earlier.Match)
	}
	return matchList(cmd, bulk.MatchEach(files.Match), l, opt)
}

// matchList matches a list and prints the summary.
func matchList(cmd *cobra.Command, match bulk.Matcher, list nameList, opt bulk.Options) error {
	if withBar(cmd) {
		bars := &bars{w: cmd.ErrOrStderr()}
		defer bars.end()
		opt.Progress = func(st bulk.Stats) { bars.show("matching", "rows", st.Rows, list.rows) }
	}
	stats, err := bulk.Run(cmd.Context(), match, list.in, cmd.OutOrStdout(), opt)
	if err != nil {
		return err
	}
	if list.summary != "" {
		err = durable.WriteFile(list.summary, summaryOf(stats), durable.Options{})
	}
	if err == nil && opt.Since != nil {
		err = changesOfRows(cmd, stats.Changes)
	}
	note := ""
	if stats.Rows == 0 {
		note = "; the list is empty"
	}
	if stats.Encoding != "" && stats.Encoding != "UTF-8" {
		note = fmt.Sprintf("; the list is in %s, the answers are in UTF-8", stats.Encoding)
	}
	if stats.Empty > 0 {
		note = fmt.Sprintf(", %d without a name", stats.Empty) + note
	}
	_, said := fmt.Fprintf(cmd.ErrOrStderr(), "%s, %d matched, %d unreadable%s\n", messages.Count(stats.Rows, "row"), stats.Matched, stats.Unreadable, note)
	err = errors.Join(err, said, tallied(stats.Best).write(cmd.ErrOrStderr()))
	for _, line := range stats.Notes(", ", func(code string, values ...any) string { return fmt.Sprintf(noteTexts[code], values...) }) {
		_, said = fmt.Fprintln(cmd.ErrOrStderr(), line)
		err = errors.Join(err, said)
	}
	return err
}

// changesOfRows prints how many rows have each change.
func changesOfRows(cmd *cobra.Command, changes map[string]int64) error {
	var parts []string
	for _, kind := range slices.SortedFunc(maps.Keys(changes), func(a, b string) int {
		return cmp.Or(cmp.Compare(changes[b], changes[a]), cmp.Compare(a, b))
	}) {
		parts = append(parts, fmt.Sprintf("%s: %d", kind, changes[kind]))
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "changes: %s\n", strings.Join(parts, ", "))
	return err
}

// noteTexts has the sentences of [bulk.Stats.Notes], in English.
var noteTexts = map[string]string{
	"taxa":              "species: %d, genera: %d, families: %d (0.7 and more); ambiguous: %d, unplaced: %d, checklists disagree: %d",
	"sheet":             "read from sheet %s, header in line %d: %s",
	"header":            "read with the header in line %d: %s",
	"headless":          "read without a header: %s",
	"column":            "%s = %s",
	"byCells":           "%s = %s (by its cells)",
	"unused":            "not used, although they say more than the names: %s; give them headers such as infraspecificEpithet, rank or identificationQualifier",
	"unused.epithets":   "%s (epithets)",
	"unused.ranks":      "%s (ranks)",
	"unused.qualifiers": "%s (qualifiers)",
	"plainLines":        "read as one name in each line, although the lines have separators; a table needs a header, or names in the same cell of every line",
	"others":            "other columns hold names too: %s; choose one with --column",
	"leftOut":           "not read, for another header: sheet %s; read one with --sheet",
	"undecoded":         "rows with bytes that are not %[2]s, written as �: %[1]d; if the list is in another encoding, name it with --encoding",
	"rowAbove":          "rows that took a part from a row above: %d; see the flag rowAbove",
	"noFamily":          "rows with a text in the column of families that is not a known family, and so not a hint: %d",
	"epithets":          "%d of %d names are one word in lower case, as in a column of epithets; no column of genera is known, so give it the header genus",
}

// tallied returns a table with the number of rows for each match type and band of scores.
func tallied(tally bulk.Tally) *table {
	t := &table{heading: append([]string{""}, bulk.Bands()...)}
	for _, r := range tally.Rows() {
		cells := []any{r.Type}
		for _, n := range r.Counts {
			cells = append(cells, n)
		}
		if r.HigherRank {
			cells = append(cells, "a genus or family only")
		}
		t.row(cells...)
	}
	t.row("no match", "", "", tally[bulk.Unmatched])
	if n := tally[bulk.Empty]; n > 0 {
		t.row("no name", "", "", n)
	}
	if n := tally[bulk.Unreadable]; n > 0 {
		t.row("unreadable", "", "", n)
	}
	return t
}

// summaryOf returns the summary as JSON.
func summaryOf(stats bulk.Stats) []byte {
	b, err := json.MarshalIndent(stats, "", "  ")
	if err != nil {
		panic(err) // cannot fail: the values are numbers and words
	}
	return append(b, '\n')
}
