package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/usage"

	"github.com/spf13/cobra"
)

func newUsage() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "usage [KEY]",
		GroupID: "care",
		Short:   "Say how much each key has asked, and when last",
		Long: `Say of each key, or of the one with the id KEY: when it was first and last used, how many requests it sent, how many of them
were refused with 401 (no valid key), 403 (wrong network, or a missing scope) and 429 (too many), how many names it asked to
match, and how many bytes it received. A key is forgotten 400 days after its last request.

The counts come from the folder of a server: usage in the data folder, or --usage. They are up to a minute old. With --admin
they come from the running server and are current. With --access, keys without a request are listed too.`,
		Example: `  bencao usage --data /var/lib/bencao --access /etc/bencao/access.toml
  bencao usage lab --admin 127.0.0.1:9090`,
		Args: atMostOneArg("the id of a key"),
	}
	s := use(cmd, "data", "usage", "access", "admin")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		got, err := s.usage(cmd)
		if err != nil {
			return err
		}
		if len(args) == 1 {
			c, ok := got.Keys[args[0]]
			if !ok {
				return fmt.Errorf("no request of the key %q is counted", args[0])
			}
			got.Keys = usage.Keys{args[0]: c}
		}
		if *asJSON {
			return printJSON(cmd, got)
		}
		if got.Unsaved != nil {
			cmd.PrintErrf("kept in memory only: %s\n", strings.ReplaceAll(*got.Unsaved, "\n", "; "))
		}
		t := newTable(cmd, "key", "first used", "last used", "requests", "401", "403", "429", "names", "bytes")
		at := func(when time.Time) string {
			if when.IsZero() {
				return "never"
			}
			return when.UTC().Format("2006-01-02 15:04")
		}
		for _, id := range slices.Sorted(maps.Keys(got.Keys)) {
			c := got.Keys[id]
			t.row(id, at(c.Since), at(c.Last), c.Requests, c.Unauthorized, c.Forbidden, c.Limited, c.Names, size(c.Bytes))
		}
		return t.write(cmd.OutOrStdout())
	}
	return cmd
}

// usage returns the counts of requests by key. With --admin they come from the running server,
// otherwise from the folder that a server writes.
func (s *settings) usage(cmd *cobra.Command) (u api.Usage, err error) {
	if cmd.Flags().Changed("admin") {
		if _, err = askAdmin(cmd.Context(), s.admin, "/usage", &u); err != nil {
			err = fmt.Errorf("no server answers at %s: %w", s.admin, err)
		}
		return u, err
	}
	folder := s.usageAt()
	if s.usageFolder == "" && s.data == "" || folder == "" {
		return u, usagef("where are the counts? give --data or --usage, the folder of a server, or --admin, the address of one that runs")
	}
	if u.Keys, err = usage.Read(folder); err != nil || s.access == "" {
		return u, err
	}
	table, err := access.Read(s.access)
	if err != nil {
		return u, err
	}
	u.List(table.IDs())
	return u, nil
}
