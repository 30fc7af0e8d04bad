package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"bencao/internal/contents"
	"bencao/names"
	"bencao/names/bulk"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

func newMatch() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "match [FILE|-]",
		GroupID: "ask",
		Short:   "Match a list of names against the checklists of the current snapshot",
		Long: `Match a list of names: a CSV or tab-separated file with a column of names, or one name in each line. Without FILE, or with
"-", the list comes from standard input. Every row comes out again, in its place and with all its columns, followed by
the best candidate; --all gives a row for each candidate. The answers are those of names.match of the API.

Take what scores 0.9 or more, look at 0.7 to 0.9, and don't use less unseen.`,
		Example: `  bencao match --data /var/lib/bencao herbarium.csv --column scientificName > matched.csv
  echo 'Panax ginsen C.A.Mey.' | bencao match --data /var/lib/bencao --format jsonl
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
	f.StringVar(&opt.Column, "column", "", "header of the column of names (default: a usual one, such as name or scientificName)")
	f.StringVar(&opt.AuthorColumn, "author-column", "", "header of the column of authors, if they stand apart")
	f.StringVar(&opt.FamilyColumn, "family-column", "", "header of a column of families, as hints")
	f.BoolVar(&opt.Plain, "plain", false, "every line is a name, the first one too")
	f.BoolVar(&opt.All, "all", false, "a row for each candidate, not only for the best")
	f.IntVar(&opt.Limit, "limit", names.DefaultLimit, fmt.Sprintf("most candidates of a name, 1 to %d", names.MaxLimit))
	f.BoolVar(&opt.Excel, "excel", false, "write CSV that Excel opens right")
	f.BoolVar(&opt.Strict, "strict", false, "end with exit code 1 if a row could not be read")
	server := f.String("server", "", "address of a server to ask instead of a snapshot here, within its limit")
	keyFile := f.String("key-file", "", "file that holds the key for --server (default: $"+keyVariable+")")
	fuzzy := f.Bool("fuzzy", true, "also names that differ in letters")
	format := f.String("format", "csv", "csv or jsonl")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		needed := []string{"data"}
		if *server != "" {
			needed = nil
		}
		if err := s.load(cmd, needed...); err != nil {
			return err
		}
		opt.NoFuzzy = !*fuzzy
		switch {
		case *format == "jsonl":
			opt.Format = bulk.JSONLines
		case *format != "csv":
			return usagef("format is %q; use csv or jsonl", *format)
		case opt.Limit < 1 || opt.Limit > names.MaxLimit:
			return usagef("limit is %d; use 1 to %d", opt.Limit, names.MaxLimit)
		}
		in, length := cmd.InOrStdin(), int64(-1)
		if len(args) == 1 && args[0] != "-" {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				length = info.Size()
			}
			in = file
		}
		if *server != "" {
			r, err := newRemote(*server, *keyFile)
			if err != nil {
				return err
			}
			return matchList(cmd, r.match, in, length, opt)
		}
		return matchHere(cmd, s, in, length, opt)
	}
	return cmd
}

// matchHere matches a list against the names of the current snapshot.
func matchHere(cmd *cobra.Command, s *settings, in io.Reader, length int64, opt bulk.Options) (err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return err
	}
	files, err := contents.Current(cmd.Context(), dir, contents.Names)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	match := func(_ context.Context, q names.Query) (names.Response, error) { return files.Names.Match(q) }
	return matchList(cmd, match, in, length, opt)
}

// matchList matches the names that in holds, which is length bytes long, -1
// if unknown.
func matchList(cmd *cobra.Command, match bulk.Matcher, in io.Reader, length int64, opt bulk.Options) error {
	if w := cmd.ErrOrStderr(); onTerminal(w) && !onTerminal(cmd.OutOrStdout()) {
		bar := progressbar.NewOptions64(length, progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())
		// What can't be drawn does not matter: the terminal has gone.
		opt.Progress = func(st bulk.Stats) { _ = bar.Set64(st.Bytes) }
		defer func() { _ = bar.Finish() }()
	}
	stats, err := bulk.Run(cmd.Context(), match, in, cmd.OutOrStdout(), opt)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%d rows, %d matched, %d unreadable\n", stats.Rows, stats.Matched, stats.Unreadable)
	return err
}
