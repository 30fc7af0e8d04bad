package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"bencao/api/access"
	"bencao/api/connections"
	"bencao/api/keyuse"
	"bencao/api/logging"
	"bencao/api/problem"
	"bencao/store/snapshot"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"
)

// Timeouts of the connections to clients.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
)

// Options tunes a [Server]. The zero value is ready for use.
type Options struct {
	// Log gets one line per request, and errors. Nil means [slog.Default].
	Log *slog.Logger
	// Version is the version of the program. It is part of every ETag.
	Version string
	// License and CiteAs are the addresses of the licence and of the page on how to cite. Every
	// answer links to them. Empty means the page /about of the snapshot's site.
	License, CiteAs string
	// Contact is the operator's mail address or the address of a web page, shown on the pages.
	// Empty means none.
	Contact string
	// NamesPerRequest is the number of names that count as one request in names.matches. Zero means
	// 10.
	NamesPerRequest int
	// Collectors are further metrics for /metrics.
	Collectors []prometheus.Collector
	// Timeout limits the time that the handler of a request may take. Zero means 2 s.
	Timeout time.Duration
	// Connections limits the number of open connections. A further connection replaces the one that
	// has been idle longest. If none is idle, it waits. One address may have a quarter of the
	// connections: a further one replaces the address's own, and is closed if none is idle. Zero
	// means 4096.
	Connections int
	// Health is the state of the snapshot and the access file, for /readyz and the metrics. Nil
	// means that neither has a problem.
	Health *Health
	// Age returns the time since a snapshot was built or last confirmed by a nightly build. id is
	// the id of the snapshot, and built is the time when it was built. If Age is nil, the time
	// since built counts.
	Age func(id string, built time.Time) time.Duration
	// MaxAge is the age from which a snapshot is stale. Zero means never.
	MaxAge time.Duration
	// StaleReason returns the error of the last build, or of the last pull of a mirror, if it left
	// an old snapshot in place. Otherwise it returns nil. A nil func means that there is no such
	// error.
	StaleReason func() error
	// Withdrawn reports whether the publisher has withdrawn the snapshot with this id by a
	// rollback. The server asks only for snapshots newer than the current one. A nil func means
	// that none is withdrawn.
	Withdrawn func(id string) bool
	// Drain is the maximum time that a shutdown waits for requests in progress. After that time it
	// closes the connections of these requests. Zero means 5 s.
	Drain time.Duration
	// Delay is how long the server continues to answer after a shutdown begins. During this time
	// /readyz reports that it is not ready.
	Delay time.Duration
	// Pages serves the web pages. Nil means that there are none.
	Pages Pages
	// PagesKey is the id of the key whose networks, scopes and rate apply to the web pages. If it
	// is empty, the pages show no data and need no key.
	PagesKey string
	// LogDropped returns the number of dropped log lines, for the metrics. Nil means none.
	LogDropped func() int64
	// KeyUse remembers the use of each key. Nil means that nothing does.
	KeyUse *keyuse.Counter
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Age == nil {
		o.Age = func(_ string, built time.Time) time.Duration { return time.Since(built) }
	}
	if o.StaleReason == nil {
		o.StaleReason = func() error { return nil }
	}
	if o.Withdrawn == nil {
		o.Withdrawn = func(string) bool { return false }
	}
	if o.NamesPerRequest <= 0 {
		o.NamesPerRequest = 10
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Second
	}
	if o.Connections <= 0 {
		o.Connections = 4096
	}
	if o.Health == nil {
		o.Health = new(Health)
	}
	if o.Drain <= 0 {
		o.Drain = 5 * time.Second
	}
	if o.LogDropped == nil {
		o.LogDropped = func() int64 { return 0 }
	}
	return o
}

// Server answers requests from the current snapshot. It does not close the arguments of [New]. Its
// methods may be called from many goroutines.
type Server struct {
	opt      Options
	live     *snapshot.Live[*Backend]
	gate     *access.Gate
	byPath   map[string]*route // routes by their paths in gin's form
	byOp     map[string]*route
	pages    map[string]PageRoute // pages by their paths in gin's form
	handler  http.Handler         // compresses answers and calls gin
	metrics  *metrics
	refusals *logging.Refusals
	ending   atomic.Bool // a shutdown has begun
}

// New returns a server that answers from the snapshot in live. gate decides which clients it
// answers.
func New(live *snapshot.Live[*Backend], gate *access.Gate, opt Options) (*Server, error) {
	s := &Server{opt: opt.withDefaults(), live: live, gate: gate, byPath: map[string]*route{}, byOp: map[string]*route{}, pages: map[string]PageRoute{}}
	for _, address := range []string{s.opt.License, s.opt.CiteAs} {
		if err := CheckAddress(address); address != "" && err != nil {
			return nil, err
		}
	}
	if c := s.opt.Contact; c != "" {
		if err := CheckContact(c); err != nil {
			return nil, err
		}
	}
	s.metrics = newMetrics(s.opt.LogDropped, append([]prometheus.Collector{vitalsCollector{live, s.opt, gate.Table}}, s.opt.Collectors...)...)
	s.refusals = logging.NewRefusals(s.opt.Log, 0)
	compress, err := gzhttp.NewWrapper()
	if err != nil {
		return nil, fmt.Errorf("compression: %w", err)
	}
	engine, err := s.engine()
	if err != nil {
		return nil, err
	}
	s.handler = compress(engine)
	return s, nil
}

// engine returns a router with all routes.
func (s *Server) engine() (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode) // otherwise gin prints every route
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	e.ForwardedByClientIP = false
	if err := e.SetTrustedProxies(nil); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	e.Use(s.guard, s.refuseBody, s.admit, s.pinned)
	e.NoRoute(s.noRoute)
	e.NoMethod(s.noMethod)
	table := routes()
	for _, r := range append(table, openAPI(document(table, false), document(table, true))) {
		path := ginPath(&r)
		s.byPath[path] = &r
		s.byOp[r.op] = &r
		for _, method := range methods {
			e.Handle(method, path, s.serve(&r))
		}
	}
	if s.opt.Pages != nil {
		s.addPages(e)
	}
	return e, nil
}

// ginPath returns a route's path in gin's form.
func ginPath(r *route) string {
	if r.public() {
		return r.path
	}
	return prefix + strings.NewReplacer("{", ":", "}", "").Replace(r.path)
}

// OpenAPI returns the OpenAPI document, as /openapi/v1.json serves it.
func OpenAPI() []byte { return document(routes(), false) }

// ServeHTTP answers one request. It assigns an id and a snapshot, runs the middleware and the
// handler, and logs the request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Snapshot files are mapped into memory. If a file is truncated, reading it causes a fault.
	// This setting turns the fault into a panic of the request, so that the process continues.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	backend, release, unavailable := s.dataFor(r)
	defer release()
	c := &call{ResponseWriter: w, id: rand.Text(), began: time.Now(), backend: backend, unavailable: unavailable, op: "none", vary: apiVary}
	h := w.Header()
	c.put(h, "X-Request-Id", c.id)
	c.put(h, versionHeader, backend.meta.ID)
	c.put(h, "X-Content-Type-Options", "nosniff")
	c.put(h, "Cache-Control", keepPrivate)
	c.terms = s.opt.termsOf(backend)
	c.put(h, "Link", c.terms.links)
	if s.ending.Load() {
		c.put(h, "Connection", "close")
	}
	s.metrics.inFlight.Inc()
	defer s.finish(c)
	defer c.breakOff()
	s.handler.ServeHTTP(c, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
}

// apiVary lists the request headers that answers of the API depend on.
const apiVary = "X-Api-Key, Accept-Encoding, Accept, " + versionHeader

// termsOf returns the configured terms, or else those of the snapshot's site.
func (o *Options) termsOf(b *Backend) terms {
	if o.License == "" && o.CiteAs == "" {
		return b.terms
	}
	return newTerms(cmp.Or(o.License, b.terms.license), cmp.Or(o.CiteAs, b.terms.citeAs))
}

// finish logs and counts a request after its answer.
func (s *Server) finish(c *call) {
	took := time.Since(c.began)
	s.metrics.request(answered{c.op, c.status}, c.bytes, took)
	if c.unavailable != nil && c.unavailable.Kind == problem.VersionAhead && c.status == problem.VersionAhead.Status {
		s.metrics.ahead.Inc()
	}
	s.metrics.key(c.countedKey(), c.status, c.names.Load(), c.bytes)
	if p := c.admission.Principal; s.opt.KeyUse != nil && p != nil && !p.Anonymous() && !errors.Is(c.err, access.ErrNetwork) {
		s.opt.KeyUse.Count(p.ID, c.began)
	}
	if c.refusedStranger() && !s.refusals.Let(c.reason) {
		return
	}
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs, slog.String("request", c.id))
	if p := c.admission.Principal; p != nil {
		attrs = append(attrs, slog.String("key", p.ID))
	}
	attrs = append(attrs,
		slog.String("client", address(c.admission)),
		slog.String("operation", c.op),
		slog.Int("status", c.status),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.Int64("bytes", c.bytes),
		slog.String("snapshot", c.backend.meta.ID),
	)
	level := slog.LevelInfo
	if c.err != nil {
		attrs = append(attrs, slog.String("error", c.err.Error()))
		if c.status >= http.StatusInternalServerError || c.broken {
			level = slog.LevelError
		}
	}
	writeLine(s.opt.Log.Handler(), level, attrs)
}

// writeLine writes the log line of a request. It bypasses [slog.Logger], which would spend time to
// find the calling line of the source.
func writeLine(to slog.Handler, level slog.Level, attrs []slog.Attr) {
	ctx := context.Background()
	if !to.Enabled(ctx, level) {
		return
	}
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(attrs...)
	_ = to.Handle(ctx, line) // logging.Queue counts the lines that it cannot write
}

// Requests without a valid key are counted under these ids. No key can have such an id.
const (
	anonymousKey = "(anonymous)" // requests without a key to a server that needs none
	otherKey     = "(other)"     // all other requests without a valid key
)

// countedKey returns the id of the key under which the metrics count the request. The key may be
// disabled, expired, or used from a network that is not listed for it. If the request has no key,
// or a key that is not in the access file, countedKey returns [anonymousKey] or [otherKey].
func (c *call) countedKey() string {
	switch p := c.admission.Principal; {
	case c.admission.Anonymous:
		return anonymousKey
	case p != nil:
		return p.ID
	case c.status == http.StatusUnauthorized:
		if key := (*access.KeyError)(nil); errors.As(c.err, &key) && key.ID != "" {
			return key.ID
		}
	}
	return otherKey
}

// Serve answers requests on l until ctx ends. It then waits up to [Options.Drain] for requests in
// progress. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	listener := connections.Listen(l, connections.Options{Connections: s.opt.Connections, Client: s.gate.Peer, Refused: s.tooMany, Rewrite: s.unreadable})
	defer s.refusals.Flush()
	return listener.Serve(ctx, &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes - httpSlack,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
		ConnState:                    s.metrics.connection,
	}, connections.Shutdown{Began: func() { s.ending.Store(true) }, Delay: s.opt.Delay, Drain: s.opt.Drain, Cut: s.cut})
}

// cut logs how many connections a shutdown has closed in the middle of an answer.
func (s *Server) cut(connections int) {
	s.opt.Log.Warn("answers cut off at shutdown, because their clients read too slowly", "connections", connections, "after", s.opt.Drain.String())
}

// tooMany counts a connection that was closed because its address has too many, and logs it.
func (s *Server) tooMany(remote net.Addr) {
	const reason = "connections"
	s.metrics.refused.WithLabelValues(reason).Inc()
	if s.refusals.Let(reason) {
		s.opt.Log.LogAttrs(context.Background(), slog.LevelInfo, "connection refused, its address has too many",
			slog.String("client", remote.String()), slog.Int("most", s.opt.Connections/4))
	}
}

var unreadableFault = problem.New(problem.BadRequest, problem.NotHTTP.With())

// unreadable returns the answer to a request that net/http itself refuses with a status. It also
// logs the request.
func (s *Server) unreadable(remote net.Addr, status int) []byte {
	f := ownFaults[status]
	if f == nil {
		f = unreadableFault
	}
	// The request counts against the client's address, like all requests without a valid key.
	admission, _ := s.gate.AdmitPublic(access.Request{RemoteAddr: remote.String()})
	id := rand.Text()
	backend, release := s.live.Acquire()
	defer release()
	h := http.Header{
		"X-Request-Id": {id}, "X-Content-Type-Options": {"nosniff"}, "Cache-Control": {keepPrivate}, "Vary": {apiVary},
		versionHeader: {backend.meta.ID}, "Link": {s.opt.termsOf(backend).links},
	}
	(&call{admission: admission}).rateHeaders(h)
	out := f.Raw(h, id)
	s.metrics.requests.WithLabelValues("none", strconv.Itoa(f.Kind.Status)).Inc()
	s.metrics.key(otherKey, f.Kind.Status, 0, int64(len(out)))
	if !s.refusals.Let(f.Kind.Slug) {
		return out
	}
	s.opt.Log.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("request", id),
		slog.String("client", address(admission)),
		slog.String("operation", "none"),
		slog.Int("status", f.Kind.Status),
		slog.Int("bytes", len(out)),
	)
	return out
}

// address returns the client's address for the log, or "" if it is unknown.
func address(a access.Admission) string {
	if !a.Client.IsValid() {
		return ""
	}
	return a.Client.String()
}
