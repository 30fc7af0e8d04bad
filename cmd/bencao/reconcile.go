package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"bencao/api/access"
	"bencao/api/connections"
	"bencao/api/reconcile"

	"github.com/spf13/cobra"
)

const (
	// reconcileListen is the default address of the service.
	reconcileListen = "127.0.0.1:8999"
	// reconcileConnections is the largest number of connections that are open at a time.
	reconcileConnections = 64
)

func newReconcile() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "reconcile",
		GroupID: "ask",
		Short:   "Answer OpenRefine as a reconciliation service",
		Long: `Answer OpenRefine and similar programs as a reconciliation service (W3C Reconciliation Service API 0.2). They match a
column of names, and fetch Chinese names, identifiers, status and more for the matches. The answers are those of names.match.

The service answers from the snapshot that is current when it starts, or asks a server with your key, within its limit.
Clients of the service need no key, so keep --listen on this machine.`,
		Example: `  bencao reconcile --data /var/lib/bencao
  bencao reconcile --server https://plants.example --key-file lab.key --listen 127.0.0.1:8999`,
		Args: noArgs,
	}
	s := use(cmd, "data", "site-url")
	cmd.Flags().StringVar(&s.listen, "listen", reconcileListen, "`address` to answer on, host:port")
	server := useServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if err := server.load(cmd, s); err != nil {
			return err
		}
		if !cmd.Flags().Changed("listen") {
			s.listen = reconcileListen // the configured address is that of "bencao serve"
		}
		log := slog.New(s.logForm(cmd.ErrOrStderr(), cmd.ErrOrStderr()))
		c, closer, err := server.open(cmd, s, access.Open)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closer()) }()
		c.Patience = servicePatience
		c.Waits = func(wait time.Duration, why error) { log.Info("waiting", "time", wait, "because", why) }
		source := reconcile.Asking(c)
		return portTaken(cmd, s, serveReconcile(cmd, s.listen, source, reconcile.Options{Site: server.site(s), Log: log}))
	}
	return cmd
}

// serveReconcile serves the reconciliation API at address until the context of cmd ends.
func serveReconcile(cmd *cobra.Command, address string, source reconcile.Source, opt reconcile.Options) error {
	ctx := cmd.Context()
	socket, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	opt.Base = "http://" + nearby(socket.Addr().String())
	if host, _, err := net.SplitHostPort(address); err == nil {
		opt.Name = host
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "In OpenRefine: Reconcile, Start reconciling, Add standard service:\n\n  %s/\n\nCtrl-C ends it.\n", opt.Base); err != nil {
		return errors.Join(err, socket.Close())
	}
	listener := connections.Listen(socket, connections.Options{Connections: reconcileConnections})
	server := &http.Server{
		Handler:           reconcile.New(source, opt),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(opt.Log.Handler(), slog.LevelWarn),
	}
	return listener.Serve(ctx, server, connections.Shutdown{Drain: 5 * time.Second})
}
