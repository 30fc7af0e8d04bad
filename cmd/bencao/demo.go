package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"bencao/api/access"
	"bencao/indexer/sample"

	"github.com/spf13/cobra"
)

func newDemo() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "demo",
		GroupID: "run",
		Short:   "Show the program with sample data",
		Long: `Index the sample data inside the program, unless an earlier demo has done so, and serve them. The demo prints the
address of the pages for a browser, then a new key for all data, and requests to paste into a shell. The snapshot and the
access file stay in a cache folder, or in --data.`,
		Example: "  bencao demo --listen 127.0.0.1:8080",
		Args:    noArgs,
	}
	s := use(cmd, "data", "listen", "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if s.data == "" {
			cache, err := os.UserCacheDir()
			if err != nil {
				return fmt.Errorf("%w; name a folder with --data", err)
			}
			s.data = demoData(cache)
		}
		return demo(cmd, s)
	}
	return cmd
}

func demo(cmd *cobra.Command, s *settings) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	s.admin = off
	if err := examineAddress(ctx, s.listen); err != nil {
		return portTaken(cmd, s, err)
	}
	if _, err := runIndex(ctx, s, sampleConfig(s.data), stderr); err != nil {
		return err
	}
	s.access = filepath.Join(s.data, "access.toml")
	s.explorer = true
	s.usageFolder, s.addressRate = off, access.DefaultAddressRate
	var key access.Secret
	var printErr error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := serve(ctx, s, stderr, moments{
		// The keys change only after this demo has the address. Until then, an earlier demo may
		// still use the address, and its key must stay valid.
		bound: func() (err error) {
			if key, err = freshKey(s.access, "demo"); err == nil {
				_, err = freshKey(s.access, explorerKey)
			}
			return err
		},
		ready: func(address string) {
			if printErr = welcome(cmd, address, key, s.data); printErr != nil {
				stop()
			}
		},
	})
	return errors.Join(portTaken(cmd, s, err), printErr)
}

// freshKey creates a key with the given id and all scopes, which works from this machine only. It
// replaces the key with the same id that an earlier demo created.
func freshKey(path, id string) (access.Secret, error) {
	if err := access.Remove(path, id); err != nil && !errors.Is(err, access.ErrNoEntry) && !errors.Is(err, os.ErrNotExist) {
		return access.Secret{}, err
	}
	var all access.Scopes
	for _, name := range access.ScopeNames() {
		scope, err := access.ParseScope(name)
		if err != nil {
			return access.Secret{}, err
		}
		all |= scope
	}
	return access.Create(path, access.Entry{
		ID: id, Name: "bencao demo", Scopes: all, Rate: 6000,
		Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
	})
}

// welcome prints the address, the key and requests to paste into a shell.
func welcome(cmd *cobra.Command, address string, key access.Secret, data string) error {
	address = nearby(address)
	var b strings.Builder
	fmt.Fprintf(&b, `
Open http://%[1]s/ in a browser: species, formulas, papers and names,
from the data that ships with Bencao (in %[2]s).

For programs, this key opens everything, on this machine, until the next demo:

  export KEY=%[3]s BASE=http://%[1]s

Paste any of these:

`, address, data, key.Reveal())
	for _, request := range []string{
		"species?q=人参",
		"species?q=rensh",
		"species/" + sample.Species,
		"species/" + sample.Species + "/formulas?pageSize=3",
		"species/" + sample.Species + "/flora",
		"species/" + sample.Species + "/uses",
		"species/" + sample.Species + "/papers",
		"formulas?q=桂枝汤&dynasty=汉",
		"formulas/" + sample.Formula,
		"papers?q=ginseng",
		"names/match?name=Panax%20ginsen",
		"stats",
	} {
		fmt.Fprintf(&b, "  curl -sH \"X-Api-Key: $KEY\" \"$BASE/api/v1/%s\"\n", request)
	}
	b.WriteString("  curl -s \"$BASE/openapi/v1.json\"\n\nCtrl-C ends it.\n\n")
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}
