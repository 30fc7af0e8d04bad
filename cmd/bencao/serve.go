package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer"
	"bencao/api/keyuse"
	"bencao/api/limits/redis"
	"bencao/api/listen"
	"bencao/api/logging"
	"bencao/indexer"
	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: "run",
		Short:   "Answer requests from the current snapshot",
		Long: `Answer requests from the current snapshot of a data folder. When "bencao index" publishes a new snapshot, the server
switches to it without losing a request. If the new snapshot is damaged, the server keeps the old one and reports it on
/readyz. On SIGHUP it looks for a new snapshot at once. A changed access file takes effect within two seconds.

On SIGTERM the server finishes the running requests, within --shutdown-timeout. Sockets from systemd replace --listen and
--admin.

Every answer comes from a single snapshot. A client that sends the X-Data-Version of its first answer stays on that
snapshot while the server keeps it open (--keep-open). Snapshots that "bencao pin" keeps are opened again on demand.

With --redis, several servers count requests together. While Redis is unreachable, each server counts for itself.

Logging never delays a request: lines that are not read in time are dropped and counted.`,
		Example: "  bencao serve --data /var/lib/bencao --access /etc/bencao/access.toml --listen 127.0.0.1:8080 --site-url https://plants.example",
		Args:    noArgs,
	}
	s := use(cmd, "data", "access", "listen", "admin", "site-url", "trusted-proxy", "address-rate", "keep-open", "redis", "explorer", "map", "usage", "license", "cite-as", "contact", "max-age", "max-source-age", "shutdown-delay", "shutdown-timeout", "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data", "access"); err != nil {
			return err
		}
		return portTaken(cmd, s, serve(cmd.Context(), s, cmd.ErrOrStderr(), moments{}))
	}
	return cmd
}

// moments holds functions that [serve] calls at certain moments. Each may be nil.
type moments struct {
	// bound is called after the server has opened its sockets, before it reads the access file. If
	// bound returns an error, the server ends.
	bound func() error
	// ready is called when the server starts to answer requests.
	ready func(address string)
}

// gcPercent is the default of GOGC for a server. At 50, an attack by clients without a key from 200
// addresses takes 250 MiB of memory; at Go's default of 100 it takes 350. Each answer costs 3 µs
// more.
const gcPercent = 50

// serve runs a server until ctx ends. It logs to stderr.
func serve(ctx context.Context, s *settings, stderr io.Writer, call moments) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	log, lines := queuedLogger(s, stderr)
	svc := &service{settings: s, log: log, lines: lines}
	err := svc.start(ctx, call)
	if err == nil {
		err = svc.run(ctx, call)
	}
	err = errors.Join(err, svc.stop(ctx))
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // ctx ended before the server was ready
	}
	log.Info("stopped")
	lines.Close(logPatience)
	return err
}

// service is a server with the files that it watches.
type service struct {
	*settings
	log   *slog.Logger
	lines *logging.Queue

	sockets     *listen.Sockets
	main, admin net.Listener // admin is nil without --admin; run closes both
	keys        *access.File
	live        *snapshot.Live[*api.Backend]
	follower    *snapshot.Follower
	keyUse      *keyuse.Counter // nil with --usage off
	shared      *redis.Limiter  // nil without --redis
	server      *api.Server
}

// start opens the sockets, reads the access file and opens the current snapshot. The caller must
// call stop even if start fails.
func (s *service) start(ctx context.Context, call moments) error {
	var err error
	if s.sockets, err = listen.Inherit(); err != nil {
		return err
	}
	proxies, err := trusted(s.settings)
	if err != nil {
		return err
	}
	if s.main, err = s.sockets.Listen(ctx, listen.API, s.settings.listen); err != nil {
		return err
	}
	if at := s.settings.admin; at != "" && at != off {
		if s.admin, err = s.sockets.Listen(ctx, listen.Admin, at); err != nil {
			return err
		}
	}
	if call.bound != nil {
		if err := call.bound(); err != nil {
			return err
		}
	}
	health := new(api.Health)
	if s.keys, err = access.OpenFile(s.access, access.FileOptions{Report: reportAccess(health, s.log)}); err != nil {
		return err
	}
	for _, w := range s.keys.Table().Warnings() {
		s.log.Warn("access file", "file", s.access, "warning", w)
	}
	if s.siteURL == "" {
		s.siteURL = "http://" + nearby(s.main.Addr().String())
	}
	s.follower = snapshot.NewFollower(snapshot.At(s.data), s.take,
		snapshot.FollowOptions{Trigger: onHangup(ctx), Report: reportSnapshot(health, s.log)})
	if err := s.follower.Start(ctx); err != nil {
		return err
	}
	return s.newServer(health, proxies)
}

// take opens a verified snapshot and makes the server answer from it.
func (s *service) take(_ context.Context, snap *snapshot.Snapshot) error {
	b, err := openBackend(s.settings, snap, snapshotfiles.All, snap)
	if err != nil {
		return err
	}
	if s.live == nil {
		s.live = snapshot.NewLive(b, closer(s.log))
	} else {
		before, release := s.live.Acquire()
		rollback := b.ID() < before.ID()
		release()
		if rollback {
			s.live.Keep(0) // a rollback withdraws the newer snapshots, so close them
		}
		s.live.Swap(b)
	}
	s.live.Keep(s.keepOpen)
	return nil
}

// pinnedVersions gives a server the pinned snapshots of its data folder. It implements
// [api.Earlier].
type pinnedVersions struct {
	*service

	mu   sync.Mutex // guards the fields below
	pins []snapshot.Pin
	ids  []string // those of pins that this program can open
}

// IDs returns the pinned snapshots that this program can open, newest first. It reads their
// manifests only when the pins have changed.
func (p *pinnedVersions) IDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	pins, err := snapshot.At(p.data).Pins()
	if err == nil && slices.Equal(pins, p.pins) {
		return p.ids
	}
	all, listErr := snapshot.At(p.data).List()
	if err := errors.Join(err, listErr); err != nil {
		p.log.Error("pinned snapshots not read, the earlier list stays in force", "error", err)
		return p.ids
	}
	p.pins, p.ids = pins, nil
	for _, i := range all {
		if i.Pin != nil && i.Err == nil && snapshotfiles.SameSchema(i.Manifest) == nil {
			p.ids = append(p.ids, i.ID)
		}
	}
	return p.ids
}

// Open verifies and opens a pinned snapshot.
func (p *pinnedVersions) Open(ctx context.Context, id string) (*api.Backend, error) {
	snap, err := snapshot.At(p.data).Open(ctx, id)
	if err != nil {
		return nil, err
	}
	b, err := openBackend(p.settings, snap, snapshotfiles.All, snap)
	if err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return b, nil
}

// newServer creates the server, which answers from the snapshot in s.live.
func (s *service) newServer(health *api.Health, proxies []netip.Prefix) (err error) {
	opt := api.Options{
		Log: s.log, LogDropped: s.lines.Dropped, Health: health,
		Version: thisBuild().Version, License: s.license, CiteAs: s.citeAs, Contact: s.contact,
		Age: s.age, MaxAge: s.maxAge, Earlier: &pinnedVersions{service: s}, Withdrawn: s.withdrawn, StaleReason: s.lastNight,
		Delay: s.shutdownDelay, Drain: s.shutdownTimeout,
	}
	if opt.Pages, opt.PagesKey, err = pagesOf(s.settings, s.keys.Table()); err != nil {
		return err
	}
	if folder := s.usageAt(); folder != "" {
		s.keyUse = keyuse.Open(folder, func() []string { return s.keys.Table().IDs() }, reportUsage(s.log))
		opt.KeyUse = s.keyUse
	}
	gate := access.GateOptions{AddressRate: s.addressRate}
	if address := s.settings.redis; address != "" {
		s.shared, err = redis.New(address, redis.Options{Password: strings.TrimSpace(os.Getenv(redisVariable)), Log: s.log})
		if err != nil {
			return err
		}
		gate.Limiter, opt.Collectors = s.shared, s.shared.Collectors()
	}
	s.server, err = api.New(s.live, access.NewGate(s.keys.Table, access.NewClients(proxies), gate), opt)
	return err
}

// run answers requests until ctx ends.
func (s *service) run(ctx context.Context, call moments) error {
	main, admin := s.main, s.admin
	s.main, s.admin = nil, nil // the server closes them
	work, ctx := errgroup.WithContext(ctx)
	watch := func(f func(context.Context)) { work.Go(func() error { f(ctx); return nil }) }
	if s.shared != nil {
		watch(s.shared.Run)
	}
	work.Go(func() error { return s.server.Serve(ctx, main) })
	if admin != nil {
		work.Go(func() error { return s.server.ServeAdmin(ctx, admin) })
	}
	if s.keyUse != nil {
		watch(s.keyUse.Run)
	}
	watch(s.follower.Run)
	watch(s.keys.Watch)
	attrs := []any{"address", main.Addr().String(), "snapshot", s.follower.Status().Serving.ID}
	if admin != nil {
		attrs = append(attrs, "admin", admin.Addr().String())
	}
	s.log.Info("serving", attrs...)
	if err := s.sockets.Ready(); err != nil {
		s.log.Warn("systemd was not notified that the server is ready", "error", err)
	}
	if call.ready != nil {
		call.ready(main.Addr().String())
	}
	err := work.Wait()
	if s.keyUse != nil {
		s.keyUse.Save()
	}
	return err
}

// stop closes everything that start opened.
func (s *service) stop(ctx context.Context) error {
	var errs []error
	if s.shared != nil {
		errs = append(errs, s.shared.Close())
	}
	if s.live != nil {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		errs = append(errs, s.live.Close(end))
	}
	for _, l := range []net.Listener{s.main, s.admin} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	if s.sockets != nil {
		errs = append(errs, s.sockets.Close())
	}
	return errors.Join(errs...)
}

// explorerKey is the id of the key whose rights apply to the explorer's pages.
const explorerKey = "explorer"

// pagesOf returns the explorer's pages, and the id of the key whose rights apply to them. Without
// --explorer, it returns only a page that describes the server.
func pagesOf(s *settings, keys *access.Table) (api.Pages, string, error) {
	if !s.explorer {
		return explorer.Sign(), "", nil
	}
	if _, ok := keys.Entry(explorerKey); !ok {
		return nil, "", usagef("the explorer needs the key %q in %s, whose networks, scopes and rate apply to its users; make it with \"bencao keys create --access %s --id %s --network …\", or leave --explorer out",
			explorerKey, s.access, s.access, explorerKey)
	}
	return explorer.New(explorer.Options{NoMap: s.mapPicture == off}), explorerKey, nil
}

// openBackend opens a verified snapshot for the server.
func openBackend(s *settings, snap *snapshot.Snapshot, parts snapshotfiles.Part, held io.Closer) (*api.Backend, error) {
	if err := snapshotfiles.SameSchema(snap.Manifest); err != nil {
		return nil, fmt.Errorf("%w; build it again, or serve it with the program that built it", err)
	}
	changes, err := changesOf(snap.Path())
	if err != nil {
		return nil, err
	}
	dataset, err := os.ReadFile(snap.Path(indexer.DatasetFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return api.OpenBackend(snap.Path(), api.Meta{ID: snap.ID, Built: snap.Manifest.Created, SiteURL: s.siteURL, Sources: snap.Manifest.Sources, Changes: changes, Dataset: dataset, Held: held, Parts: parts, Public: snapshotfiles.Public(snap.Manifest)})
}

// changesOf returns the changes that the build report of a snapshot lists, by table.
func changesOf(dir string) (map[string]api.Changes, error) {
	text, err := os.ReadFile(filepath.Join(dir, indexer.ReportFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var report struct{ Changes map[string]api.Changes }
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", indexer.ReportFile, err)
	}
	return report.Changes, nil
}

// closer returns a function that closes a snapshot after its last request, and logs errors.
func closer(log *slog.Logger) func(*api.Backend) {
	return func(b *api.Backend) {
		if err := b.Close(); err != nil {
			log.Error("snapshot not closed", "snapshot", b.ID(), "error", err)
		}
	}
}

// usageAt returns the folder with the use of each key. It returns "" if there is none.
func (s *settings) usageAt() string {
	switch {
	case s.usageFolder == off || s.usageFolder == "" && s.data == "":
		return ""
	case s.usageFolder == "":
		return filepath.Join(s.data, "usage")
	}
	return s.usageFolder
}

// onHangup returns a channel that receives each SIGHUP until ctx ends.
func onHangup(ctx context.Context) <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	context.AfterFunc(ctx, func() { signal.Stop(c) })
	return c
}

// age returns the time since the snapshot id was built or last confirmed. built is when it was
// built.
func (s *settings) age(id string, built time.Time) time.Duration {
	return time.Since(snapshot.At(s.data).Fresh(snapshot.Manifest{ID: id, Created: built}))
}

// withdrawn reports whether the snapshot id was withdrawn.
func (s *settings) withdrawn(id string) bool {
	return snapshot.Withdrawn(snapshot.At(s.data), id, time.Now())
}

// lastNight returns an error if the last run did not publish, so that the old snapshot is still
// current, if nobody has signed what it published, or if its sources are stale.
func (s *settings) lastNight() error {
	r, err := readLastRun(s.data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before the first run
	}
	if err != nil {
		return err
	}
	if r.bad() {
		return errors.New(r.String())
	}
	if r.NoTrust {
		return errors.New(unsigned)
	}
	return overdue(s, r.Sources, time.Now())
}

// reportAccess returns a function that reports changes of the access file to the log and to
// /readyz.
func reportAccess(health *api.Health, log *slog.Logger) func(access.Change) {
	return func(c access.Change) {
		health.Access(c)
		if c.Err != nil {
			log.Error("access file refused, its previous contents stay in force", "error", c.Err)
			return
		}
		for _, w := range c.Table.Warnings() {
			log.Warn("access file", "warning", w)
		}
		log.Info("access file read", "keys", len(c.Table.Entries()))
	}
}

// reportSnapshot returns a function that reports the served snapshot to the log and to /readyz.
func reportSnapshot(health *api.Health, log *slog.Logger) func(snapshot.Status) {
	var before string
	return func(st snapshot.Status) {
		health.Snapshot(st)
		if st.Serving.ID != before {
			before = st.Serving.ID
			log.Info("snapshot opened", "snapshot", before)
		}
		switch {
		case errors.Is(st.Err, snapshot.ErrGone):
			log.Error("current snapshot was removed from the disk; the server answers from its open files until it stops", "error", st.Err)
		case st.Err != nil && before == "":
			log.Error("current snapshot refused", "error", st.Err)
		case st.Err != nil:
			log.Error("current snapshot refused, the server keeps answering from another one", "serving", before, "error", st.Err)
		}
	}
}

// reportUsage returns a function that logs whether the use of keys is saved.
func reportUsage(log *slog.Logger) func(error) {
	return func(err error) {
		if err != nil {
			log.Warn("the use of keys is not saved; name a folder for it with --usage, or --usage off", "error", err)
			return
		}
		log.Info("the use of keys is saved again")
	}
}
