package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"bencao/api/reconcile"
	"bencao/api/wire"
	"bencao/internal/contents"
	"bencao/internal/messages"

	"github.com/spf13/cobra"
)

const (
	// reconcileListen is where the service answers unless it is told otherwise.
	reconcileListen = "127.0.0.1:8999"
	// reconcilePatience is how long a request waits for the server that is asked.
	// A client that would have to wait longer is told so.
	reconcilePatience = 5 * time.Second
	// reconcileConnections is how many connections are open at a time.
	reconcileConnections = 64
)

func newReconcile() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "reconcile",
		GroupID: "ask",
		Short:   "Answer OpenRefine as a reconciliation service",
		Long: `Answer OpenRefine, and programs like it, as a reconciliation service (W3C Reconciliation Service API 0.2): they match a
column of names, and fetch Chinese names, identifiers, status and more of what was matched. The answers are those of
names.match.

The service answers from the snapshot that is current when it starts, or asks a server with your key, within its limit.
Whoever reaches --listen may ask, without a key: leave it on this machine.`,
		Example: `  bencao reconcile --data /var/lib/bencao
  bencao reconcile --server https://plants.example --key-file lab.key --listen 127.0.0.1:8999`,
		Args: noArgs,
	}
	s := use(cmd, "data", "site-url")
	cmd.Flags().StringVar(&s.listen, "listen", reconcileListen, "`address` to answer on, host:port")
	server := cmd.Flags().String("server", "", "address of a server to ask instead of a snapshot here, within its limit")
	keyFile := cmd.Flags().String("key-file", "", "file that holds the key for --server (default: $"+keyVariable+")")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		needed := []string{"data"}
		if *server != "" {
			needed = nil
		}
		if err := s.load(cmd, needed...); err != nil {
			return err
		}
		if !cmd.Flags().Changed("listen") {
			s.listen = reconcileListen // that of the configuration is for serve
		}
		log := slog.New(s.logForm(cmd.ErrOrStderr(), cmd.ErrOrStderr()))
		var source reconcile.Source
		site := strings.TrimRight(s.siteURL, "/")
		if *server != "" {
			r, err := newRemote(*server, *keyFile)
			if err != nil {
				return err
			}
			r.patience = reconcilePatience
			r.waits = func(wait time.Duration, why error) { log.Info("waiting", "time", wait, "because", why) }
			source, site = newReconcileRemote(r), strings.TrimRight(*server, "/")
		} else {
			dir, err := s.dataFolder()
			if err != nil {
				return err
			}
			files, err := contents.Current(cmd.Context(), dir, contents.Store|contents.Names|contents.Species)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, files.Close()) }()
			source = reconcile.Here(files, site)
		}
		return serveReconcile(cmd, s.listen, source, reconcile.Options{Site: site, Log: log})
	}
	return cmd
}

// serveReconcile answers on an address until ctx ends.
func serveReconcile(cmd *cobra.Command, address string, source reconcile.Source, opt reconcile.Options) error {
	ctx, l := cmd.Context(), languageOf(cmd)
	socket, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return messages.Errorf("listen: %w", err)
	}
	opt.Base = "http://" + nearby(socket.Addr().String())
	if host, _, err := net.SplitHostPort(address); err == nil {
		opt.Name = host
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n  %s/\n\n%s\n",
		l.word("In OpenRefine: Reconcile, Start reconciling, Add standard service:"), opt.Base, l.word("Ctrl-C ends it.")); err != nil {
		return errors.Join(err, socket.Close())
	}
	listener := wire.Listen(socket, reconcileConnections, nil)
	server := &http.Server{
		Handler:           reconcile.New(source, opt),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
		ConnState:      listener.State,
		ErrorLog:       slog.NewLogLogger(opt.Log.Handler(), slog.LevelWarn),
	}
	return listener.Serve(ctx, server, wire.Shutdown{Drain: 5 * time.Second})
}
