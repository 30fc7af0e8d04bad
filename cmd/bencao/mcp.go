package main

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"bencao/api/access"
	"bencao/api/ask"
	"bencao/api/mcp"

	"github.com/spf13/cobra"
)

func newMCP() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "mcp",
		GroupID: "ask",
		Short:   "Answer an assistant by the Model Context Protocol",
		Long: `Answer an assistant by the Model Context Protocol on standard input and output: match names, search, read a record, follow
its links, count, and say which data these are. All tools only read. Each result has an address, the version of the data,
a citation, and sentences about all that is uncertain.

The answers come from the snapshot that is current when the program starts, or from a server with your key, within its
limit. From a snapshot an assistant gets the open data alone, unless you give it more with --scope. From a server it gets
the data that the key may read. The assistant never sees the key.`,
		Example: `  bencao mcp --data /var/lib/bencao
  bencao mcp --data /var/lib/bencao --scope prescriptions --scope prescription_composition
  bencao mcp --server https://plants.example --key-file lab.key`,
		Args: noArgs,
	}
	s := use(cmd, "data", "site-url")
	scopes := cmd.Flags().StringSlice("scope", nil, "a `SCOPE` that the assistant may read beyond the open data of --data, one of "+strings.Join(access.ScopeNames(), ", ")+"; may be repeated")
	completeScopes(cmd, "scope")
	server := useServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (failed error) {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		if server.address != "" && len(*scopes) > 0 {
			return usagef("--scope is for --data; the key of --server decides which data the assistant may read")
		}
		allowed, err := parseScopes("scope", *scopes)
		if err != nil {
			return err
		}
		c, closer, err := server.open(cmd, s, allowed)
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, closer()) }()
		c.Patience, c.Waits = servicePatience, nil
		get := func(ctx context.Context, path string, query url.Values) (answer ask.Answer, err error) {
			err = c.Get(ctx, path, query, &answer)
			return answer, err
		}
		return mcp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), get, mcp.Options{Version: thisBuild().Version, Site: server.site(s)})
	}
	return cmd
}
