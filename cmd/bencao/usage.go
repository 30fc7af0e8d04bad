package main

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/usage"
	"bencao/internal/messages"

	"github.com/spf13/cobra"
)

func newUsage() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "usage [KEY]",
		GroupID: "care",
		Short:   "Say what each key has asked, or one key day by day",
		Long: `Say what each key has asked of the last --days days: when last, how many requests, how many of them were refused with
401 (no valid key), 403 (not from there, or without the scope) and 429 (too many), how many names to match, how many bytes.
With the id of a key, say so for each day.

What is said comes from the folder in which a server keeps its counts, usage in the data folder or --usage, and is up to a
minute old; with --admin it comes from the running server, and is of now. Days are those of UTC; 400 of them are kept.
With --access, keys that have asked nothing are listed too.`,
		Example: `  bencao usage --data /var/lib/bencao --access /etc/bencao/access.toml
  bencao usage lab --admin 127.0.0.1:9090 --days 7`,
		Args: atMostOneArg("the id of a key"),
	}
	s := use(cmd, "data", "usage", "access", "admin")
	days := cmd.Flags().Int("days", 30, "`number` of days, today among them")
	asJSON := cmd.Flags().Bool("json", false, "print all of it as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if *days < 1 || *days > usage.KeepDays {
			return usagef("days is %d; use 1 to %d", *days, usage.KeepDays)
		}
		from := time.Now().UTC().AddDate(0, 0, 1-*days).Format(time.DateOnly)
		got, err := s.usage(cmd, from)
		if err != nil {
			return err
		}
		if len(args) == 1 {
			i := slices.IndexFunc(got.Keys, func(k usage.Key) bool { return k.ID == args[0] })
			if i < 0 {
				return messages.Errorf("the key %q has asked nothing that is kept", args[0])
			}
			got.Keys = got.Keys[i : i+1]
		}
		if *asJSON {
			return printJSON(cmd, got)
		}
		if got.Unsaved != nil {
			cmd.PrintErrln(tongueOf(cmd).say("kept in memory alone: %s", strings.ReplaceAll(*got.Unsaved, "\n", "; ")))
		}
		t := usageByKey(cmd, got.Keys)
		if len(args) == 1 {
			t = usageByDay(cmd, got.Keys[0])
		}
		return t.write(cmd.OutOrStdout())
	}
	return cmd
}

// usage asks the server that --admin names, or reads what one has left.
func (s *settings) usage(cmd *cobra.Command, from string) (u api.Usage, err error) {
	if cmd.Flags().Changed("admin") {
		_, err = askAdmin(cmd.Context(), s.admin, "/usage?from="+url.QueryEscape(from), &u)
		if err != nil {
			err = messages.Errorf("no server answers at %s: %w", s.admin, err)
		}
		return u, err
	}
	folder := s.usageAt()
	if s.usageFolder == "" && s.data == "" || folder == "" {
		return u, usagef("where are the counts? give --data or --usage, the folder of a server, or --admin, the address of one that runs")
	}
	var known []string
	if s.access != "" {
		table, err := access.Read(s.access)
		if err != nil {
			return u, err
		}
		known = table.IDs()
	}
	kept, err := usage.Read(folder)
	return api.Usage{From: from, Keys: kept.Keys(from, known)}, err
}

var countsHeading = []string{phrase("requests"), "401", "403", "429", phrase("names"), phrase("bytes")}

func countsCells(c usage.Counts) []any {
	return []any{c.Requests, c.Unauthorized, c.Forbidden, c.Limited, c.Names, size(c.Bytes)}
}

func usageByKey(cmd *cobra.Command, keys []usage.Key) *table {
	l := tongueOf(cmd)
	t := newTable(cmd, l.words(append([]string{phrase("key"), phrase("last used")}, countsHeading...)...)...)
	for _, k := range keys {
		last := l.word("never")
		if !k.Last.IsZero() {
			last = k.Last.UTC().Format("2006-01-02 15:04")
		}
		t.row(append([]any{k.ID, last}, countsCells(k.Counts)...)...)
	}
	return t
}

func usageByDay(cmd *cobra.Command, k usage.Key) *table {
	t := newTable(cmd, tongueOf(cmd).words(append([]string{phrase("day")}, countsHeading...)...)...)
	for _, d := range k.Days {
		t.row(append([]any{d.Date}, countsCells(d.Counts)...)...)
	}
	return t
}
