package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/ask"
	"bencao/internal/snapshotfiles"

	"github.com/spf13/cobra"
)

// servicePatience is how long a request of a service, such as "bencao reconcile", waits for the
// server at --server.
const servicePatience = 5 * time.Second

// serverFlags are the flags of commands that can ask a server in place of the snapshot in --data.
type serverFlags struct{ address, keyFile string }

func useServer(cmd *cobra.Command) *serverFlags {
	f := &serverFlags{}
	cmd.Flags().StringVar(&f.address, "server", "", "address of a server to ask instead of a local snapshot, within the limit of the key")
	cmd.Flags().StringVar(&f.keyFile, "key-file", "", "file with the key for --server (default: $"+keyVariable+")")
	group(cmd, "Instead of --data:", "server", "key-file")
	return f
}

// load loads the settings. It requires the setting "data" unless the command asks a server.
func (f *serverFlags) load(cmd *cobra.Command, s *settings) error {
	if f.address != "" {
		return s.load(cmd)
	}
	return s.load(cmd, "data")
}

// site returns the address of the website that responses link to, or "" if it is not known.
func (f *serverFlags) site(s *settings) string {
	if f.address != "" {
		return strings.TrimRight(f.address, "/")
	}
	return s.siteURL
}

// open returns a client of the server at --server. Without --server, it returns a client of the
// current snapshot in --data, with the open data and the data of scopes.
func (f *serverFlags) open(cmd *cobra.Command, s *settings, scopes access.Scopes) (_ *ask.Client, closer func() error, err error) {
	if f.address == "" {
		return askHere(cmd, s, scopes)
	}
	c, err := f.server(cmd)
	return c, func() error { return nil }, err
}

// server returns a client of the server at --server. Its key comes from --key-file or from the
// environment.
func (f *serverFlags) server(cmd *cobra.Command) (*ask.Client, error) {
	key := os.Getenv(keyVariable)
	if f.keyFile != "" {
		b, err := os.ReadFile(f.keyFile)
		if err != nil {
			return nil, fmt.Errorf("key file: %w", err)
		}
		key = string(b)
	}
	if key = strings.TrimSpace(key); key == "" {
		return nil, usagef("no key for the server; give --key-file FILE or set %s", keyVariable)
	}
	c, err := ask.Server(f.address, key)
	if err != nil {
		return nil, &usageError{err}
	}
	c.Waits = func(wait time.Duration, why error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "waiting %s: %s\n", wait, why)
	}
	return c, nil
}

// askHere returns a client of the current snapshot.
func askHere(cmd *cobra.Command, s *settings, scopes access.Scopes) (_ *ask.Client, closer func() error, err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return nil, nil, err
	}
	held, err := dir.OpenCurrent(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	if err := snapshotfiles.Readable(held.Manifest); err != nil {
		return nil, nil, errors.Join(err, held.Close())
	}
	open := func(parts snapshotfiles.Part) (*api.Backend, error) { return openBackend(s, held, parts, nil) }
	c := ask.Here(open, scopes, slog.New(s.logForm(cmd.ErrOrStderr(), cmd.ErrOrStderr())), thisBuild().Version)
	return c, func() error { return errors.Join(c.Close(), held.Close()) }, nil
}

// asked returns the error of a request. A request with wrong parameters is wrong usage.
func asked(err error) error {
	if ask.Refused(err) {
		return &usageError{err}
	}
	return err
}
