package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"bencao/api/reconcile"
	"bencao/api/wire"
	"bencao/internal/contents"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"

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
		var source reconcile.Source
		if server.address != "" {
			r, err := newRemote(server.address, server.keyFile)
			if err != nil {
				return err
			}
			r.patience = reconcilePatience
			r.waits = func(wait time.Duration, why error) { log.Info("waiting", "time", wait, "because", why) }
			source = newReconcileRemote(r)
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
			source = reconcile.Here(files, server.site(s))
		}
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
	listener := wire.Listen(socket, wire.Options{Connections: reconcileConnections})
	server := &http.Server{
		Handler:           reconcile.New(source, opt),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(opt.Log.Handler(), slog.LevelWarn),
	}
	return listener.Serve(ctx, server, wire.Shutdown{Drain: 5 * time.Second})
}

const (
	// keptSpecies is the largest number of cached species. keptFor is the age at which the whole
	// cache is emptied.
	keptSpecies = 1000
	keptFor     = 10 * time.Minute
)

// reconcileRemote reconciles through the API of a server. It caches the species that it has fetched.
// If the limit of the API key ends a request of OpenRefine halfway, OpenRefine can repeat the
// request, and only the missing species are fetched.
type reconcileRemote struct {
	*remote

	mu      sync.Mutex // guards the fields below
	species map[string]keptAnswer
	public  *bool     // whether the snapshot is public; nil if the server has not been asked
	since   time.Time // the time at which the cache was last emptied
}

// keptAnswer is the cached response for a guid. found is false if there is no such species.
type keptAnswer struct {
	species store.SpeciesDetail
	found   bool
}

func newReconcileRemote(r *remote) *reconcileRemote {
	return &reconcileRemote{remote: r, species: map[string]keptAnswer{}}
}

// Match matches names, at most [bulk.MaxNames] per request.
func (r *reconcileRemote) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	all := make([]bulk.Answer, 0, len(queries))
	for len(queries) > 0 {
		n := min(bulk.MaxNames, len(queries))
		some, err := r.match(ctx, queries[:n])
		if err != nil {
			return nil, passedOn(err)
		}
		all, queries = append(all, some...), queries[n:]
	}
	return all, nil
}

// Species returns the response of species.detail for a guid, from the cache if possible.
func (r *reconcileRemote) Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error) {
	if a, known := r.kept(guid); known {
		return a.species, a.found, nil
	}
	err = r.get(ctx, "/api/v1/species/"+url.PathEscape(guid), nil, &s)
	missing := (*missingError)(nil)
	if err != nil && !errors.As(err, &missing) {
		return s, false, passedOn(err)
	}
	r.keep(guid, keptAnswer{s, err == nil})
	return s, err == nil, nil
}

func (r *reconcileRemote) kept(guid string) (a keptAnswer, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.since) > keptFor {
		return a, false
	}
	a, known = r.species[guid]
	return a, known
}

func (r *reconcileRemote) keep(guid string, a keptAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.species) >= keptSpecies || time.Since(r.since) > keptFor {
		clear(r.species)
		r.public, r.since = nil, time.Now()
	}
	r.species[guid] = a
}

// Public reports whether the server has a public snapshot. It asks for the version of the data and
// caches the answer together with the species.
func (r *reconcileRemote) Public(ctx context.Context) (bool, error) {
	r.mu.Lock()
	known := r.public
	r.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	var version struct{ Withheld []string }
	if err := r.get(ctx, "/api/v1/version", nil, &version); err != nil {
		return false, passedOn(err)
	}
	public := len(version.Withheld) > 0
	r.mu.Lock()
	defer r.mu.Unlock()
	r.public = &public
	return public, nil
}

// Search returns a page of the results of species.search. from must be a multiple of size.
func (r *reconcileRemote) Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error) {
	var page struct{ Items []store.SpeciesSummary }
	err := r.get(ctx, "/api/v1/species", url.Values{
		"q": {text}, "page": {strconv.Itoa(from/size + 1)}, "pageSize": {strconv.Itoa(size)},
	}, &page)
	return page.Items, passedOn(err)
}

// passedOn converts a [busyError] that asks for a longer wait than [reconcilePatience]. The new
// error tells the client of the service to wait that long. Other errors are returned unchanged.
func passedOn(err error) error {
	var busy *busyError
	if !errors.As(err, &busy) || busy.wait == 0 {
		return err
	}
	status := http.StatusServiceUnavailable
	if busy.limit {
		status = http.StatusTooManyRequests
	}
	return &reconcile.BusyError{Status: status, After: busy.wait, Err: err}
}
