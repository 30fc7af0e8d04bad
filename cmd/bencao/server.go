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
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer"
	"bencao/api/listen"
	"bencao/api/logging"
	"bencao/api/usage"
	"bencao/indexer"
	"bencao/internal/contents"
	"bencao/store/snapshot"

	"golang.org/x/sync/errgroup"
)

// moments are when whoever serves wants to be called; each may be nil.
type moments struct {
	// bound: the addresses are taken, and the access file is not read yet. An
	// error ends the server.
	bound func() error
	// ready: requests are answered.
	ready func(address string)
}

// serve answers until ctx ends, and logs to stderr.
func serve(ctx context.Context, s *settings, stderr io.Writer, call moments) error {
	log, lines := queuedLogger(s, stderr)
	err := answer(ctx, s, log, lines, call)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // the end came before the first answer
	}
	log.Info("stopped")
	lines.Close(lastWords)
	return err
}

// answer is serve with a log.
func answer(ctx context.Context, s *settings, log *slog.Logger, lines *logging.Queue, call moments) (err error) {
	handover := make(chan os.Signal, 1)
	listen.NotifyHandover(handover)
	defer signal.Stop(handover)
	sockets, err := listen.Inherit()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sockets.Close()) }()
	trusted, err := trusted(s)
	if err != nil {
		return err
	}
	main, admin, err := bind(ctx, s, sockets)
	if err != nil {
		return err
	}
	serving := false // the server closes them
	defer func() {
		if !serving {
			err = errors.Join(err, main.Close(), closeAdmin(admin))
		}
	}()
	if call.bound != nil {
		if err := call.bound(); err != nil {
			return err
		}
	}
	health := new(api.Health)
	keys, err := access.OpenFile(s.access, access.FileOptions{Report: reportAccess(health, log)})
	if err != nil {
		return err
	}
	for _, w := range keys.Table().Warnings() {
		log.Warn("access file", "file", s.access, "warning", w)
	}
	if s.siteURL == "" {
		s.siteURL = "http://" + nearby(main.Addr().String())
	}
	s.siteURL = strings.TrimRight(s.siteURL, "/")
	var live *snapshot.Live[*api.Backend]
	follower := snapshot.NewFollower(snapshot.At(s.data), func(_ context.Context, snap *snapshot.Snapshot) error {
		b, err := openBackend(s, snap)
		if err != nil {
			return err
		}
		if live == nil {
			live = snapshot.NewLive(b, closer(log))
			live.Keep(s.keepOpen)
		} else {
			before, release := live.Acquire()
			back := b.ID() < before.ID()
			release()
			if back {
				live.Keep(0) // what was withdrawn is not to be had any more
			}
			live.Swap(b)
			live.Keep(s.keepOpen)
		}
		return nil
	}, snapshot.FollowOptions{Trigger: onHangup(ctx), Report: reportSnapshot(health, log)})
	if err := follower.Start(ctx); err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, live.Close(end))
	}()
	pages, pagesAs, err := pagesOf(s, keys.Table())
	if err != nil {
		return err
	}
	counts := usage.Open(s.usageAt(), reportUsage(log))
	opt := api.Options{
		Pages: pages, PagesKey: pagesAs,
		Log: log, LogDropped: lines.Dropped, Version: thisBuild().Version, License: s.license, CiteAs: s.citeAs, Contact: s.contact,
		Health: health, Age: s.age, MaxAge: s.maxAge, Withdrawn: s.withdrawn, NamesPerRequest: s.namesPerRequest, StaleReason: s.lastNight, Delay: s.shutdownDelay, Drain: s.shutdownTimeout,
		Usage: counts,
	}
	gates := access.GateOptions{AddressRate: s.addressRate}
	shared, err := sharedLimits(s, log)
	if err != nil {
		return err
	}
	if shared != nil {
		defer func() { err = errors.Join(err, shared.Close()) }()
		gates.Limiter, opt.Collectors = shared, shared.Collectors()
	}
	server, err := api.New(live, access.NewGate(keys.Table, access.NewClients(trusted), gates), opt)
	if err != nil {
		return err
	}

	serving = true
	work, ctx := errgroup.WithContext(ctx)
	if shared != nil {
		work.Go(func() error { shared.Run(ctx); return nil })
	}
	work.Go(func() error { return server.Serve(ctx, main) })
	if admin != nil {
		work.Go(func() error { return server.ServeAdmin(ctx, admin) })
	}
	work.Go(func() error { counts.Run(ctx); return nil })
	work.Go(func() error { follower.Run(ctx); return nil })
	work.Go(func() error { keys.Watch(ctx); return nil })
	work.Go(func() error { reload(ctx, keys, onHangup(ctx)); return nil })
	work.Go(func() error { refuseHandover(ctx, handover, log); return nil })
	attrs := []any{"address", main.Addr().String(), "snapshot", follower.Status().Serving.ID}
	if admin != nil {
		attrs = append(attrs, "admin", admin.Addr().String())
	}
	log.Info("serving", attrs...)
	if err := sockets.Ready(); err != nil {
		log.Warn("not told that requests are answered", "error", err)
	}
	if call.ready != nil {
		call.ready(main.Addr().String())
	}
	err = work.Wait()
	_ = counts.Save() // the error is reported, and only the counts are lost
	return err
}

// sharedLimits returns the limiter that other servers share, or nil if this server counts locally.
func sharedLimits(s *settings, log *slog.Logger) (api.SharedLimiter, error) {
	if s.redis == "" {
		return nil, nil
	}
	password := os.Getenv(redisVariable)
	if s.redisPasswordFile != "" {
		text, err := os.ReadFile(s.redisPasswordFile)
		if err != nil {
			return nil, usagef("redis-password-file: %w", err)
		}
		password = strings.TrimSpace(string(text))
	}
	return parts.redis.open(s.redis, password, log)
}

// explorerKey is the id of the key that pages are read as.
const explorerKey = "explorer"

// pagesOf is what people see of the server, and the key that they see it as.
func pagesOf(s *settings, keys *access.Table) (api.Pages, string, error) {
	if !s.explorer {
		return explorer.Sign(), "", nil
	}
	if _, ok := keys.Entry(explorerKey); !ok {
		return nil, "", usagef("the explorer needs the key %q in %s, whose networks, scopes and rate hold for its readers; make it by \"bencao keys create --access %s --id %s --network …\", or leave --explorer out",
			explorerKey, s.access, s.access, explorerKey)
	}
	return explorer.New(), explorerKey, nil
}

// openBackend makes a verified snapshot ready for requests.
func openBackend(s *settings, snap *snapshot.Snapshot) (*api.Backend, error) {
	if err := contents.SameSchema(snap.Manifest); err != nil {
		return nil, fmt.Errorf("%w; build it anew, or serve it by the program that built it", err)
	}
	changes, err := changesOf(snap.Path())
	if err != nil {
		return nil, err
	}
	dataset, err := os.ReadFile(snap.Path(indexer.DatasetFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return api.OpenBackend(snap.Path(), api.Meta{ID: snap.ID, Built: snap.Manifest.Created, SiteURL: s.siteURL, Sources: snap.Manifest.Sources, Changes: changes, Dataset: dataset, Held: snap, Public: contents.Public(snap.Manifest)})
}

// changesOf are the changes that the report of a snapshot tells of.
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

// bind takes the sockets for requests and for operators; the second is nil if
// there is to be none.
func bind(ctx context.Context, s *settings, sockets *listen.Sockets) (main, admin net.Listener, err error) {
	if main, err = sockets.Listen(ctx, listen.API, s.listen); err != nil {
		return nil, nil, err
	}
	if s.admin == "" || s.admin == off {
		return main, nil, nil
	}
	if admin, err = sockets.Listen(ctx, listen.Admin, s.admin); err != nil {
		return nil, nil, errors.Join(err, main.Close())
	}
	return main, admin, nil
}

// refuseHandover says, when it is asked for a successor by SIGUSR2 as older
// versions were, what to do instead.
func refuseHandover(ctx context.Context, asked <-chan os.Signal, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			log.Warn("SIGUSR2 starts no successor any more; restart the service: while systemd holds its socket, nobody is refused")
		}
	}
}

func closeAdmin(l net.Listener) error {
	if l == nil {
		return nil
	}
	return l.Close()
}

// closer closes a snapshot after its last request.
func closer(log *slog.Logger) func(*api.Backend) {
	return func(b *api.Backend) {
		if err := b.Close(); err != nil {
			log.Error("snapshot not closed", "snapshot", b.ID(), "error", err)
		}
	}
}

// usageAt is the folder that keeps what each key has asked, empty for none.
func (s *settings) usageAt() string {
	switch s.usageFolder {
	case "":
		return filepath.Join(s.data, "usage")
	case off:
		return ""
	}
	return s.usageFolder
}

// onHangup returns a channel that is told of SIGHUP until ctx ends.
func onHangup(ctx context.Context) <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	context.AfterFunc(ctx, func() { signal.Stop(c) })
	return c
}

// reload reads the access file on SIGHUP until ctx ends.
func reload(ctx context.Context, keys *access.File, hangup <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			// An error has been reported like any other change.
			_ = keys.Reload()
		}
	}
}

// age is how long ago the current snapshot was built or confirmed.
func (s *settings) age(id string, built time.Time) time.Duration {
	return time.Since(snapshot.At(s.data).Fresh(snapshot.Manifest{ID: id, Created: built}))
}

// withdrawn tells that a version of the data is not on its way here.
func (s *settings) withdrawn(id string) bool {
	return snapshot.Withdrawn(snapshot.At(s.data), id, time.Now())
}

// lastNight says why the last run left an older snapshot in place, or that its
// sources are no longer refreshed, or nil.
func (s *settings) lastNight() error {
	r, err := readLastRun(s.data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before the first night
	}
	if err != nil {
		return err
	}
	if r.bad() {
		return errors.New(r.String())
	}
	return overdue(s, r.Sources, time.Now())
}
