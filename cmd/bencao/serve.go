package main

import "github.com/spf13/cobra"

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: "run",
		Short:   "Answer requests from the current snapshot",
		Long: `Answer requests from the current snapshot of a data folder. When "bencao index" publishes a new one, the server changes
over to it without losing a request; if that one is damaged, it stays on the old one and says so on /readyz.
The access file is read again when it changes. SIGHUP makes the server look at both at once.
SIGTERM lets the requests that are under way finish, for as long as --shutdown-timeout. Sockets that systemd hands over go
before --listen and --admin.
An answer is from one snapshot. A client that sends the X-Data-Version of its first answer goes on with that snapshot,
as long as it is open: --keep-open.
With --redis, several servers count limits together; while that Redis is away each counts for itself.
Logging never makes a request wait: lines that are not read in time are dropped and counted.`,
		Example: "  bencao serve --data /var/lib/bencao --access /etc/bencao/access.toml --listen 127.0.0.1:8080 --site-url https://plants.example",
		Args:    noArgs,
	}
	s := use(cmd, "data", "access", "listen", "admin", "site-url", "trusted-proxy", "trust-any-proxy", "address-rate", "names-per-request", "keep-open", "redis", "redis-password-file", "explorer", "usage", "license", "cite-as", "contact", "max-age", "max-source-age", "shutdown-delay", "shutdown-timeout", "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data", "access"); err != nil {
			return err
		}
		return serve(cmd.Context(), s, cmd.ErrOrStderr(), moments{})
	}
	return cmd
}
